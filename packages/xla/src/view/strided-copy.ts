/**
 * Copying between two strided arrays: the loops under `relayout` where no side is tiled.
 *
 * Axes come in the target's order, minor first; those that follow on each other on both sides have become one. Two of
 * them run innermost: the target's most minor and, if the source runs along another, that one, in blocks, so that both
 * sides use the cache lines they touch:
 *
 *     target rows   q   | 8 rows at a time, 32 columns at a time; the source is read along q, 8 in a row
 *     columns       p --+--------------------------------------------------------------->
 *
 * Elements are bit patterns in 1, 2 or 4 byte slots (a NaN keeps its payload); wider ones take several slots.
 */

/** One axis: its size, and how many slots a step is on either side. */
export interface CopyAxis {
  readonly size: number;
  readonly source: number;
  readonly target: number;
}

/** Elements as slots. */
export type BitSlots = Uint8Array<ArrayBufferLike> | Uint16Array<ArrayBufferLike> | Int32Array<ArrayBufferLike>;

/** From how many slots on a subarray and a set are cheaper than a loop. */
export const LONG_RUN = 64;

/** Block sizes, measured on f32 [2048,2048]: along the target's rows, and how many rows. */
const BLOCK_P = 32;
const BLOCK_Q = 8;

/** Axes of size 1 dropped, neighbours that are one on both sides joined. In the target's order, minor first. */
export function joinAxes(axes: readonly CopyAxis[]): CopyAxis[] {
  const joined: CopyAxis[] = [];
  for (const axis of axes.filter(({ size }) => size !== 1).sort((a, b) => a.target - b.target)) {
    const inner = joined.at(-1);
    if (inner !== undefined && inner.source * inner.size === axis.source && inner.target * inner.size === axis.target) {
      joined[joined.length - 1] = { ...inner, size: inner.size * axis.size };
    } else {
      joined.push(axis);
    }
  }
  return joined;
}

const SINGLE: CopyAxis = { size: 1, source: 1, target: 1 };

/** Copies every element of an array with elements, whose strides are given in slots of which an element has `slots`. */
export function copyStrided(source: BitSlots, target: BitSlots, dimensions: readonly CopyAxis[], slots: number): void {
  // The slots of an element are one more axis, the innermost on both sides.
  const axes = joinAxes([{ size: slots, source: 1, target: 1 }, ...dimensions]);
  // Left alone, it is no row worth copying: then the blocks are of whole elements.
  const wide = slots > 1 && axes[0]!.size === slots && axes.length > 1 ? slots : 1;
  const [p = SINGLE, ...rest] = wide === 1 ? axes : axes.slice(1);
  const q = rest.reduce((least, axis) => (axis.source < least.source ? axis : least), rest[0] ?? SINGLE);
  const outer = rest.filter((axis) => axis !== q);
  const copyPlane = (from: number, to: number): void => {
    if (wide > 1) copyBlocksWide(source, from, target, to, p, q, wide);
    else if (p.source === 1 && p.target === 1) copyRuns(source, from, target, to, p, q);
    else if (source.BYTES_PER_ELEMENT === 4) copyBlocks32(source as Int32Array, from, target as Int32Array, to, p, q);
    else copyBlocks(source as Uint8Array, from, target as Uint8Array, to, p, q);
  };
  forEachPlane(outer, outer.length - 1, 0, 0, copyPlane);
}

/** Calls `visit` with the start of every plane, the most major axis outermost. */
function forEachPlane(axes: readonly CopyAxis[], k: number, from: number, to: number, visit: (from: number, to: number) => void): void {
  if (k < 0) return visit(from, to);
  const { size, source, target } = axes[k]!;
  for (let i = 0; i < size; i++) forEachPlane(axes, k - 1, from + i * source, to + i * target, visit);
}

/** Rows that lie side by side on both sides. */
function copyRuns(source: BitSlots, from: number, target: BitSlots, to: number, p: CopyAxis, q: CopyAxis): void {
  const run = p.size;
  let s = from;
  let t = to;
  for (let row = 0; row < q.size; row++, s += q.source, t += q.target) {
    if (run >= LONG_RUN) target.set(source.subarray(s, s + run), t);
    else for (let i = 0; i < run; i++) target[t + i] = source[s + i]!;
  }
}

/** The blocked loop over slots of 1 or 2 bytes. */
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
  for (let startQ = 0; startQ < sizeQ; startQ += BLOCK_Q) {
    const countQ = Math.min(BLOCK_Q, sizeQ - startQ);
    for (let startP = 0; startP < sizeP; startP += BLOCK_P) {
      const endP = Math.min(startP + BLOCK_P, sizeP);
      for (let i = startP; i < endP; i++) {
        let s = from + i * sourceP + startQ * sourceQ;
        let t = to + i * targetP + startQ * targetQ;
        for (let j = 0; j < countQ; j++, s += sourceQ, t += targetQ) target[t] = source[s]!;
      }
    }
  }
}

/** The same over slots of 4 bytes, apart so that the engine sees one class of array here. */
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
  for (let startQ = 0; startQ < sizeQ; startQ += BLOCK_Q) {
    const countQ = Math.min(BLOCK_Q, sizeQ - startQ);
    for (let startP = 0; startP < sizeP; startP += BLOCK_P) {
      const endP = Math.min(startP + BLOCK_P, sizeP);
      for (let i = startP; i < endP; i++) {
        let s = from + i * sourceP + startQ * sourceQ;
        let t = to + i * targetP + startQ * targetQ;
        for (let j = 0; j < countQ; j++, s += sourceQ, t += targetQ) target[t] = source[s]!;
      }
    }
  }
}

/** The same over elements of several slots. */
function copyBlocksWide(source: BitSlots, from: number, target: BitSlots, to: number, p: CopyAxis, q: CopyAxis, slots: number): void {
  const { size: sizeP, source: sourceP, target: targetP } = p;
  const { size: sizeQ, source: sourceQ, target: targetQ } = q;
  for (let startQ = 0; startQ < sizeQ; startQ += BLOCK_Q) {
    const countQ = Math.min(BLOCK_Q, sizeQ - startQ);
    for (let startP = 0; startP < sizeP; startP += BLOCK_P) {
      const endP = Math.min(startP + BLOCK_P, sizeP);
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
