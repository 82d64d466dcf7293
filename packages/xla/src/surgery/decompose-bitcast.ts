/**
 * DecomposeBitcast (xla/shape_util.cc): expresses a bitcast, a change of shape over the same bytes, as a reshape, as a
 * transpose, or as a transpose, a reshape and another transpose.
 */
import { Addressing } from "../address/addressing.ts";
import { checkShape } from "../type/argument-check.ts";
import { deduceTransposeDimensionsForBitcast, reshapeIsBitcast, transposeSharesBuffer } from "./bitcast.ts";
import { inversePermutation } from "../type/permutation-util.ts";
import type { Shape } from "../model/shape.ts";
import { makeShapeWithDescendingLayoutAndSamePhysicalLayout } from "../model/make-shape.ts";

/** The bitcast is a single reshape. */
export interface BitcastDecompositionReshape {
  readonly kind: "reshape";
}

/** The bitcast is a single transpose; entry i of the list is the input's dimension that becomes dimension i. */
export interface BitcastDecompositionTranspose {
  readonly kind: "transpose";
  readonly transposeDims: readonly number[];
}

/** The bitcast is a transpose, a reshape and a transpose. A transpose with the identity permutation does nothing. */
export interface BitcastDecompositionTrt {
  readonly kind: "trt";
  readonly transpose1Dims: readonly number[];
  readonly transpose1Shape: Shape;
  readonly reshapeShape: Shape;
  readonly transpose2Dims: readonly number[];
}

/** The steps of a bitcast. */
export type BitcastDecomposition = BitcastDecompositionReshape | BitcastDecompositionTranspose | BitcastDecompositionTrt;

/**
 * Returns true if a bitcast between two shapes can be considered for decomposition (`IsDecomposableBitcast`): both are
 * arrays with layouts and have the same number of elements. Element types are ignored.
 *
 * Throws INVALID_ARGUMENT for an array with an invalid layout.
 *
 * @example
 * ShapeUtil.isDecomposableBitcast(ShapeUtil.makeShape("s4", [3, 2]), ShapeUtil.makeShape("s8", [6])); // => true
 * ShapeUtil.isDecomposableBitcast(ShapeUtil.makeShape("s4", [3, 2]), ShapeUtil.makeShape("s8", [3])); // => false
 */
export function isDecomposableBitcast(a: Shape, b: Shape): boolean {
  checkShape(a);
  checkShape(b);
  if (!a.isArray() || !b.isArray() || a.layout === null || b.layout === null) return false;
  return new Addressing(a, "IsDecomposableBitcast").elements === new Addressing(b, "IsDecomposableBitcast").elements;
}

/**
 * Returns the steps of a bitcast from `a` to `b`, or null if it cannot be decomposed (`DecomposeBitcast`). Element types
 * are ignored. XLA ignores tiles; here they are respected, so each step really leaves the bytes in place.
 *
 * Throws INVALID_ARGUMENT for an array with an invalid layout.
 *
 * @example
 * const [a, b] = [ShapeUtil.makeShape("f32", [16, 17, 3]), ShapeUtil.makeShapeWithDenseLayout("f32", [51, 16], [0, 1])];
 * const steps = ShapeUtil.decomposeBitcast(a, b);
 * steps?.kind === "trt" && steps.reshapeShape.toString(true); // => "f32[16,51]{1,0}"
 * ShapeUtil.decomposeBitcast(a, ShapeUtil.makeShape("f32", [2])); // => null
 */
export function decomposeBitcast(a: Shape, b: Shape): BitcastDecomposition | null {
  checkShape(a);
  checkShape(b);
  if (!isDecomposableBitcast(a, b)) return null;
  if (reshapeIsBitcast(a, b, true)) return { kind: "reshape" };
  const transposeDims = deduceTransposeDimensionsForBitcast(a, b);
  if (transposeDims !== null && transposeSharesBuffer(a, b, transposeDims, true)) return { kind: "transpose", transposeDims };
  const transpose1Shape = makeShapeWithDescendingLayoutAndSamePhysicalLayout(a);
  const reshapeShape = makeShapeWithDescendingLayoutAndSamePhysicalLayout(b);
  if (!reshapeIsBitcast(transpose1Shape, reshapeShape, true)) return null;
  return {
    kind: "trt",
    transpose1Dims: a.layout!.minorToMajor.toReversed(),
    transpose1Shape,
    reshapeShape,
    transpose2Dims: inversePermutation(b.layout!.minorToMajor.toReversed()),
  };
}
