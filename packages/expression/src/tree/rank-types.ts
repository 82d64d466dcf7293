/**
 * The ranks of results as types: broadcasting gives the larger rank, reductions remove dimensions (in Eigen `NumDims` and template
 * recursion compute this). This file has types only.
 */
import type { Complex, DType, ElementOf } from "@onebuffer/base";
import type { Indices, LowerRank } from "@onebuffer/storage";

/**
 * The larger of two ranks; `number` if either is unknown. With a plain number, of rank 0, it is A, also where A is a type parameter.
 *
 * @example
 * const rank: BroadcastRank<2, 1> = 2;
 */
export type BroadcastRank<A extends number, B extends number> = [B] extends [0]
  ? A
  : number extends A
    ? number
    : number extends B
      ? number
      : Indices<A> extends readonly [...Indices<B>, ...number[]]
        ? A
        : B;

/**
 * The axes of a reduction: all (undefined or null), one, or a list. Negative axes count from the end.
 *
 * @example
 * const axes: Axes = [0, -1];
 * tensorMap("int32", Int32Array.of(1, 2, 3, 4), [2, 2]).sum(axes).dimensions; // => []
 */
export type Axes = number | readonly number[] | null | undefined;

/**
 * The rank with `N` dimensions removed; `number` if either is unknown or `N` is larger than the rank.
 *
 * @example
 * const rank: RankWithout<3, 2> = 1;
 */
export type RankWithout<R extends number, N extends number> = number extends R
  ? number
  : number extends N
    ? number
    : Indices<R> extends readonly [...Indices<N>, ...infer Rest extends readonly number[]]
      ? Rest["length"] & number
      : number;

/**
 * The rank of a reduction of an operand of rank `R` over axes `A`; with `K` the reduced dimensions stay.
 *
 * @example
 * const rank: ReducedRank<3, readonly [0, 1], false> = 1;
 */
export type ReducedRank<R extends number, A extends Axes, K extends boolean> = boolean extends K
  ? number
  : K extends true
    ? R
    : A extends null | undefined
      ? 0
      : A extends number
        ? LowerRank<R>
        : A extends readonly number[]
          ? RankWithout<R, A["length"]>
          : number;

/**
 * The sum of two ranks; `number` if either is unknown.
 *
 * @example
 * const rank: RankWith<1, 2> = 3;
 */
export type RankWith<R extends number, N extends number> = number extends R
  ? number
  : number extends N
    ? number
    : [...Indices<R>, ...Indices<N>]["length"] & number;

/**
 * Pairs of axes of two operands, as `contract` takes them. Negative axes count from the end.
 *
 * @example
 * const pairs: AxisPairs = [[1, 0]];
 * const m = tensorMap("int32", Int32Array.of(1, 2, 3, 4), [2, 2]);
 * evaluate(m.contract(m, pairs)).toArray(); // => [[7, 10], [15, 22]]
 */
export type AxisPairs = readonly (readonly [number, number])[];

/**
 * The rank of a contraction of operands of ranks `R` and `S` over pairs `P`; `number` if any of them is unknown.
 *
 * @example
 * const rank: ContractRank<3, 2, readonly [readonly [2, 0]]> = 3;
 */
export type ContractRank<R extends number, S extends number, P extends AxisPairs> = RankWith<
  RankWithout<R, P["length"]>,
  RankWithout<S, P["length"]>
>;

/**
 * The rank of a matrix product of operands of ranks `R` and `S`: a vector on either side loses its dimension of size 1.
 *
 * @example
 * const rank: MatMulRank<2, 1> = 1;
 */
export type MatMulRank<R extends number, S extends number> = number extends R
  ? number
  : number extends S
    ? number
    : R extends 1
      ? LowerRank<S>
      : S extends 1
        ? LowerRank<R>
        : BroadcastRank<R, S>;

/**
 * The dtype of an operation whose operands are all plain values: float32 for numbers, int64 for bigints, bool for booleans.
 *
 * @example
 * const dtype: ScalarDType<1n> = "int64";
 */
export type ScalarDType<V extends number | bigint | boolean> = [V] extends [number]
  ? "float32"
  : [V] extends [bigint]
    ? "int64"
    : [V] extends [boolean]
      ? "bool"
      : DType;

/**
 * A plain value in place of an operand: it becomes a constant of the other operand's dtype. Integer dtypes take integers within their
 * range (a bigint or a number for 64 bits), complex dtypes take pairs or real numbers.
 *
 * @example
 * const one: Scalar<"int64"> = 1;
 * const i: Scalar<"complex64"> = [0, 1];
 */
export type Scalar<D extends DType> = {
  // A table, in which TypeScript looks up the dtypes that a type parameter may be.
  [K in DType]: K extends "int64" | "uint64" ? bigint | number : K extends "complex64" | "complex128" ? Complex | number : ElementOf<K>;
}[D];
