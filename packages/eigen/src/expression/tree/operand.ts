/**
 * Operand: what operations take and give, without the operations: maps and expressions as data, and what a map does with them.
 */
import type { DType } from "@onebuffer/base";
import type { OpAttributes } from "./op-attributes.ts";
import type { OpName } from "./op-table.ts";
import type { Scalar } from "./rank-types.ts";

/**
 * What an operation takes: a TensorMap, a StridedMap or an Expression of dtype `D` and rank `R`.
 *
 * @example
 * const operand: Operand<"float32", 1> = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * [operand.op, operand.inputs.length, operand.dtype]; // => ["map", 0, "float32"]
 */
export interface Operand<D extends DType, R extends number> {
  /** The operation that gives the elements; "map" for a map. */
  readonly op: OpName;
  /** The operands of the operation. */
  readonly inputs: readonly Operand<DType, number>[];
  /** What the operation has to know besides its operands. */
  readonly attributes: OpAttributes;
  /** The element type's name. */
  readonly dtype: D;
  /** The number of dimensions. */
  readonly rank: R;
  /** The number of elements. */
  readonly size: number;
  /** All sizes, outermost first. */
  readonly dimensions: readonly number[];
  /** Operations on the longest way down to a leaf: 0 for a map, at most 100,000. */
  readonly depth: number;
}

/** An operand of a binary operation: of the same dtype, or a plain value. */
export type Other<D extends DType, R extends number> = Operand<D, R> | Scalar<D>;

/**
 * What a map that can be written takes expressions with. The expression is broadcast to the map's sizes; its dtype is the map's. Memory
 * that it reads may overlap the map's: the result is as if it were computed aside first.
 *
 * Throws INVALID_ARGUMENT for another dtype, sizes that do not go together (naming both and the axis), and, when part of the elements may be
 * written already, for an integer divided by 0 or an index that is not there. FAILED_PRECONDITION for freed memory. RESOURCE_EXHAUSTED without
 * room for intermediate elements.
 *
 * @example
 * const map = tensorMap("int32", Int32Array.of(1, 2, 3), [3]);
 * const target: Assignments<"int32"> = map;
 * target.assign(map.reverse());
 * target.addAssign(10);
 * map.toArray(); // => [13, 12, 11]
 * target.divAssign(0); // throws INVALID_ARGUMENT
 */
export interface Assignments<D extends DType> {
  /** The elements of an expression, or one value everywhere. */
  assign(source: Other<D, number>): void;
  /** map = map + source. */
  addAssign(source: Other<D, number>): void;
  /** map = map - source. */
  subAssign(source: Other<D, number>): void;
  /** map = map * source. */
  mulAssign(source: Other<D, number>): void;
  /** map = map / source, integers cut off as by `div`. */
  divAssign(source: Other<D, number>): void;
}
