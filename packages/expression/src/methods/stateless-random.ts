/**
 * Random numbers that depend only on a seed (tf.random.stateless_uniform and stateless_normal with alg='philox'): the
 * same numbers on every machine and for any number of threads.
 *
 *     seed [s0, s1]  --scrambled by one Philox step-->  key (64 bits), counter (high 64 bits; the low ones count elements)
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import { checkDims, checkGenerated } from "./generators.ts";
import { randomOptions } from "../inference/call-options.ts";
import { constantValue, integerRange } from "../inference/constant-value.ts";
import type { FloatDType } from "../tree/dtype-groups.ts";
import { isFloat } from "../tree/dtype-groups.ts";
import { makeExpression } from "./expression-node.ts";
import type { Expression } from "../tree/expression.ts";
import type { PhiloxAttributes } from "../tree/op-attributes.ts";
import { philox } from "../tree/philox.ts";
import type { Scalar } from "../tree/rank-types.ts";

/**
 * A seed: two integers of 64 bits, numbers or bigints. Equal seeds give equal numbers, different seeds unrelated ones.
 *
 * @example
 * const seed: Seed = [1, -2n];
 * evaluate(statelessUniform("float32", [0], seed)).toArray(); // => []
 */
export type Seed = readonly [number | bigint, number | bigint];

/**
 * The options of statelessUniform: the range [minval, maxval) of the numbers.
 *
 * @example
 * const options: UniformOptions<"int32"> = { minval: 0, maxval: 10 };
 * evaluate(statelessUniform("int32", [3], [1, 2], options)).toArray(); // => [0, 9, 4]
 */
export interface UniformOptions<D extends DType> {
  readonly minval?: Scalar<D> | null;
  readonly maxval?: Scalar<D> | null;
}

/**
 * The options of statelessNormal: the mean of the numbers and their standard deviation, by default 0 and 1.
 *
 * @example
 * const options: NormalOptions = { mean: 5, stddev: 0 };
 * evaluate(statelessNormal("float32", [2], [1, 2], options)).toArray(); // => [5, 5]
 */
export interface NormalOptions {
  readonly mean?: number;
  readonly stddev?: number;
}

/** The dtypes of random integers. */
export type RandomIntegerDType = "int32" | "int64" | "uint32" | "uint64";

/** The key that scrambles a seed: hexadecimal digits of π, as in TensorFlow. */
const kScramble = [0x3ec8f720, 0x02461e29] as const;

/** Returns key and counter of a seed. Throws INVALID_ARGUMENT unless it is a pair of integers. */
function placesOf(op: string, seed: Seed): PhiloxAttributes {
  if (!isArray(seed) || seed.length !== 2)
    throw new InvalidArgumentError(`${op}: seed must have shape [2], such as [1, 5], got ${shownValue(seed)}`);
  const words = seed.flatMap((part: unknown) => {
    const isInteger = typeof part === "bigint" || Number.isSafeInteger(part);
    if (!isInteger) throw new InvalidArgumentError(`${op}: a seed is made of two integers, got ${shownValue(part)}`);
    const bits = BigInt.asUintN(64, BigInt(part as bigint));
    return [Number(bits & 0xffffffffn), Number(bits >> 32n)];
  });
  const mixed: [number, number, number, number] = [0, 0, 0, 0];
  philox(kScramble, words as [number, number, number, number], mixed);
  return { key: [mixed[0], mixed[1]], counter: [0, 0, mixed[2], mixed[3]] };
}

/**
 * Returns uniform random numbers in [minval, maxval). For floats the default range is [0, 1). Integers need both bounds, or neither for
 * all values of the dtype. The numbers equal `tf.random.stateless_uniform` with alg 'philox' bit for bit.
 *
 * A float32 is one of 2^23 equally spaced numbers, a float16 one of 2^10, a bfloat16 one of 2^7, a float64 one of 2^52. Integers
 * are slightly biased unless the size of the range is a power of two. Throws INVALID_ARGUMENT for a bad seed, sizes, dtype or range.
 *
 * @example
 * evaluate(statelessUniform("float32", [2], [1, 2])).toArray(); // => [0.8440604209899902, 0.19204533100128174]
 * evaluate(statelessUniform("int32", [3], [1, 2], { minval: 0, maxval: 10 })).toArray(); // => [0, 9, 4]
 * statelessUniform("int32", [3], [1, 2], { minval: 10, maxval: 0 }); // throws INVALID_ARGUMENT
 */
