/**
 * gradient-nodes: how rules make the nodes that are no elementwise operations. On a StridedMap the methods for movements return views, so the
 * nodes are made of their fields. A movement that moves nothing makes no node.
 */
import type { DType } from "@onebuffer/base";
import { sameSizes, product } from "@onebuffer/storage/internal";
import type { SliceRange } from "@onebuffer/storage";
import type { GradientFunctions, GradientValue } from "../tree/gradient-rule.ts";
import {
  broadcastFields,
  concatenateFields,
  reshapeFields,
  reverseFields,
  shuffleFields,
  sliceFields,
} from "../inference/movement-inference.ts";
import { scalarFields } from "../inference/elementwise-inference.ts";
import { reduceFields, scanOfThreeFields, scanFields, sortFields } from "../inference/reduction-inference.ts";
import type { ScanFlags } from "../inference/reduction-inference.ts";
import { makeExpression } from "../methods/expression-node.ts";
import { iota } from "../methods/generators.ts";
import { select } from "../methods/joining.ts";
import { isComplexDType } from "../tree/dtype-groups.ts";
import { isConstant } from "../tree/node-kinds.ts";
import { sizesOf } from "../tree/node-lists.ts";
import { attributesOf } from "../tree/op-attributes.ts";
import type { ExpressionFields, ExpressionTree } from "../tree/op-attributes.ts";
import type { OpNameOf } from "../tree/op-table.ts";

/** Returns a node with these fields. */
export function made(fields: ExpressionFields): GradientValue {
  return makeExpression(fields) as ExpressionTree as GradientValue;
}

/** Returns the elements with other sizes. */
export function reshaped(value: ExpressionTree, sizes: readonly number[]): GradientValue {
  return sameSizes(sizesOf(value), sizes) ? (value as GradientValue) : made(reshapeFields(value, sizes));
}

/** Returns the value repeated to other sizes. */
export function repeated(value: ExpressionTree, sizes: readonly number[]): GradientValue {
  return sameSizes(sizesOf(value), sizes) ? (value as GradientValue) : made(broadcastFields(value, sizes));
}

/** Returns the value with its dimensions in another order. */
export function shuffled(value: ExpressionTree, order: readonly number[]): GradientValue {
  return order.every((axis, d) => axis === d) ? (value as GradientValue) : made(shuffleFields(value, order));
}

/** Returns the permutation that undoes another one. */
export function inverseOrder(order: readonly number[]): number[] {
  return order.map((_, d) => order.indexOf(d));
}

/** Returns the permutation that exchanges two axes. */
export function exchangedAxes(rank: number, first: number, second: number): number[] {
  return Array.from({ length: rank }, (_, d) => (d === first ? second : d === second ? first : d));
}

/** Returns the elements from `begin` to `end` along an axis. */
export function partAlong(value: ExpressionTree, axis: number, begin: number, end: number): GradientValue {
  const sizes = sizesOf(value);
  if (begin === 0 && end === sizes[axis]) return value as GradientValue;
  return made(
    sliceFields(
      value,
      sizes.map((_, d): SliceRange => (d === axis ? [begin, end] : null)),
    ),
  );
}

/** Returns the sum over axes, which are kept with size 1 or removed. */
export function sumOver(value: ExpressionTree, axes: readonly number[], keepDims: boolean): GradientValue {
  return axes.length === 0 ? (value as GradientValue) : made(reduceFields("sum", value, axes, keepDims));
}

/** Returns the places that sort the last axis, ascending, as int32. */
export function argsorted(value: ExpressionTree): GradientValue {
  return made(sortFields("argsort", value, false));
}

/** Returns a scan along an axis. */
export function scanned(op: OpNameOf<"scan">, value: ExpressionTree, axis: number, flags: ScanFlags): GradientValue {
  return made(scanFields(op, value, axis, flags));
}

/** Returns the cumulative sum of elements that is multiplied by a factor after each step; elements of the result have weights. */
export function scaledCumsum(
  elements: ExpressionTree,
  factors: ExpressionTree,
  weights: ExpressionTree,
  axis: number,
  flags: ScanFlags,
): GradientValue {
  return made(scanOfThreeFields("scaledCumsum", [elements, factors, weights], axis, flags));
}

/** Returns the cumulative sum of elements where x equals z, after which it begins anew; 0 elsewhere. */
export function markedCumsum(
  elements: ExpressionTree,
  x: ExpressionTree,
  z: ExpressionTree,
  axis: number,
  flags: ScanFlags,
): GradientValue {
  return made(scanOfThreeFields("markedCumsum", [elements, x, z], axis, flags));
}

