/**
 * StridedRank: the rank of what a slice text selects, as a type: the type-level counterpart of slice-text.ts. This file has types only.
 *
 *     rank 3, "0, 1:-1, None"     an index removes a dimension, a range keeps it, newaxis adds one     rank 3 - 1 + 1 = 3
 */
import type { Indices } from "./indices.ts";

/**
 * The rank of `map.strided(text)` for a map of rank `R`; `number` if the rank or the text is known only at run time.
 *
 * @example
 * const rank: StridedRank<3, "0, 1:-1"> = 2;
 */
export type StridedRank<R extends number, Text extends string> = number extends R
  ? number
  : IsLiteral<Text> extends true
    ? // Without `strict` the compiler does not see by itself that this is a number.
      After<Indices<R>, Text> extends infer Rank extends number
      ? Rank
      : number
    : number;

/** True for a single string literal; false for `string`, a union, and a pattern such as `${string}:`. */
type IsLiteral<Text extends string> = Record<never, 1> extends Record<Text, 1> ? false : IsSingle<Text>;

type IsSingle<T, Whole = T> = [T] extends [never] ? false : T extends unknown ? ([Whole] extends [T] ? true : false) : never;

/** Applies the items of a text to a tuple with one member per dimension. */
type After<Dims extends readonly number[], Text extends string> = Text extends `${infer Item},${infer Rest}`
  ? Apply<Dims, Trim<Item>> extends infer Next extends readonly number[]
    ? After<Next, Rest>
    : number
  : Apply<Dims, Trim<Text>> extends infer Last extends readonly number[]
    ? Last["length"]
    : number;

/** Applies one item. An index of a tuple without members gives null: `strided` throws then. */
type Apply<Dims extends readonly number[], Item extends string> = Item extends "" | "..." | `${string}:${string}`
  ? Dims
  : Item extends "None" | "newaxis" | "np.newaxis" | "numpy.newaxis"
    ? readonly [...Dims, number]
    : Dims extends readonly [number, ...infer Rest extends readonly number[]]
      ? Rest
      : null;

type Space = " " | "\t" | "\n" | "\r" | "\f";

type Trim<Text extends string> = Text extends `${Space}${infer Rest}`
  ? Trim<Rest>
  : Text extends `${infer Rest}${Space}`
    ? Trim<Rest>
    : Text;
