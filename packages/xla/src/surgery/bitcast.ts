/**
 * When a reshape or a transpose need not move any byte (ReshapeIsBitcast, TransposeIsBitcast and
 * DeduceTransposeDimensionsForBitcast in xla/shape_util.cc).
 *
 *     f32[3,4]{1,0} -> f32[6,2]{1,0}      free: both row-major
 *     f32[3,4]{0,1} -> f32[6,2]{0,1}      not:  3 and 6 differ in what lies side by side
 *     f32[2,3]{1,0} -> f32[3,2]{0,1}      a transpose, and free: dimension and order swapped together
 *
 * Quirk: XLA's own tests look at neither tiles nor element sizes. Those here that promise to be exact look at both.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { Addressing, addressableLayout } from "../address/addressing.ts";
import { checkNumbers, checkShape } from "../type/argument-check.ts";
import { isPadded } from "../model/layout-in-shape.ts";
import { checkPermutation, composePermutations, inversePermutation, permute } from "../type/permutation-util.ts";
import { reshapeSharesCells, transposeSharesCells } from "../address/same-cells.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray, shownShape } from "../model/shape.ts";
import { storedBits } from "./shape-size.ts";

/** Whether elements may be taken as each other's: of one type and stored alike, or the type is to be ignored. */
function sameElements(a: Shape, b: Shape, ignoreElementType: boolean): boolean {
  return ignoreElementType || (a.elementType === b.elementType && storedBits(a) === storedBits(b));
}

/**
 * Whether the array `inputShape` can be taken as the array `outputShape`, element by element in row-major order, without
 * moving a byte (`ReshapeIsBitcast`). False if types or element counts differ, a layout is missing or an array is
 * padded; true for arrays without elements. Exact: every element is in the same place, tiles included.
 *
 * Throws INVALID_ARGUMENT for what is no array and for an invalid layout.
 *
 * @example
 * const a = ShapeUtil.makeShape("f32", [3, 4]);
 * ShapeUtil.reshapeIsBitcast(a, ShapeUtil.makeShape("f32", [6, 2])); // => true
 * ShapeUtil.reshapeIsBitcast(a, ShapeUtil.makeShapeWithDenseLayout("f32", [6, 2], [0, 1])); // => false
 */
export function reshapeIsBitcast(inputShape: Shape, outputShape: Shape, ignoreElementType: boolean = false): boolean {
  checkShape(inputShape);
  checkShape(outputShape);
  const what = "ReshapeIsBitcast";
  if (!sameElements(requireArray(inputShape, what), requireArray(outputShape, what), ignoreElementType)) return false;
  if (!hasOrder(inputShape) || !hasOrder(outputShape) || isPadded(inputShape) || isPadded(outputShape)) return false;
  const [a, b] = [new Addressing(inputShape, what), new Addressing(outputShape, what)];
  return a.elements === b.elements && reshapeSharesCells(a, b);
}

function hasOrder(shape: Shape): boolean {
  return shape.layout !== null || shape.dimensions.length === 0;
}

/**
 * Whether a transpose is a matter of layout only, by XLA's rule (`TransposeIsBitcast`): the order of `outputShape`, taken
 * through `dimensionMapping`, is that of `inputShape`. `dimensionMapping[i]` is the input's dimension that becomes
 * dimension i of the output. False for padded arrays.
 *
 * Quirk: neither sizes nor tiles are looked at, and a size-1 dimension out of order is not forgiven, although it moves
 * nothing. `transposeSharesBuffer` is the exact answer.
 *
 * Throws INVALID_ARGUMENT for what is no array, a missing layout, and a mapping that is no permutation.
 *
 * @example
 * const [a, b] = [ShapeUtil.makeShape("f32", [10, 5]), ShapeUtil.makeShapeWithDenseLayout("f32", [5, 10], [0, 1])];
 * ShapeUtil.transposeIsBitcast(a, b, [1, 0]); // => true
 * ShapeUtil.transposeIsBitcast(a, b, [1, 1]); // throws INVALID_ARGUMENT
 */
export function transposeIsBitcast(
  inputShape: Shape,
  outputShape: Shape,
  dimensionMapping: readonly number[],
  ignoreElementType: boolean = false,
): boolean {
  checkShape(inputShape);
  checkShape(outputShape);
  checkNumbers(dimensionMapping, "dimension mapping");
  const [orderA, orderB] = mappedOrders(inputShape, outputShape, dimensionMapping, "TransposeIsBitcast");
  if (!ignoreElementType && inputShape.elementType !== outputShape.elementType) return false;
  if (isPadded(inputShape) || isPadded(outputShape)) return false;
  return composePermutations(dimensionMapping, orderB).every((d, i) => d === orderA[i]);
}

