/**
 * Checks the operands of movements and infers dtype and sizes of the result. A movement changes the places of elements and computes none.
 * The rules for sizes, ranges and axes are those of the views of a StridedMap, and the arithmetic is the same (strided-geometry.ts).
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import {
  broadcastSizes,
  checkRange,
  checkRangeCount,
  expandedGeometry,
  isIndex,
  permutedGeometry,
  rangeCount,
  rangeStart,
  rangeStride,
  reshapeSizes,
  squeezedGeometry,
} from "@onebuffer/storage/internal";
import type { SliceRange } from "@onebuffer/storage";
import type { StridedGeometry } from "@onebuffer/storage/internal";
import { checkAxis, checkAxisList } from "./axes.ts";
import { checkCount, shownCall, shownOperand } from "./broadcast-dims.ts";
import { checkDType, checkSameDType } from "./elementwise-inference.ts";
import type { ExpressionFields, StoredTree, ScatterReduction, ScatterSkips } from "../tree/op-attributes.ts";
import { noAttributes } from "../tree/op-attributes.ts";
import { dtypeNumberOf, kCode } from "../tree/node-code.ts";
import type { CodedTree } from "../tree/node-code.ts";

/** Returns a geometry with the node's sizes, for the checks and sizes of strided-geometry.ts. Its strides are not used. */
function geometryOf(node: StoredTree): StridedGeometry {
  const dimensions = node.rawDimensions ?? node.dimensions;
  return { offset: 0, dims: dimensions, strides: dimensions.map(() => 1) };
}

function moved(op: "reshape" | "broadcast", a: StoredTree, dimensions: readonly number[]): ExpressionFields {
  // A node has a code only if kernels compute its dtype, and those dtypes can all be moved.
  if (dtypeNumberOf((a as CodedTree)[kCode]) < 0) checkDType(op, a);
  return { op, inputs: [a], attributes: noAttributes, dtype: a.dtype, dimensions };
}

/** Returns the fields of a reshape: the same elements in row-major order, other sizes. Throws INVALID_ARGUMENT if the counts differ. */
export function reshapeFields(a: StoredTree, dims: readonly number[]): ExpressionFields {
  return moved("reshape", a, reshapeSizes(a.rawDimensions ?? a.dimensions, dims));
}

/** Returns the fields of a reshape that inserts a size of 1. Throws INVALID_ARGUMENT for a dim out of range. */
export function expandDimsFields(a: StoredTree, dim: number): ExpressionFields {
  return moved("reshape", a, expandedGeometry(geometryOf(a), checkAxis("expandDims", dim, a, 1)).dims);
}

/** Returns the fields of a reshape that removes sizes of 1. Throws INVALID_ARGUMENT for a dimension of another size. */
export function squeezeFields(a: StoredTree, dims: readonly number[] | undefined): ExpressionFields {
  const list = dims === undefined ? undefined : checkAxisList("squeeze", dims, a);
  return moved("reshape", a, squeezedGeometry(geometryOf(a), list).dims);
}

/** Returns the fields of a broadcast to other sizes. Throws INVALID_ARGUMENT for incompatible sizes. */
export function broadcastFields(a: StoredTree, dims: readonly number[]): ExpressionFields {
  return moved("broadcast", a, broadcastSizes(a.rawDimensions ?? a.dimensions, dims));
}

/** Returns the fields of a permutation of dimensions; reversed if undefined. Throws INVALID_ARGUMENT unless each is listed once. */
export function shuffleFields(a: StoredTree, permutation: readonly number[] | undefined, call: string = "shuffle"): ExpressionFields {
  const sizes = a.rawDimensions ?? a.dimensions;
  checkDType("shuffle", a);
  const rank = sizes.length;
  const order = permutation === undefined ? sizes.map((_, d) => rank - 1 - d) : checkAxisList(call, permutation, a);
  if (order.length !== rank) permutedGeometry(geometryOf(a), order, call);
  const dimensions: number[] = [];
  for (let d = 0; d < rank; d++) dimensions.push(sizes[order[d]!]!);
  return { op: "shuffle", inputs: [a], attributes: { permutation: order }, dtype: a.dtype, dimensions };
}

/** Returns the fields of a slice, one range per dimension. Throws INVALID_ARGUMENT for too many ranges or a bad range. */
export function sliceFields(a: StoredTree, ranges: readonly SliceRange[]): ExpressionFields {
  checkDType("slice", a);
  const dimensions = (a.rawDimensions ?? a.dimensions).slice();
  const rank = dimensions.length;
  checkRangeCount(ranges.length, dimensions);
  const begin = new Array<number>(rank).fill(0);
  const steps = new Array<number>(rank).fill(1);
  for (let d = 0; d < ranges.length; d++) {
    const range = ranges[d] as SliceRange;
    if (range === null) continue;
    checkRange(range, d);
    const size = dimensions[d] as number;
    const start = rangeStart(range, size);
    const count = rangeCount(range, size, start);
    dimensions[d] = count;
    steps[d] = rangeStride(range, 1, count);
    if (count > 0 && start > 0) begin[d] = start;
  }
  return { op: "slice", inputs: [a], attributes: { begin, steps }, dtype: a.dtype, dimensions };
}

/** Returns the fields of a chip: one dimension fixed. Throws INVALID_ARGUMENT for an offset or a dim out of range. */
export function chipFields(a: StoredTree, offset: number, dim: number): ExpressionFields {
  const sizes = a.rawDimensions ?? a.dimensions;
  checkDType("chip", a);
  const axis = checkAxis("chip", dim, a);
  const size = sizes[axis] as number;
  if (!isIndex(offset, size)) {
    throw new InvalidArgumentError(`chip(${shownOperand(a)}): offset ${shownValue(offset)} of axis ${axis} is not in [0, ${size})`);
  }
  const dimensions = sizes.filter((_, d) => d !== axis);
  return { op: "chip", inputs: [a], attributes: { offset: offset + 0, axis }, dtype: a.dtype, dimensions };
}

