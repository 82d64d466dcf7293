/** The text of a tensor or map in a console: a line that names it, and its elements in NumPy's layout. */
import { isStatusError } from "@onebuffer/base";
import { product } from "../geometry/map-geometry.ts";
import type { PrintedArray } from "./numpy-print.ts";
import { numpyText } from "./numpy-print.ts";

/** The most elements that are shown in a text of one line. */
const kMaxInLine = 12;

/** The most characters of a text of one line. */
const kMaxLine = 76;

/**
 * Returns `head` and, on the next lines, the elements. With `inside`, the text is one line: the elements follow `head` if they are few and
 * short. Never throws a StatusError: for freed memory the text has the error's message in place of the elements.
 *
 * @example
 * inspectedElements("m", { dims: [2], dtype: "int32", at: (i) => i }, false); // => "m\n[0 1]"
 * inspectedElements("m", { dims: [2], dtype: "int32", at: (i) => i }, true); // => "m [0 1]"
 */
export function inspectedElements(head: string, array: PrintedArray, inside: boolean): string {
  try {
    if (!inside) return `${head}\n${numpyText(array)}`;
    if (product(array.dims) > kMaxInLine) return head;
    const line = `${head} ${numpyText(array).replace(/\n\s*/g, " ")}`;
    return line.length > kMaxLine ? head : line;
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return inside ? head : `${head}\n<${error.message}>`;
  }
}
