/**
 * scratch: the bytes of the linear memory that kernels use besides their operands (in Eigen: the device's scratch allocator, which block
 * evaluation uses: TensorBlockScratchAllocator).
 *
 *     block, permanent  | arguments 4 KiB | tail of a loop 4 KiB | rows 56 KiB |
 *     stack             | staged operands, intermediate results ...            |   taken and released in reverse order
 *     staging           | operands and results of the fast path, 1 MiB         |   if one of them is outside the linear memory
 *
 * Each thread reserves its own block when its first kernel runs. The stack is one region that is kept between uses. If a request does not
 * fit, an empty stack is replaced by a larger one of at most kKeptBytes, which also has room for what did not fit before. Other requests
 * that do not fit get regions of their own, which are released after use. All come from the arena of this thread if it has one already,
 * otherwise directly from the linear memory.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import { releaseScratch as releaseScratchBytes, reserveScratch } from "@onebuffer/allocator/internal";
import { linearMemory } from "@onebuffer/wasm";

/** Bytes for the arguments of one call: sizes, addresses, strides, constants. */
export const kArgumentBytes = 4096;
/** Bytes for the last, partial vectors of a loop. */
export const kTailBytes = 4096;
/** Bytes for rows that a kernel keeps between its passes. */
export const kRowBytes = 57344;
/** Bytes of a block. */
export const kBlockBytes: number = kArgumentBytes + kTailBytes + kRowBytes;
/** Bytes for copies of the fast path's operands and results that are outside the linear memory. */
export const kStagingBytes: number = 1 << 20;
/** Bytes behind the staging area that loads of whole groups may touch. */
const kStagingSlack = 1024;
/** The largest stack that is kept between uses. */
const kKeptBytes = 1 << 24;

/** What this thread holds of the linear memory. */
const held: {
  block: ScratchBlock | null;
  staging: number | null;
  stackStart: number;
  stackBytes: number;
  stackTop: number;
  /** The most bytes of at most kKeptBytes that have been in use at a time, on the stack and in regions of their own. */
  wantedBytes: number;
} = { block: null, staging: null, stackStart: 0, stackBytes: 0, stackTop: 0, wantedBytes: 0 };
/** Regions for requests that did not fit on the stack: offset and length alternate. */
const extra: number[] = [];

/** The block of this thread: its address, and its argument part for writing. */
export interface ScratchBlock {
  readonly address: number;
  readonly words: Int32Array<ArrayBufferLike>;
  readonly view: DataView;
}

/** Returns this thread's block; reserves it at the first call. Throws RESOURCE_EXHAUSTED if the linear memory has no space. */
export function scratchBlock(): ScratchBlock {
  return held.block ?? makeBlock(reserve(kBlockBytes));
}

/** Returns this thread's block; reserves it at the first call. Returns null if the linear memory has no space. */
export function scratchBlockIfRoom(): ScratchBlock | null {
  return held.block ?? tryMakeBlock();
}

function tryMakeBlock(): ScratchBlock | null {
  const address = reserveScratch(kBlockBytes);
  return address === null ? null : makeBlock(address);
}

function makeBlock(address: number): ScratchBlock {
  held.block = scratchBlockAt(address);
  return held.block;
}

/** Returns a block of kBlockBytes at an address, for a kernel that another thread runs. */
export function scratchBlockAt(address: number): ScratchBlock {
  const { buffer } = linearMemory();
  return { address, words: new Int32Array(buffer, address, kArgumentBytes / 4), view: new DataView(buffer, address, kArgumentBytes) };
}

/** Returns the start of the fast path's kStagingBytes; null if the linear memory has no space for them. */
export function stagingStart(): number | null {
  held.staging ??= reserveScratch(kStagingBytes + kStagingSlack);
  return held.staging;
}

