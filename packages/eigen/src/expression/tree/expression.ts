/**
 * Expression: a tensor that is described, not computed (an Eigen expression template; TensorBase.h has its methods).
 *
 *     a.mul(2).add(b)        add            nothing is computed or allocated; `out.assign(expression)` does that,
 *                           /   \           in one pass over the operands
 *                        mul     b
 *                       /   \
 *                      a     2
 *
 * A TensorMap and a StridedMap are operands, too: leaves of the tree. An expression is immutable and may be used any number of times;
 * it reads the memory of its maps when it is assigned, not when it is written down.
 *
 * Operands of a binary operation have one dtype; there is no promotion: `cast` says what is meant. Their sizes are broadcast
 * by NumPy's rules. A plain value stands for a constant of the other operand's dtype. Whatever does not go together throws
 * INVALID_ARGUMENT where the expression is written, naming both operands and the axis.
 *
 * Axes may be negative: they count from the end. One outside [-rank, rank) throws INVALID_ARGUMENT where the expression is written.
 *
 * float16 and bfloat16 are computed in float32 and rounded where they are stored, and before a cast. Integers wrap around. Denormals are kept. Where a
 * method says how far it may be off, that is for float32; float64 is within 2 ulp everywhere.
 */
import type { DType } from "@onebuffer/base";
import type { HigherRank, LowerRank } from "../../geometry/indices.ts";
import type { ComplexDType, FloatDType, IntegerDType, NumericDType, RealDType } from "./dtype-groups.ts";
import type { Operand, Other } from "./operand.ts";
import type { MatMulOptions, PadMode, ScanOptions, ScatterOptions } from "./operation-options.ts";
import type { Axes, BroadcastRank, RankWithout, Scalar } from "./rank-types.ts";

/**
 * Reducing over axes: all (or null), one, or a list. `keepDims` leaves sizes of 1. `T` are the dtypes that can be reduced.
 *
 * @example
 * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * const sum: Reduce<NumericDType> = map.sum;
 * sum.call(map, 0).dimensions; // => [2]
 */
export interface Reduce<T extends DType> {
  <D extends T>(this: Operand<D, number>, axes?: null, keepDims?: false): Expression<D, 0>;
  <D extends T, R extends number>(this: Operand<D, R>, axes: Axes, keepDims: true): Expression<D, R>;
  <D extends T, R extends number>(this: Operand<D, R>, axis: number, keepDims?: false): Expression<D, LowerRank<R>>;
  <D extends T, R extends number, const A extends readonly number[]>(
    this: Operand<D, R>,
    axes: A,
    keepDims?: false,
  ): Expression<D, RankWithout<R, A["length"]>>;
  <D extends T>(this: Operand<D, number>, axes?: Axes, keepDims?: boolean): Expression<D, number>;
}

/** The same, with two results. */
export interface ReduceTwo {
  <D extends FloatDType>(this: Operand<D, number>, axes?: null, keepDims?: false): Moments<D, 0>;
  <D extends FloatDType, R extends number>(this: Operand<D, R>, axes: Axes, keepDims: true): Moments<D, R>;
  <D extends FloatDType, R extends number>(this: Operand<D, R>, axis: number, keepDims?: false): Moments<D, LowerRank<R>>;
  <D extends FloatDType, R extends number, const A extends readonly number[]>(
    this: Operand<D, R>,
    axes: A,
    keepDims?: false,
  ): Moments<D, RankWithout<R, A["length"]>>;
  <D extends FloatDType>(this: Operand<D, number>, axes?: Axes, keepDims?: boolean): Moments<D, number>;
}

/** What `moments` gives. */
export interface Moments<D extends DType, R extends number> {
  readonly mean: Expression<D, R>;
  readonly variance: Expression<D, R>;
}

/**
 * What can be done with every operand, map or expression. Nothing computes; every method gives an Expression or throws
 * INVALID_ARGUMENT for a dtype the operation is not defined for, sizes that do not go together or an axis that is not there.
 * `axes` may be negative, counting from the end, and means all when left out. Copies: never.
 *
 * @example
 * const a: Operand<"float32", 2> & Operations = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * const rows = a.sub(a.mean([1], true)).square().sum([1]);
 * evaluate(rows).toArray(); // => [0.5, 0.5]
 * a.add(tensorMap("int32", new Int32Array(2), [2]) as never); // throws INVALID_ARGUMENT
 * a.sum([2]); // throws INVALID_ARGUMENT
 */
