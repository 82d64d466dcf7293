/**
 * random-into: writes random elements piece by piece. One kernel makes Philox's words, and other kernels turn words into numbers
 * (tsl/lib/random/random_distributions.h).
 *
 *     words      w0 w1 w2 w3 | w0 w1 w2 w3 | …          in scratch memory, at most 1 MiB
 *     uniform    (w & 0x7fffff) * 2^-23                  an expression over the words
 *     normal     sqrt(-2 log(u)) * sin(2 pi v)           the even elements, u and v from pairs of words; the odd ones with cos
 *     integers   low + w mod (high - low)
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { attributesOf } from "@onebuffer/expression/internal";
import type { OpNameOf } from "@onebuffer/expression/internal";
import { isRowMajor, product } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { kTurnWords, philoxWords } from "@onebuffer/kernels/internal";
import { castTo, plainConstant, plainNode } from "../plan/plain-nodes.ts";
import { leafOf, placesPart } from "../plan/tree-parts.ts";
import type { WholeWork } from "./whole-work.ts";

/** The number of elements in a piece: their words take at most 1 MiB. A multiple of the elements of every group. */
const kPiece = 1 << 17;

/** The least uniform number of which a logarithm is taken, so that the logarithm is finite. Smaller numbers are replaced by it. */
const kEpsilon = 1e-7;

/** Returns a map of every `step`-th element of the words' memory, from element `first` on, read as elements of `dtype`. */
type WordsOf = (dtype: DType, first: number, step: number) => ExpressionTree;

/** Writes random elements. The kernel for the words must be available: see hasPhilox. */
export function randomInto(places: RawPlaces, dtype: DType, tree: ExpressionTree, work: WholeWork): void {
  if (!isRowMajor({ offset: 0, dims: places.dims, strides: places.strides })) {
    const scratch = work.scratch(tree.dimensions, dtype);
    randomInto(scratch, dtype, tree, work);
    work.compute(places, dtype, leafOf({ dtype }, scratch));
    return;
  }
  const count = product(tree.dimensions);
  const line: RawPlaces = { ...places, dims: [count], strides: [1] };
  const wordsEach = dtypeSize(tree.dtype) === 8 ? 2 : 1;
  const memory = work.scratch([Math.min(count, kPiece) * wordsEach + kTurnWords + 4], "uint32");
  for (let begin = 0; begin < count; begin += kPiece) {
    const end = Math.min(begin + kPiece, count);
    philoxWords(
      memory.byteOffset,
      attributesOf(tree, "randomUniform"),
      (begin * wordsEach) / 4,
      Math.ceil(((end - begin) * wordsEach) / 4),
    );
    pieceInto(placesPart(line, 0, begin, end), dtype, tree, memory, work);
  }
}

/** Computes one piece of the random elements from the words in `memory`. */
function pieceInto(places: RawPlaces, dtype: DType, tree: ExpressionTree, memory: RawPlaces, work: WholeWork): void {
  const computeAs = (to: RawPlaces, make: (words: WordsOf) => ExpressionTree): void => {
    const words: WordsOf = (held, first, step) => {
      const itemBytes = dtypeSize(held);
      const byteOffset = memory.byteOffset + first * itemBytes;
      return leafOf({ dtype: held }, { ...memory, byteOffset, itemBytes, dims: to.dims, strides: [step] });
    };
    // float16 and bfloat16 numbers are computed as float32, and rounded only if the target stores 16 bits.
    work.compute(to, dtype, castTo(dtype, make(words)));
  };
  const distribution = distributions[tree.op as OpNameOf<"random">];
  if (distribution !== null) computeAs(places, (words) => distribution(tree, words));
  else {
    const [count] = places.dims as readonly [number];
    const every2 = (first: number): RawPlaces => ({
      ...places,
      byteOffset: places.byteOffset + first * places.itemBytes,
      dims: [Math.ceil((count - first) / 2)],
      strides: [2],
    });
    computeAs(every2(0), (words) => normal(tree.dtype, words, false));
    if (count > 1) computeAs(every2(1), (words) => normal(tree.dtype, words, true));
  }
}

