/**
 * shared-extremes-kernel: the gradient of extremes of windows (expression's shared-extremes.ts) as WebAssembly, channels side by side as vectors.
 *
 *     for each window                      of a run of windows with the same elements inside the image
 *       for four channels at once
 *         compare its elements with the extreme: masks in registers, and their number
 *         add the share of the gradient where a mask is set
 *
 * Shares are stored where no window before has been, and added elsewhere, in the order of the windows. So the results equal the evaluator's,
 * bit for bit. Zeros are written only where shares are added to nothing:
 *
 *     0 0 0 0 0 0      lines and columns of the image that windows of 3 x 3 with strides of 2 reach first by an element that the next window
 *     0 s s s s s      reaches, too: of all others the first share is stored
 *     0 s s s s s
 */
import { dtypeSize } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { elementsInside, windowGeometry } from "@onebuffer/expression/internal";
import type { AxisWindows, CustomCall, CustomKernel, WindowGeometry, Windows } from "@onebuffer/expression/internal";
import { arrayKernel, textFunction } from "../calls/array-kernel.ts";

/** Windows with the same elements inside the image, one behind the other. */
interface Run {
  readonly window: number;
  readonly windows: number;
  /** The first element of the first window that is inside the image: its place along the axis, and the number of such elements. */
  readonly place: number;
  readonly count: number;
}

/** Returns the kernel; null if the engine refuses one. */
export function sharedExtremesKernel({ dtype, dimensions, attributes }: CustomCall): CustomKernel | null {
  const geometry = windowGeometry(dimensions, attributes as Windows);
  const { outer, inner, rows, columns } = geometry;
  const pixel = inner * dtypeSize(dtype);
  const [rowRuns, columnRuns] = [runsOf(rows), runsOf(columns)];
  const stores = isTiled(geometry);
  const overlaps = [overlapOf(rows), overlapOf(columns)] as const;
  const run = runOf(dtype, stores, rowRuns, columnRuns, overlaps);
  // Engines fill a typed array over shared memory byte by byte.
  const zeros = arrayKernel("zeros", (module) => textFunction(module, "zeros", "to bytes", "", "to 0 bytes memory.fill 0"));
  if (run === null || zeros === null) return null;
  const [columnStep, rowStep] = [columns.dilation * pixel, rows.dilation * columns.length * pixel];
  return (target, [images, extremes, gradients]) => {
    const lineBytes = columns.length * pixel;
    const edgeBytes = isCovered(columns) ? Math.min(overlaps[1], columns.length) * pixel : lineBytes;
    for (let image = 0; image < outer; image++) {
      const top = target + image * rows.length * lineBytes;
      // Lines get zeros just before they are reached, so that they are in the first-level cache then.
      let zeroed = 0;
      const zeroTo = (end: number, bytes: number): void => {
        if (bytes === lineBytes && end > zeroed) zeros["zeros"]!(top + zeroed * lineBytes, (end - zeroed) * lineBytes);
        else if (bytes > 0) for (let line = zeroed; line < end; line++) zeros["zeros"]!(top + line * lineBytes, bytes);
        zeroed = Math.max(zeroed, end);
      };
      for (const along of rowRuns)
        for (let k = 0; k < along.windows; k++) {
          const line = along.place + k * rows.stride;
          const end = line + (along.count - 1) * rows.dilation + 1;
          if (!stores) zeroTo(rows.dilation === 1 ? Math.min(end, line + overlaps[0]) : end, lineBytes);
          if (!stores) zeroTo(end, edgeBytes);
          for (const across of columnRuns) {
            const first = ((image * rows.length + line) * columns.length + across.place) * pixel;
            const window = ((image * rows.windows + along.window + k) * columns.windows + across.window) * pixel;
            const sizes = [across.windows, columns.stride * pixel, pixel, rowStep, columnStep] as const;
            run(along.count, across.count)(images! + first, target + first, extremes! + window, gradients! + window, ...sizes);
          }
        }
      if (!stores) zeroTo(rows.length, lineBytes);
    }
    return true;
  };
}

/** Returns true if each element of the image is in exactly one window. */
function isTiled({ rows, columns }: WindowGeometry): boolean {
  return [rows, columns].every(
    ({ length, windows, size, stride, dilation, before }) => before === 0 && dilation === 1 && stride === size && windows * size === length,
  );
}

/** Returns true if each element along an axis is in a window. */
function isCovered({ length, windows, size, stride, dilation, before }: AxisWindows): boolean {
  return dilation === 1 && stride <= size && (windows - 1) * stride - before + size >= length;
}

/** Returns how many elements of a window along an axis the windows before it may have reached. */
function overlapOf({ size, stride, dilation }: AxisWindows): number {
  return dilation === 1 ? Math.max(0, size - stride) : size;
}

