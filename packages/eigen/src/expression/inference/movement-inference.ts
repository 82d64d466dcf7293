/**
 * Checks the operands of movements and infers dtype and sizes of the result. A movement changes the places of elements and computes none.
 * The rules for sizes, ranges and axes are those of the views of a StridedMap, and the arithmetic is the same (strided-geometry.ts).
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { isIndex } from "../../geometry/map-errors.ts";
import type { SliceRange } from "../../geometry/indices.ts";
import {
  broadcastGeometry,
  expandedGeometry,
  permutedGeometry,
  slicedGeometry,
  squeezedGeometry,
} from "../../geometry/strided-geometry.ts";
import type { StridedGeometry } from "../../geometry/strided-geometry.ts";
import { reshapeSizes } from "../../geometry/strided-reshape.ts";
import { checkAxis, checkAxisList } from "./axes.ts";
import { checkCount, shownCall, shownOperand } from "./broadcast-dims.ts";
import { checkDType, checkSameDType } from "./elementwise-inference.ts";
import type { ExpressionFields, ExpressionTree, ScatterReduction, ScatterSkips } from "../tree/op-attributes.ts";
import { noAttributes } from "../tree/op-attributes.ts";
import { kCode } from "../tree/node-code.ts";
import type { CodedTree } from "../tree/node-code.ts";

/** Returns a geometry with the node's sizes, for the checks and sizes of strided-geometry.ts. Its strides are not used. */
function geometryOf({ dimensions }: ExpressionTree): StridedGeometry {
  return { offset: 0, dims: dimensions, strides: dimensions.map(() => 1) };
}

function moved(op: "reshape" | "broadcast", a: ExpressionTree, dimensions: readonly number[]): ExpressionFields {
  // A node has a code only if kernels compute its dtype, and those dtypes can all be moved.
  if (!((a as CodedTree)[kCode] >= 0)) checkDType(op, a);
  return { op, inputs: [a], attributes: noAttributes, dtype: a.dtype, dimensions };
}

/** Returns the fields of a reshape: the same elements in row-major order, other sizes. Throws INVALID_ARGUMENT if the counts differ. */
export function reshapeFields(a: ExpressionTree, dims: readonly number[]): ExpressionFields {
  return moved("reshape", a, reshapeSizes(a.dimensions, dims));
}

/** Returns the fields of a reshape that inserts a size of 1. Throws INVALID_ARGUMENT for a dim out of range. */
export function expandDimsFields(a: ExpressionTree, dim: number): ExpressionFields {
  return moved("reshape", a, expandedGeometry(geometryOf(a), checkAxis("expandDims", dim, a, 1)).dims);
}

/** Returns the fields of a reshape that removes sizes of 1. Throws INVALID_ARGUMENT for a dimension of another size. */
export function squeezeFields(a: ExpressionTree, dims: readonly number[] | undefined): ExpressionFields {
  const list = dims === undefined ? undefined : checkAxisList("squeeze", dims, a);
  return moved("reshape", a, squeezedGeometry(geometryOf(a), list).dims);
}

/** Returns the fields of a broadcast to other sizes. Throws INVALID_ARGUMENT for incompatible sizes. */
export function broadcastFields(a: ExpressionTree, dims: readonly number[]): ExpressionFields {
  return moved("broadcast", a, broadcastGeometry(geometryOf(a), dims).dims);
}

/** Returns the fields of a permutation of dimensions; reversed if undefined. Throws INVALID_ARGUMENT unless each is listed once. */
export function shuffleFields(a: ExpressionTree, permutation: readonly number[] | undefined, call: string = "shuffle"): ExpressionFields {
  checkDType("shuffle", a);
  const rank = a.dimensions.length;
  const order = permutation === undefined ? a.dimensions.map((_, d) => rank - 1 - d) : checkAxisList(call, permutation, a);
  const { dims } = permutedGeometry(geometryOf(a), order, call);
  return { op: "shuffle", inputs: [a], attributes: { permutation: order }, dtype: a.dtype, dimensions: dims };
}

/** Returns the fields of a slice, one range per dimension. Throws INVALID_ARGUMENT for too many ranges or a bad range. */
export function sliceFields(a: ExpressionTree, ranges: readonly SliceRange[]): ExpressionFields {
  checkDType("slice", a);
  const begin: number[] = [];
  const steps: number[] = [];
  const dimensions = a.dimensions.map((size, d) => {
    const picked = slicedGeometry({ offset: 0, dims: [size], strides: [1] }, d < ranges.length ? [ranges[d] as SliceRange] : []);
    begin.push(picked.offset);
    steps.push(picked.strides[0] as number);
    return picked.dims[0] as number;
  });
  // Called only for its errors, which name dimensions and counts of the whole operand.
  slicedGeometry(geometryOf(a), ranges);
  return { op: "slice", inputs: [a], attributes: { begin, steps }, dtype: a.dtype, dimensions };
}

/** Returns the fields of a chip: one dimension fixed. Throws INVALID_ARGUMENT for an offset or a dim out of range. */
export function chipFields(a: ExpressionTree, offset: number, dim: number): ExpressionFields {
  checkDType("chip", a);
  const axis = checkAxis("chip", dim, a);
  const size = a.dimensions[axis] as number;
  if (!isIndex(offset, size)) {
    throw new InvalidArgumentError(`chip(${shownOperand(a)}): offset ${shownValue(offset)} of axis ${axis} is not in [0, ${size})`);
  }
  const dimensions = a.dimensions.filter((_, d) => d !== axis);
  return { op: "chip", inputs: [a], attributes: { offset: offset + 0, axis }, dtype: a.dtype, dimensions };
}