export function statelessUniform<D extends FloatDType | RandomIntegerDType, const S extends readonly number[]>(
  dtype: D,
  dims: S,
  seed: Seed,
  ...options: readonly [options?: UniformOptions<D>]
): Expression<D, S["length"]> {
  const op = "statelessUniform";
  const [minval, maxval] = randomOptions(op, ["minval", "maxval"], options);
  checkGenerated(isFloat(dtype) ? "randomUniform" : "randomUniformInt", dtype, op);
  const dimensions = checkDims(op, dims);
  const places = placesOf(op, seed);
  if (!isFloat(dtype)) return uniformInteger(op, dtype, dimensions, places, minval ?? null, maxval ?? null);
  const uniform = makeExpression<FloatDType, number>({ op: "randomUniform", inputs: [], attributes: places, dtype, dimensions });
  const low = constantValue(op, dtype, minval ?? 0) as number;
  const high = constantValue(op, dtype, maxval ?? 1) as number;
  if (low === 0 && high === 1) return uniform as unknown as Expression<D, S["length"]>;
  const scaled = uniform.mul(constantValue(op, dtype, high - low) as number);
  // Kernels hold 16-bit floats as float32, and round them when they are stored; TensorFlow rounds the product, too.
  const product = dtype.endsWith("16") ? scaled.cast("float32").cast(dtype) : scaled;
  return product.add(low) as unknown as Expression<D, S["length"]>;
}

function uniformInteger<D extends FloatDType | RandomIntegerDType, R extends number>(
  op: string,
  dtype: D,
  dimensions: readonly number[],
  places: PhiloxAttributes,
  minval: unknown,
  maxval: unknown,
): Expression<D, R> {
  if ((minval === null) !== (maxval === null)) {
    throw new InvalidArgumentError(`${op}: ${dtype} needs minval and maxval, or neither for all its values`);
  }
  const bound = (value: unknown): bigint | null => (value === null ? null : BigInt(constantValue(op, dtype, value) as bigint));
  const low = bound(minval);
  // The upper bound is exclusive, so it may be one above the dtype's highest value.
  const top = integerRange(dtype)?.[1] ?? 0n;
  const high =
    maxval !== null && BigInt(Number.isSafeInteger(maxval) || typeof maxval === "bigint" ? (maxval as bigint) : 0) === top + 1n
      ? top + 1n
      : bound(maxval);
  if (low !== null && high !== null && low >= high) {
    throw new InvalidArgumentError(`${op}: Need minval < maxval, got ${low} >= ${high}`);
  }
  return makeExpression({ op: "randomUniformInt", inputs: [], attributes: { ...places, low, high }, dtype, dimensions });
}

/**
 * Returns normally distributed random numbers; the default mean is 0, the default standard deviation 1 (`tf.random.stateless_normal` with
 * alg 'philox').
 *
 * The numbers equal TensorFlow's except for the last bits, because TensorFlow uses logarithm, sine and cosine of its C library. Throws
 * INVALID_ARGUMENT for a bad seed, sizes or dtype.
 *
 * @example
 * const normal = evaluate(statelessNormal("float64", [1000], [3, 4]));
 * Math.abs(evaluate(normal.mean()).at()) < 0.1; // => true
 * statelessNormal("float32", [2], [1] as never); // throws INVALID_ARGUMENT
 */
export function statelessNormal<D extends FloatDType, const S extends readonly number[]>(
  dtype: D,
  dims: S,
  seed: Seed,
  ...options: readonly [options?: NormalOptions]
): Expression<D, S["length"]> {
  const op = "statelessNormal";
  const [mean = 0, stddev = 1] = randomOptions(op, ["mean", "stddev"], options);
  checkGenerated("randomNormal", dtype, op);
  const dimensions = checkDims(op, dims);
  const places = placesOf(op, seed);
  const normal = makeExpression<FloatDType, number>({ op: "randomNormal", inputs: [], attributes: places, dtype, dimensions });
  const scale = constantValue(op, dtype, stddev) as number;
  const centre = constantValue(op, dtype, mean) as number;
  if (scale === 1 && centre === 0) return normal as unknown as Expression<D, S["length"]>;
  return normal.mul(scale).add(centre) as unknown as Expression<D, S["length"]>;
}
