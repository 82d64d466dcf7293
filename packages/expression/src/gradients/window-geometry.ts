/** window-geometry: where the windows of images lie, [outer, height, width, inner]; images with one axis of windows have the height 1. */
import { product } from "@onebuffer/storage/internal";

/** Windows along one or two neighboring axes; `before` and `after` are the places outside the images that they may reach. */
export interface Windows {
  readonly axes: readonly number[];
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** The windows along one axis of an image. */
export interface AxisWindows {
  readonly length: number;
  readonly windows: number;
  readonly size: number;
  readonly stride: number;
  readonly dilation: number;
  readonly before: number;
}

/** The sizes of images and their windows. */
export interface WindowGeometry {
  readonly outer: number;
  readonly inner: number;
  readonly rows: AxisWindows;
  readonly columns: AxisWindows;
}

const kOneRow: AxisWindows = { length: 1, windows: 1, size: 1, stride: 1, dilation: 1, before: 0 };

/** Returns where windows lie in images of these sizes. */
export function windowGeometry(dims: readonly number[], { axes, sizes, strides, dilations, before, after }: Windows): WindowGeometry {
  const along = axes.map((axis, k): AxisWindows => {
    const length = dims[axis]!;
    const [size, stride, dilation] = [sizes[k]!, strides[k]!, dilations[k]!];
    const windows = Math.floor((length + before[k]! + after[k]! - (size - 1) * dilation - 1) / stride) + 1;
    return { length, windows, size, stride, dilation, before: before[k]! };
  });
  const [rows, columns] = [along.at(-2) ?? kOneRow, along.at(-1)!];
  return { outer: product(dims.slice(0, axes[0])), inner: product(dims.slice(axes.at(-1)! + 1)), rows, columns };
}

/** Returns the first element of a window that is inside the image, and the number of those that are. */
export function elementsInside(
  { length, size, stride, dilation, before }: AxisWindows,
  window: number,
): readonly [first: number, count: number] {
  const begin = window * stride - before;
  const first = Math.max(0, Math.ceil(-begin / dilation));
  const end = Math.min(size, Math.ceil((length - begin) / dilation));
  return [first, Math.max(0, end - first)];
}

/** Returns for each window the places in the image of its first channel, in their order. */
export function* windowPlaces({ outer, inner, rows, columns }: WindowGeometry): Generator<number[]> {
  const along = (axis: AxisWindows, window: number): number[] => {
    const [first, count] = elementsInside(axis, window);
    return Array.from({ length: count }, (_, k) => window * axis.stride - axis.before + (first + k) * axis.dilation);
  };
  for (let image = 0; image < outer; image++)
    for (let row = 0; row < rows.windows; row++)
      for (let column = 0; column < columns.windows; column++) {
        const lines = along(columns, column);
        yield along(rows, row).flatMap((y) => lines.map((x) => ((image * rows.length + y) * columns.length + x) * inner));
      }
}
