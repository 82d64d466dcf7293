/**
 * Walks a StridedGeometry in row-major order: element by element (StridedWalk), or row by row, for loops whose innermost step is to be one
 * addition (forEachRow).
 */
import type { StridedGeometry } from "./strided-geometry.ts";

/** Iterates over the element offsets of a geometry. After the last element, `next` returns to the first. */
export class StridedWalk {
  /** The offset of the current element, in elements. */
  place: number;
  declare private readonly dims: readonly number[];
  declare private readonly strides: readonly number[];
  declare private readonly index: number[];

  constructor({ offset, dims, strides }: StridedGeometry) {
    this.place = offset;
    this.dims = dims;
    this.strides = strides;
    this.index = new Array<number>(dims.length).fill(0);
  }

  /** Moves to the next element. */
  next(): void {
    const { dims, strides, index } = this;
    for (let d = dims.length - 1; d >= 0; d--) {
      const i = (index[d] as number) + 1;
      this.place += strides[d] as number;
      if (i < (dims[d] as number)) {
        index[d] = i;
        return;
      }
      index[d] = 0;
      this.place -= i * (strides[d] as number);
    }
  }
}

/**
 * Calls `row` for runs of equally spaced elements that together cover all elements, in row-major order. Trailing dimensions that form
 * one run are walked as one.
 */
export function forEachRow(geometry: StridedGeometry, row: (place: number, count: number, stride: number) => void): void {
  const { offset, dims, strides } = geometry;
  if (dims.includes(0)) return;
  const last = dims.length - 1;
  if (last < 0) {
    row(offset, 1, 1);
    return;
  }
  let count = dims[last] as number;
  let stride = strides[last] as number;
  let outer = last;
  while (outer > 0) {
    const size = dims[outer - 1] as number;
    if (size !== 1 && count !== 1 && strides[outer - 1] !== count * stride) break;
    if (size !== 1 && count === 1) stride = strides[outer - 1] as number;
    count *= size;
    outer--;
  }
  const walk = new StridedWalk({ offset, dims: dims.slice(0, outer), strides: strides.slice(0, outer) });
  const rows = dims.slice(0, outer).reduce((a, b) => a * b, 1);
  for (let n = 0; n < rows; n++) {
    row(walk.place, count, stride);
    walk.next();
  }
}
