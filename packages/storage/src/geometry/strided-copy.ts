/**
 * copyStrided: copies elements from one strided array to another, as bit patterns.
 *
 *     axis   { size: 3, source: 1, target: 4 }   three steps; each is 1 slot further in the source and 4 in the target
 *
 * Every copy between two layouts of the same elements in this repository uses it: maps, relayout, column-major files, slices of a
 * tensor. It first joins adjacent axes that form one longer axis on both sides. Then two axes run innermost: `p`, the one with the
 * shortest step in the target, and `q`, the one with the shortest step in the source. If they differ, both are walked in blocks, so that
 * both sides use the whole of each cache line they load:
 *
 *     target rows   q   | 8 rows at a time, 32 columns at a time; the source is read along q, 8 in a row
 *     columns       p --+--------------------------------------------------------------->
 *
 * Elements are bit patterns in slots of 1, 2 or 4 bytes, so a NaN keeps its payload; wider elements take several slots.
 */

/** One axis of a copy: its size, and its step in slots on the source side and on the target side. Steps may be negative. */
export interface CopyAxis {
  readonly size: number;
  readonly source: number;
  readonly target: number;
}

/** An array of slots: the bit patterns of elements in units of 1, 2 or 4 bytes. */
export type BitSlots = Uint8Array<ArrayBufferLike> | Uint16Array<ArrayBufferLike> | Int32Array<ArrayBufferLike>;

/** The length in slots from which `target.set(source.subarray(…))` is faster than a loop. */
export const kLongRun = 64;

/** The length in slots up to which runs are copied in blocks: a loop of its own for each run takes twice as long. */
const kShortRun = 8;

/** Block sizes along `p` and along `q` (the columns and rows of the picture above), measured on f32 [2048,2048]. */
const kBlockP = 32;
const kBlockQ = 8;

/**
 * Returns the axes sorted by their step in the target, the shortest first. Axes of size 1 are left out, and neighbors that form one longer
 * axis on both sides are joined.
 */
export function joinAxes(axes: readonly CopyAxis[]): CopyAxis[] {
  const joined: CopyAxis[] = [];
  for (const axis of axes.filter(({ size }) => size !== 1).sort((a, b) => Math.abs(a.target) - Math.abs(b.target))) {
    const inner = joined.at(-1);
    if (inner !== undefined && inner.source * inner.size === axis.source && inner.target * inner.size === axis.target) {
      joined[joined.length - 1] = { ...inner, size: inner.size * axis.size };
    } else {
      joined.push(axis);
    }
  }
  return joined;
}

const kSingle: CopyAxis = { size: 1, source: 1, target: 1 };

/**
 * Copies the elements that `dimensions` describe, from slot `sourceAt` of one array to slot `targetAt` of another. Steps are in slots, and
 * an element has `slots` slots. The two sides must not overlap.
 */
export function copyStrided(
  source: BitSlots,
  sourceAt: number,
  target: BitSlots,
  targetAt: number,
  dimensions: readonly CopyAxis[],
  slots: number,
): void {
  // The slots of an element are one more axis, the innermost on both sides.
  const axes = joinAxes([{ size: slots, source: 1, target: 1 }, ...dimensions]);
  // If no axis was joined to it, its runs are too short for a loop of their own: copyBlocksWide then copies whole elements in blocks.
  const wide = slots > 1 && axes[0]!.size === slots && axes.length > 1 ? slots : 1;
  const [p = kSingle, ...rest] = wide === 1 ? axes : axes.slice(1);
  const q = rest.reduce((least, axis) => (Math.abs(axis.source) < Math.abs(least.source) ? axis : least), rest[0] ?? kSingle);
  const outer = rest.filter((axis) => axis !== q);
  const copyPlane = (from: number, to: number): void => {
    if (wide > 1) copyBlocksWide(source, from, target, to, p, q, wide);
    else if (p.source === 1 && p.target === 1 && p.size > kShortRun) copyRuns(source, from, target, to, p, q);
    else if (source.BYTES_PER_ELEMENT === 4) copyBlocks32(source as Int32Array, from, target as Int32Array, to, p, q);
    else copyBlocks(source as Uint8Array, from, target as Uint8Array, to, p, q);
  };
  forEachPlane(outer, outer.length - 1, sourceAt, targetAt, copyPlane);
}

/** Returns the widest slot size, in bytes, that divides all of `offsets`. */
export function slotBytesFor(...offsets: readonly number[]): 1 | 2 | 4 {
  const bits = offsets.reduce((all, offset) => all | offset, 0);
  return bits % 4 === 0 ? 4 : bits % 2 === 0 ? 2 : 1;
}

/** Returns all bytes of a buffer, or some, as slots of `slotBytes` bytes. An incomplete last slot is left out. Copies: never. */
export function bitSlots(
  buffer: ArrayBufferLike,
  slotBytes: 1 | 2 | 4,
  byteOffset: number = 0,
  byteLength: number = buffer.byteLength,
): BitSlots {
  const length = Math.floor(byteLength / slotBytes);
  if (slotBytes === 4) return new Int32Array(buffer, byteOffset, length);
  return slotBytes === 2 ? new Uint16Array(buffer, byteOffset, length) : new Uint8Array(buffer, byteOffset, length);
}

/**
 * Calls `visit` for each run along the axis with the shortest step in the target, with the run's first slot on both sides and that axis.
 */
