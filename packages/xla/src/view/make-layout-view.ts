/**
 * layoutView: makes the LayoutView of a shape over a typed array, choosing the class that suits the element type.
 */
import type { TypedArray } from "@onebuffer/base";
import { checkShape } from "../type/argument-check.ts";
import type { LayoutElement, LayoutView } from "./layout-view.ts";
import { HighRankNumberLayoutView, NumberLayoutView } from "./number-layout-view.ts";
import { PrimitiveType } from "../type/primitive-type.ts";
import type { Shape } from "../model/shape.ts";
import { ValueLayoutView } from "./value-layout-view.ts";

/**
 * Returns a view of the elements of `shape`, which has a plain, padded or tiled layout, in `data`. The array's class must be
 * the one that stores the element type (Float32Array for f32, Uint16Array for the bit patterns of f16 and bf16, …). Its
 * first slot is cell 0; a dynamic-shape prefix, if the buffer has one, must not be part of `data`. Give the element type as
 * type argument if it is not a number: `layoutView<bigint>(…)` for s64 and u64, `<boolean>` for pred, `<Complex>` for c64
 * and c128.
 *
 * Throws INVALID_ARGUMENT if the shape is not an array, for a missing or invalid layout, an unbounded size, and an array of
 * another class or with too few slots for all cells; UNIMPLEMENTED for sparse and split layouts and for element sizes other
 * than the natural one and 1, 2 or 4 bits for a small type. Copies: never.
 *
 * @example
 * const shape = parseShape("s32[3,5]{1,0:T(2,2)}");
 * const view = layoutView(shape, new Int32Array(24));
 * view.set(2, 3, 42);
 * view.data[17]; // => 42
 * layoutView(shape, new Int32Array(23)); // throws INVALID_ARGUMENT
 * layoutView(shape, new Float32Array(24)); // throws INVALID_ARGUMENT
 */
export function layoutView<E extends LayoutElement = number>(shape: Shape, data: TypedArray): LayoutView<E> {
  checkShape(shape);
  return make(shape, data) as unknown as LayoutView<E>;
}

function make(shape: Shape, data: TypedArray): NumberLayoutView | ValueLayoutView {
  if (!isNumberType(shape.elementType)) return new ValueLayoutView(shape, data);
  return shape.dimensions.length > 4 ? new HighRankNumberLayoutView(shape, data) : new NumberLayoutView(shape, data);
}

function isNumberType(type: PrimitiveType): boolean {
  return (
    type !== PrimitiveType.PRED &&
    type !== PrimitiveType.S64 &&
    type !== PrimitiveType.U64 &&
    type !== PrimitiveType.C64 &&
    type !== PrimitiveType.C128
  );
}
