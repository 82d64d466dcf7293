/**
 * Lowerings of reductions and scans. Floats are added and multiplied in f64 and rounded at the end, as in our evaluator; integers wrap
 * around. Signed products are unsigned ones, as everywhere (integers.ts).
 */
import type { DType } from "@onebuffer/base";
import {
  attributesOf,
  combinations,
  extremes,
  integerRange,
  isComplexDType,
  isFloat,
  meanOps,
  reducedAxes,
} from "@onebuffer/expression/internal";
import type { CombiningOp, OpNameOf } from "@onebuffer/expression/internal";
import type { Builder, RegionBody, Value } from "../text/builder.ts";
import type { ElementType } from "../text/tensor-type.ts";
import { elementTypeOf, isComplexType, isIntegerType, isUnsignedType } from "../text/tensor-type.ts";
import { fromParts, partsOf } from "./complex-parts.ts";
import { sum as plus, quotient } from "./float-functions.ts";
import { unsignedOf } from "./integers.ts";
import type { Lowering } from "./lowering.ts";
import { computedType, inputAt, operand } from "./lowering.ts";

const combining =
  (op: string): RegionBody =>
  (inner, [p, q]) => [inner.same(`stablehlo.${op}`, p as Value, q as Value)];

/** Reduces one operand. */
function reduceOne(b: Builder, x: Value, start: Value, axes: readonly number[], op: string): Value {
  return b.reduce([x], [start], axes, combining(op))[0] as Value;
}

/** Sums floats over axes. A sum begins with 0, so it is never -0; XLA takes the only element of an axis of size 1 as the sum. */
function sumOf(b: Builder, x: Value, axes: readonly number[]): Value {
  return withoutNegativeZero(b, reduceOne(b, x, zeroOf(b, x.type.element), axes, "add"));
}

/** x + 0. */
function withoutNegativeZero(b: Builder, x: Value): Value {
  return isIntegerType(x.type.element) ? x : plus(b, x, b.like(x, 0));
}

const zeroOf = (b: Builder, element: ElementType): Value => b.constant(element, [], 0);

/** Returns the type in which the elements of a type are added and multiplied. */
function accumulatorOf(element: ElementType): ElementType {
  return element === "f32" ? "f64" : isIntegerType(element) && !isUnsignedType(element) ? unsignedOf(element) : element;
}

/** Converts between an element type and its accumulator. */
function moved(b: Builder, x: Value, element: ElementType): Value {
  return isIntegerType(x.type.element) ? b.bitcast(x, element) : b.convert(x, element);
}

/** Sums or products: StableHLO's operation, the value that it begins with, and the operation on the parts of complex numbers. */
interface Accumulation {
  readonly op: "add" | "multiply";
  readonly start: 0 | 1;
  readonly complex: RegionBody;
  /** Sums of the parts of complex numbers are independent of each other; a sum is never -0. */
  readonly isSum: boolean;
}

/** Sums over axes, or multiplies. */
function folded(b: Builder, x: Value, axes: readonly number[], accumulation: Accumulation): Value {
  const { element } = x.type;
  if (isComplexType(element)) return foldedComplex(b, x, axes, accumulation);
  const wide = accumulatorOf(element);
  const held = wide === element ? x : isIntegerType(element) ? b.bitcast(x, wide) : b.convert(x, wide);
  const { isSum, op, start } = accumulation;
  const value = isSum ? sumOf(b, held, axes) : reduceOne(b, held, b.constant(wide, [], start), axes, op);
  return wide === element ? value : moved(b, value, element);
}

function foldedComplex(b: Builder, z: Value, axes: readonly number[], { complex, isSum, start }: Accumulation): Value {
  const part = z.type.element === "complex<f64>" ? "f64" : "f32";
  const [x, y] = partsOf(b, z);
  const zero = zeroOf(b, "f64");
  const first = b.constant("f64", [], start);
  if (isSum) return fromParts(b, [sumOf(b, x, axes), sumOf(b, y, axes)], part);
  const [re, im] = b.reduce([x, y], [first, zero], axes, complex) as [Value, Value];
  return fromParts(b, [re, im], part);
}

