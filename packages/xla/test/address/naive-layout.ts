// A naive implementation of layouts for the tests: the buffer as a list of row-major element positions, -1 for padding. It
// pads, reshapes and transposes plain lists as XLA's documents describe, and shares no code with the package.
import type { Shape } from "@onebuffer/xla";
import { kCombineDimension } from "@onebuffer/xla";

/** A dense row-major array of numbers. */
interface Cube {
  readonly dims: readonly number[];
  readonly values: readonly number[];
}

/** The product of the sizes; 1 for an empty list. */
export const product = (sizes: readonly number[]): number => sizes.reduce((a, b) => a * b, 1);

/** All indices of a box in row-major order. */
export function indicesOf(dims: readonly number[]): number[][] {
  let found: number[][] = [[]];
  for (const size of dims) found = found.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i]));
  return found;
}

/** The row-major position of an index. */
export function rowMajor(dims: readonly number[], index: readonly number[]): number {
  return index.reduce((n, i, d) => n * dims[d]! + i, 0);
}

/** Calls `visit` with every index of a box in row-major order. The list is reused. */
function eachIndex(dims: readonly number[], visit: (index: readonly number[]) => void): void {
  const index = dims.map(() => 0);
  for (let left = product(dims); left > 0; left--) {
    visit(index);
    for (let d = dims.length - 1; d >= 0; d--) {
      index[d]! += 1;
      if (index[d]! < dims[d]!) break;
      index[d] = 0;
    }
  }
}

/** The array extended at the end of its dimensions, with -1 in the new places. */
function pad(cube: Cube, dims: readonly number[]): Cube {
  const values: number[] = [];
  eachIndex(dims, (index) => values.push(index.every((i, d) => i < cube.dims[d]!) ? cube.values[rowMajor(cube.dims, index)]! : -1));
  return { dims, values };
}

/** The array whose dimension k is dimension order[k] of `cube`. */
function transpose(cube: Cube, order: readonly number[]): Cube {
  const dims = order.map((d) => cube.dims[d]!);
  const source = dims.slice();
  const values: number[] = [];
  eachIndex(dims, (index) => {
    order.forEach((d, k) => (source[d] = index[k]!));
    values.push(cube.values[rowMajor(cube.dims, source)]!);
  });
  return { dims, values };
}

const reshape = (cube: Cube, dims: readonly number[]): Cube => ({ dims, values: cube.values });

function tile(cube: Cube, entries: readonly number[]): Cube {
  const missing = Math.max(0, entries.length - cube.dims.length);
  const dims = [...new Array<number>(missing).fill(1), ...cube.dims];
  const head = dims.slice(0, dims.length - entries.length);
  // A combined dimension is merged with the next more minor one.
  const tail: number[] = [];
  const sizes: number[] = [];
  let carried = 1;
  entries.forEach((entry, i) => {
    carried *= dims[head.length + i]!;
    if (entry === kCombineDimension) return;
    tail.push(carried);
    sizes.push(entry);
    carried = 1;
  });
  const counts = tail.map((size, i) => Math.ceil(size / sizes[i]!));
  const padded = pad(reshape(cube, [...head, ...tail]), [...head, ...counts.map((count, i) => count * sizes[i]!)]);
  const split = reshape(padded, [...head, ...counts.flatMap((count, i) => [count, sizes[i]!])]);
  const h = head.length;
  const order = [...head.map((_, d) => d), ...sizes.map((_, i) => h + 2 * i), ...sizes.map((_, i) => h + 2 * i + 1)];
  return transpose(split, order);
}

/** The buffer of a shape with a layout: for each cell the row-major position of its element, or -1. */
export function naiveBuffer(shape: Shape): readonly number[] {
  const dims = shape.dimensions;
  const layout = shape.layout!;
  const logical: Cube = { dims, values: Array.from({ length: product(dims) }, (_, n) => n) };
  const padded = layout.paddedDimensions.length === 0 ? logical : pad(logical, layout.paddedDimensions);
  const physical = transpose(padded, layout.minorToMajor.toReversed());
  return layout.tiles.reduce((cube, { dimensions }) => tile(cube, dimensions), physical).values;
}

/** The cell of every element, in row-major order. */
export function naiveCells(shape: Shape): number[] {
  const cells: number[] = [];
  naiveBuffer(shape).forEach((element, cell) => {
    if (element >= 0) cells[element] = cell;
  });
  return cells;
}