/** Returns the fields of a reversal of dimensions; all if undefined. Throws INVALID_ARGUMENT for a dim out of range or listed twice. */
export function reverseFields(a: StoredTree, dims: readonly number[] | undefined): ExpressionFields {
  const sizes = a.rawDimensions ?? a.dimensions;
  checkDType("reverse", a);
  const list = dims === undefined ? sizes.map((_, d) => d) : checkAxisList("reverse", dims, a);
  const axes = list.sort((x, y) => x - y);
  return { op: "reverse", inputs: [a], attributes: { axes }, dtype: a.dtype, dimensions: sizes };
}

/** Returns the fields of a concatenation along an axis. Throws INVALID_ARGUMENT for no operands, different dtypes or other sizes. */
export function concatenateFields(inputs: readonly StoredTree[], axis: unknown): ExpressionFields {
  const op = "concatenate";
  const first = inputs[0];
  if (first === undefined) throw new InvalidArgumentError("concatenate() needs one operand or more");
  checkDType(op, first);
  checkSameDType(op, inputs, 0);
  const along = checkAxis(op, axis, first);
  let total = 0;
  const firstSizes = first.rawDimensions ?? first.dimensions;
  const rank = firstSizes.length;
  for (const input of inputs) {
    const sizes = input.rawDimensions ?? input.dimensions;
    const isOfRank = sizes.length === rank;
    let wrong = 0;
    while (isOfRank && wrong < rank && (wrong === along || firstSizes[wrong] === sizes[wrong])) wrong++;
    if (!isOfRank || wrong < rank) {
      const reason = isOfRank
        ? `Dimensions of inputs should match but for axis ${along}, axis ${wrong} differs`
        : `Ranks of all inputs should match, they are ${rank} and ${sizes.length}`;
      throw new InvalidArgumentError(`${op}(${shownOperand(first)}, ${shownOperand(input)}): ${reason}`);
    }
    total += sizes[along] as number;
  }
  const dimensions = firstSizes.with(along, total);
  checkCount(dimensions, () => op);
  return { op, inputs, attributes: { axis: along }, dtype: first.dtype, dimensions };
}

/** Returns the fields of a gather of rows. Throws INVALID_ARGUMENT for indices that are not int32 or int64, or an axis out of range. */
export function gatherFields(a: StoredTree, indices: StoredTree, axis: unknown): ExpressionFields {
  checkDType("gather", a);
  checkIndices("gather", a, indices);
  const along = checkAxis("gather", axis, a);
  const dimensions = (a.rawDimensions ?? a.dimensions).toSpliced(along, 1, ...(indices.rawDimensions ?? indices.dimensions));
  checkCount(dimensions, () => shownCall("gather", [a, indices]));
  return { op: "gather", inputs: [a, indices], attributes: { axis: along }, dtype: a.dtype, dimensions };
}

/** Returns the fields of a scatter of rows. Throws INVALID_ARGUMENT for wrong dtypes, sizes, axis or reduction. */
export function scatterFields(
  a: StoredTree,
  indices: StoredTree,
  updates: StoredTree,
  axis: unknown,
  reduction: ScatterReduction,
  skips: ScatterSkips = "none",
): ExpressionFields {
  const sizes = a.rawDimensions ?? a.dimensions;
  const indexSizes = indices.rawDimensions ?? indices.dimensions;
  const updateSizes = updates.rawDimensions ?? updates.dimensions;
  const inputs = [a, indices, updates];
  const shown = shownCall("scatter", inputs);
  checkDType("scatter", a);
  checkIndices("scatter", a, indices);
  checkSameDType("scatter", [a, updates], 0);
  const along = checkAxis("scatter", axis, a);
  if (indexSizes.length !== 1) throw new InvalidArgumentError(`${shown}: the indices have one dimension`);
  const expected = sizes.with(along, indexSizes[0] as number);
  if (expected.length !== updateSizes.length || expected.some((size, d) => size !== updateSizes[d])) {
    throw new InvalidArgumentError(`${shown}: along axis ${along} the updates must be [${expected}], got [${updateSizes}]`);
  }
  if (reduction === "add" || reduction === "mul") checkDType(reduction, a);
  else if (reduction === "min" || reduction === "max") checkDType(reduction, a);
  else if (reduction !== "update") {
    throw new InvalidArgumentError(`${shown}: the reduction is update, add, mul, min or max, got ${shownValue(reduction)}`);
  }
  return { op: "scatter", inputs, attributes: { axis: along, reduction, skips }, dtype: a.dtype, dimensions: sizes };
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
export function patchFields(call: string, a: StoredTree, { axes, sizes, strides, dilations }: Windows): ExpressionFields {
  checkDType("extractPatches", a, call);
  const before = a.rawDimensions ?? a.dimensions;
  const dimensions = before.slice();
  for (let k = 0; k < axes.length; k++) {
    const axis = axes[k]!;
    const size = before[axis] as number;
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
/** Throws INVALID_ARGUMENT unless indices are int32 or int64. */
export function checkIndices(op: string, a: StoredTree, indices: StoredTree): void {
  if (indices.dtype === "int32" || indices.dtype === "int64") return;
  throw new InvalidArgumentError(`${shownCall(op, [a, indices])}: indices are int32 or int64, cast("int32") them`);
}
