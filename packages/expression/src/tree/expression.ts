/**
 * Expression: a tensor that is described, but not yet computed (an Eigen expression template; TensorBase.h declares its methods).
 *
 *     a.mul(2).add(b)        add            nothing is computed or allocated; `out.assign(expression)` does that,
 *                           /   \           in one pass over the operands
 *                        mul     b
 *                       /   \
 *                      a     2
 *
 * TensorMaps and StridedMaps are operands too: they are the leaves of the tree. An expression is immutable and may be used any number of
 * times. It reads the memory of its maps when it is assigned, not when it is built.
 *
 * The operands of a binary operation must have the same dtype; nothing is promoted: convert with `cast`. Sizes are broadcast by NumPy's
 * rules. A plain value stands for a constant of the other operand's dtype. Operands that do not fit together throw INVALID_ARGUMENT where
 * the expression is built; the message names both operands and the axis.
 *
 * A negative axis counts from the end. An axis outside [-rank, rank) throws INVALID_ARGUMENT where the expression is built.
 *
 * float16 and bfloat16 are computed in float32 and rounded when they are stored and before a cast. Integers wrap around. Denormals are
 * kept. Error bounds given in ulp are for float32; float64 is within 2 ulp unless stated.
 */
import type { DType } from "@onebuffer/base";
import type { HigherRank, LowerRank } from "@onebuffer/storage";
import type { DTypeWords, Facts } from "../generated/op-names.ts";
import type { AxisSignatures, ElementwiseSignatures } from "../generated/operation-signatures.ts";
import type { ComplexDType, FloatDType, IntegerDType, NumericDType, RealDType, SummableDType } from "./dtype-groups.ts";
import type { Operand, OperandLike, OperandSource, Other } from "./operand.ts";
import type { MovementTexts, OperationTexts } from "./method-texts.ts";
import type {
  ContractOptions,
  GeluOptions,
  L2NormalizeOptions,
  LayerNormOptions,
  MatMulOptions,
  PadOptions,
  PlaceOptions,
  ReduceOptions,
  ScanOptions,
  ScatterOptions,
  SortOptions,
  SumOptions,
  SumScanOptions,
} from "./operation-options.ts";
import type {
  Axes,
  AxisPairs,
  BroadcastRank,
  ContractRank,
  MatMulRank,
  RankWith,
  RankWithout,
  ReducedRank,
  Scalar,
  ScalarDType,
} from "./rank-types.ts";

/**
 * A reduction over axes: all (undefined or null), one, or a list. With `keepDims` the reduced dimensions stay, with size 1. `T` is the
 * union of the dtypes that can be reduced.
 *
 * @example
 * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * const largest: Reduce<RealDType> = map.max;
 * largest.call(map, 0, { keepDims: true }).dimensions; // => [1, 2]
 */
export type Reduce<T extends DType> = <D extends T, R extends number, const A extends Axes = null, K extends boolean = false>(
  this: Operand<D, R>,
  axes?: A,
  options?: ReduceOptions<K>,
) => Expression<D, ReducedRank<R, A, K>>;

/**
 * An operand of a sum or a product. A sum of 8 or 16-bit integers wraps around after a few elements and is refused: `cast("int32")` first,
 * or ask for TensorFlow's bits with the option `{ wraps: true }`.
 *
 * @example
 * const image = tensorMap("uint8", Uint8Array.of(200, 100), [2]);
 * const wide: CastOrWraps<"int32", 1> = image.cast("int32");
 * item(image.sum.call(wide)); // => 300
 */
export interface CastOrWraps<D extends DType, R extends number> extends Operand<D, R> {}

/**
 * A sum or a product over axes, as `Reduce`. 8 and 16-bit integers are accepted with the option `{ wraps: true }`.
 *
 * @example
 * const map = tensorMap("uint8", Uint8Array.of(200, 100), [2]);
 * const sum: ReduceSum = map.sum;
 * item(sum.call(map.cast("int32"))); // => 300
 * item(map.sum(null, { wraps: true })); // => 44
 */
export type ReduceSum = <
  D extends W extends true ? NumericDType : SummableDType,
  R extends number,
  const A extends Axes = null,
  K extends boolean = false,
  W extends boolean = false,
>(
  this: CastOrWraps<D, R>,
  axes?: A,
  options?: SumOptions<K, W>,
) => Expression<D, ReducedRank<R, A, K>>;