/** The expressions of random elements, each of its own words; null for normal numbers, which are made in pairs. */
const distributions: Readonly<Record<OpNameOf<"random">, ((tree: ExpressionTree, words: WordsOf) => ExpressionTree) | null>> = {
  randomUniform: uniform,
  randomUniformInt: integers,
  randomNormal: null,
};

/** Returns the lower `bits` bits of words as fractions of 1. */
function fraction(words: ExpressionTree, bits: number): ExpressionTree {
  const mantissa = plainNode("bitwiseAnd", "uint32", words, plainConstant("uint32", 2 ** bits - 1));
  return plainNode("mul", "float32", castTo("float32", mantissa), plainConstant("float32", 2 ** -bits));
}

/** Returns fractions of 52 bits: the lower 20 bits of one word above the 32 bits of the other. */
function fraction52(high: ExpressionTree, low: ExpressionTree): ExpressionTree {
  const upper = castTo("float64", plainNode("bitwiseAnd", "uint32", high, plainConstant("uint32", 2 ** 20 - 1)));
  const scaled = plainNode("mul", "float64", upper, plainConstant("float64", 2 ** 32));
  return plainNode("mul", "float64", plainNode("add", "float64", scaled, castTo("float64", low)), plainConstant("float64", 2 ** -52));
}

/** Returns the expression of uniform numbers in [0, 1). */
function uniform({ dtype }: ExpressionTree, words: WordsOf): ExpressionTree {
  if (dtype === "float64") return fraction52(words("uint32", 0, 2), words("uint32", 1, 2));
  return fraction(words("uint32", 0, 1), dtype === "float16" ? 10 : dtype === "bfloat16" ? 7 : 23);
}

/** The Box-Muller transform: the sine for the first element of each pair, the cosine for the second. */
function normal(dtype: DType, words: WordsOf, second: boolean): ExpressionTree {
  const wide = dtype === "float64";
  const own = wide ? dtype : "float32";
  const first = wide ? fraction52(words("uint32", 0, 4), words("uint32", 1, 4)) : fraction(words("uint32", 0, 2), 23);
  const turn = wide ? fraction52(words("uint32", 2, 4), words("uint32", 3, 4)) : fraction(words("uint32", 1, 2), 23);
  const rounded = (value: number): number => (wide ? value : Math.fround(value));
  const log = plainNode("log", own, plainNode("maximum", own, first, plainConstant(own, rounded(kEpsilon))));
  const radius = plainNode("sqrt", own, plainNode("mul", own, log, plainConstant(own, -2)));
  // A float32 angle is a product in float64 that is then rounded, as in the plain evaluator.
  const angle = castTo(own, plainNode("mul", "float64", castTo("float64", turn), plainConstant("float64", 2 * Math.PI)));
  return plainNode("mul", own, plainNode(second ? "cos" : "sin", own, angle), radius);
}

/** Returns the expression of random integers: from `low` to below `high`, or all bits if the tree has no bounds. */
function integers(tree: ExpressionTree, words: WordsOf): ExpressionTree {
  const { dtype } = tree;
  const { low, high } = attributesOf(tree, "randomUniformInt");
  const wide = dtypeSize(dtype) === 8;
  const unsigned = wide ? "uint64" : "uint32";
  const all = words(unsigned, 0, 1);
  if (low === null || high === null) return castTo(dtype, all);
  const value = (x: bigint): number | bigint => (wide ? x : Number(x));
  const remainder = castTo(dtype, plainNode("mod", unsigned, all, plainConstant(unsigned, value(high - low))));
  return plainNode("add", dtype, remainder, plainConstant(dtype, value(low)));
}