/** The product of two complex numbers, as a region over the parts. */
const complexProduct: RegionBody = (inner, [p, q, u, v]) => {
  const [a, c, e, g] = [p, q, u, v] as [Value, Value, Value, Value];
  return [inner.subtract(inner.multiply(a, e), inner.multiply(c, g)), inner.add(inner.multiply(a, g), inner.multiply(c, e))];
};

const sums: Accumulation = {
  op: "add",
  start: 0,
  complex: (inner, [p, q, u, v]) => [inner.add(p as Value, u as Value), inner.add(q as Value, v as Value)],
  isSum: true,
};
const products: Accumulation = { op: "multiply", start: 1, complex: complexProduct, isSum: false };

/** Returns the number of elements that each element of the result is reduced from. */
const countOf = (dims: readonly number[], axes: readonly number[]): number => axes.reduce((product, d) => product * (dims[d] as number), 1);

/** Reduces a value over axes, at least one. */
type Fold = (b: Builder, x: Value, axes: readonly number[], dtype: DType) => Value;

/** Computes means of floats and complex numbers. */
const mean: Fold = (b, x, axes, dtype) => {
  const count = countOf(x.type.dims, axes);
  const { element } = x.type;
  if (isComplexDType(dtype)) {
    const [re, im] = partsOf(b, x).map((part) => {
      const total = sumOf(b, part, axes);
      return quotient(b, total, b.like(total, count), true);
    }) as [Value, Value];
    return fromParts(b, [re, im], dtype === "complex64" ? "f32" : "f64");
  }
  const total = sumOf(b, b.convert(x, "f64"), axes);
  return b.convert(quotient(b, total, b.like(total, count), true), element);
};

/** Returns the lowest or highest value of a type: the result of a reduction over no elements. */
function limitOf(b: Builder, dtype: DType, isMax: boolean): Value {
  const range = integerRange(dtype);
  const value = range === null ? (isMax ? -Infinity : Infinity) : range[isMax ? 0 : 1];
  return b.constant(computedType(dtype), [], value);
}

/** The reductions by the operation that they repeat. */
const folds: Readonly<Record<CombiningOp, Fold>> = {
  add: (b, x, axes) => folded(b, x, axes, sums),
  mul: (b, x, axes) => folded(b, x, axes, products),
  maximum: (b, x, axes, dtype) => reduceOne(b, x, limitOf(b, dtype, true), axes, "maximum"),
  minimum: (b, x, axes, dtype) => reduceOne(b, x, limitOf(b, dtype, false), axes, "minimum"),
  logicalOr: (b, x, axes) => reduceOne(b, x, b.constant("i1", [], false), axes, "or"),
  logicalAnd: (b, x, axes) => reduceOne(b, x, b.constant("i1", [], true), axes, "and"),
};

/** The lowering of reductions to values. */
export const reduction: Lowering = (site) => {
  const { b, node } = site;
  const op = node.op as OpNameOf<"reduction">;
  const axes = reducedAxes(node);
  const x = operand(site);
  const isMean = meanOps.has(op);
  if (axes.length === 0) return isMean ? b.reshape(x, node.dimensions) : x;
  return b.reshape((isMean ? mean : folds[combinations[op]])(b, x, axes, node.dtype), node.dimensions);
};

/**
 * The lowering of reductions to places: the values and their places are reduced together; of equal values the first place wins. NaN is
 * replaced by the limit, and elements that equal the limit have place 0, because they are not better than the start.
 */