/**
 * A reduction along an axis (default 0) to the places of elements, of dtype `outputType` (default int64). `T` is the union of the dtypes that
 * can be reduced.
 *
 * @example
 * const map = tensorMap("float32", Float32Array.of(1, 3, 2), [3]);
 * const argmax: ReduceToPlace<RealDType> = map.argmax;
 * item(argmax.call(map, 0, { outputType: "int32" })); // => 1
 */
export type ReduceToPlace<T extends DType> = <D extends T, R extends number, E extends "int64" | "int32" = "int64">(
  this: Operand<D, R>,
  axis?: number,
  options?: PlaceOptions<E>,
) => Expression<E, LowerRank<R>>;

/**
 * A scan along an axis (default 0). `T` is the union of the dtypes that can be accumulated.
 *
 * @example
 * const map = tensorMap("int32", Int32Array.of(1, 3, 2), [3]);
 * const highest: Scan<RealDType> = map.cummax;
 * evaluate(highest.call(map)).toArray(); // => [1, 3, 3]
 */
export type Scan<T extends DType> = <D extends T, R extends number>(
  this: Operand<D, R>,
  axis?: number,
  options?: ScanOptions,
) => Expression<D, R>;

/**
 * A cumulative sum or product along an axis (default 0). 8 and 16-bit integers are accepted with the option `{ wraps: true }`.
 *
 * @example
 * const map = tensorMap("int32", Int32Array.of(1, 2, 3), [3]);
 * const cumsum: ScanSum = map.cumsum;
 * evaluate(cumsum.call(map)).toArray(); // => [1, 3, 6]
 */
export type ScanSum = <D extends W extends true ? NumericDType : SummableDType, R extends number, W extends boolean = false>(
  this: CastOrWraps<D, R>,
  axis?: number,
  options?: SumScanOptions<W>,
) => Expression<D, R>;

/**
 * An operation on two operands, broadcast together, with bool results. `T` is the union of the dtypes that the operands may have.
 *
 * @example
 * const map = tensorMap("float32", Float32Array.of(1, 2, 3), [3]);
 * const less: Compare<RealDType> = map.less;
 * evaluate(less.call(map, 2)).toArray(); // => [true, false, false]
 */
export type Compare<T extends DType> = <D extends T, R extends number, S extends number = 0>(
  this: Operand<D, R>,
  other: Other<NoInfer<D>, S>,
) => Expression<"bool", BroadcastRank<R, S>>;

/**
 * An operation on two operands, broadcast together, whose result has their dtype. `T` is the union of the dtypes that they may have.
 *
 * @example
 * const map = tensorMap("int32", Int32Array.of(1, 2, 3), [3]);
 * const add: Binary<NumericDType> = map.add;
 * evaluate(add.call(map, 2)).toArray(); // => [3, 4, 5]
 */
export type Binary<T extends DType> = <D extends T, R extends number, S extends number = 0>(
  this: Operand<D, R>,
  other: Other<NoInfer<D>, S>,
) => Expression<D, BroadcastRank<R, S>>;

/** The real dtype of the parts of a complex dtype; other dtypes are unchanged. */
export type RealPartDType<D extends DType> = D extends "complex64" ? "float32" : D extends "complex128" ? "float64" : D;

/**
 * An operation on one operand whose result has its dtype. `T` is the union of the dtypes that it may have.
 *
 * @example
 * const map = tensorMap("float32", Float32Array.of(1, 4, 9), [3]);
 * const sqrt: Unary<FloatDType> = map.sqrt;
 * evaluate(sqrt.call(map)).toArray(); // => [1, 2, 3]
 */
export type Unary<T extends DType> = <D extends T, R extends number>(this: Operand<D, R>) => Expression<D, R>;

/** An operation on one operand whose result has the dtype of its real part. `T` is the union of the dtypes that it may have. */
export type UnaryReal<T extends DType> = <D extends T, R extends number>(this: Operand<D, R>) => Expression<RealPartDType<D>, R>;

/** An operation on one operand with bool results. `T` is the union of the dtypes that the operand may have. */
export type UnaryTest<T extends DType> = <D extends T, R extends number>(this: Operand<D, R>) => Expression<"bool", R>;

/** An operation on one operand with uint8 results. `T` is the union of the dtypes that the operand may have. */
export type UnaryCount<T extends DType> = <D extends T, R extends number>(this: Operand<D, R>) => Expression<"uint8", R>;

