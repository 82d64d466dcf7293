/**
 * Tests whether a reshape or a transpose is a bitcast, that is, moves no bytes (ReshapeIsBitcast, TransposeIsBitcast and
 * DeduceTransposeDimensionsForBitcast in xla/shape_util.cc).
 *
 *     f32[3,4]{1,0} -> f32[6,2]{1,0}      reshape, a bitcast: both are row-major
 *     f32[3,4]{0,1} -> f32[6,2]{0,1}      reshape, not a bitcast: other elements become neighbors
 *     f32[2,3]{1,0} -> f32[3,2]{0,1}      transpose, a bitcast: dimensions and layout are swapped together
 *
 * Quirk: XLA's own predicates ignore tiles and element sizes. The functions here that are documented as exact use both.
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

/**
 * Returns true if the reshape of `inputShape` to `outputShape`, element by element in row-major order, moves no bytes
 * (`ReshapeIsBitcast`). Returns false if element types or element counts differ, if a layout is missing or an array is
 * padded; true for arrays without elements. Exact: compares the place of every element, tiles included.
 *
 * Throws INVALID_ARGUMENT if a shape is not an array, and for an invalid layout.
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

/** Returns true if the array has a layout, or is a scalar, which needs none. */
function hasOrder(shape: Shape): boolean {
  return shape.layout !== null || shape.dimensions.length === 0;
}

/** Returns true if the elements have the same type and stored size, or if the caller ignores the element type. */
function sameElements(a: Shape, b: Shape, ignoreElementType: boolean): boolean {
  return ignoreElementType || (a.elementType === b.elementType && storedBits(a) === storedBits(b));
}

/**
 * Returns true if a transpose is a bitcast by XLA's rule (`TransposeIsBitcast`): the order of `outputShape`'s layout,
 * mapped through `dimensionMapping`, is the order of `inputShape`'s. `dimensionMapping[i]` is the input's dimension that
 * becomes dimension i of the output. Returns false for padded arrays.
 *
 * Quirk: sizes and tiles are ignored, and a size-1 dimension at another position gives false although it moves nothing.
 * `transposeSharesBuffer` is exact.
 *
 * Throws INVALID_ARGUMENT if a shape is not an array, if a layout is missing, and if the mapping is not a permutation.
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
 * Returns true if a transpose leaves every element in its place. Exact: handles sizes of 1 and padded and tiled layouts.
 * XLA has only the approximate `transposeIsBitcast`. Returns false if the element types differ, or the sizes do after the
 * mapping.
 *
 * Throws INVALID_ARGUMENT if a shape is not an array, if a layout is missing or invalid, and if the mapping is not a
 * permutation.
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

/** Checks the arguments of a transpose and returns the orders of both layouts. */
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
 * Returns the mapping for which a transpose from one shape to the other is a bitcast, or null if there is none
 * (`DeduceTransposeDimensionsForBitcast`): the physical dimensions, from most major to most minor, must have equal sizes.
 * Element types, tiles and padding are ignored. Copies: a new list.
 *
 * Throws INVALID_ARGUMENT if a shape is not an array, and if a layout is missing or invalid.
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
 * Returns true if one array can be read as the other without moving bytes: unchanged, reshaped or transposed
 * (`IsReshapeOrTransposeBitcast`). Quirk: XLA calls its transpose predicate with the shapes swapped and so misses mappings
 * that are not their own inverse (a rotation of three dimensions); the result here has these. One that moves dimensions of size 1
 * between others may be missed, as in XLA: `transposeSharesBuffer` tells for a given permutation.
 *
 * Throws INVALID_ARGUMENT if a shape is not an array, and if a layout is missing or invalid.
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
