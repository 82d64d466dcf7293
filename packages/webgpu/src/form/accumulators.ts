/**
 * Accumulators: how a reduction adds up elements, and joins the results of several invocations. The order is fixed, so that every adapter
 * computes the same bits.
 *
 * A sum of floats keeps the rounding errors of its additions as a second number (Knuth's two-sum), as the kernels keep theirs in float64. Both
 * numbers are added at the end, so the error does not grow with the length.
 */
import type { DType } from "@onebuffer/base";
import { UnimplementedError } from "@onebuffer/base";
import { isFloat } from "@onebuffer/expression/internal";
import { neutralOfExtreme } from "@onebuffer/compiler/internal";
import type { ReduceOp } from "@onebuffer/compiler/internal";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";
import { laneKind } from "../wgsl/element-memory.ts";
import { noForm } from "../wgsl/no-form.ts";
import type { WgslFunction } from "../wgsl/wgsl-functions.ts";
import type { WgslType } from "../wgsl/wgsl-kinds.ts";
import { typeOf, wrapped } from "../wgsl/wgsl-kinds.ts";
import { literal } from "../wgsl/wgsl-literals.ts";
import type { WgslSource } from "../wgsl/wgsl-source.ts";
import { longLess } from "./long-operation.ts";

/** One variable of an accumulator: its type and its value over no elements. */
export interface AccumulatorVariable {
  readonly type: WgslType;
  readonly first: string;
}

/** A reduction's variables, and the lines that change them. Names are those of variables that can be assigned. */
export interface Accumulator {
  readonly variables: readonly AccumulatorVariable[];
  /** Adds an element; `place` is its index in the row. */
  add(source: WgslSource, names: readonly string[], value: Vector, place: string): void;
  /** Adds what another invocation has; that has later elements or other ones of the row. */
  join(source: WgslSource, names: readonly string[], others: readonly string[]): void;
  /** Returns the value of the reduction over `count` elements. */
  finish(source: WgslSource, names: readonly string[], count: string): Vector;
}

/** What combines two values: an expression, with the function that it calls. */
interface Combination {
  readonly text: (a: string, b: string) => string;
  readonly uses?: WgslFunction;
}

/** The accumulators of all reductions of elements of dtype `of`; null where there is none. */
const kAccumulators: Readonly<Record<ReduceOp, (of: DType, dtype: DType) => Accumulator | null>> = {
  sum: (of) => (isFloat(of) ? sumAccumulator(false) : repeated(of, 0, "+", "l_add")),
  mean: (of) => (isFloat(of) ? sumAccumulator(true) : null),
  prod: (of) => (isFloat(of) ? folded("f32x4", "1.0f", infix("*")) : repeated(of, 1, "*", "l_mul")),
  count: (_, dtype) => countAccumulator(dtype),
  max: (of) => extremeAccumulator(true, of),
  maxNumber: () => folded("f32x4", literal("f32x4", -Infinity), { text: (a, b) => `select(${a}, ${b}, ${b} > ${a})` }),
  min: (of) => extremeAccumulator(false, of),
  any: (of) => truthAccumulator(true, of),
  all: (of) => truthAccumulator(false, of),
  argmax: (of, dtype) => placeAccumulator(true, dtype, of),
  argmin: (of, dtype) => placeAccumulator(false, dtype, of),
};

/** Returns the accumulator of a reduction of elements of a dtype. Throws UNIMPLEMENTED for those that have none. */
export function accumulatorOf(op: ReduceOp, dtype: DType, inputDType: DType): Accumulator {
  if (inputDType === "float64" || dtype === "float64") throw new UnimplementedError("WGSL has no floats of 64 bits");
  const accumulator = kAccumulators[op](inputDType, dtype);
  if (accumulator === null) throw noForm(op, inputDType);
  return accumulator;
}

/** Returns an accumulator of one variable that `text` combines with an element, or with another one. Small integers wrap at the end. */
function folded(kind: VectorKind, first: string, { text, uses }: Combination): Accumulator {
  const combine = (source: WgslSource, a: string, b: string): void => {
    if (uses !== undefined) source.uses(uses);
    source.line(`${a} = ${text(a, b)};`);
  };
  return {
    variables: [{ type: typeOf(kind), first }],
    add: (source, [a], value) => combine(source, a!, source.text(value, kind)),
    join: (source, [a], [b]) => combine(source, a!, b!),
    finish: (source, [a]) => source.value(kind, wrapped(a!, kind)),
  };
}

/** The function `name` as a combination. */
const calls = (name: WgslFunction): Combination => ({ uses: name, text: (a, b) => `${name}(${a}, ${b})` });
/** An operator between the values as a combination. */
const infix = (operator: string): Combination => ({ text: (a, b) => `${a} ${operator} ${b}` });

/** Integers combined by an operator, or those of 64 bits by a function. `first` is the value of no elements. */
function repeated(dtype: DType, first: number, operator: string, long: WgslFunction): Accumulator {
  const kind = laneKind(dtype);
  return folded(kind, literal(kind, first), laneBytes[kind] === 8 ? calls(long) : infix(operator));
}