/** Returns a number as an expression of these sizes; of truth values, such as conditions beside which there are no others, 0 is false. */
export function filled(dtype: DType, value: number, sizes: readonly number[]): GradientValue {
  // As `constant`, without the checks and the copy of sizes that a program gives.
  return made({ ...scalarFields("constant", dtype, dtype === "bool" ? value !== 0 : value), dimensions: sizes });
}

/** Returns 0, 1, 2, … along the last of these sizes, as int32. */
export function places(sizes: readonly number[], axis: number = sizes.length - 1): GradientValue {
  return iota("int32", sizes, axis) as unknown as GradientValue;
}

/** Returns the values one behind the other along an axis; empty ones are left out. */
export function joined(parts: readonly ExpressionTree[], axis: number): GradientValue {
  const present = parts.filter((part) => sizesOf(part)[axis] !== 0);
  if (present.length === 1) return present[0] as GradientValue;
  return made(concatenateFields(present.length === 0 ? parts : present, axis));
}

/**
 * Returns `size` zeros along an axis, with the value's elements at begin, begin + step, …: the opposite of a slice.
 *
 *     [a, b] at 1 with step 2 of 6   ->   0 a 0 b 0 0
 */
export function placedAlong(value: ExpressionTree, axis: number, begin: number, step: number, size: number): GradientValue {
  const sizes = sizesOf(value);
  const count = sizes[axis] as number;
  const zeros = (length: number): GradientValue => filled(value.dtype, 0, sizes.with(axis, length));
  if (count === 0) return zeros(size);
  const isReversed = step < 0 && count > 1;
  const first = isReversed ? begin + (count - 1) * step : begin;
  const apart = count > 1 ? Math.abs(step) : 1;
  const ordered = isReversed ? made(reverseFields(value, [axis])) : value;
  // Each element is in a block of `apart` elements, with zeros before it if there is no room for those behind the last.
  const before = Math.max(0, first + count * apart - size);
  const isWithin = before <= first;
  const spread = apart === 1 ? ordered : blocksAlong(ordered, axis, before, apart);
  const blocks = isWithin ? spread : partAlong(spread, axis, before - first, count * apart);
  const start = Math.max(0, first - before);
  return joined([zeros(start), blocks, zeros(size - start - sizesOf(blocks)[axis]!)], axis);
}

/** Returns blocks of `size` elements along an axis, one for each element of the value, which is at the same place in each; the others are 0. */
function blocksAlong(value: ExpressionTree, axis: number, place: number, size: number): GradientValue {
  const sizes = sizesOf(value);
  const apart = reshaped(value, sizes.toSpliced(axis + 1, 0, 1));
  const zeros = (length: number): GradientValue => filled(value.dtype, 0, sizes.toSpliced(axis + 1, 0, length));
  return reshaped(joined([zeros(place), apart, zeros(size - 1 - place)], axis + 1), sizes.with(axis, sizes[axis]! * size));
}

/** Returns the gradient of an operand that was broadcast: summed over the axes along which it was repeated. */
export function sumTo(g: ExpressionTree, sizes: readonly number[]): GradientValue {
  const from = sizesOf(g);
  if (sameSizes(from, sizes)) return g as GradientValue;
  const added = from.length - sizes.length;
  const axes: number[] = [];
  for (let d = 0; d < from.length; d++) if (d < added || (sizes[d - added] === 1 && from[d] !== 1)) axes.push(d);
  return reshaped(sumOver(g, axes, false), sizes);
}

/** Returns the number of elements along axes. */
export function countAlong(value: ExpressionTree, axes: readonly number[]): number {
  return product(axes.map((axis) => sizesOf(value)[axis] as number));
}

/** The functions that are given to the rules of elementwise operations. */
export const gradientFunctions: GradientFunctions = {
  select: (condition, then, otherwise) => select(condition as never, then as never, otherwise as never) as unknown as GradientValue,
  conjugate: (value) => (isComplexDType(value.dtype) ? value.conj() : value),
  isComplex: ({ dtype }) => isComplexDType(dtype),
  realConstant(node) {
    if (!isConstant(node)) return null;
    const { value } = attributesOf(node, "constant");
    return typeof value === "number" ? value : null;
  },
};

/** Returns one of two values by a condition. One of them may be a number. */
export const chosen: GradientFunctions["select"] = gradientFunctions.select;

/** Returns the conjugate of a complex value, and a real value as it is. */
export const conjugate: GradientFunctions["conjugate"] = gradientFunctions.conjugate;