export const extremePlace: Lowering = (site) => {
  const { b, node } = site;
  const isMax = extremes[node.op] === "largest";
  const { axis } = attributesOf(node, "argmax");
  const { dtype } = inputAt(site);
  const x = operand(site);
  const place = elementTypeOf(node.dtype);
  const limit = limitOf(b, dtype, isMax);
  const everywhere = b.broadcast(limit, x.type.dims);
  const known = isFloat(dtype) ? b.select(b.compare("NE", x, x), everywhere, x) : x;
  const index = b.iota(place, x.type.dims, axis);
  const places = b.select(b.compare("EQ", known, everywhere), b.like(index, 0), index);
  const better = isMax ? "GT" : "LT";
  const [, found] = b.reduce([known, places], [limit, zeroOf(b, place)], [axis], (inner, [value, at, other, otherAt]) => {
    const [p, i, q, j] = [value, at, other, otherAt] as [Value, Value, Value, Value];
    const isFirst = inner.and(inner.compare("EQ", q, p), inner.compare("LT", j, i));
    const takes = inner.or(inner.compare(better, q, p), isFirst);
    return [inner.select(takes, q, p), inner.select(takes, j, i)];
  }) as [Value, Value];
  return found;
};

/** Accumulates along an axis: element k of the result combines elements 0 to k, or k to the last one. */
function accumulated(
  b: Builder,
  xs: readonly Value[],
  starts: readonly Value[],
  axis: number,
  isReverse: boolean,
  body: RegionBody,
): readonly Value[] {
  const { dims } = (xs[0] as Value).type;
  const size = dims[axis] as number;
  const window = dims.map((_, d) => (d === axis ? size : 1)).join(", ");
  const padding = dims.map((_, d) => (d !== axis ? "[0, 0]" : isReverse ? `[0, ${size - 1}]` : `[${size - 1}, 0]`)).join(", ");
  const attributes = `padding = dense<[${padding}]> : tensor<${dims.length}x2xi64>, window_dimensions = array<i64: ${window}>`;
  const scalars = starts.map(({ type }) => type);
  const region = b.region([...scalars, ...scalars], body);
  return b.generic(
    "stablehlo.reduce_window",
    [...xs, ...starts],
    attributes,
    region,
    xs.map(({ type }) => type),
  );
}

/** Moves elements one place on along an axis; the first is `start`. */
function delayed(b: Builder, x: Value, start: Value, axis: number, isReverse: boolean): Value {
  const { dims } = x.type;
  const size = dims[axis] as number;
  const ones = dims.map(() => 1);
  const first = b.broadcast(start, dims.with(axis, 1));
  const begin = dims.map((_, d) => (d === axis && isReverse ? 1 : 0));
  const end = dims.map((length, d) => (d === axis && !isReverse ? size - 1 : length));
  const others = b.slice(x, begin, end, ones);
  return b.concatenate(isReverse ? [others, first] : [first, others], axis);
}

/** The lowering of cumulative maxima and minima. */
export const extremeScan: Lowering = (site) => {
  const { b, node } = site;
  const isMax = extremes[node.op] === "largest";
  const { axis, exclusive, reverse } = attributesOf(node, "cummax");
  const x = operand(site);
  if (node.dimensions.includes(0)) return x;
  const start = limitOf(b, node.dtype, isMax);
  const value = accumulated(b, [x], [start], axis, reverse, combining(isMax ? "maximum" : "minimum"))[0] as Value;
  return exclusive ? delayed(b, value, start, axis, reverse) : value;
};

/** The scans that accumulate numbers, by the operation that they repeat. */
const accumulations: Readonly<Partial<Record<CombiningOp, Accumulation>>> = { add: sums, mul: products };

/** The lowering of cumulative sums and products. */
export const scan: Lowering = (site) => {
  const { b, node } = site;
  const { complex, isSum, op, start } = accumulations[combinations[node.op as OpNameOf<"scan">]]!;
  const { axis, exclusive, reverse } = attributesOf(node, "cumsum");
  const x = operand(site);
  const { element } = x.type;
  if (node.dimensions.includes(0)) return x;
  const finish = (values: readonly Value[], starts: readonly Value[]): Value[] =>
    values.map((value, k) => {
      const total = isSum ? withoutNegativeZero(b, value) : value;
      return exclusive ? delayed(b, total, starts[k] as Value, axis, reverse) : total;
    });
  if (isComplexType(element)) {
    const starts = [b.constant("f64", [], start), zeroOf(b, "f64")];
    const parts = accumulated(b, partsOf(b, x), starts, axis, reverse, complex);
    const [re, im] = finish(parts, starts) as [Value, Value];
    return fromParts(b, [re, im], element === "complex<f64>" ? "f64" : "f32");
  }
  const wide = accumulatorOf(element);
  const held = wide === element ? x : isIntegerType(element) ? b.bitcast(x, wide) : b.convert(x, wide);
  const starts = [b.constant(wide, [], start)];
  const value = finish(accumulated(b, [held], starts, axis, reverse, combining(op)), starts)[0] as Value;
  return wide === element ? value : moved(b, value, element);
};

