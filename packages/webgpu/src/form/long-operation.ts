/**
 * longOperation: operations of 64-bit integers, which are pairs of words: those of indices and sums. There are no quotients, remainders or
 * powers.
 */
import type { DType } from "@onebuffer/base";
import type { Vector } from "@onebuffer/wasm/internal";
import { laneKind } from "../wgsl/element-memory.ts";
import type { WgslFunction } from "../wgsl/wgsl-functions.ts";
import type { WgslSource } from "../wgsl/wgsl-source.ts";

/** What writes an operation: calls of functions by name, and the order of two numbers. */
interface LongWriter {
  readonly isSigned: boolean;
  call(name: WgslFunction, ...args: readonly string[]): string;
  isLess(x: string, y: string): string;
}

type LongForm = (writer: LongWriter, x: string, y: string) => string;

const kZero = "vec2<u32>()";
const isNegative = (x: string): string => `bitcast<i32>(${x}.y) < 0`;

const kComparisons: Readonly<Record<string, LongForm>> = {
  equal: (_, x, y) => `all(${x} == ${y})`,
  notEqual: (_, x, y) => `any(${x} != ${y})`,
  less: ({ isLess }, x, y) => isLess(x, y),
  lessEqual: ({ isLess }, x, y) => `!${isLess(y, x)}`,
  greater: ({ isLess }, x, y) => isLess(y, x),
  greaterEqual: ({ isLess }, x, y) => `!${isLess(x, y)}`,
};

const kNumbers: Readonly<Record<string, LongForm>> = {
  neg: ({ call }, x) => call("l_sub", kZero, x),
  abs: ({ call, isSigned }, x) => (isSigned ? `select(${x}, ${call("l_sub", kZero, x)}, ${isNegative(x)})` : x),
  sign: ({ isSigned }, x) => {
    const one = `vec2<u32>(select(0u, 1u, any(${x} != ${kZero})), 0u)`;
    return isSigned ? `select(${one}, ~${kZero}, ${isNegative(x)})` : one;
  },
  square: ({ call }, x) => call("l_mul", x, x),
  round: (_, x) => x,
  invert: (_, x) => `~${x}`,
  add: ({ call }, x, y) => call("l_add", x, y),
  sub: ({ call }, x, y) => call("l_sub", x, y),
  mul: ({ call }, x, y) => call("l_mul", x, y),
  squaredDifference: ({ call }, x, y) => call("l_mul", call("l_sub", x, y), call("l_sub", x, y)),
  minimum: ({ isLess }, x, y) => `select(${y}, ${x}, ${isLess(x, y)})`,
  maximum: ({ isLess }, x, y) => `select(${y}, ${x}, ${isLess(y, x)})`,
  bitwiseAnd: (_, x, y) => `${x} & ${y}`,
  bitwiseOr: (_, x, y) => `${x} | ${y}`,
  bitwiseXor: (_, x, y) => `${x} ^ ${y}`,
  leftShift: ({ call, isSigned }, x, y) => call("l_shl", x, call(isSigned ? "l_count" : "l_count_u", y)),
  rightShift: ({ call, isSigned }, x, y) => (isSigned ? call("l_shr", x, call("l_count", y)) : call("l_shr_u", x, call("l_count_u", y))),
};

/** Returns the function that compares two 64-bit integers of a dtype. */
export function longLess(dtype: DType): "l_less" | "l_less_u" {
  return dtype === "uint64" ? "l_less_u" : "l_less";
}

/** Writes an operation of 64-bit integers of a dtype; null if it has no form. */
export function longOperation(source: WgslSource, op: string, inputs: readonly Vector[], dtype: DType): Vector | null {
  const kind = laneKind(dtype);
  const call = (name: WgslFunction, ...args: readonly string[]): string => `${source.uses(name)}(${args.join(", ")})`;
  const writer = { isSigned: dtype === "int64", call, isLess: (x: string, y: string) => call(longLess(dtype), x, y) };
  const [x, y = ""] = inputs.map((input) => source.text(input, kind)) as [string, string?];
  const [comparison, number] = [kComparisons[op], kNumbers[op]];
  if (comparison !== undefined) return source.mask(comparison(writer, x, y));
  return number === undefined ? null : source.value(kind, number(writer, x, y));
}
