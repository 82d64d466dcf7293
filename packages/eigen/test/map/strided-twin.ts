// A simple reference model of a StridedMap, called its twin: the sizes and, for every element in row-major order, the number of its memory
// cell. A view of a twin moves cell numbers one index at a time. This file does not use offsets or strides.
import { everyIndex, position, product } from "../row-major.ts";

/** The reference model of a map. */
export interface Twin {
  readonly dims: readonly number[];
  /** The memory cell of each element, in row-major order. */
  readonly cells: readonly number[];
}

type Index = readonly number[];

/** Returns the twin with the sizes `dims` whose element at each index is the element of `twin` at `from(index)`. */
function moved(twin: Twin, dims: readonly number[], from: (index: Index) => Index): Twin {
  return { dims, cells: everyIndex(dims).map((index) => twin.cells[position(twin.dims, from(index))] as number) };
}

/** A range that is not null: start, stop and step. */
export type Range = readonly [number | null, number | null, number | null];

/** Returns the indices of Python's `range(size)[start:stop:step]`. */
export function picked(size: number, [start, stop, step]: Range): number[] {
  const by = step ?? 1;
  const bound = (value: number): number => {
    const up = value < 0 ? value + size : value;
    if (by > 0) return Math.min(Math.max(up, 0), size);
    return up < 0 ? -1 : up >= size ? size - 1 : up;
  };
  const first = start === null ? (by > 0 ? 0 : size - 1) : bound(start);
  const end = stop === null ? (by > 0 ? size : -1) : bound(stop);
  const indices: number[] = [];
  for (let i = first; by > 0 ? i < end : i > end; i += by) indices.push(i);
  return indices;
}

/** The views of a twin. */
export const twin = {
  slice(map: Twin, ranges: readonly (Range | null)[]): Twin {
    const lists = map.dims.map((size, d) => picked(size, ranges[d] ?? [null, null, null]));
    return moved(
      map,
      lists.map((list) => list.length),
      (index) => index.map((i, d) => (lists[d] as number[])[i] as number),
    );
  },
  reverse: (map: Twin, dims: readonly number[]): Twin =>
    moved(map, map.dims, (index) => index.map((i, d) => (dims.includes(d) ? (map.dims[d] as number) - 1 - i : i))),
  permute: (map: Twin, order: readonly number[]): Twin =>
    moved(
      map,
      order.map((d) => map.dims[d] as number),
      (index) => map.dims.map((_, d) => index[order.indexOf(d)] as number),
    ),
  chip: (map: Twin, offset: number, dim: number): Twin =>
    moved(map, map.dims.toSpliced(dim, 1), (index) => index.toSpliced(dim, 0, offset)),
  expandDims: (map: Twin, dim: number): Twin => ({ dims: map.dims.toSpliced(dim, 0, 1), cells: map.cells }),
  squeeze: (map: Twin): Twin => ({ dims: map.dims.filter((size) => size !== 1), cells: map.cells }),
  reshape: (map: Twin, dims: readonly number[]): Twin => ({ dims, cells: map.cells }),
  broadcast(map: Twin, dims: readonly number[]): Twin {
    const added = dims.length - map.dims.length;
    return moved(map, dims, (index) => map.dims.map((size, d) => (size === 1 ? 0 : (index[d + added] as number))));
  },
};

/** The indices of sizes that were met: reshapes ask for the same few many thousand times. */
const indicesOf = new Map<string, readonly Index[]>();

function knownIndices(dims: readonly number[]): readonly Index[] {
  const key = dims.join();
  const known = indicesOf.get(key) ?? everyIndex(dims);
  indicesOf.set(key, known);
  return known;
}

/** Returns the strides that give these cells, with 0 for sizes below 2; null if there are no such strides. */
export function stridesOf({ dims, cells }: Twin): number[] | null {
  if (cells.length === 0) return dims.map(() => 0);
  const first = cells[0] as number;
  const strides = dims.map((size, d) => (size < 2 ? 0 : (cells[product(dims.slice(d + 1))] as number) - first));
  const fits = knownIndices(dims).every((index, n) => cells[n] === index.reduce((sum, i, d) => sum + i * (strides[d] as number), first));
  return fits ? strides : null;
}

/** Returns true if the cells are consecutive. */
export const isDense = ({ cells }: Twin): boolean => cells.every((cell, n) => n === 0 || cell === (cells[n - 1] as number) + 1);

/**
 * Returns the minor_to_major of the twin's layout, or null if it has none. It has one exactly if the cells are a run without gaps and
 * repetitions that starts at the first element and increases along every dimension. The function tries which dimension is the next fastest.
 */
export function layoutOf(map: Twin): number[] | null {
  const descending = map.dims.map((_, d) => map.dims.length - 1 - d);
  if (map.cells.length === 0) return descending;
  const left = descending.filter((d) => map.dims[d] !== 1);
  const order: number[] = [];
  for (let next = (map.cells[0] as number) + 1; left.length > 0; ) {
    const d = left.find(
      (dim) =>
        twin.slice(
          map,
          map.dims.map((_, k) => (k === dim ? [1, 2, null] : [0, 1, null])),
        ).cells[0] === next,
    );
    if (d === undefined) return null;
    left.splice(left.indexOf(d), 1);
    order.push(d);
    next = (map.cells[0] as number) + order.reduce((size, dim) => size * (map.dims[dim] as number), 1);
  }
  const layout = [...order, ...descending.filter((d) => map.dims[d] === 1)];
  return isDense(twin.permute(map, layout.toReversed())) ? layout : null;
}
