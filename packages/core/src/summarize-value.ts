/**
 * Tensor::SummarizeValue: a tensor's elements as TensorFlow writes them (tensorflow/core/framework/tensor.cc, spec
 * section 9.1).
 *
 * Two layouts: the old one nests brackets per row and cuts after a number of elements; `printV2` looks like NumPy's
 * and shows that many items at each end of every dimension. The result is BYTES in TensorFlow: a string element is
 * written with its bytes from 0x80 on unchanged. So the work is done on Latin-1 text, one character a byte, and
 * `summarizeValueBytes` hands out exactly those bytes, while `summarizeValue` reads them as UTF-8.
 */

import type { DType } from "@onebuffer/base";
import { dtypeOf } from "@onebuffer/base";
import { doubleText, floatText } from "./float-text.ts";
import { encodeUtf8 } from "./utf8.ts";

/** What a summary needs to know of a tensor. `at` is null when there is no buffer. */
export interface SummarizedTensor {
  readonly dims: readonly number[];
  readonly numElements: number;
  /** The DataType number. */
  readonly dataType: number;
  /** Element `index` in row-major order. */
  readonly at: ((index: number) => unknown) | null;
  /** Whether element `index` of a floating tensor has its sign bit set, which a NaN number does not tell. */
  readonly signBit: (index: number) => boolean;
}

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\" };

/** C escapes (absl::CEscape, but bytes from 0x80 on stay), one Latin-1 character a byte. */
function escapeBytes(bytes: Uint8Array): string {
  let out = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    const escaped = ESCAPES[character];
    if (escaped !== undefined) out += escaped;
    else if (byte < 0x20 || byte === 0x7f) out += `\\${byte.toString(8).padStart(3, "0")}`;
    else out += character;
  }
  return out;
}

/** Text as the Latin-1 characters of its UTF-8 bytes. */
function latin(text: string): string {
  let out = "";
  for (const byte of encodeUtf8(text)) out += String.fromCharCode(byte);
  return out;
}

/** How one element prints, or null for the dtypes TensorFlow has no printer for. */
function elementPrinter(tensor: SummarizedTensor, dtype: DType, v2: boolean): ((index: number) => string) | null {
  const at = tensor.at as (index: number) => unknown;
  switch (dtype) {
    case "float16":
    case "bfloat16":
    case "float32":
    case "float8_e5m2":
    case "float8_e4m3fn":
    case "float8_e4m3b11fnuz":
      return (index) => floatText(at(index) as number, tensor.signBit(index));
    case "float64":
      return (index) => doubleText(at(index) as number, tensor.signBit(index));
    case "bool":
      return (index) => (at(index) === true ? "1" : "0");
    case "string":
      return v2 ? (index) => `"${escapeBytes(at(index) as Uint8Array)}"` : (index) => escapeBytes(at(index) as Uint8Array);
    case "complex64":
    case "complex128":
    case "qint32":
    case "float8_e4m3fnuz":
    case "float8_e5m2fnuz":
    case "variant":
    case "resource":
      return null;
    default:
      return (index) => String(at(index));
  }
}

/** The nested brackets of the first layout; `state.next` is the running element number. */
function summarizeRows(
  dims: readonly number[],
  axis: number,
  limit: number,
  print: (index: number) => string,
  state: { next: number; out: string },
): void {
  const size = dims[axis] ?? 0;
  if (axis === dims.length - 1) {
    for (let i = 0; i < size; i += 1) {
      if (state.next >= limit) {
        if (axis !== 0) state.out += "...";
        return;
      }
      if (i > 0) state.out += " ";
      state.out += print(state.next);
      state.next += 1;
    }
    return;
  }
  for (let i = 0; i < size; i += 1) {
    // A row that begins after the limit prints nothing at all.
    if (state.next >= limit) return;
    state.out += "[";
    summarizeRows(dims, axis + 1, limit, print, state);
    state.out += "]";
  }
}

/** The layout like NumPy's: `limit` items at each end of every dimension. */
function summarizeEdges(dims: readonly number[], axis: number, base: number, limit: number, print: (index: number) => string): string {
  if (axis === dims.length) return print(base);
  const size = dims[axis] ?? 0;
  const left = dims.length - axis - 1;
  const spacing = left === 0 ? " " : "\n".repeat(left) + " ".repeat(axis + 1);
  const head = Math.min(limit, size);
  const tail = Math.max(head, size - limit);
  let out = "[";
  for (let i = 0; i < head; i += 1) out += (i > 0 ? spacing : "") + summarizeEdges(dims, axis + 1, base * size + i, limit, print);
  if (size > 2 * limit) out += `${spacing}...`;
  for (let i = tail; i < size; i += 1) out += (i > 0 ? spacing : "") + summarizeEdges(dims, axis + 1, base * size + i, limit, print);
  return `${out}]`;
}

/** Elements of dtypes without a printer: one after another, without inner brackets. */
function summarizeOthers(tensor: SummarizedTensor, dtype: DType, limit: number, v2: boolean): string {
  const boxed = dtype === "variant" || dtype === "resource";
  const parts: string[] = [];
  for (let i = 0; i < limit; i += 1) {
    const element = tensor.at?.(i) as { summarizeValue(): string } | undefined;
    parts.push(boxed && element !== undefined ? `<${latin(element.summarizeValue())}>` : "?");
  }
  const dots = limit < tensor.numElements ? "..." : "";
  const text = parts.join(" ") + dots;
  return v2 && tensor.dims.length > 0 ? `[${text}]` : text;
}

/**
 * The summary as Latin-1 text, one character a byte of TensorFlow's result.
 *
 * @param maxEntries elements shown (first layout) or items at each end of a dimension (second); negative: all
 */
export function summarizeLatin1(tensor: SummarizedTensor, maxEntries: number, printV2: boolean): string {
  const { dims, numElements } = tensor;
  const limit = maxEntries < 0 ? numElements : Math.min(maxEntries, numElements);
  if (limit > 0 && tensor.at === null) return `uninitialized Tensor of ${numElements} elements of type ${tensor.dataType}`;
  const dtype = dtypeOf(tensor.dataType);
  const print = elementPrinter(tensor, dtype, printV2);
  if (print === null) return summarizeOthers(tensor, dtype, limit, printV2);
  if (dims.length === 0) return limit === 0 ? "..." : print(0);
  if (printV2) return summarizeEdges(dims, 0, 0, limit, print);
  const state = { next: 0, out: "" };
  summarizeRows(dims, 0, limit, print, state);
  return state.out + (numElements > limit ? "..." : "");
}

/** The bytes that Latin-1 text stands for. */
export function latin1Bytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
}
