/**
 * Reads a part of a stored tensor without reading the others.
 *
 *     stored [4, 6]   . . . . . .        one run on both sides: read straight into the result
 *                     . # # # . .        short gaps: read from the first to the last byte, in parts of up to 1 MiB, and copied
 *                     . # # # . .        long gaps: one read per row
 *                     . . . . . .
 */
import { bitSlots, copyStrided, joinAxes } from "@onebuffer/storage/internal";
import type { ByteSource } from "../source/byte-source.ts";
import { checkedReadInto } from "../source/checked-read.ts";
import { readPlanned } from "../source/read-plan.ts";
import { checkTransfer, transferOf } from "../source/transfer-options.ts";
import type { AbortSignalLike, TransferOptions } from "../source/transfer-options.ts";
import type { RegionAxis, RegionCopy } from "./region.ts";

/** The most bytes of one read that goes through scratch memory: 1 MiB. */
const kScratchBytes: number = 2 ** 20;

/** A gap of up to this many bytes is read and dropped; a longer one is worth a read of its own. */
const kMaxGapBytes = 65536;

/** One side of a read: the stored bytes, and the result's. */
export interface RegionRead {
  readonly source: ByteSource;
  /** The offset of the stored tensor in the source. */
  readonly offset: number;
  readonly copy: RegionCopy;
  /** The bytes of an element: any number, as texts of .npy files have. */
  readonly itemSize: number;
  /** The memory of the result, aligned as its elements are. */
  readonly target: Uint8Array<ArrayBufferLike>;
  readonly what: string;
  /** Called with the bytes of each read, in the order of the file: for checksums. */
  onPiece?(piece: Uint8Array<ArrayBufferLike>): void;
}

/** Fills the target with a region: with the calls of `readPlanned` if it is one run, else as `readRegion` does. */
export async function fillRegion(read: RegionRead, options: TransferOptions): Promise<void> {
  checkTransfer(options);
  const { source, offset, copy, itemSize, target, what } = read;
  const { signal, onProgress } = options;
  if (isOneRun(copy)) {
    await readPlanned([{ source, offset: offset + copy.sourceAt * itemSize, target, what }], transferOf(options));
    return;
  }
  let bytes = 0;
  await readRegion(read, signal, (count) => onProgress?.({ bytes: (bytes += count), totalBytes: target.length }));
}

/** Reads a region in the order of the file. `onBytes` is called after each read with the number of the result's bytes that it filled. */
export async function readRegion(
  { source, offset, copy, itemSize, target, what, onPiece }: RegionRead,
  signal: AbortSignalLike | undefined,
  onBytes: (bytes: number) => void,
): Promise<void> {
  // Copies count slots of 1, 2 or 4 bytes; wider elements are several slots.
  const slotBytes = itemSize % 4 === 0 ? 4 : itemSize % 2 === 0 ? 2 : 1;
  const slots = itemSize / slotBytes;
  const scaled = copy.axes.map(({ size, source: from, target: to }) => ({ size, source: from * slots, target: to * slots }));
  // The axes in the order of the file, so that a band is near in the file: of a column-major source this is not the order of the target.
  const joined = joinAxes([{ size: slots, source: 1, target: 1 }, ...scaled]).sort((a, b) => a.source - b.source);
  const isRun = joined[0]?.source === 1 && joined[0].target === 1;
  const run: RegionAxis = isRun ? (joined[0] as RegionAxis) : { size: 1, source: 1, target: 1 };
  const bands = planBands(run.size, isRun ? joined.slice(1) : joined, slotBytes);
  const targetSlots = bitSlots(target.buffer, slotBytes, target.byteOffset, target.byteLength);
  const usedPerStep = bands.inner.reduce((product, { size }) => product * size, run.size) * slotBytes;
  const scratch = new Uint8Array(Math.min(kScratchBytes, bands.spanOf(bands.perBand) * slotBytes));
  for (const [sourceAt, targetAt, count] of bandStarts(bands, copy.sourceAt * slots, copy.targetAt * slots)) {
    const start = offset + sourceAt * slotBytes;
    const length = bands.spanOf(count) * slotBytes;
    if (bands.inner.length === 0 && count === 1) {
      const to = targetAt * slotBytes;
      for (let at = 0; at < length; at += kScratchBytes) {
        const piece = target.subarray(to + at, to + Math.min(length, at + kScratchBytes));
        await checkedReadInto(source, start + at, piece, what, signal);
        onPiece?.(piece);
        onBytes(piece.length);
      }
      continue;
    }
    // The scratch memory is aligned for slots, which the bytes of a source in memory may not be.
    const bytes = scratch.subarray(0, length);
    await checkedReadInto(source, start, bytes, what, signal);
    onPiece?.(bytes);
    const axes = [run, ...bands.inner, ...(bands.outer === null ? [] : [{ ...bands.outer, size: count }])];
    copyStrided(bitSlots(bytes.buffer, slotBytes, 0, length), 0, targetSlots, targetAt, axes, 1);
    onBytes(usedPerStep * count);
  }
}

/** True if a copy is one run on both sides, which needs no bands. */
export function isOneRun({ axes }: RegionCopy): boolean {
  const [run, ...others] = joinAxes(axes);
  return others.length === 0 && (run === undefined || (run.source === 1 && run.target === 1));
}

/** How a region is divided into bands, each of which is one read. */
interface Bands {
  /** The axes that are whole in each band. */
  readonly inner: readonly RegionAxis[];
  /** The next axis, of which a band has up to `perBand` steps; null if one band is all. */
  readonly outer: RegionAxis | null;
  readonly perBand: number;
  /** The axes of which a band has one step. */
  readonly rest: readonly RegionAxis[];
  /** The slots of the file from the first to the last of a band with `count` steps of `outer`. */
  spanOf(count: number): number;
}

function planBands(run: number, axes: readonly RegionAxis[], slotBytes: number): Bands {
  const most = kScratchBytes / slotBytes;
  let span = run;
  let k = 0;
  for (; k < axes.length; k++) {
    const { size, source } = axes[k] as RegionAxis;
    if ((source - span) * slotBytes > kMaxGapBytes || span + (size - 1) * source > most) break;
    span += (size - 1) * source;
  }
  const outer = axes[k] ?? null;
  const isNear = outer !== null && (outer.source - span) * slotBytes <= kMaxGapBytes && span <= most;
  const perBand = isNear ? Math.max(1, Math.floor((most - span) / outer.source) + 1) : 1;
  const spanOf = (count: number): number => span + (count - 1) * (outer?.source ?? 0);
  return { inner: axes.slice(0, k), outer, perBand, rest: axes.slice(k + 1), spanOf };
}

/** Yields the first slot of each band on both sides and its steps of the outer axis. */
function* bandStarts(
  { outer, perBand, rest }: Bands,
  source: number,
  target: number,
): Generator<[number, number, number], void, undefined> {
  for (const [from, to] of offsets(rest, rest.length - 1, source, target)) {
    if (outer === null) yield [from, to, 1];
    else {
      for (let i = 0; i < outer.size; i += perBand)
        yield [from + i * outer.source, to + i * outer.target, Math.min(perBand, outer.size - i)];
    }
  }
}

function* offsets(axes: readonly RegionAxis[], k: number, source: number, target: number): Generator<[number, number], void, undefined> {
  if (k < 0) return yield [source, target];
  const { size, source: from, target: to } = axes[k] as RegionAxis;
  for (let i = 0; i < size; i++) yield* offsets(axes, k - 1, source + i * from, target + i * to);
}
