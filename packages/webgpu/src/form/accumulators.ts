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
import type { ProgramNode, ReduceOp } from "@onebuffer/compiler/internal";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";
import { laneKind } from "../wgsl/element-memory.ts";
import type { WgslType } from "../wgsl/wgsl-kinds.ts";
import { typeOf } from "../wgsl/wgsl-kinds.ts";
import { literal } from "../wgsl/wgsl-literals.ts";
import type { WgslSource } from "../wgsl/wgsl-source.ts";

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

/** Returns the accumulator of a reduction of elements of a dtype. Throws UNIMPLEMENTED for those that have none. */
export function accumulatorOf({ op, dtype }: Pick<ProgramNode, "op" | "dtype">, inputDType: DType): Accumulator {
  const reduction = op as ReduceOp;
  if (inputDType === "float64" || dtype === "float64") throw new UnimplementedError("WGSL has no floats of 64 bits");
  if (reduction === "argmax" || reduction === "argmin") return placeAccumulator(reduction === "argmax", dtype, inputDType);
  if (reduction === "any" || reduction === "all") return truthAccumulator(reduction === "any", inputDType);
  if (reduction === "count") return countAccumulator(dtype);
  if (isFloat(inputDType)) return floatAccumulator(reduction);
  const bytes = laneBytes[laneKind(inputDType)];
  if (bytes === 8 || (bytes < 4 && reduction !== "max" && reduction !== "min"))
    throw new UnimplementedError(`it has no form for lanes of ${inputDType}`);
  return integerAccumulator(reduction, laneKind(inputDType));
}

/** Returns an accumulator of one variable that `combine` combines with an element, or with another one. */
function folded(kind: VectorKind, first: string, combine: (a: string, b: string) => string): Accumulator {
  return {
    variables: [{ type: typeOf(kind), first }],
    add: (source, [a], value) => source.line(`${a} = ${combine(a!, source.text(value, kind))};`),
    join: (source, [a], [b]) => source.line(`${a} = ${combine(a!, b!)};`),
    finish: (source, [a]) => source.value(kind, a!),
  };
}

function floatAccumulator(op: ReduceOp): Accumulator {
  switch (op) {
    case "sum":
    case "mean":
      return sumAccumulator(op === "mean");
    case "prod":
      return folded("f32x4", "1.0f", (a, b) => `${a} * ${b}`);
    case "maxNumber":
      return folded("f32x4", literal("f32x4", -Infinity), (a, b) => `select(${a}, ${b}, ${b} > ${a})`);
    case "max":
      return floatExtreme("f_max", -Infinity);
    case "min":
      return floatExtreme("f_min", Infinity);
    default:
      throw new UnimplementedError(`WGSL has no form of ${op} of floats`);
  }
}

/** The largest or the smallest of floats; NaN if any is NaN. */
function floatExtreme(name: "f_max" | "f_min", first: number): Accumulator {
  const plain = folded("f32x4", literal("f32x4", first), (a, b) => `${name}(${a}, ${b})`);
  return {
    ...plain,
    add(source, names, value, place) {
      source.uses(name);
      plain.add(source, names, value, place);
    },
    join(source, names, others) {
      source.uses(name);
      plain.join(source, names, others);
    },
  };
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

function integerAccumulator(op: ReduceOp, kind: VectorKind): Accumulator {
  const isUnsigned = typeOf(kind) === "u32";
  const wide = isUnsigned ? "u32x4" : "i32x4";
  switch (op) {
    case "sum":
      return folded(kind, literal(kind, 0), (a, b) => `${a} + ${b}`);
    case "prod":
      return folded(kind, literal(kind, 1), (a, b) => `${a} * ${b}`);
    case "max":
      return folded(kind, literal(wide, isUnsigned ? 0 : -(2 ** 31)), (a, b) => `max(${a}, ${b})`);
    case "min":
      return folded(kind, literal(wide, isUnsigned ? 2 ** 32 - 1 : 2 ** 31 - 1), (a, b) => `min(${a}, ${b})`);
    default:
      throw new UnimplementedError(`WGSL has no form of ${op} of integers`);
  }
}

/** any and all of masks, or of bytes of which any but 0 is true. */
function truthAccumulator(isAny: boolean, inputDType: DType): Accumulator {
  const plain = folded("u32x4", isAny ? "0u" : "1u", (a, b) => `${a} ${isAny ? "|" : "&"} ${b}`);
  return {
    ...plain,
    add: (source, [a], value) => source.line(`${a} = ${a} ${isAny ? "|" : "&"} ${oneIf(source, value, inputDType)};`),
    finish: (source, [a]) => source.mask(`${a} != 0u`),
  };
}

/** The number of bytes that are not 0. */
function countAccumulator(dtype: DType): Accumulator {
  const plain = folded("u32x4", "0u", (a, b) => `${a} + ${b}`);
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
  if (laneBytes[kind] === 8) throw new UnimplementedError(`it has no form for lanes of ${inputDType}`);
  const wide = kind === "f32x4" ? kind : typeOf(kind) === "u32" ? "u32x4" : "i32x4";
  const worst = { f32x4: -Infinity, i32x4: -(2 ** 31), u32x4: 0 };
  const best = { f32x4: Infinity, i32x4: 2 ** 31 - 1, u32x4: 2 ** 32 - 1 };
  const wins = isMax ? ">" : "<";
  const placeKind = laneKind(dtype);
  const take = (source: WgslSource, [a, at]: readonly string[], value: string, place: string, isTie: string): void => {
    source.open(`if (${value} ${wins} ${a}${isTie}) {`);
    source.line(`${a} = ${value};`);
    source.line(`${at} = ${place};`);
    source.close();
  };
  return {
    variables: [
      { type: typeOf(kind), first: literal(wide, (isMax ? worst : best)[wide]) },
      { type: "i32", first: "0i" },
    ],
    add: (source, names, value, place) => take(source, names, source.text(value, kind), place, ""),
    join: (source, names, [other, place]) => take(source, names, other!, place!, ` || (${other} == ${names[0]} && ${place} < ${names[1]})`),
    finish: (source, [, at]) =>
      laneBytes[placeKind] === 8 ? source.value(placeKind, `vec2<u32>(u32(${at}), 0u)`) : source.value("i32x4", at!).as(placeKind),
  };
}
