/**
 * product-loops: the loops of a product in blocks, made from the dimensions of its operands in memory (in Eigen the index mappers of
 * TensorContraction).
 *
 *     q [2, 64, 4, 32] shuffled and joined to [2 x 4, 64, 32], k [8, 64, 32]     a batch of 8 in two loops, 2 and 4
 *
 * A dimension that a reshape joined has several parts in memory, each with a stride of its own. Rows are walked by A alone and columns by
 * B alone, in their parts. The batch and k are walked by both, in loops into which the parts of both can be cut.
 */
import type { ExpressionTree } from "@onebuffer/expression";
import { attributesOf } from "@onebuffer/expression/internal";
import type { StridedGeometry } from "@onebuffer/storage/internal";

/** The dimensions of an operand in memory. Each dimension of the operand is made of `counts` of them; `counts` is null if each is one. */
export interface OperandGeometry extends StridedGeometry {
  readonly counts: readonly number[] | null;
}

/** A loop of a product: its size, and the bytes of one step in A and B. */
export interface Loop {
  size: number;
  a: number;
  b: number;
}

/** A part of a dimension of an operand: its size, and its stride in elements. */
interface Part {
  readonly size: number;
  readonly stride: number;
}

/** Returns the parts that dimension d of an operand is made of, counted from the end if d is negative; outermost first. */
export function partsOf({ dims, strides, counts }: OperandGeometry, d: number): Part[] {
  const at = d < 0 ? d + (counts ?? dims).length : d;
  const first = counts === null ? at : counts.slice(0, at).reduce((a, b) => a + b, 0);
  const count = counts === null ? 1 : (counts[at] as number);
  return Array.from({ length: count }, (_, k) => ({ size: dims[first + k] as number, stride: strides[first + k] as number }));
}

/** Adjacent loops that both operands walk as one become one loop; loops of size 1 are left out, unless no other is left. */
export function merged(loops: readonly Loop[]): Loop[] {
  const made: Loop[] = [];
  for (const { size, a, b } of loops) {
    const outer = made.at(-1);
    if (size === 1) continue;
    if (outer !== undefined && outer.a === size * a && outer.b === size * b) made[made.length - 1] = { size: outer.size * size, a, b };
    else made.push({ size, a, b });
  }
  return made.length > 0 ? made : [{ size: 1, a: 0, b: 0 }];
}

/** Runs over k shorter than this are not the innermost loop if there is a longer one. */
export const kShortRun = 8;

/**
 * Returns loops in which both operands walk one dimension, innermost first: the parts of A and of B cut at the places where either has a
 * cut. Returns null if their parts overlap, as 2 x 3 and 3 x 2 do.
 */
function commonLoops(partsA: readonly Part[], partsB: readonly Part[], [bytesA, bytesB]: readonly [number, number]): Loop[] | null {
  const [left, right] = [[...partsA], [...partsB]];
  const loops: Loop[] = [];
  while (left.length > 0 && right.length > 0) {
    const [x, y] = [left.pop()!, right.pop()!];
    const size = Math.min(x.size, y.size);
    if (x.size % size !== 0 || y.size % size !== 0) return null;
    loops.push({ size, a: x.stride * bytesA, b: y.stride * bytesB });
    if (x.size > size) left.push({ size: x.size / size, stride: x.stride * size });
    if (y.size > size) right.push({ size: y.size / size, stride: y.stride * size });
  }
  return loops;
}

/** Returns the loops over k of both operands, in the order of A's memory; null if their dimensions overlap. */
export function innerLoops(
  node: ExpressionTree,
  [a, b]: readonly [OperandGeometry, OperandGeometry],
  bytes: readonly [number, number],
): Loop[] | null {
  const { transposeA, transposeB } = attributesOf(node, "matMul");
  const loops = commonLoops(partsOf(a, transposeA ? -2 : -1), partsOf(b, transposeB ? -1 : -2), bytes);
  if (loops === null) return null;
  const sorted = merged(loops.sort((x, y) => Math.abs(y.a) - Math.abs(x.a)));
  const longest = sorted.reduce((most, each) => (each.size > most.size ? each : most));
  return sorted.at(-1)!.size >= kShortRun ? sorted : [...sorted.filter((each) => each !== longest), longest];
}

/** Returns for each dimension of the batch its loops, outermost first; null if the parts of the operands overlap in a dimension. */
export function batchLoops(
  { dimensions }: ExpressionTree,
  [a, b]: readonly [OperandGeometry, OperandGeometry],
  bytes: readonly [number, number],
): Loop[][] | null {
  const all: Loop[][] = [];
  for (let d = 0; d < dimensions.length - 2; d++) {
    const [size, at] = [dimensions[d] as number, d - dimensions.length];
    const loops = commonLoops(batchParts(a, at, size), batchParts(b, at, size), bytes);
    if (loops === null) return null;
    all.push(loops.reverse());
  }
  return all;
}

/** Returns the parts of a dimension of the batch, counted from the end: one of stride 0 if the operand is repeated along it. */
function batchParts(geometry: OperandGeometry, at: number, size: number): Part[] {
  const parts = -at > (geometry.counts ?? geometry.dims).length ? [] : partsOf(geometry, at).filter((part) => part.size > 1);
  return parts.length === 0 ? [{ size, stride: 0 }] : parts;
}