export interface Operations {
  /** -x; integers wrap around, unsigned ones too. */
  neg<D extends NumericDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** |x|; the smallest integer stays as it is. Of a complex number the modulus, a real one. */
  abs<D extends NumericDType, R extends number>(
    this: Operand<D, R>,
  ): Expression<D extends "complex64" ? "float32" : D extends "complex128" ? "float64" : D, R>;
  /** -1, 0 or 1; NaN stays NaN, -0 becomes 0. Of a complex number z / |z|. */
  sign<D extends NumericDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** x * x. */
  square<D extends NumericDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** 1 / x, correctly rounded. Floats and complex numbers. */
  reciprocal<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The square root, correctly rounded; NaN below 0. */
  sqrt<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** 1 / sqrt(x), within 1 ulp. */
  rsqrt<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** e^x, within 1 ulp. */
  exp<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** 2^x, within 1 ulp; exact for integers. */
  exp2<D extends FloatDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** e^x - 1 without the loss near 0, within 2 ulp. */
  expm1<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The natural logarithm, within 1 ulp; -Infinity at 0, NaN below. */
  log<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The logarithm to base 2, within 1 ulp. */
  log2<D extends FloatDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The logarithm to base 10, within 1 ulp. */
  log10<D extends FloatDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** log(1 + x) without the loss near 0, within 1 ulp. */
  log1p<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The sine of x radians, within 2 ulp; NaN at the infinities. */
  sin<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The cosine, as `sin`. */
  cos<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The tangent, as `sin`. */
  tan<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The arc sine in [-π/2, π/2], within 2 ulp; NaN outside [-1, 1]. */
  asin<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The arc cosine in [0, π], within 2 ulp; NaN outside [-1, 1]. */
  acos<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The arc tangent in [-π/2, π/2], within 2 ulp. */
  atan<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The hyperbolic sine, within 2 ulp. */
  sinh<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The hyperbolic cosine, within 2 ulp. */
  cosh<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The hyperbolic tangent, within 2 ulp. */
  tanh<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** 1 / (1 + e^-x), within 2 ulp. */
  sigmoid<D extends FloatDType | ComplexDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The error function, within 2 ulp. */
  erf<D extends FloatDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The largest integer that is not larger. Exact; -0 stays. */
  floor<D extends FloatDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The smallest integer that is not smaller. Exact; -0 stays. */
  ceil<D extends FloatDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** The nearest integer, ties to even. Exact; integers stay as they are. */
  round<D extends RealDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** Whether an element is NaN. */
  isNan<D extends FloatDType, R extends number>(this: Operand<D, R>): Expression<"bool", R>;
  /** Whether an element is an infinity. */
  isInf<D extends FloatDType, R extends number>(this: Operand<D, R>): Expression<"bool", R>;
  /** Whether an element is neither. */
  isFinite<D extends FloatDType, R extends number>(this: Operand<D, R>): Expression<"bool", R>;
  /** !x. */
  logicalNot<D extends "bool", R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** Every bit turned (`tf.bitwise.invert`). */
  invert<D extends IntegerDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /**
   * The elements in another dtype, by TensorFlow's rules: floats round to nearest even, fractions are cut off, integers wrap around, bool
   * is x != 0, complex numbers lose their imaginary part. A float outside an integer's range becomes what C++ on x86 makes of it:
   * docs/expressions.md has the table.
   */
  cast<R extends number, E extends DType>(this: Operand<DType, R>, dtype: E): Expression<E, R>;
  /** As `cast` of what is first clipped to the elements that both dtypes have (`tf.saturate_cast`): infinities too, NaN not. */
  saturateCast<R extends number, E extends DType>(this: Operand<DType, R>, dtype: E): Expression<E, R>;