export function forEachRun(
  sourceAt: number,
  targetAt: number,
  dimensions: readonly CopyAxis[],
  visit: (sourceAt: number, targetAt: number, run: CopyAxis) => void,
): void {
  const [run = kSingle, ...outer] = joinAxes(dimensions);
  forEachPlane(outer, outer.length - 1, sourceAt, targetAt, (from, to) => visit(from, to, run));
}

/** Calls `visit` with the first slots of every plane. The last of `axes` is the outermost loop. */
function forEachPlane(axes: readonly CopyAxis[], k: number, from: number, to: number, visit: (from: number, to: number) => void): void {
  if (k < 0) return visit(from, to);
  const { size, source, target } = axes[k]!;
  for (let i = 0; i < size; i++) forEachPlane(axes, k - 1, from + i * source, to + i * target, visit);
}

/** Copies rows that are contiguous on both sides. */
function copyRuns(source: BitSlots, from: number, target: BitSlots, to: number, p: CopyAxis, q: CopyAxis): void {
  const run = p.size;
  let s = from;
  let t = to;
  for (let row = 0; row < q.size; row++, s += q.source, t += q.target) {
    if (run >= kLongRun) target.set(source.subarray(s, s + run), t);
    else if (source.BYTES_PER_ELEMENT === 4) copyRow32(source as Int32Array, s, 1, target as Int32Array, t, 1, run);
    else copyRow(source as Uint8Array, s, 1, target as Uint8Array, t, 1, run);
  }
}

/** Copies one row of slots of 4 bytes. A function of its own, so that the engine meets only one array class in it. */
function copyRow32(
  source: Int32Array<ArrayBufferLike>,
  from: number,
  sourceStep: number,
  target: Int32Array<ArrayBufferLike>,
  to: number,
  targetStep: number,
  count: number,
): void {
  for (let i = 0, s = from, t = to; i < count; i++, s += sourceStep, t += targetStep) target[t] = source[s]!;
}

/** Copies one row of slots of 1 or 2 bytes, in a loop without blocks. */
function copyRow(
  source: Uint8Array<ArrayBufferLike>,
  from: number,
  sourceStep: number,
  target: Uint8Array<ArrayBufferLike>,
  to: number,
  targetStep: number,
  count: number,
): void {
  for (let i = 0, s = from, t = to; i < count; i++, s += sourceStep, t += targetStep) target[t] = source[s]!;
}

/** Copies slots of 1 or 2 bytes in blocks. */
function copyBlocks(
  source: Uint8Array<ArrayBufferLike>,
  from: number,
  target: Uint8Array<ArrayBufferLike>,
  to: number,
  p: CopyAxis,
  q: CopyAxis,
): void {
  const { size: sizeP, source: sourceP, target: targetP } = p;
  const { size: sizeQ, source: sourceQ, target: targetQ } = q;
  if (sizeQ === 1) return copyRow(source, from, sourceP, target, to, targetP, sizeP);
  for (let startQ = 0; startQ < sizeQ; startQ += kBlockQ) {
    const countQ = Math.min(kBlockQ, sizeQ - startQ);
    for (let startP = 0; startP < sizeP; startP += kBlockP) {
      const endP = Math.min(startP + kBlockP, sizeP);
      for (let i = startP; i < endP; i++) {
        let s = from + i * sourceP + startQ * sourceQ;
        let t = to + i * targetP + startQ * targetQ;
        for (let j = 0; j < countQ; j++, s += sourceQ, t += targetQ) target[t] = source[s]!;
      }
    }
  }
}

/** Copies slots of 4 bytes in blocks. A function of its own, so that the engine meets only one array class in it. */
function copyBlocks32(
  source: Int32Array<ArrayBufferLike>,
  from: number,
  target: Int32Array<ArrayBufferLike>,
  to: number,
  p: CopyAxis,
  q: CopyAxis,
): void {
  const { size: sizeP, source: sourceP, target: targetP } = p;
  const { size: sizeQ, source: sourceQ, target: targetQ } = q;
  if (sizeQ === 1) return copyRow32(source, from, sourceP, target, to, targetP, sizeP);
  for (let startQ = 0; startQ < sizeQ; startQ += kBlockQ) {
    const countQ = Math.min(kBlockQ, sizeQ - startQ);
    for (let startP = 0; startP < sizeP; startP += kBlockP) {
      const endP = Math.min(startP + kBlockP, sizeP);
      for (let i = startP; i < endP; i++) {
        let s = from + i * sourceP + startQ * sourceQ;
        let t = to + i * targetP + startQ * targetQ;
        for (let j = 0; j < countQ; j++, s += sourceQ, t += targetQ) target[t] = source[s]!;
      }
    }
  }
}

/** Copies elements of several slots in blocks. */
function copyBlocksWide(source: BitSlots, from: number, target: BitSlots, to: number, p: CopyAxis, q: CopyAxis, slots: number): void {
  const { size: sizeP, source: sourceP, target: targetP } = p;
  const { size: sizeQ, source: sourceQ, target: targetQ } = q;
  for (let startQ = 0; startQ < sizeQ; startQ += kBlockQ) {
    const countQ = Math.min(kBlockQ, sizeQ - startQ);
    for (let startP = 0; startP < sizeP; startP += kBlockP) {
      const endP = Math.min(startP + kBlockP, sizeP);
      for (let i = startP; i < endP; i++) {
        let s = from + i * sourceP + startQ * sourceQ;
        let t = to + i * targetP + startQ * targetQ;
        for (let j = 0; j < countQ; j++, s += sourceQ, t += targetQ) {
          for (let slot = 0; slot < slots; slot++) target[t + slot] = source[s + slot]!;
        }
      }
    }
  }
}