/** Reserves bytes of the linear memory. Throws RESOURCE_EXHAUSTED if it has no space. */
function reserve(numBytes: number): number {
  const offset = reserveScratch(numBytes);
  if (offset === null) throw new ResourceExhaustedError(`no room for ${numBytes} bytes of scratch memory in the linear memory`);
  return offset;
}

/** Returns a mark for `releaseScratch`. */
export function scratchMark(): readonly [top: number, extras: number] {
  return [held.stackTop, extra.length];
}

/** Returns the ranges of scratch memory that are in use now, for the address check of tests (tools/checked-kernels). */
export function scratchInUse(): readonly (readonly [start: number, end: number])[] {
  const ranges: [number, number][] = [[held.stackStart, held.stackStart + held.stackTop]];
  if (held.block !== null) ranges.push([held.block.address, held.block.address + kBlockBytes]);
  if (held.staging !== null) ranges.push([held.staging, held.staging + kStagingBytes + kStagingSlack]);
  for (let k = 0; k < extra.length; k += 2) ranges.push([extra[k] as number, (extra[k] as number) + (extra[k + 1] as number)]);
  return ranges;
}

/** Returns the address of `numBytes` bytes, a multiple of 256. Valid until an earlier mark is released. Throws RESOURCE_EXHAUSTED. */
export function takeScratch(numBytes: number): number {
  const bytes = Math.max(1, Math.ceil(numBytes / 256)) * 256;
  if (held.stackTop === 0) {
    const wanted = Math.max(bytes, held.wantedBytes);
    if (wanted > held.stackBytes && wanted <= kKeptBytes) growStack(bytes, wanted);
  }
  if (held.stackTop + bytes <= held.stackBytes) {
    const offset = held.stackStart + held.stackTop;
    held.stackTop += bytes;
    return offset;
  }
  const offset = reserve(bytes);
  extra.push(offset, bytes);
  let inUse = held.stackTop;
  for (let k = 1; k < extra.length; k += 2) inUse += extra[k] as number;
  if (inUse <= kKeptBytes) held.wantedBytes = Math.max(held.wantedBytes, inUse);
  return offset;
}

/**
 * Replaces the stack, which is empty, by one with room for `wanted` bytes. A stack without room for `bytes` is released first, so that the
 * memory of both is not in use at a time; if there is no room for the larger one, there is none. A stack with room for them stays until
 * there is a larger one.
 */
function growStack(bytes: number, wanted: number): void {
  const larger = Math.min(kKeptBytes, 2 ** Math.ceil(Math.log2(wanted * 2)));
  if (bytes > held.stackBytes) releaseStack();
  const start = reserveScratch(larger);
  if (start === null) {
    held.wantedBytes = 0;
    return;
  }
  releaseStack();
  held.stackStart = start;
  held.stackBytes = larger;
}

function releaseStack(): void {
  if (held.stackBytes !== 0) releaseScratchBytes(held.stackStart, held.stackBytes);
  held.stackBytes = 0;
}

/** Releases everything taken since the mark. */
export function releaseScratch(mark: readonly [top: number, extras: number]): void {
  // By index: to take an array apart runs an iterator until the engine has compiled this.
  held.stackTop = mark[0];
  while (extra.length > mark[1]) {
    const bytes = extra.pop() as number;
    releaseScratchBytes(extra.pop() as number, bytes);
  }
}

/** Returns what `work` returns, and releases the scratch memory that it has taken. */
export function withScratch<T>(work: () => T): T {
  const mark = scratchMark();
  try {
    return work();
  } finally {
    releaseScratch(mark);
  }
}

/**
 * Gives all scratch memory that is in use away, because other threads still use it. Until the next mark is released nothing may be taken.
 * Returns the function that frees it.
 */
export function detachScratch(): () => void {
  const given = [held.stackStart, held.stackBytes, ...extra];
  held.stackBytes = extra.length = 0;
  return () => {
    for (let k = 0; k < given.length; k += 2) if (given[k + 1] !== 0) releaseScratchBytes(given[k] as number, given[k + 1] as number);
  };
}