/** Returns the fields of a reversal of dimensions; all if undefined. Throws INVALID_ARGUMENT for a dim out of range or listed twice. */
export function reverseFields(a: ExpressionTree, dims: readonly number[] | undefined): ExpressionFields {
  checkDType("reverse", a);
  const list = dims === undefined ? a.dimensions.map((_, d) => d) : checkAxisList("reverse", dims, a);
  const axes = list.sort((x, y) => x - y);
  return { op: "reverse", inputs: [a], attributes: { axes }, dtype: a.dtype, dimensions: a.dimensions };
}

/** Returns the fields of a concatenation along an axis. Throws INVALID_ARGUMENT for no operands, different dtypes or other sizes. */
export function concatenateFields(inputs: readonly ExpressionTree[], axis: unknown): ExpressionFields {
  const op = "concatenate";
  const first = inputs[0];
  if (first === undefined) throw new InvalidArgumentError("concatenate() needs one operand or more");
  checkDType(op, first);
  checkSameDType(op, inputs, 0);
  const along = checkAxis(op, axis, first);
  let total = 0;
  const rank = first.dimensions.length;
  for (const input of inputs) {
    const isOfRank = input.dimensions.length === rank;
    const wrong = isOfRank ? first.dimensions.findIndex((size, d) => d !== along && size !== input.dimensions[d]) : rank;
    if (wrong >= 0) {
      const reason = isOfRank
        ? `Dimensions of inputs should match but for axis ${along}, axis ${wrong} differs`
        : `Ranks of all inputs should match, they are ${rank} and ${input.dimensions.length}`;
      throw new InvalidArgumentError(`${op}(${shownOperand(first)}, ${shownOperand(input)}): ${reason}`);
    }
    total += input.dimensions[along] as number;
  }
  const dimensions = first.dimensions.with(along, total);
  checkCount(dimensions, () => op);
  return { op, inputs, attributes: { axis: along }, dtype: first.dtype, dimensions };
}

/** Returns the fields of a gather of rows. Throws INVALID_ARGUMENT for indices that are not int32 or int64, or an axis out of range. */
export function gatherFields(a: ExpressionTree, indices: ExpressionTree, axis: unknown): ExpressionFields {
  checkDType("gather", a);
  checkIndices("gather", a, indices);
  const along = checkAxis("gather", axis, a);
  const dimensions = a.dimensions.toSpliced(along, 1, ...indices.dimensions);
  checkCount(dimensions, () => shownCall("gather", [a, indices]));
  return { op: "gather", inputs: [a, indices], attributes: { axis: along }, dtype: a.dtype, dimensions };
}

/** Returns the fields of a scatter of rows. Throws INVALID_ARGUMENT for wrong dtypes, sizes, axis or reduction. */
export function scatterFields(
  a: ExpressionTree,
  indices: ExpressionTree,
  updates: ExpressionTree,
  axis: unknown,
  reduction: ScatterReduction,
  skips: ScatterSkips = "none",
): ExpressionFields {
  const inputs = [a, indices, updates];
  const shown = shownCall("scatter", inputs);
  checkDType("scatter", a);
  checkIndices("scatter", a, indices);
  checkSameDType("scatter", [a, updates], 0);
  const along = checkAxis("scatter", axis, a);
  if (indices.dimensions.length !== 1) throw new InvalidArgumentError(`${shown}: the indices have one dimension`);
  const expected = a.dimensions.with(along, indices.dimensions[0] as number);
  if (expected.length !== updates.dimensions.length || expected.some((size, d) => size !== updates.dimensions[d])) {
    throw new InvalidArgumentError(`${shown}: along axis ${along} the updates must be [${expected}], got [${updates.dimensions}]`);
  }
  if (reduction === "add" || reduction === "mul") checkDType(reduction, a);
  else if (reduction === "min" || reduction === "max") checkDType(reduction, a);
  else if (reduction !== "update") {
    throw new InvalidArgumentError(`${shown}: the reduction is update, add, mul, min or max, got ${shownValue(reduction)}`);
  }
  return { op: "scatter", inputs, attributes: { axis: along, reduction, skips }, dtype: a.dtype, dimensions: a.dimensions };
}

/** Windows over axes of an operand: along each axis their size, the distance of their beginnings, and that of their elements. */
export interface Windows {
  readonly axes: readonly number[];
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
}

/**
 * Returns the fields of the patches of an operand: the places of the windows instead of each axis, then the elements of a window. Throws
 * INVALID_ARGUMENT for a window that is larger than its axis. The other numbers must have been checked.
 */
export function patchFields(call: string, a: ExpressionTree, { axes, sizes, strides, dilations }: Windows): ExpressionFields {
  checkDType("extractPatches", a, call);
  const dimensions = a.dimensions.slice();
  for (const [k, axis] of axes.entries()) {
    const size = a.dimensions[axis] as number;
    const reach = ((sizes[k] as number) - 1) * (dilations[k] as number) + 1;
    if (reach > size) {
      throw new InvalidArgumentError(`${call}(${shownOperand(a)}): a window of ${reach} along axis ${axis}, which has size ${size}`);
    }
    dimensions[axis] = Math.floor((size - reach) / (strides[k] as number)) + 1;
  }
  dimensions.push(...sizes);
  checkCount(dimensions, () => `${call}(${shownOperand(a)})`);
  return { op: "extractPatches", inputs: [a], attributes: { axes, strides, dilations }, dtype: a.dtype, dimensions };
}

/** Throws INVALID_ARGUMENT unless the indices are int32 or int64. */
function checkIndices(op: string, a: ExpressionTree, indices: ExpressionTree): void {
  if (indices.dtype === "int32" || indices.dtype === "int64") return;
  throw new InvalidArgumentError(`${shownCall(op, [a, indices])}: indices are int32 or int64, cast("int32") them`);
}
