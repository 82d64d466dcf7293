// Row-major order for reference models, in the plainest words: no strides, nothing from the library.

/** Returns the product of the sizes; 1 for an empty list. */
export function product(dims: readonly number[]): number {
  return dims.reduce((a, b) => a * b, 1);
}

/** Returns all index tuples of the sizes, in row-major order. */
export function everyIndex(dims: readonly number[]): number[][] {
  return dims.reduce<number[][]>((tuples, size) => tuples.flatMap((tuple) => Array.from({ length: size }, (_, i) => [...tuple, i])), [[]]);
}

/** Returns the position of an index in row-major order. */
export function position(dims: readonly number[], index: readonly number[]): number {
  return index.reduce((sum, i, d) => sum + i * product(dims.slice(d + 1)), 0);
}
