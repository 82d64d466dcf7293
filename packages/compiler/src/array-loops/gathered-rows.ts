/**
 * gathered-rows: gather from an operand outside the linear memory, of which few rows are picked (TensorFlow's gather_op.cc), as a loop over
 * typed arrays. Elsewhere rows-kernel.ts does it.
 *
 *     [outer, size, run]  by count indices    ->  [outer, count, run]
 */
import type { TypedArray } from "@onebuffer/base";
import { attributesOf, isComplexDType } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { checkedRow } from "@onebuffer/evaluator/internal";
import { product } from "@onebuffer/storage/internal";
import type { Bigs } from "./dense-array.ts";

/** A typed array of unsigned integers, for moving bytes. */
type Units = Uint8Array<ArrayBufferLike> | Uint16Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike>;

/** The number of units from which a run is moved by the engine's `set`, which costs as much as a few dozen single moves. */
const kLongRun = 48;

/** Row numbers: int32, or float64 where the axis has more than 2^31 rows. */
type Rows = Int32Array<ArrayBufferLike> | Float64Array<ArrayBuffer>;

/** Copies the rows of `from` that the indices name to `to`. Throws INVALID_ARGUMENT if an index is outside the axis. */
export function gatherRows(node: ExpressionTree, from: TypedArray, indices: TypedArray, to: TypedArray): void {
  const operand = node.inputs[0]!;
  const { outer, size, run } = runsOf(operand, attributesOf(node, "gather").axis);
  const rows = checkedRows(indices, size);
  const unit = Math.min(from.BYTES_PER_ELEMENT, 4) as 1 | 2 | 4;
  const units = (run * from.BYTES_PER_ELEMENT) / unit;
  const [source, target] = [unitsOf(from, unit), unitsOf(to, unit)];
  let write = 0;
  for (let o = 0; o < outer; o++) {
    const first = o * size;
    if (units === 1) {
      for (let j = 0; j < rows.length; j++) target[write++] = source[first + (rows[j] as number)] as number;
      continue;
    }
    for (let j = 0; j < rows.length; j++) {
      moveRun(source, target, (first + (rows[j] as number)) * units, write, units);
      write += units;
    }
  }
}

/** Returns the row numbers of an array of indices. Throws INVALID_ARGUMENT if an index is outside the axis. */
function checkedRows(indices: TypedArray, size: number): Rows {
  const isWide = indices.BYTES_PER_ELEMENT === 8;
  const rows = isWide ? Float64Array.from(indices as Bigs, Number) : (indices as Int32Array<ArrayBufferLike>);
  for (let j = 0; j < rows.length; j++) {
    const row = rows[j] as number;
    if (!(row >= 0 && row < size)) checkedRow("gather", row, j, size);
  }
  return isWide && size <= 2 ** 31 ? new Int32Array(rows) : rows;
}

/** The shape of an operand that an axis divides into rows and runs. */
export interface Runs {
  readonly outer: number;
  readonly size: number;
  /** The number of array slots behind the axis. */
  readonly run: number;
}

/** Returns how an axis divides an operand. A complex number takes two slots. */
export function runsOf({ dimensions, dtype }: ExpressionTree, axis: number): Runs {
  const slots = isComplexDType(dtype) ? 2 : 1;
  return {
    outer: product(dimensions.slice(0, axis)),
    size: dimensions[axis] as number,
    run: product(dimensions.slice(axis + 1)) * slots,
  };
}

/** Returns the bytes of an array as units of 4, 2 or 1 bytes. Moving integers keeps the bits of every NaN. */
function unitsOf(array: TypedArray, unit: 1 | 2 | 4): Units {
  const { buffer, byteOffset, byteLength } = array;
  if (unit === 4) return new Uint32Array(buffer, byteOffset, byteLength / 4);
  return unit === 2 ? new Uint16Array(buffer, byteOffset, byteLength / 2) : new Uint8Array(buffer, byteOffset, byteLength);
}

/** Moves `run` units from index `read` to index `write`. */
function moveRun(from: Units, to: Units, read: number, write: number, run: number): void {
  if (run >= kLongRun) to.set(from.subarray(read, read + run), write);
  else for (let k = 0; k < run; k++) to[write + k] = from[read + k] as number;
}
