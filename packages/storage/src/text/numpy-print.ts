/**
 * numpyText: an array's text in NumPy's layout, as `print(array)` shows it (numpy/_core/arrayprint.py, NumPy 2.4 with its default
 * options): aligned columns, lines of at most 75 columns, arrays of more than 1,000 elements shortened to three items at each end
 * of every dimension.
 *
 * TensorFlow's own text is in summarize-value.ts. Dtypes that NumPy does not have print as their closest relative: bfloat16, float8
 * and float4 as floats with the shortest digits of their own format, quantized and small integers as integers, strings as `str` if
 * they are UTF-8 and as `bytes` if not.
 */

import type { Complex, DType } from "@onebuffer/base";
import { checkArray, checkFunction, checkObject, shownValue, checkOptions } from "@onebuffer/base/internal";
import { InvalidArgumentError, ResourceExhaustedError } from "@onebuffer/base";
import { product } from "../geometry/map-geometry.ts";
import { floatFormatOf, floatLayout, floatScalarText } from "./numpy-float-format.ts";
import { pythonRepr, pythonText } from "./python-repr.ts";

/**
 * NumPy's print options, with its names; the defaults are NumPy's.
 *
 * @example
 * const options: PrintOptions = { threshold: 4, edgeItems: 1 };
 * using tensor = Tensor.arange(9);
 * tensor.toString(options); // => "[0. ... 8.]"
 */
export interface PrintOptions {
  /** Arrays with more elements than this leave out the middle of long dimensions (1000). */
  readonly threshold?: number;
  /** The number of items shown at each end of a shortened dimension (3). */
  readonly edgeItems?: number;
  /** The number of columns after which a row wraps (75). */
  readonly lineWidth?: number;
}

/** The array to print: sizes, dtype, and a function that reads element `index` in row-major order. */
export interface PrintedArray {
  readonly dims: readonly number[];
  readonly dtype: DType;
  at(index: number): unknown;
}

/** The most elements shown. Column widths are measured before the first element is written, so the text of all is held at once. */
const kMaxShown = 2 ** 22;

/** Returns the row-major indices of the elements that are shown. */
function shownIndices(dims: readonly number[], edge: number, shorten: boolean): number[] {
  let indices = [0];
  for (const size of dims) {
    const next: number[] = [];
    const cut = shorten && size > 2 * edge;
    for (const base of indices) {
      for (let i = 0; i < size; i += 1) {
        if (cut && i === edge) i = size - edge;
        next.push(base * size + i);
      }
    }
    indices = next;
  }
  return indices;
}

/** Returns a function from one of the shown elements to its text, padded to their common width. */
function elementLayout(dtype: DType, shown: readonly unknown[]): (element: unknown) => string {
  const format = floatFormatOf(dtype);
  if (dtype === "complex64" || dtype === "complex128") {
    const pairs = shown as readonly Complex[];
    const real = floatLayout(
      pairs.map((pair) => pair[0]),
      format!,
    );
    const imaginary = floatLayout(
      pairs.map((pair) => pair[1]),
      format!,
      true,
    );
    return (element) => {
      const [re, im] = element as Complex;
      const text = imaginary(im);
      const end = text.trimEnd().length;
      return `${real(re)}${text.slice(0, end)}j${text.slice(end)}`;
    };
  }
  if (format !== null) return floatLayout(shown as readonly number[], format) as (element: unknown) => string;
  if (dtype === "bool") return (element) => (element === true ? " True" : "False");
  if (dtype === "string" || dtype === "variant" || dtype === "resource") return pythonRepr;
  let width = 0;
  for (const element of shown) width = Math.max(width, String(element).length);
  return (element) => String(element).padStart(width);
}

/** Returns the text of a scalar, which is neither limited in precision nor quoted. */
function scalarText(dtype: DType, element: unknown): string {
  const format = floatFormatOf(dtype);
  if (dtype === "complex64" || dtype === "complex128") {
    const [re, im] = element as Complex;
    const imaginary = floatScalarText(im, format!, true, false);
    if (re === 0 && !Object.is(re, -0)) return `${floatScalarText(im, format!, false, false)}j`;
    return `(${floatScalarText(re, format!, false, false)}${imaginary}j)`;
  }
  if (format !== null) return floatScalarText(element as number, format);
  if (dtype === "bool") return element === true ? "True" : "False";
  if (dtype === "string" || dtype === "variant" || dtype === "resource") return pythonText(element);
  return String(element);
}

/**
 * Returns the array as `print(array)` shows it in NumPy 2.4. Reads only the elements it shows. Throws INVALID_ARGUMENT if edgeItems
 * is below 1, RESOURCE_EXHAUSTED if more than 2^22 elements would be shown.
 *
 * @example
 * numpyText({ dims: [2, 2], dtype: "float32", at: (i) => [1, 2.5, -3, 4][i] }); // => "[[ 1.   2.5]\n [-3.   4. ]]"
 */
export function numpyText(array: PrintedArray, options: PrintOptions = {}): string {
  checkObject(array, "an array with dims, dtype and at");
  checkOptions("toString", options, ["threshold", "edgeItems", "lineWidth"]);
  const { dims, dtype } = array;
  checkArray(dims, "an array of sizes");
  checkFunction(array.at, "a function that reads elements");
  const { edgeItems: edge = 3, lineWidth = 75 } = options;
  if (!Number.isInteger(edge) || edge < 1) throw new InvalidArgumentError(`edgeItems must be a positive integer, got ${shownValue(edge)}`);
  if (dims.length === 0) return scalarText(dtype, array.at(0));
  if (dims.includes(0)) return "[]";
  const total = product(dims);
  const shorten = total > (options.threshold ?? 1000);
  const count = dims.reduce((product, size) => product * (shorten ? Math.min(size, 2 * edge) : size), 1);
  if (count > kMaxShown)
    throw new ResourceExhaustedError(
      `the text of [${dims.join(",")}] would show ${count} elements, more than ${kMaxShown}: lower the threshold`,
    );
  const format = elementLayout(
    dtype,
    shownIndices(dims, edge, shorten).map((index) => array.at(index)),
  );

  /** Returns the elements along the last axis, wrapped at the line width. */
  const row = (base: number, size: number, positions: readonly number[], indent: string, width: number): string => {
    let done = "";
    let line = indent;
    let used = indent.length;
    positions.forEach((position, place) => {
      const word = position < 0 ? "..." : format(array.at(base * size + position));
      // Python counts characters: a surrogate pair is one.
      const characters = [...word].length;
      if (used + characters > width - 1 && used > indent.length) {
        done += `${line.trimEnd()}\n`;
        line = indent;
        used = indent.length;
      }
      line += word;
      if (place < positions.length - 1) line += " ";
      used += characters + 1;
    });
    return `[${(done + line).slice(indent.length)}]`;
  };

  /** Returns the text of one index prefix; `base` is its row-major number among the prefixes of its length. */
  const nested = (axis: number, base: number, indent: string, width: number): string => {
    const size = dims[axis] ?? 0;
    const positions: number[] = [];
    for (let i = 0; i < size; i += 1) {
      if (shorten && size > 2 * edge && i === edge) {
        positions.push(-1);
        i = size - edge;
        if (i >= size) break;
      }
      positions.push(i);
    }
    if (axis === dims.length - 1) return row(base, size, positions, indent, width);
    const rows = positions.map((i) => (i < 0 ? "..." : nested(axis + 1, base * size + i, `${indent} `, width - 1)));
    return `[${rows.join("\n".repeat(dims.length - 1 - axis) + indent)}]`;
  };
  return nested(0, 0, " ", lineWidth);
}
