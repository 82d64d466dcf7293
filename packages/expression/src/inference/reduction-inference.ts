/**
 * Checks the operands and options of reductions, scans (cumulative sums and products), orderings (sort and argsort) and the matrix
 * product, and returns the fields of the result's node: attributes, dtype and sizes (in TensorFlow: the shape functions of these ops).
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import { placeOps } from "../generated/op-facts.ts";
import type { PlaceReduction } from "../generated/op-facts.ts";
import { isIndex, sameSizes } from "@onebuffer/storage/internal";
import { checkAxes, checkAxis, checkFlag } from "./axes.ts";
import { checkCount, shownCall, shownOperand } from "./broadcast-dims.ts";
import { checkDType, checkSameDType } from "./elementwise-inference.ts";
import type { ExpressionFields, ReduceAttributes, ScanAttributes, StoredTree } from "../tree/op-attributes.ts";
import type { OpNameOf } from "../tree/op-table.ts";

/** The reductions that keep the dtype and take several axes: all but those that give places. */
export type ReduceName = Exclude<OpNameOf<"reduction">, PlaceReduction>;

/** Returns the fields of a reduction over axes. Throws INVALID_ARGUMENT for a wrong dtype, axis or flag. */
export function reduceFields(op: ReduceName, a: StoredTree, axes: unknown, keepDims: unknown): ExpressionFields {
  checkDType(op, a);
  return reducedFields(op, a, axes, checkFlag(op, "keepDims", keepDims));
}

/** Returns the same for an operand of which the dtype has been checked. Throws INVALID_ARGUMENT for a wrong axis. */
export function reducedFields(op: ReduceName, a: StoredTree, axes: unknown, keep: boolean): ExpressionFields {
  const sizes = a.rawDimensions ?? a.dimensions;
  const attributes = axes === undefined || axes === null ? overAll(sizes.length, keep) : { axes: checkAxes(op, axes, a), keepDims: keep };
  const list = attributes.axes;
  // A list of its length: one that grows gets room for 17 elements.
  const dimensions = keep ? sizes.slice() : new Array<number>(sizes.length - list.length);
  if (keep) for (let k = 0; k < list.length; k++) dimensions[list[k]!] = 1;
  // The axes are ascending.
  else
    for (let d = 0, k = 0; d < sizes.length; d++)
      if (d === list[k]) k++;
      else dimensions[d - k] = sizes[d]!;
  return { op, inputs: [a], attributes, dtype: a.dtype, dimensions };
}

/** The attributes of reductions over all axes, by rank, that remove them and that keep them: one object of each is equal at a glance. */
const [removingAll, keepingAll]: readonly [ReduceAttributes[], ReduceAttributes[]] = [[], []];

function overAll(rank: number, keepDims: boolean): ReduceAttributes {
  const known = keepDims ? keepingAll : removingAll;
  return (known[rank] ??= { axes: Array.from({ length: rank }, (_, d) => d), keepDims });
}

/** Returns the fields of a reduction to places. Throws INVALID_ARGUMENT for a wrong dtype or axis, and as TensorFlow for an axis of size 0. */
export function argFields(op: PlaceReduction, a: StoredTree, axis: unknown, outputType: unknown): ExpressionFields {
  const sizes = a.rawDimensions ?? a.dimensions;
  checkDType(op, a);
  const checked = checkAxis(op, axis, a);
  if (outputType !== "int64" && outputType !== "int32") {
    throw new InvalidArgumentError(`${op}(${shownOperand(a)}): the output type must be int64 or int32, got ${shownValue(outputType)}`);
  }
  if (sizes[checked] === 0) {
    throw new InvalidArgumentError(`${op}(${shownOperand(a)}): Reduction axis ${checked} is empty`);
  }
  const dimensions = sizes.filter((_, d) => d !== checked);
  return { op, inputs: [a], attributes: { axis: checked }, dtype: outputType, dimensions };
}

/** The attributes of most scans, in one object for the same reason. */
const alongFirst: ScanAttributes = { axis: 0, exclusive: false, reverse: false };

/** Options of scans. */
export interface ScanFlags {
  readonly exclusive?: boolean;
  readonly reverse?: boolean;
}

/** Returns the fields of a cumulative sum or product. Throws INVALID_ARGUMENT for a wrong dtype, axis or option. */
export function scanFields(op: OpNameOf<"scan">, a: StoredTree, axis: unknown, options: ScanFlags): ExpressionFields {
  checkDType(op, a);
  const exclusive = checkFlag(op, "exclusive", options.exclusive ?? false);
  const reverse = checkFlag(op, "reverse", options.reverse ?? false);
  const along = checkAxis(op, axis, a);
  const attributes = along > 0 || exclusive || reverse ? { axis: along, exclusive, reverse } : alongFirst;
  return { op, inputs: [a], attributes, dtype: a.dtype, dimensions: a.rawDimensions ?? a.dimensions };
}