  /** x + y. */
  add<D extends NumericDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** x - y. */
  sub<D extends NumericDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** x * y. */
  mul<D extends NumericDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** x / y; integers are cut off towards 0 (`tf.truncatediv`), and INVALID_ARGUMENT is thrown by `assign` for a division by 0. */
  div<D extends NumericDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** The largest integer not above x / y (`tf.math.floordiv`); division by 0 as `div`. */
  floorDiv<D extends RealDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** What `floorDiv` leaves, of y's sign (`tf.math.mod`); an integer modulo 0 as `div`. */
  mod<D extends RealDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** What `div` leaves of integers, C's fmod of floats: of x's sign (`tf.truncatemod`). */
  truncateMod<D extends RealDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** x^y, within 3 ulp; a negative integer exponent throws INVALID_ARGUMENT in `assign`. */
  pow<D extends NumericDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** The angle of the point (y, x) in [-π, π], this being y; within 2 ulp. */
  atan2<D extends FloatDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    x: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** The smaller of two; NaN if one is NaN. -0 is smaller than +0. */
  minimum<D extends RealDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** The larger of two; NaN if one is NaN. +0 is larger than -0. */
  maximum<D extends RealDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** (x - y)^2. */
  squaredDifference<D extends NumericDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** x == y; NaN equals nothing. */
  equal<D extends DType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<"bool", BroadcastRank<R, S>>;
  /** x != y. */
  notEqual<D extends DType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<"bool", BroadcastRank<R, S>>;
  /** x < y. */
  less<D extends RealDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<"bool", BroadcastRank<R, S>>;
  /** x <= y. */
  lessEqual<D extends RealDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<"bool", BroadcastRank<R, S>>;
  /** x > y. */
  greater<D extends RealDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<"bool", BroadcastRank<R, S>>;
  /** x >= y. */
  greaterEqual<D extends RealDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<"bool", BroadcastRank<R, S>>;
  /** x && y. */
  logicalAnd<D extends "bool", R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<"bool", BroadcastRank<R, S>>;
  /** x || y. */
  logicalOr<D extends "bool", R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<"bool", BroadcastRank<R, S>>;
  /** Whether exactly one is true. */
  logicalXor<D extends "bool", R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<"bool", BroadcastRank<R, S>>;
  /** x & y. */
  bitwiseAnd<D extends IntegerDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** x | y. */
  bitwiseOr<D extends IntegerDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** x ^ y. */
  bitwiseXor<D extends IntegerDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** x << y; y is first brought into [0, bits - 1], as TensorFlow's kernel does. */
  leftShift<D extends IntegerDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;
  /** x >> y, with the sign for signed integers; y as in `leftShift`. */
  rightShift<D extends IntegerDType, R extends number, S extends number = 0>(
    this: Operand<D, R>,
    other: Other<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<R, S>>;

  /** The sum over axes; integers wrap around. Of no elements 0. */
  readonly sum: Reduce<NumericDType>;
  /** The product over axes; of no elements 1. */
  readonly prod: Reduce<NumericDType>;
  /** The mean over axes; of no elements NaN. Integers: the 64-bit sum divided and cut off, 0 of no elements. */
  readonly mean: Reduce<NumericDType>;
  /** The largest over axes; NaN if there is one, of no elements the lowest value. +0 is larger than -0. */
  readonly max: Reduce<RealDType>;
  /** The smallest over axes; NaN if there is one, of no elements the highest value. -0 is smaller than +0. */
  readonly min: Reduce<RealDType>;
  /** Whether any is true. */
  readonly any: Reduce<"bool">;
  /** Whether all are true. */
  readonly all: Reduce<"bool">;
  /**
   * The index of the first largest along an axis, 0 unless told; NaN is never larger. TensorFlow's search starts from the lowest finite
   * value instead of -Infinity: of [-Infinity, -3.4028235e38] it gives 0, this gives 1.
   */
  argmax<D extends RealDType, R extends number, E extends "int64" | "int32" = "int64">(
    this: Operand<D, R>,
    axis?: number,
    outputType?: E,
  ): Expression<E, LowerRank<R>>;
  /** The index of the first smallest along an axis, 0 unless told; NaN is never smaller. For the highest finite value see `argmax`. */
  argmin<D extends RealDType, R extends number, E extends "int64" | "int32" = "int64">(
    this: Operand<D, R>,
    axis?: number,
    outputType?: E,
  ): Expression<E, LowerRank<R>>;
  /** The mean squared distance from the mean (`tf.math.reduce_variance`). */
  readonly variance: Reduce<FloatDType>;
  /** The square root of the sum of squares (`tf.norm`, Euclidean). */
  readonly norm: Reduce<FloatDType>;
  /** log(sum(exp(x))) without overflow (`tf.reduce_logsumexp`). */
  readonly logSumExp: Reduce<FloatDType>;
  /** Mean and variance (`tf.nn.moments`). */
  readonly moments: ReduceTwo;
  /** The sums of the elements up to each along an axis, 0 unless told. */
  cumsum<D extends NumericDType, R extends number>(this: Operand<D, R>, axis?: number, options?: ScanOptions): Expression<D, R>;
  /** The products of the elements up to each along an axis, 0 unless told. */
  cumprod<D extends NumericDType, R extends number>(this: Operand<D, R>, axis?: number, options?: ScanOptions): Expression<D, R>;

  /** e^x / sum(e^x) along an axis, the last unless told. */
  softmax<D extends FloatDType, R extends number>(this: Operand<D, R>, axis?: number): Expression<D, R>;
  /** The logarithm of softmax, without its loss. */
  logSoftmax<D extends FloatDType, R extends number>(this: Operand<D, R>, axis?: number): Expression<D, R>;
  /** (x - mean) / sqrt(variance + epsilon) along the last axis, then times `scale`, plus `offset`; epsilon 0.001 unless told, as Keras has it. */
  layerNorm<D extends FloatDType, R extends number>(
    this: Operand<D, R>,
    scale?: Other<NoInfer<D>, number> | null,
    offset?: Other<NoInfer<D>, number> | null,
    epsilon?: number,
  ): Expression<D, R>;
  /** x / sqrt(max(sum(x^2), epsilon)) along axes (`tf.math.l2_normalize`); epsilon 1e-12 unless told. */
  l2Normalize<D extends FloatDType, R extends number>(this: Operand<D, R>, axes?: Axes, epsilon?: number): Expression<D, R>;
  /** max(x, 0). */
  relu<D extends RealDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** x above 0, else alpha * x; alpha 0.2 unless told. */
  leakyRelu<D extends FloatDType, R extends number>(this: Operand<D, R>, alpha?: number): Expression<D, R>;
  /** x * sigmoid(x) (`tf.nn.silu`). */
  silu<D extends FloatDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  /** x * Φ(x) by erf, or by its tanh formula if `approximate` (`tf.nn.gelu`). */
  gelu<D extends FloatDType, R extends number>(this: Operand<D, R>, approximate?: boolean): Expression<D, R>;
  /** Brought into [low, high]; NaN stays (`tf.clip_by_value`). */
  clip<D extends RealDType, R extends number>(
    this: Operand<D, R>,
    low: Other<NoInfer<D>, number>,
    high: Other<NoInfer<D>, number>,
  ): Expression<D, R>;

  /** Of each true element the one in `then`, else that in `otherwise`, all three broadcast (`tf.where`). */
  select<R extends number, E extends DType, S extends number, T extends number = 0>(
    this: Operand<"bool", R>,
    then: Operand<E, S>,
    otherwise: Other<NoInfer<E>, T>,
  ): Expression<E, BroadcastRank<BroadcastRank<R, S>, T>>;

  /** Dimension d of the result is dimension permutation[d] of this; reversed unless told. On a StridedMap `permute` is the view. */
  shuffle<D extends DType, R extends number>(this: Operand<D, R>, permutation?: readonly number[]): Expression<D, R>;
  /** The elements repeated `multiples[d]` times along dimension d (`tf.tile`, what Eigen calls broadcast). */
  tile<D extends DType, R extends number>(this: Operand<D, R>, multiples: readonly number[]): Expression<D, R>;
  /** [before, after] more elements along each dimension; `value` 0 unless told. Mirrors need that many elements (`tf.pad`). */
  pad<D extends DType, R extends number>(
    this: Operand<D, R>,
    paddings: readonly (readonly [number, number])[],
    mode?: PadMode,
    value?: Scalar<NoInfer<D>>,
  ): Expression<D, R>;
  /** Turned around by `shift` along an axis: what leaves at the end comes in at the beginning (`tf.roll`). */
  roll<D extends DType, R extends number>(
    this: Operand<D, R>,
    shift: number | readonly number[],
    axis?: number | readonly number[],
  ): Expression<D, R>;
  /** The rows that `indices` name along an axis, 0 unless told (`tf.gather`); `assign` throws INVALID_ARGUMENT for one that is not there. */
  gather<D extends DType, S extends number>(
    this: Operand<D, number>,
    indices: Operand<"int32" | "int64", S>,
    axis?: number,
  ): Expression<D, number>;
  /** This with the rows that `indices` (rank 1) name replaced by, or combined with, those of `updates`; with equal indices the last remains. */
  scatter<D extends DType, R extends number>(
    this: Operand<D, R>,
    indices: Operand<"int32" | "int64", 1>,
    updates: Operand<NoInfer<D>, NoInfer<R>>,
    axis?: number,
    options?: ScatterOptions,
  ): Expression<D, R>;
  /** Rows times columns of the last two dimensions; those before are broadcast (`tf.matmul`). */
  matMul<D extends NumericDType, R extends number, S extends number>(
    this: Operand<D, R>,
    other: Operand<NoInfer<D>, S>,
    options?: MatMulOptions,
  ): Expression<D, BroadcastRank<R, S>>;
  /** Sorted along the last axis, NaN last. */
  sort<D extends RealDType, R extends number>(this: Operand<D, R>, descending?: boolean): Expression<D, R>;
  /** The places the sorted elements come from; equal ones in their order. */
  argsort<D extends RealDType, R extends number>(this: Operand<D, R>, descending?: boolean): Expression<"int32", R>;
  /** The k largest of the last axis and where they were (`tf.math.top_k`); of equal ones the first. */
  topK<D extends RealDType, R extends number>(
    this: Operand<D, R>,
    k?: number,
  ): { readonly values: Expression<D, R>; readonly indices: Expression<"int32", R> };
}

/**
 * What a StridedMap does as views, for expressions and TensorMaps. Sizes and ranges as there.
 */
export interface Movements {
  /** The elements in row-major order under other sizes, one of which may be -1. */
  reshape<D extends DType, const S extends readonly number[]>(this: Operand<D, number>, dims: S): Expression<D, S["length"]>;
  /** One range per dimension, as NumPy's start:stop:step: see ConstStridedMap.slice. */
  slice<D extends DType, R extends number>(
    this: Operand<D, R>,
    ...ranges: readonly (null | readonly [start?: number | null, stop?: number | null, step?: number | null])[]
  ): Expression<D, R>;
  /** The listed dimensions backwards, all of them unless told. */
  reverse<D extends DType, R extends number>(this: Operand<D, R>, dims?: readonly number[]): Expression<D, R>;
  /** Repeated to other sizes by NumPy's rules. Eigen's broadcast, which counts repeats, is `tile`. */
  broadcast<D extends DType, const S extends readonly number[]>(this: Operand<D, number>, dims: S): Expression<D, S["length"]>;
  /** A dimension of size 1 put in, which is dimension `dim` of the result: -1 puts it last. */
  expandDims<D extends DType, R extends number>(this: Operand<D, R>, dim: number): Expression<D, HigherRank<R>>;
  /** Without the listed dimensions, all of size 1 unless told. */
  squeeze<D extends DType>(this: Operand<D, number>, dims?: readonly number[]): Expression<D, number>;
  /** All dimensions in opposite order. */
  transpose<D extends DType, R extends number>(this: Operand<D, R>): Expression<D, R>;
}

/**
 * A tensor that is described, not computed: the result of an operation. See the top of this file for the rules.
 *
 * Copies: never. Throws nothing by itself.
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(1, 2, 3), [3]);
 * const twice: Expression<"float32", 1> = a.mul(2);
 * const out = tensorMap("float32", new Float32Array(3), [3]);
 * out.assign(twice.add(1));
 * out.toArray(); // => [3, 5, 7]
 * [twice.op, twice.inputs[0] === a, twice.dimensions]; // => ["mul", true, [3]]
 */
export interface Expression<D extends DType, R extends number> extends Operand<D, R>, Operations, Movements {
  /** One dimension fixed; `dim` 0 unless told. */
  chip<D extends DType, R extends number>(this: Operand<D, R>, offset: number, dim?: number): Expression<D, LowerRank<R>>;
}
