/**
 * Ranks as types: how many indices `at` takes, and what a map with one dimension less is (Eigen's NumIndices and
 * NumDims template parameters).
 *
 * A rank known to the compiler, `2`, gives a tuple; the rank `number` (any) gives a list of any length, whose length
 * is then checked when it runs. Nothing here exists at run time.
 */

/**
 * The indices of a map of rank `R`: `[number, number]` for 2, `number[]` for the general rank `number`.
 *
 * @example
 * const indices: Indices<2> = [1, 0];
 * tensorMap("int8", new Int8Array([1, 2, 3, 4]), [2, 2]).at(...indices); // => 3
 */
export type Indices<R extends number> = number extends R ? readonly number[] : Times<R>;

/** `R` numbers; beyond 32 the compiler stops counting. */
type Times<R extends number, T extends readonly number[] = readonly []> = T["length"] extends R
  ? T
  : T["length"] extends 32
    ? readonly number[]
    : Times<R, readonly [...T, number]>;

/**
 * The rank below `R`: 2 gives 1, `number` gives `number`. Below a scalar there is nothing: `number`.
 *
 * @example
 * const rank: LowerRank<3> = 2;
 */
export type LowerRank<R extends number> = number extends R
  ? number
  : Indices<R> extends readonly [number, ...infer Rest]
    ? Rest["length"] & number
    : number;

/**
 * The rank above `R`: 2 gives 3, `number` gives `number`.
 *
 * @example
 * const rank: HigherRank<2> = 3;
 */
export type HigherRank<R extends number> = number extends R ? number : [...Times<R>, number]["length"] & number;

/**
 * What `toArray` gives: elements in `R` levels of arrays; for the general rank `number`, in any number of levels.
 *
 * @example
 * const rows: NestedArray<number, 2> = [[1, 2], [3, 4]];
 * const any: NestedArray<number> = rows;
 */
export type NestedArray<E, R extends number = number> = number extends R ? E | readonly NestedArray<E>[] : Nested<E, Times<R>>;

/** One level of arrays per member of `T`. */
type Nested<E, T extends readonly number[]> = T extends readonly [number, ...infer Rest extends readonly number[]] ? Nested<E, Rest>[] : E;

/**
 * One dimension's part of a slice, as NumPy's `start:stop:step`: a negative start or stop counts from the end, what is
 * left out or null is as far as the step goes, and nothing is out of range. Null alone is the whole dimension.
 *
 * @example
 * const lastToFirst: SliceRange = [null, null, -1];
 * tensorMap("int8", new Int8Array([1, 2, 3]), [3]).strided().slice(lastToFirst).toArray(); // => [3, 2, 1]
 */
export type SliceRange = null | readonly [start?: number | null, stop?: number | null, step?: number | null];
