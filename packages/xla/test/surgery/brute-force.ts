// Naive implementations for the tests: every index of an array, and the address of its element.
import type { Shape } from "@onebuffer/xla";

/** All indices in row-major order. */
export function allIndices(sizes: readonly number[]): number[][] {
  return sizes.reduce<number[][]>((found, size) => found.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])), [[]]);
}

/** The linear index of an element in a dense layout, from the definition. */
export function addressIn(shape: Shape, index: readonly number[]): number {
  let address = 0;
  let stride = 1;
  for (const dim of shape.layout!.minorToMajor) {
    address += index[dim]! * stride;
    stride *= shape.dimensions[dim]!;
  }
  return address;
}

/** The row-major position of an index. */
export function rowMajor(sizes: readonly number[], index: readonly number[]): number {
  return index.reduce((number, at, dim) => number * sizes[dim]! + at, 0);
}

/** The product of sizes. */
export function count(sizes: readonly number[]): number {
  return sizes.reduce((product, size) => product * size, 1);
}

/** The sizes and coordinates after tiles, from the definition: pad, split, move the positions within a tile to the end. */
export function tiled(
  sizes: readonly number[],
  index: readonly number[],
  tiles: readonly (readonly number[])[],
): { sizes: number[]; index: number[] } {
  let dims = [...sizes];
  let at = [...index];
  for (const tile of tiles) {
    while (dims.length < tile.length) {
      dims = [1, ...dims];
      at = [0, ...at];
    }
    const head = dims.length - tile.length;
    const outer: [number, number][] = [];
    const inner: [number, number][] = [];
    let [size, position] = [1, 0];
    tile.forEach((entry, i) => {
      [size, position] = [size * dims[head + i]!, position * dims[head + i]! + at[head + i]!];
      if (entry === -1) return;
      outer.push([Math.ceil(size / entry), Math.floor(position / entry)]);
      inner.push([entry, position % entry]);
      [size, position] = [1, 0];
    });
    const cut = [...outer, ...inner];
    dims = [...dims.slice(0, head), ...cut.map(([length]) => length)];
    at = [...at.slice(0, head), ...cut.map(([, offset]) => offset)];
  }
  return { sizes: dims, index: at };
}