/** The union of the dtypes of each group. Operands of `equal` may be of any dtype, so that generic code can call it. */
interface DTypesOf {
  readonly numbers: NumericDType;
  readonly reals: RealDType;
  readonly floats: FloatDType;
  readonly "float32, float64": "float32" | "float64";
  readonly "floats, complex": FloatDType | ComplexDType;
  readonly integers: IntegerDType;
  readonly complex: ComplexDType;
  readonly bool: "bool";
  readonly "numbers, bool": DType;
}

/** The type of a method for an elementwise operation. */
type MethodOf<S extends readonly ["unary" | "binary", Facts]> = S extends readonly ["unary", infer F]
  ? F extends DTypeWords
    ? Unary<DTypesOf[F]>
    : F extends `${infer W extends DTypeWords}:bool`
      ? UnaryTest<DTypesOf[W]>
      : F extends `${infer W extends DTypeWords}:uint8`
        ? UnaryCount<DTypesOf[W]>
        : F extends `${infer W extends DTypeWords}:real`
          ? UnaryReal<DTypesOf[W]>
          : never
  : S[1] extends DTypeWords
    ? Binary<DTypesOf[S[1]]>
    : S[1] extends `${infer W extends DTypeWords}:bool`
      ? Compare<DTypesOf[W]>
      : never;

/** The operations on elements at the same place, from the records in expression/ops. */
export type ElementwiseOperations = { readonly [K in keyof ElementwiseSignatures]: MethodOf<ElementwiseSignatures[K]> };

/** The type of a method for a reduction or a scan. */
type AxisMethodOf<S extends readonly [string, DTypeWords | `${DTypeWords}:asked`]> = S extends readonly [
  "reduction",
  `${infer W extends DTypeWords}:asked`,
]
  ? ReduceToPlace<DTypesOf[W]>
  : S extends readonly ["reduction", infer W extends DTypeWords]
    ? Reduce<DTypesOf[W]>
    : S extends readonly ["reduction of sums", DTypeWords]
      ? ReduceSum
      : S extends readonly ["scan", infer W extends DTypeWords]
        ? Scan<DTypesOf[W]>
        : S extends readonly ["scan of sums", DTypeWords]
          ? ScanSum
          : never;

/** The reductions and the scans, from the records in expression/ops. */
export type AxisOperations = { readonly [K in keyof AxisSignatures]: AxisMethodOf<AxisSignatures[K]> };

/** A reduction over axes with two results, the mean and the variance. */
export type ReduceTwo = <D extends FloatDType, R extends number, const A extends Axes = null, K extends boolean = false>(
  this: Operand<D, R>,
  axes?: A,
  options?: ReduceOptions<K>,
) => Moments<D, ReducedRank<R, A, K>>;

/** The result of `moments`. */
export interface Moments<D extends DType, R extends number> {
  readonly mean: Expression<D, R>;
  readonly variance: Expression<D, R>;
}