/** What a scan of three operands gives of its totals, and the factors by which they are multiplied after it. */
interface Followed {
  readonly factors: Value;
  readonly given: (totals: Value) => Value;
}

/**
 * The lowering of cumulative sums of three operands. A total is u + v times what is `reach` elements before it; from u and v there follow those
 * of twice the reach, until no element has one so far before it.
 */
const scanOfThree =
  (followed: (site: Parameters<Lowering>[0], second: Value, third: Value) => Followed): Lowering =>
  (site) => {
    const { b, node } = site;
    const { axis, exclusive, reverse } = attributesOf(node, "scaledCumsum");
    const { dims, element } = operand(site).type;
    if (dims.includes(0)) return operand(site);
    const wide = isComplexType(element) ? "complex<f64>" : "f64";
    const [elements, second, third] = [0, 1, 2].map((k) => {
      const forward = reverse ? b.reverse(operand(site, k), [axis]) : operand(site, k);
      return element === wide ? forward : b.convert(forward, wide);
    }) as [Value, Value, Value];
    const { factors, given } = followed(site, second, third);
    const zero = zeroOf(b, wide);
    // A factor is that of the element before, unless the element itself comes at the end of its step.
    const totals = recurrence(b, elements, exclusive ? factors : delayed(b, factors, zero, axis, false), axis);
    const value = given(exclusive ? delayed(b, totals, zero, axis, false) : totals);
    const stored = element === wide ? value : b.convert(value, element);
    return reverse ? b.reverse(stored, [axis]) : stored;
  };

/** Returns x times a factor, 0 where the factor is 0. */
const scaled = (b: Builder, x: Value, by: Value): Value => b.select(b.compare("EQ", by, b.like(by, 0)), b.like(by, 0), b.multiply(x, by));

/** Returns t[i] = elements[i] + factors[i] t[i - 1]. */
function recurrence(b: Builder, elements: Value, factors: Value, axis: number): Value {
  const { dims } = elements.type;
  const size = dims[axis]!;
  const ones = dims.map(() => 1);
  const part = (value: Value, begin: number, end: number): Value =>
    b.slice(
      value,
      dims.map((_, d) => (d === axis ? begin : 0)),
      dims.with(axis, end),
      ones,
    );
  let [u, v] = [elements, factors];
  for (let reach = 1; reach < size; reach *= 2) {
    const [first, others, before] = [part(u, 0, reach), part(v, reach, size), part(u, 0, size - reach)];
    u = b.concatenate([first, b.add(part(u, reach, size), scaled(b, before, others))], axis);
    if (2 * reach < size) v = b.concatenate([part(v, 0, reach), scaled(b, part(v, 0, size - reach), others)], axis);
  }
  return u;
}

/** The lowering of cumulative sums that are multiplied by factors; what they give has weights. */
export const scaledCumsum: Lowering = scanOfThree(({ b }, factors, weights) => ({
  factors,
  given: (totals) => b.multiply(totals, weights),
}));

/** The lowering of cumulative sums that are given, and begin anew, where two operands are equal. */
export const markedCumsum: Lowering = scanOfThree(({ b }, x, z) => {
  const isMarked = b.compare("EQ", x, z);
  const [zero, one] = [b.like(x, 0), b.like(x, 1)];
  return { factors: b.select(isMarked, zero, one), given: (totals) => b.select(isMarked, totals, zero) };
});
