/**
 * AlignLayouts (xla/shape_util.cc): finds the layout in which a reshaped array is a view of the original array's memory.
 *
 *     f32[3,8,5,7,11]{3,2,1,0,4} -> [4,3,2,7,5,11]      {4,3,2,1,0,5}
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { Addressing } from "../address/addressing.ts";
import { checkShape } from "../type/argument-check.ts";
import { cellOfPosition } from "../address/mixed-radix-cells.ts";
import { commonFactors } from "./common-factors.ts";
import { Layout } from "../model/layout.ts";
import { reshapeSharesCells, rowMajorLevels } from "../address/same-cells.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray, shownShape } from "../model/shape.ts";
import { sizeProduct } from "../type/size-product.ts";
import { layoutFromStrides } from "../address/strides.ts";

/**
 * Returns `outputShape` with the layout that makes the reshape of `inputShape` to it a bitcast, or null if there is no
 * such plain layout (`AlignLayouts`). The layout of `outputShape`, if any, is ignored. Dimensions of size 1 become the most
 * major ones, in descending order, as in XLA today (in 2018 they were elsewhere).
 *
 * For plain layouts null is exact. Unlike XLA, this function accepts a tiled input: f32[4,4]{1,0:T(2,2)} is f32[2,2,2,2] in
 * {3,1,2,0}. An array without elements fits any layout.
 *
 * Throws INVALID_ARGUMENT if a shape is not an array, if the numbers of elements differ, and if the layout of the input is
 * missing or invalid.
 *
 * @example
 * const a = ShapeUtil.makeShapeWithDenseLayout("f32", [2, 3, 2], [1, 0, 2]);
 * ShapeUtil.alignLayouts(a, ShapeUtil.makeShape("f32", [6, 2]))?.toString(true); // => "f32[6,2]{0,1}"
 * ShapeUtil.alignLayouts(a, ShapeUtil.makeShape("f32", [4, 3])); // => null
 */
export function alignLayouts(inputShape: Shape, outputShape: Shape): Shape | null {
  checkShape(inputShape);
  checkShape(outputShape);
  const what = "AlignLayouts";
  const input = new Addressing(inputShape, what);
  const { dimensions } = requireArray(outputShape, what);
  if (input.elements !== sizeProduct(dimensions))
    throw new InvalidArgumentError(`${what}: ${shownShape(inputShape)} and ${shownShape(outputShape)} differ in their number of elements`);
  const order = input.elements === 0 ? alignEmpty(input, dimensions) : alignByStrides(input, dimensions);
  if (order === null) return null;
  const aligned = outputShape.with({ layout: new Layout(order) });
  return reshapeSharesCells(input, new Addressing(aligned, what)) ? aligned : null;
}

/** Takes as the stride of each dimension how far one step in it moves in the input. The caller checks the result. */
function alignByStrides(input: Addressing, dimensions: readonly number[]): number[] | null {
  const levels = rowMajorLevels(input);
  if (levels === null) return null;
  const strides = dimensions.slice();
  let unit = 1;
  for (let d = dimensions.length - 1; d >= 0; d--) {
    strides[d] = cellOfPosition(levels, dimensions[d] === 1 ? 0 : unit);
    unit *= dimensions[d]!;
  }
  return layoutFromStrides(dimensions, strides);
}

/**
 * XLA's algorithm, for arrays without elements, whose strides say nothing: each group of common factors must be
 * contiguous and row-major, and the groups keep their order. Where XLA finds no layout, returns the descending order.
 */
function alignEmpty(input: Addressing, dimensions: readonly number[]): number[] {
  const descending = dimensions.map((_, i) => dimensions.length - 1 - i);
  const isWide = (sizes: readonly number[]) => (d: number) => sizes[d] !== 1;
  const [wideA, wideB] = [
    input.dimensions.map((_, d) => d).filter(isWide(input.dimensions)),
    dimensions.map((_, d) => d).filter(isWide(dimensions)),
  ];
  const cuts = commonFactors(
    wideA.map((d) => input.dimensions[d]!),
    wideB.map((d) => dimensions[d]!),
  );
  const order = input.minorToMajor.filter(isWide(input.dimensions)).map((d) => wideA.indexOf(d));
  const aligned: number[] = [];
  for (let k = 0; k < order.length; ) {
    const at = cuts.findIndex(([i], c) => i <= order[k]! && order[k]! < (cuts[c + 1]?.[0] ?? 0));
    const [[start, startB], [end, endB]] = [cuts[at]!, cuts[at + 1]!];
    for (let d = end - 1; d >= start; d--) if (order[k++] !== d) return descending;
    for (let d = endB - 1; d >= startB; d--) aligned.push(wideB[d]!);
  }
  return [...aligned, ...descending.filter((d) => dimensions[d] === 1)];
}
