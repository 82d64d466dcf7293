/**
 * Types computed from a map's rank: how many indices `at` takes, the rank of a chip, the nesting of `toArray` (Eigen's NumIndices and
 * NumDims template parameters).
 *
 * For a rank known to the compiler, such as `2`, the indices are a tuple. For the rank `number` (any rank) they are a list of any
 * length, and the length is checked at run time. This file has no run-time code.
 */

/**
 * The indices of an element of a map of rank `R`: `[number, number]` for 2, `number[]` for the general rank `number`.
 *
 * @example
 * const indices: Indices<2> = [1, 0];
 * tensorMap("int8", new Int8Array([1, 2, 3, 4]), [2, 2]).at(...indices); // => 3
 */
export type Indices<R extends number> = number extends R ? readonly number[] : Times<R>;

/** A tuple of `R` numbers; a list of any length if `R` exceeds 32, where the recursion stops. */
type Times<R extends number, T extends readonly number[] = readonly []> = T["length"] extends R
  ? T
  : T["length"] extends 32
    ? readonly number[]
    : Times<R, readonly [...T, number]>;

/**
 * The rank below `R`: 1 for 2, `number` for `number`. For 0 it is `number`, because no rank is below a scalar's.
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
 * The rank above `R`: 3 for 2, `number` for `number`.
 *
 * @example
 * const rank: HigherRank<2> = 3;
 */
export type HigherRank<R extends number> = number extends R ? number : [...Times<R>, number]["length"] & number;

/**
 * The return type of `toArray`: elements in `R` levels of arrays; in any number of levels for the general rank `number`.
 *
 * @example
 * const rows: NestedArray<number, 2> = [[1, 2], [3, 4]];
 * const any: NestedArray<number> = rows;
 */
export type NestedArray<E, R extends number = number> = number extends R ? E | readonly NestedArray<E>[] : Nested<E, Times<R>>;

/** Elements in one level of arrays per member of `T`. */
type Nested<E, T extends readonly number[]> = T extends readonly [number, ...infer Rest extends readonly number[]] ? Nested<E, Rest>[] : E;

/**
 * The range of one dimension in a slice: NumPy's `start:stop:step`. A negative start or stop counts from the end. A start or stop
 * outside the dimension is clamped to it. A start that is omitted or null is the first element in the direction of the step; a stop that
 * is omitted or null includes the last. `null` instead of a range is the whole dimension.
 *
 * @example
 * const lastToFirst: SliceRange = [null, null, -1];
 * tensorMap("int8", new Int8Array([1, 2, 3]), [3]).strided().slice(lastToFirst).toArray(); // => [3, 2, 1]
 */
export type SliceRange = null | readonly [start?: number | null, stop?: number | null, step?: number | null];