/** Returns the windows along an axis that have elements inside the image, in runs. */
function runsOf(axis: AxisWindows): readonly Run[] {
  const runs: Run[] = [];
  let last = -1;
  for (let window = 0; window < axis.windows; window++) {
    const [first, count] = elementsInside(axis, window);
    const before = runs.at(-1);
    if (count > 0 && before?.count === count && last === first) runs[runs.length - 1] = { ...before, windows: before.windows + 1 };
    else if (count > 0) runs.push({ window, windows: 1, place: window * axis.stride - axis.before + first * axis.dilation, count });
    last = count > 0 ? first : -1;
  }
  return runs;
}

/** How many rows and columns of a window those before it may have reached. */
type Overlaps = readonly [rows: number, columns: number];

/** Returns the functions by the number of rows and columns of windows; null if the engine refuses one. */
function runOf(
  dtype: DType,
  stores: boolean,
  rows: readonly Run[],
  columns: readonly Run[],
  overlaps: Overlaps,
): ((rows: number, columns: number) => (...numbers: number[]) => number) | null {
  const functions = new Map<number, (...numbers: number[]) => number>();
  for (const { count: height } of rows)
    for (const { count: width } of columns) {
      const kernel = arrayKernel(`shared extremes ${dtype} ${height} ${width} ${stores} ${overlaps}`, (module) => {
        const marks = Array.from({ length: height * width }, (_, k) => `offset${k} mark${k}:v128 is${k}`).join(" ");
        const element = dtype === "float32" ? "f32" : "f64";
        const locals = `at stop ${marks} count:v128 value:v128 share:v128 one:v128 few:${element} element:${element} part:${element}`;
        textFunction(module, "windows", kParams, locals, windowsText(element, height, width, stores, overlaps));
      });
      if (kernel === null) return null;
      functions.set(height * 16 + width, kernel["windows"]!);
    }
  return (height, width) => functions.get(height * 16 + width)!;
}

const kParams = "from to extreme gradient windows step pixel rowStep columnStep";

/** Returns the loop over the windows of a run, whose elements inside the image are `height` by `width`. */
function windowsText(element: "f32" | "f64", height: number, width: number, stores: boolean, [above, left]: Overlaps): string {
  const item = element === "f32" ? 4 : 8;
  const lanes = element === "f32" ? "f32x4" : "f64x2";
  // Rows of an image may be a multiple of 4096 bytes apart: processors take a load behind a store for one of the same bytes, so all loads
  // come first.
  const each = (words: (k: number) => string): string => Array.from({ length: height * width }, (_, k) => words(k)).join(" ");
  const zero = `${element}:0`;
  // The windows before this one have reached none of the elements behind the overlap: there is nothing to load.
  const isFirst = (k: number): boolean => Math.floor(k / width) >= above && k % width >= left;
  const sum = (k: number, add: string, load: string, none: string): string =>
    stores || isFirst(k) ? `${none} ${add}` : `to at + offset${k} + ${load} ${add}`;
  // Whole numbers of float32 are counted by subtracting masks, each of which is -1.
  const isWhole = element === "f32";
  const counted = (k: number): string => (isWhole ? `count mark${k} i32x4.sub ->count` : `count one mark${k} v128.and f64x2.add ->count`);
  return `
    ${each((k) => `rowStep ${Math.floor(k / width)} * columnStep ${k % width} * + ->offset${k}`)}
    ${element}:1 ${lanes}.splat ->one
    pixel -16 & ->stop
    loop
      0 ->at
      stop if
        loop
          extreme at + v128.load ->value
          ${zero} ${lanes}.splat ->count
          ${each((k) => `from at + offset${k} + v128.load value ${lanes}.eq ->mark${k} ${counted(k)}`)}
          gradient at + v128.load count ${isWhole ? "f32x4.convert_i32x4_s" : ""} ${lanes}.div ->share
          ${each((k) => `share mark${k} v128.and ${sum(k, `${lanes}.add`, "v128.load", `${zero} ${lanes}.splat`)} ->mark${k}`)}
          ${each((k) => `to at + offset${k} + mark${k} v128.store`)}
          at+=16
        at stop < while
      end
      at pixel < if
        loop
          extreme at + ${element}.load ->element
          ${zero} ->few
          ${each((k) => `from at + offset${k} + ${element}.load element ${element}.eq ->is${k} few ${element}:1 ${zero} is${k} select ${element}.add ->few`)}
          gradient at + ${element}.load few ${element}.div ->part
          ${each((k) => `to at + offset${k} + part ${zero} is${k} select ${sum(k, `${element}.add`, `${element}.load`, zero)} ${element}.store`)}
          at+=${item}
        at pixel < while
      end
      from+=step
      to+=step
      extreme+=pixel
      gradient+=pixel
      windows+=-1
    windows while
    0`;
}