/** The signatures of the methods of OperationTexts. */
interface OperationMethods {
  angle<D extends ComplexDType, R extends number>(this: Operand<D, R>): Expression<D extends "complex64" ? "float32" : "float64", R>;
  cast<R extends number, E extends DType>(this: Operand<DType, R>, dtype: E): Expression<E, R>;
  saturateCast<R extends number, E extends DType>(this: Operand<DType, R>, dtype: E): Expression<E, R>;
  readonly variance: Reduce<FloatDType>;
  readonly std: Reduce<FloatDType>;
  readonly norm: Reduce<FloatDType>;
  readonly logSumExp: Reduce<FloatDType>;
  readonly moments: ReduceTwo;
  softmax<D extends FloatDType, R extends number>(this: Operand<D, R>, axis?: number): Expression<D, R>;
  logSoftmax<D extends FloatDType, R extends number>(this: Operand<D, R>, axis?: number): Expression<D, R>;
  layerNorm<D extends FloatDType, R extends number>(this: Operand<D, R>, options?: LayerNormOptions<NoInfer<D>>): Expression<D, R>;
  l2Normalize<D extends FloatDType, R extends number>(this: Operand<D, R>, axes?: Axes, options?: L2NormalizeOptions): Expression<D, R>;
  relu<D extends RealDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  leakyRelu<D extends FloatDType, R extends number>(this: Operand<D, R>, alpha?: number): Expression<D, R>;
  silu<D extends FloatDType, R extends number>(this: Operand<D, R>): Expression<D, R>;
  gelu<D extends FloatDType, R extends number>(this: Operand<D, R>, options?: GeluOptions): Expression<D, R>;
  clip<D extends RealDType, R extends number>(
    this: Operand<D, R>,
    low: Other<NoInfer<D>, number>,
    high: Other<NoInfer<D>, number>,
  ): Expression<D, R>;
  shuffle<D extends DType, R extends number>(this: Operand<D, R>, permutation?: readonly number[]): Expression<D, R>;
  tile<D extends DType, R extends number>(this: Operand<D, R>, multiples: readonly number[]): Expression<D, R>;
  pad<D extends DType, R extends number>(
    this: Operand<D, R>,
    paddings: readonly (readonly [number, number])[],
    options?: PadOptions<NoInfer<D>>,
  ): Expression<D, R>;
  roll<D extends DType, R extends number>(
    this: Operand<D, R>,
    shift: number | readonly number[],
    axis?: number | readonly number[],
  ): Expression<D, R>;
  gather<D extends DType, R extends number, S extends number>(
    this: Operand<D, R>,
    indices: OperandLike<"int32" | "int64", S>,
    axis?: number,
  ): Expression<D, RankWith<RankWithout<R, 1>, S>>;
  scatter<D extends DType, R extends number>(
    this: Operand<D, R>,
    indices: Operand<"int32" | "int64", 1> | OperandSource<"int32" | "int64", number>,
    updates: Operand<NoInfer<D>, NoInfer<R>> | OperandSource<NoInfer<D>, number>,
    axis?: number,
    options?: ScatterOptions,
  ): Expression<D, R>;
  unstack<D extends DType, R extends number>(this: Operand<D, R>, axis?: number): Expression<D, LowerRank<R>>[];
  diag<D extends DType, R extends number>(this: Operand<D, R>, k?: number): Expression<D, HigherRank<R>>;
  diagPart<D extends DType, R extends number>(this: Operand<D, R>, k?: number): Expression<D, LowerRank<R>>;
  tril<D extends DType, R extends number>(this: Operand<D, R>, k?: number): Expression<D, R>;
  triu<D extends DType, R extends number>(this: Operand<D, R>, k?: number): Expression<D, R>;
  dot<D extends NumericDType, R extends number, S extends number>(
    this: Operand<D, R>,
    other: OperandLike<NoInfer<D>, S>,
  ): Expression<D, MatMulRank<R, S>>;
  matVec<D extends NumericDType, R extends number, S extends number>(
    this: Operand<D, R>,
    vector: OperandLike<NoInfer<D>, S>,
  ): Expression<D, BroadcastRank<LowerRank<R>, S>>;
  outer<D extends NumericDType>(
    this: Operand<D, 1>,
    other: OperandLike<NoInfer<D>, 1> | OperandSource<NoInfer<D>, number>,
  ): Expression<D, 2>;
  matMul<D extends NumericDType, R extends number, S extends number, E extends NumericDType = D>(
    this: Operand<D, R>,
    other: OperandLike<NoInfer<D>, S>,
    options?: MatMulOptions<E>,
  ): Expression<E, MatMulRank<R, S>>;
  contract<D extends NumericDType, R extends number, S extends number, const P extends AxisPairs, E extends NumericDType = D>(
    this: Operand<D, R>,
    other: OperandLike<NoInfer<D>, S>,
    pairs: P,
    options?: ContractOptions<E>,
  ): Expression<E, ContractRank<R, S, P>>;
  sort<D extends RealDType, R extends number>(this: Operand<D, R>, axis?: number, options?: SortOptions): Expression<D, R>;
  argsort<D extends RealDType, R extends number>(this: Operand<D, R>, axis?: number, options?: SortOptions): Expression<"int32", R>;
  topK<D extends RealDType, R extends number>(
    this: Operand<D, R>,
    k?: number,
  ): { readonly values: Expression<D, R>; readonly indices: Expression<"int32", R> };
}

/** The methods whose signatures are written by hand, with their comments. */
export type WrittenOperations = { readonly [K in keyof OperationTexts]: OperationMethods[K] };