/** The largest or the smallest element. NaN wins. */
function extremeAccumulator(isMax: boolean, dtype: DType): Accumulator {
  const kind = laneKind(dtype);
  const first = literal(kind, neutralOfExtreme(kind, isMax));
  if (isFloat(dtype)) return folded(kind, first, calls(isMax ? "f_max" : "f_min"));
  const less = longLess(dtype);
  return laneBytes[kind] === 8
    ? folded(kind, first, { uses: less, text: (a, b) => `select(${a}, ${b}, ${less}(${isMax ? `${a}, ${b}` : `${b}, ${a}`}))` })
    : folded(kind, first, { text: (a, b) => `${isMax ? "max" : "min"}(${a}, ${b})` });
}

/** The sum or the mean of floats: the sum so far, and the sum of what was lost by rounding. */
function sumAccumulator(isMean: boolean): Accumulator {
  const addTo = (source: WgslSource, [sum, lost]: readonly string[], value: string, more: string): void => {
    source.uses("keep");
    const [next, part] = [source.name("s"), source.name("s")];
    source.line(`let ${next} = keep(${sum} + ${value});`);
    source.line(`let ${part} = keep(${next} - ${sum});`);
    const error = `keep(keep(${sum} - keep(${next} - ${part})) + keep(${value} - ${part}))`;
    source.line(`${lost} = ${lost} + ${error}${more};`);
    source.line(`${sum} = ${next};`);
  };
  return {
    variables: [
      { type: "f32", first: "0.0f" },
      { type: "f32", first: "0.0f" },
    ],
    add: (source, names, value) => addTo(source, names, source.text(value, "f32x4"), ""),
    join: (source, names, [sum, lost]) => addTo(source, names, sum!, ` + ${lost}`),
    finish(source, [sum, lost], count) {
      // Infinities make what was lost NaN. Then it is left out.
      const total = source.value("f32x4", `select(${sum} + ${lost}, ${sum}, ${source.uses("is_nan")}(${lost}))`);
      return isMean ? source.value("f32x4", `${source.text(total)} / f32(${count})`) : total;
    },
  };
}

/** any and all of masks, or of bytes of which any but 0 is true. */
function truthAccumulator(isAny: boolean, inputDType: DType): Accumulator {
  const plain = folded("u32x4", isAny ? "0u" : "1u", infix(isAny ? "|" : "&"));
  return {
    ...plain,
    add: (source, [a], value) => source.line(`${a} = ${a} ${isAny ? "|" : "&"} ${oneIf(source, value, inputDType)};`),
    finish: (source, [a]) => source.mask(`${a} != 0u`),
  };
}

/** The number of bytes that are not 0. */
function countAccumulator(dtype: DType): Accumulator {
  const plain = folded("u32x4", "0u", infix("+"));
  const kind = laneKind(dtype);
  return {
    ...plain,
    add: (source, [a], value) => source.line(`${a} = ${a} + ${oneIf(source, value, "uint8")};`),
    finish: (source, [a]) => (laneBytes[kind] === 8 ? source.value(kind, `vec2<u32>(${a}, 0u)`) : source.value("u32x4", a!).as(kind)),
  };
}

const oneIf = (source: WgslSource, value: Vector, dtype: DType): string =>
  `select(0u, 1u, ${dtype === "bool" ? source.condition(value) : `${source.text(value)} != ${literal(laneKind(dtype), 0)}`})`;

/** The index of the first largest or smallest element. NaN never wins. */
function placeAccumulator(isMax: boolean, dtype: DType, inputDType: DType): Accumulator {
  const kind = laneKind(inputDType);
  const isLong = laneBytes[kind] === 8;
  const placeKind = laneKind(dtype);
  const wins = (source: WgslSource, value: string, a: string): string => {
    if (!isLong) return `${value} ${isMax ? ">" : "<"} ${a}`;
    return `${source.uses(longLess(inputDType))}(${isMax ? `${a}, ${value}` : `${value}, ${a}`})`;
  };
  const take = (source: WgslSource, [a, at]: readonly string[], value: string, place: string, isTie: string): void => {
    source.open(`if (${wins(source, value, a!)}${isTie}) {`);
    source.line(`${a} = ${value};`);
    source.line(`${at} = ${place};`);
    source.close();
  };
  return {
    variables: [
      { type: typeOf(kind), first: literal(kind, neutralOfExtreme(kind, isMax)) },
      { type: "i32", first: "0i" },
    ],
    add: (source, names, value, place) => take(source, names, source.text(value, kind), place, ""),
    join: (source, names, [other, place]) => {
      const isSame = isLong ? `all(${other} == ${names[0]})` : `${other} == ${names[0]}`;
      take(source, names, other!, place!, ` || (${isSame} && ${place} < ${names[1]})`);
    },
    finish: (source, [, at]) =>
      laneBytes[placeKind] === 8 ? source.value(placeKind, `vec2<u32>(u32(${at}), 0u)`) : source.value("i32x4", at!).as(placeKind),
  };
}
