/** Values that are no index of any map, with their text in messages. */
export const badIndices: readonly [unknown, string][] = [
  [-1, "-1"],
  [0.5, "0.5"],
  [NaN, "NaN"],
  [2 ** 31, "2147483648"],
  [2 ** 32, "4294967296"],
  [Infinity, "Infinity"],
  [undefined, "undefined"],
  [null, "null"],
  [1n, "1n"],
  ["0", '"0"'],
  [{}, "an object"],
  [Symbol("s"), "Symbol(s)"],
  [true, "true"],
];

/**
 * Returns a quarter of the bad indices for dimension `d` of a map, so that all ranks together try every one;
 * `all` returns all of them.
 */
export function badAt(rank: number, d: number, all: boolean): typeof badIndices {
  return all ? badIndices : badIndices.filter((_, i) => i % 4 === (rank + d) % 4);
}
