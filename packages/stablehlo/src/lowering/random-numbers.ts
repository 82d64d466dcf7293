/**
 * The lowerings of random numbers: StableHLO's Philox gives the same words as ours, and the elements are made of them in the same way
 * (packages/evaluator/src/random-values.ts). The counter is that of the node; the state that the operation returns is not used.
 */
import { attributesOf } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/eigen";
import type { Builder, Value } from "../text/builder.ts";
import { floatFunctions, productOf } from "./float-functions.ts";
import type { FloatUnary } from "./float-functions.ts";
import type { Lowering } from "./lowering.ts";
import { computedType } from "./lowering.ts";

const countOf = (dims: readonly number[]): number => dims.reduce((product, size) => product * size, 1);
const isWide = ({ dtype }: ExpressionTree): boolean => dtype === "float64" || dtype === "int64" || dtype === "uint64";
const word64 = (low: number, high: number): bigint => BigInt(low) | (BigInt(high) << 32n);

/** Returns the words of the groups that a node's elements need, as rows of four. */
function wordsOf(b: Builder, node: ExpressionTree): Value {
  const { key, counter } = attributesOf(node, "randomUniform");
  const groups = Math.ceil(countOf(node.dimensions) / (isWide(node) ? 2 : 4));
  const state = b.vector("ui64", [word64(...key), word64(counter[0], counter[1]), word64(counter[2], counter[3])]);
  const type = { element: "ui32" as const, dims: [groups * 4] };
  const [, words] = b.generic("stablehlo.rng_bit_generator", [state], "rng_algorithm = #stablehlo<rng_algorithm PHILOX>", "", [
    state.type,
    type,
  ]);
  return b.reshape(words as Value, [groups, 4]);
}

/** Returns the elements of groups, a row per group, in the sizes of the node. */
function arranged(b: Builder, node: ExpressionTree, rows: Value): Value {
  const flat = b.reshape(rows, [countOf(rows.type.dims)]);
  return b.reshape(b.slice(flat, [0], [countOf(node.dimensions)], [1]), node.dimensions);
}

/** Returns column `from` and every `step`-th after it. */
function columns(b: Builder, words: Value, from: number, step: number): Value {
  return b.slice(words, [0, from], [words.type.dims[0] as number, 4], [1, step]);
}

/** Returns pairs of words as 64-bit integers; `isLowFirst` says which word of a pair has the low bits. */
function pairsOf(b: Builder, words: Value, isLowFirst: boolean): Value {
  const [first, second] = [b.convert(columns(b, words, 0, 2), "ui64"), b.convert(columns(b, words, 1, 2), "ui64")];
  const [low, high] = isLowFirst ? [first, second] : [second, first];
  return b.or(b.same("stablehlo.shift_left", high, b.like(high, 32)), low);
}

/** Returns the low bits of integers as a number in [0, 1). */
function fraction(b: Builder, bits: Value, count: number): Value {
  const element = count > 24 ? "f64" : "f32";
  const low = b.convert(b.and(bits, b.like(bits, 2n ** BigInt(count) - 1n)), element);
  return b.multiply(low, b.like(low, 2 ** -count));
}

export const randomUniform: Lowering = ({ b, node }) => {
  if (node.dimensions.includes(0)) return b.constant(computedType(node.dtype), node.dimensions, 0);
  const words = wordsOf(b, node);
  if (node.dtype === "float64") return arranged(b, node, fraction(b, pairsOf(b, words, false), 52));
  const bits = node.dtype === "float16" ? 10 : node.dtype === "bfloat16" ? 7 : 23;
  return arranged(b, node, fraction(b, words, bits));
};

const fn = (op: "log" | "sqrt" | "sin" | "cos"): FloatUnary => floatFunctions[op] as FloatUnary;

/** The lowering of randomNormal, Box and Muller: of two uniform numbers one gives the radius, the other the angle of two normal ones. */
export const randomNormal: Lowering = ({ b, node }) => {
  if (node.dimensions.includes(0)) return b.constant(computedType(node.dtype), node.dimensions, 0);
  const words = wordsOf(b, node);
  const isDouble = node.dtype === "float64";
  const uniform = isDouble ? fraction(b, pairsOf(b, words, false), 52) : fraction(b, words, 23);
  const width = uniform.type.dims[1] as number;
  const groups = uniform.type.dims[0] as number;
  const half = (from: number): Value => b.slice(uniform, [0, from], [groups, width], [1, 2]);
  const first = b.maximum(half(0), b.like(half(0), isDouble ? 1e-7 : Math.fround(1e-7)));
  const wide = b.convert(half(1), "f64");
  const turn = b.convert(productOf(b, wide, b.like(wide, 2 * Math.PI)), uniform.type.element);
  const radius = fn("sqrt")(b, productOf(b, fn("log")(b, first), b.like(first, -2)));
  const parts = [fn("sin")(b, turn), fn("cos")(b, turn)].map((each) => b.reshape(productOf(b, each, radius), [groups, width / 2, 1]));
  return arranged(b, node, b.concatenate(parts, 2));
};

export const randomUniformInt: Lowering = ({ b, node }) => {
  const element = computedType(node.dtype);
  if (node.dimensions.includes(0)) return b.constant(element, node.dimensions, 0);
  const { low, high } = attributesOf(node, "randomUniformInt");
  const words = isWide(node) ? pairsOf(b, wordsOf(b, node), true) : wordsOf(b, node);
  const bits = isWide(node) ? 64 : 32;
  const ranged = (): Value => {
    const within = b.same("stablehlo.remainder", words, b.like(words, (high as bigint) - (low as bigint)));
    return b.add(within, b.like(words, BigInt.asUintN(bits, low as bigint)));
  };
  return arranged(b, node, b.bitcast(low === null || high === null ? words : ranged(), element));
};