/**
 * The operations that every operand has, map or expression. No method computes: each returns an Expression. Each throws INVALID_ARGUMENT
 * if the operation is not defined for the dtype, if the sizes do not fit together or if an axis does not exist. A negative axis counts from
 * the end; `axes` left out means all axes. Copies: never.
 *
 * @example
 * const a: Operand<"float32", 2> & Operations = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * const rows = a.sub(a.mean(1, { keepDims: true })).square().sum([1]);
 * evaluate(rows).toArray(); // => [0.5, 0.5]
 * a.add(tensorMap("int32", new Int32Array(2), [2]) as never); // throws INVALID_ARGUMENT
 * a.sum([2]); // throws INVALID_ARGUMENT
 */
export interface Operations extends ElementwiseOperations, AxisOperations, WrittenOperations {
  /**
   * The element of `then` where this is true, otherwise that of `otherwise`; all three are broadcast (`tf.where`). Both may be plain
   * values: numbers then become float32, bigints int64, booleans bool, as in Tensor.from.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(-1, 2), [2]);
   * evaluate(x.greater(0).select(x, 0)).toArray(); // => [0, 2]
   */
  select<R extends number, E extends DType, S extends number, T extends number = 0>(
    this: Operand<"bool", R>,
    then: OperandLike<E, S>,
    otherwise: Other<NoInfer<E>, T>,
  ): Expression<E, BroadcastRank<BroadcastRank<R, S>, T>>;
  /**
   * The plain value `then` where this is true, otherwise the element of `otherwise`, which are broadcast.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(-1, 2), [2]);
   * evaluate(x.less(0).select(0, x)).toArray(); // => [0, 2]
   */
  select<R extends number, E extends DType, S extends number>(
    this: Operand<"bool", R>,
    then: Scalar<NoInfer<E>>,
    otherwise: OperandLike<E, S>,
  ): Expression<E, BroadcastRank<R, S>>;
  /**
   * One of two plain values: numbers become float32, bigints int64, booleans bool.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(-1, 2), [2]);
   * evaluate(x.less(0).select(10, 20)).toArray(); // => [10, 20]
   */
  select<R extends number, V extends number | bigint | boolean>(
    this: Operand<"bool", R>,
    then: V,
    otherwise: V,
  ): Expression<ScalarDType<V>, R>;
}

/** The signatures of the methods of MovementTexts. */
interface MovementMethods {
  reshape<D extends DType, const S extends readonly number[]>(this: Operand<D, number>, dims: S): Expression<D, S["length"]>;
  slice<D extends DType, R extends number>(
    this: Operand<D, R>,
    ...ranges: readonly (null | readonly [start?: number | null, stop?: number | null, step?: number | null])[]
  ): Expression<D, R>;
  reverse<D extends DType, R extends number>(this: Operand<D, R>, dims?: readonly number[]): Expression<D, R>;
  broadcast<D extends DType, const S extends readonly number[]>(this: Operand<D, number>, dims: S): Expression<D, S["length"]>;
  expandDims<D extends DType, R extends number>(this: Operand<D, R>, dim: number): Expression<D, HigherRank<R>>;
  squeeze<D extends DType>(this: Operand<D, number>, dims?: readonly number[]): Expression<D, number>;
  transpose<D extends DType, R extends number>(this: Operand<D, R>, order?: readonly number[]): Expression<D, R>;
}

/**
 * The operations that a StridedMap does as views, for expressions and TensorMaps. Here they give expressions, without `at` and `set`.
 */
export type Movements = { readonly [K in keyof MovementTexts]: MovementMethods[K] };

/**
 * The result of an operation, described but not yet computed. The rules are at the top of this file.
 *
 * Copies: never. Building an expression throws only the errors of its operations.
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(1, 2, 3), [3]);
 * const twice: Expression<"float32", 1> = a.mul(2);
 * const out = tensorMap("float32", new Float32Array(3), [3]);
 * out.assign(twice.add(1));
 * out.toArray(); // => [3, 5, 7]
 * [twice.dtype, twice.dimensions]; // => ["float32", [3]]
 */
export interface Expression<D extends DType, R extends number = number> extends Operand<D, R>, Operations, Movements {
  /**
   * The expression with dimension `dim` (default 0) fixed at `offset`.
   *
   * @example
   * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
   * evaluate(x.mul(10).chip(1)).toArray(); // => [30, 40]
   */
  chip<D extends DType, R extends number>(this: Operand<D, R>, offset: number, dim?: number): Expression<D, LowerRank<R>>;
}
