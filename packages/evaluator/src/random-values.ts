/**
 * Computes random elements from Philox words (tsl/lib/random/random_distributions.h). Elements form groups of four or two. The words for
 * group g are those of the node's counter advanced by g.
 *
 *     float32 uniform    23 bits as the mantissa of a number in [1, 2), minus 1           group of 4
 *     float16, bfloat16  10 and 7 bits, likewise                                          group of 4
 *     float64            52 bits of two words                                             group of 2
 *     normal             Box and Muller: two uniforms give two normals                    group of 4, float64 of 2
 *     integers           low + word mod (high - low), 64 bits of two words                group of 4 or 2
 *
 * Uniform and integer elements equal TensorFlow's bit for bit. Normal elements are computed in float64 from the same float32 uniforms and
 * rounded. TensorFlow uses the float functions of its C library, so its results may differ in the last bit or two.
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { attributesOf, philox, skipped } from "@onebuffer/expression/internal";
import type { OpNameOf } from "@onebuffer/expression/internal";
import type { Read, Value } from "./values.ts";
import { wrapBig } from "./values.ts";

type Words = [number, number, number, number];

/** The functions of the distributions. */
const makers: Readonly<Record<OpNameOf<"random">, (node: ExpressionTree) => Make>> = {
  randomUniform: ({ dtype }) => uniform(dtype),
  randomNormal: ({ dtype }) => normal(dtype),
  randomUniformInt: integer,
};

/** Returns the reader of a random node's elements. It keeps the words of the last group. */
export function randomValues(node: ExpressionTree): Read {
  const { key, counter } = attributesOf(node, "randomUniform");
  const { dtype } = node;
  const wide = dtype === "float64" || dtype === "int64" || dtype === "uint64";
  const size = wide ? 2 : 4;
  const words: Words = [0, 0, 0, 0];
  let group = -1;
  const make = makers[node.op as OpNameOf<"random">](node);
  return (index) => {
    const wanted = Math.floor(index / size);
    if (wanted !== group) {
      philox(key, skipped(counter, wanted), words);
      group = wanted;
    }
    return make(words, index - wanted * size);
  };
}

/** Computes the element at index `place` of a group from the group's words. */
type Make = (words: Words, place: number) => Value;

/** Returns the low `bits` bits of a word as a number in [0, 1). */
function fraction(word: number, bits: number): number {
  return (word % 2 ** bits) / 2 ** bits;
}

/** Returns the low 20 bits of `high` and the 32 bits of `low` as a number in [0, 1). */
function fraction52(high: number, low: number): number {
  return ((high % 2 ** 20) * 2 ** 32 + low) / 2 ** 52;
}

function uniform(dtype: DType): Make {
  if (dtype === "float64") return (words, k) => fraction52(words[2 * k] as number, words[2 * k + 1] as number);
  const bits = dtype === "float16" ? 10 : dtype === "bfloat16" ? 7 : 23;
  return (words, k) => fraction(words[k] as number, bits);
}

/** Smaller uniform numbers are replaced by this one before their logarithm is taken, so that the logarithm is finite. */
const kEpsilon = 1e-7;

function normal(dtype: DType): Make {
  if (dtype === "float64") {
    return (words, k) => {
      const radius = Math.sqrt(-2 * Math.log(Math.max(fraction52(words[0], words[1]), kEpsilon)));
      const angle = 2 * Math.PI * fraction52(words[2], words[3]);
      return radius * (k === 0 ? Math.sin(angle) : Math.cos(angle));
    };
  }
  return (words, k) => {
    const pair = k < 2 ? 0 : 2;
    const first = Math.max(fraction(words[pair] as number, 23), Math.fround(kEpsilon));
    const angle = Math.fround(2 * Math.PI * fraction(words[pair + 1] as number, 23));
    const radius = Math.fround(Math.sqrt(Math.fround(-2 * Math.fround(Math.log(first)))));
    return Math.fround(Math.fround(k % 2 === 0 ? Math.sin(angle) : Math.cos(angle)) * radius);
  };
}

function integer(node: ExpressionTree): Make {
  const { dtype } = node;
  const { low, high } = attributesOf(node, "randomUniformInt");
  if (dtype === "int64" || dtype === "uint64") {
    return (words, k) => {
      const word = BigInt(words[2 * k] as number) | (BigInt(words[2 * k + 1] as number) << 32n);
      return wrapBig(dtype, low === null || high === null ? word : low + (word % (high - low)));
    };
  }
  const round = dtype === "int32" ? (x: number): number => x | 0 : (x: number): number => x >>> 0;
  if (low === null || high === null) return (words, k) => round(words[k] as number);
  const start = Number(low);
  const range = Number(high - low);
  return (words, k) => round(start + ((words[k] as number) % range));
}