/** Returns the fields of a scan of three operands. Throws INVALID_ARGUMENT as a scan, and unless all have the dtype and the sizes of the first. */
export function scanOfThreeFields(
  op: "scaledCumsum" | "markedCumsum",
  inputs: readonly [StoredTree, StoredTree, StoredTree],
  axis: unknown,
  options: ScanFlags,
): ExpressionFields {
  const fields = scanFields(op, inputs[0], axis, options);
  checkSameDType(op, inputs, 0);
  if (inputs.every((input) => sameSizes(fields.dimensions, input.rawDimensions ?? input.dimensions))) return { ...fields, inputs };
  throw new InvalidArgumentError(`${shownCall(op, inputs)}: the operands must have the same sizes`);
}

/** Returns the fields of sort or argsort along the last axis. Throws INVALID_ARGUMENT for a wrong dtype, a scalar or a wrong flag. */
export function sortFields(op: "sort" | "argsort", a: StoredTree, descending: unknown): ExpressionFields {
  checkDType(op, a);
  checkAxis(op, -1, a);
  const dtype: DType = placeOps.has(op) ? "int32" : a.dtype;
  return {
    op,
    inputs: [a],
    attributes: { descending: checkFlag(op, "descending", descending) },
    dtype,
    dimensions: a.rawDimensions ?? a.dimensions,
  };
}

/** Returns the fields of nthElements along the last axis. Throws INVALID_ARGUMENT for a wrong dtype, a scalar or a place outside the axis. */
export function nthFields(a: StoredTree, places: readonly number[]): ExpressionFields {
  const sizes = a.rawDimensions ?? a.dimensions;
  const op = "nthElements";
  checkDType(op, a);
  checkAxis(op, -1, a);
  const width = sizes.at(-1) as number;
  // The length comes first: a list with holes may be long.
  const list: number[] = isArray(places) && places.length <= width ? Array.from(places as number[], (place) => place) : [-1];
  if (!list.every((place, k) => isIndex(place, width) && (k === 0 || place > (list[k - 1] as number)))) {
    throw new InvalidArgumentError(
      `${op}(${shownOperand(a)}): the places are ascending, from 0 to ${width - 1}, got ${shownValue(places)}`,
    );
  }
  const dimensions = sizes.with(-1, list.length);
  return {
    op,
    inputs: [a],
    attributes: { places: list.map((place) => place + 0) },
    dtype: a.dtype,
    dimensions,
  };
}

/**
 * Returns the fields of a matrix product; the dimensions before the last two are broadcast. Throws INVALID_ARGUMENT for different dtypes,
 * ranks below 2 and incompatible sizes.
 */
export function matMulFields(
  a: StoredTree,
  b: StoredTree,
  options: { readonly transposeA?: boolean; readonly transposeB?: boolean },
): ExpressionFields {
  const sizesA = a.rawDimensions ?? a.dimensions;
  const sizesB = b.rawDimensions ?? b.dimensions;
  const op = "matMul";
  checkDType(op, a);
  const inputs = [a, b];
  if (a.dtype !== b.dtype) checkSameDType(op, inputs, 0);
  const transposeA = checkFlag(op, "transposeA", options.transposeA ?? false);
  const transposeB = checkFlag(op, "transposeB", options.transposeB ?? false);
  // The text of a message takes longer than a small product: it is made only for an error.
  const shown = (): string => shownCall(op, inputs);
  const rankA = sizesA.length;
  const rankB = sizesB.length;
  if (rankA < 2 || rankB < 2) throw new InvalidArgumentError(`${shown()}: both operands must have at least two dimensions`);
  const innerAxis = rankA - (transposeA ? 2 : 1);
  const innerAxisB = rankB - (transposeB ? 1 : 2);
  const inner = sizesA[innerAxis] as number;
  const innerB = sizesB[innerAxisB] as number;
  if (inner !== innerB) {
    throw new InvalidArgumentError(
      `${shown()}: Matrix size-incompatible, axis ${innerAxis} of the first has size ${inner}, axis ${innerAxisB} of the second ${innerB}`,
    );
  }
  const rows = sizesA[2 * rankA - 3 - innerAxis] as number;
  const columns = sizesB[2 * rankB - 3 - innerAxisB] as number;
  const isPlain = rankA === 2 && rankB === 2;
  const dimensions = isPlain ? [rows, columns] : [...batchDims(shown, sizesA.slice(0, -2), sizesB.slice(0, -2)), rows, columns];
  checkCount(dimensions, shown);
  return { op, inputs, attributes: { transposeA, transposeB }, dtype: a.dtype, dimensions };
}

/** Returns the broadcast of the batch dimensions. Throws INVALID_ARGUMENT if they are incompatible. */
function batchDims(shown: () => string, a: readonly number[], b: readonly number[]): number[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, d) => {
    const left = a[d - rank + a.length] ?? 1;
    const right = b[d - rank + b.length] ?? 1;
    if (left !== right && left !== 1 && right !== 1) {
      throw new InvalidArgumentError(`${shown()}: the batch dimensions are incompatible, axis ${d} has sizes ${left} and ${right}`);
    }
    return left === 1 ? right : left;
  });
}