/**
 * Whether a transpose leaves every element where it is: exactly, for sizes of 1, padded and tiled layouts as well. A
 * helper of onebuffer's beside XLA's `transposeIsBitcast`. False if types, or sizes taken through the mapping, differ.
 *
 * Throws INVALID_ARGUMENT for what is no array, a missing or invalid layout, and a mapping that is no permutation.
 *
 * @example
 * const [a, b] = [ShapeUtil.makeShape("f32", [2, 1, 3]), ShapeUtil.makeShape("f32", [2, 3, 1])];
 * ShapeUtil.transposeSharesBuffer(a, b, [0, 2, 1]); // => true
 * ShapeUtil.transposeIsBitcast(a, b, [0, 2, 1]); // => false
 */
export function transposeSharesBuffer(
  inputShape: Shape,
  outputShape: Shape,
  dimensionMapping: readonly number[],
  ignoreElementType: boolean = false,
): boolean {
  checkShape(inputShape);
  checkShape(outputShape);
  checkNumbers(dimensionMapping, "dimension mapping");
  const what = "transposeSharesBuffer";
  mappedOrders(inputShape, outputShape, dimensionMapping, what);
  if (!sameElements(inputShape, outputShape, ignoreElementType)) return false;
  if (dimensionMapping.some((d, i) => inputShape.dimensions[d] !== outputShape.dimensions[i])) return false;
  return transposeSharesCells(new Addressing(inputShape, what), new Addressing(outputShape, what), dimensionMapping);
}

/** The orders of both layouts, after everything a transpose needs has been checked. */
function mappedOrders(a: Shape, b: Shape, mapping: readonly number[], what: string): [readonly number[], readonly number[]] {
  const [orderA, orderB] = [addressableLayout(a, what).minorToMajor, addressableLayout(b, what).minorToMajor];
  if (a.dimensions.length !== b.dimensions.length)
    throw new InvalidArgumentError(`${what}: ${shownShape(a)} and ${shownShape(b)} differ in rank`);
  checkPermutation(mapping, a.dimensions.length, `${what}: dimension mapping`);
  checkPermutation(orderA, a.dimensions.length, `${what}: minor_to_major`);
  checkPermutation(orderB, a.dimensions.length, `${what}: minor_to_major`);
  return [orderA, orderB];
}

/**
 * The mapping by which a transpose from one shape to the other would be a matter of layout only, or null if there is
 * none (`DeduceTransposeDimensionsForBitcast`): the physical dimensions, most major to most minor, must have equal
 * sizes. Element types, tiles and padding are not looked at. Copies: a new list.
 *
 * Throws INVALID_ARGUMENT for what is no array, and a missing or invalid layout.
 *
 * @example
 * const [a, b] = [ShapeUtil.makeShape("f32", [5, 3]), ShapeUtil.makeShapeWithDenseLayout("f32", [3, 5], [0, 1])];
 * ShapeUtil.deduceTransposeDimensionsForBitcast(a, b); // => [1, 0]
 * ShapeUtil.deduceTransposeDimensionsForBitcast(a, ShapeUtil.makeShape("f32", [15])); // => null
 */
export function deduceTransposeDimensionsForBitcast(inputShape: Shape, outputShape: Shape): number[] | null {
  checkShape(inputShape);
  checkShape(outputShape);
  const what = "DeduceTransposeDimensionsForBitcast";
  const [orderA, orderB] = [addressableLayout(inputShape, what).minorToMajor, addressableLayout(outputShape, what).minorToMajor];
  checkPermutation(orderA, inputShape.dimensions.length, `${what}: minor_to_major`);
  checkPermutation(orderB, outputShape.dimensions.length, `${what}: minor_to_major`);
  if (orderA.length !== orderB.length) return null;
  const mapping = composePermutations(orderA, inversePermutation(orderB));
  return permute(inputShape.dimensions, mapping).every((size, i) => size === outputShape.dimensions[i]) ? mapping : null;
}

/**
 * Whether one array can be taken as the other, unchanged, reshaped or transposed (`IsReshapeOrTransposeBitcast`).
 * Quirk: XLA asks its transpose test with the shapes swapped and so misses mappings that are not their own inverse
 * (three dimensions in a ring); the answer here is exact.
 *
 * Throws INVALID_ARGUMENT for what is no array, and a missing or invalid layout.
 *
 * @example
 * const a = ShapeUtil.makeShape("f32", [2, 3, 4]);
 * ShapeUtil.isReshapeOrTransposeBitcast(a, ShapeUtil.makeShapeWithDenseLayout("f32", [3, 4, 2], [1, 0, 2])); // => true
 */
export function isReshapeOrTransposeBitcast(a: Shape, b: Shape, ignoreElementType: boolean = false): boolean {
  checkShape(a);
  checkShape(b);
  if (reshapeIsBitcast(a, b, ignoreElementType)) return true;
  const mapping = deduceTransposeDimensionsForBitcast(a, b);
  return mapping !== null && transposeSharesBuffer(a, b, mapping, ignoreElementType);
}
