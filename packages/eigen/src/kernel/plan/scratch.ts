/**
 * scratch: the bytes of the linear memory that kernels use besides their operands (Eigen's counterpart is the device's
 * scratch allocator, which its block evaluation uses: TensorBlockScratchAllocator).
 *
 *     block, for good   | arguments 4 KiB | tail of a loop 4 KiB | rows 56 KiB |
 *     stack             | staged operands, intermediate results ...            |   taken and given back in reverse order
 *     staging           | operands and results of the short way, 1 MiB         |   when the first of them lies outside
 *
 * The block belongs to this thread and is reserved when the first kernel runs. The stack is one region that is kept
 * between uses and replaced by a larger one when something does not fit; what exceeds kKeptBytes is given back at once.
 * Both come from the arena of this thread if it has one already, and otherwise from the linear memory beside it.
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
const kBlockBytes: number = kArgumentBytes + kTailBytes + kRowBytes;
/** Bytes for what the short way brings from outside of the linear memory, with what loads of whole groups may touch behind it. */
export const kStagingBytes: number = 1 << 20;
const kStagingSlack = 1024;
/** The largest stack that is kept between uses. */
const kKeptBytes = 1 << 24;

let block: ScratchBlock | null = null;
let staging: number | null = null;
let stackStart = 0;
let stackBytes = 0;
let stackTop = 0;
/** Regions beside the stack, for what did not fit: offset and length in turn. */
const extra: number[] = [];

/** The block of this thread: where it is, and its argument part for writing. */
export interface ScratchBlock {
  readonly address: number;
  readonly words: Int32Array<ArrayBufferLike>;
  readonly view: DataView;
}

/** This thread's block: arguments, tail, rows. RESOURCE_EXHAUSTED when there is no room. */
export function scratchBlock(): ScratchBlock {
  if (block !== null) return block;
  const address = reserve(kBlockBytes);
  const { buffer } = linearMemory();
  block = { address, words: new Int32Array(buffer, address, kArgumentBytes / 4), view: new DataView(buffer, address, kArgumentBytes) };
  return block;
}

/** The same if this thread has its block already, else null: neither reserves anything nor throws. */
export function scratchBlockIfAny(): ScratchBlock | null {
  return block;
}

/** Where kStagingBytes begin that are the short way's own; null when there is no room for them. */
export function stagingStart(): number | null {
  staging ??= reserveScratch(kStagingBytes + kStagingSlack);
  return staging;
}

function reserve(numBytes: number): number {
  const offset = reserveScratch(numBytes);
  if (offset === null) throw new ResourceExhaustedError(`no room for ${numBytes} bytes of scratch memory in the linear memory`);
  return offset;
}

/** A mark to go back to with `releaseScratch`. */
export function scratchMark(): readonly [top: number, extras: number] {
  return [stackTop, extra.length];
}

/** `numBytes` bytes at a multiple of 256, until the mark before is released. RESOURCE_EXHAUSTED when there is no room. */
export function takeScratch(numBytes: number): number {
  const bytes = Math.max(1, Math.ceil(numBytes / 256)) * 256;
  if (stackTop === 0 && bytes > stackBytes && bytes <= kKeptBytes) growStack(bytes);
  if (stackTop + bytes <= stackBytes) {
    const offset = stackStart + stackTop;
    stackTop += bytes;
    return offset;
  }
  const offset = reserve(bytes);
  extra.push(offset, bytes);
  return offset;
}

function growStack(bytes: number): void {
  if (stackBytes !== 0) releaseScratchBytes(stackStart, stackBytes);
  stackBytes = 0;
  const larger = Math.min(kKeptBytes, 2 ** Math.ceil(Math.log2(bytes * 2)));
  stackStart = reserve(larger);
  stackBytes = larger;
}

/** Gives back everything taken since the mark. */
export function releaseScratch([top, extras]: readonly [top: number, extras: number]): void {
  stackTop = top;
  while (extra.length > extras) {
    const bytes = extra.pop() as number;
    releaseScratchBytes(extra.pop() as number, bytes);
  }
}
