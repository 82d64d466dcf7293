/**
 * Tensor::SummarizeValue: a tensor's elements in TensorFlow's text (tensorflow/core/framework/tensor.cc).
 *
 * There are two layouts. The first puts brackets around each row and stops after a number of elements. The second, `printV2`, looks
 * like NumPy's and shows that number of items at each end of every dimension. In TensorFlow the result is bytes: a string element
 * is written with its bytes from 0x80 on unchanged. The text is therefore built as Latin-1, one character per byte, and stored as
 * bytes: `summarizeValueBytes` returns exactly those, `summarizeValue` decodes them as UTF-8.
 */

import type { DType } from "@onebuffer/base";
import { dtypeOf, InvalidArgumentError, ResourceExhaustedError } from "@onebuffer/base";
import { dtypeRows, shownValue } from "@onebuffer/base/internal";
import { doubleText, floatText } from "../element/float-text.ts";
import { isTensor } from "../element/tensor-check.ts";
import { nested } from "../element/variant.ts";
import { decodeUtf8, encodeUtf8 } from "@onebuffer/storage/internal";

/** The tensor to summarize. `at` is null if there is no buffer. */
export interface SummarizedTensor {
  readonly dims: readonly number[];
  readonly numElements: number;
  /** The DataType number. */
  readonly dataType: number;
  /** Element `index` in row-major order. */
  readonly at: ((index: number) => unknown) | null;
  /** Returns true if element `index` of a floating tensor has its sign bit set; a NaN's sign is lost once it is a number. */
  readonly signBit: (index: number) => boolean;
}

/** The number of characters collected before they are converted to bytes. */
const kPiece = 1 << 15;

/** Bytes that grow at their end. One string that grows by small pieces would take about thirty times the memory. */
class LatinText {
  readonly #pieces: Uint8Array[] = [];
  #tail = "";
  #size = 0;

  /** Appends Latin-1 text. */
  add(text: string): void {
    this.#tail += text;
    if (this.#tail.length >= kPiece) this.#flush();
  }

  /** Returns the bytes of everything added. */
  bytes(): Uint8Array<ArrayBuffer> {
    this.#flush();
    const all = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  #flush(): void {
    const piece = latin1Bytes(this.#tail);
    this.#pieces.push(piece);
    this.#size += piece.length;
    this.#tail = "";
  }
}

const kEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\" };

/** Returns C escapes of the bytes (absl::CEscape, except that bytes from 0x80 on stay), one Latin-1 character per byte. */
function escapeBytes(bytes: Uint8Array): string {
  let out = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    const escaped = kEscapes[character];
    if (escaped !== undefined) out += escaped;
    else if (byte < 0x20 || byte === 0x7f) out += `\\${byte.toString(8).padStart(3, "0")}`;
    else out += character;
  }
  return out;
}

/** Returns bytes as Latin-1 characters. */
function latin(bytes: Uint8Array): string {
  let out = "";
  for (let at = 0; at < bytes.length; at += kPiece) out += String.fromCharCode(...bytes.subarray(at, at + kPiece));
  return out;
}

/** The dtypes of numbers that TensorFlow has no printer for, besides the complex ones. */
const kUnprinted: ReadonlySet<DType> = new Set<DType>(["qint32", "float8_e4m3fnuz", "float8_e5m2fnuz"]);

/** Returns a function that prints one element, or null for dtypes that TensorFlow has no printer for. */
function elementPrinter(tensor: SummarizedTensor, dtype: DType, v2: boolean): ((index: number) => string) | null {
  const at = tensor.at as (index: number) => unknown;
  if (kUnprinted.has(dtype)) return null;
  switch (dtypeRows[dtype].class) {
    case "float":
    case "smallFloat": {
      const text = dtype === "float64" ? doubleText : floatText;
      return (index) => text(at(index) as number, tensor.signBit(index));
    }
    case "bool":
      return (index) => (at(index) === true ? "1" : "0");
    case "object":
      if (dtype !== "string") return null;
      return v2 ? (index) => `"${escapeBytes(at(index) as Uint8Array)}"` : (index) => escapeBytes(at(index) as Uint8Array);
    case "complex":
      return null;
    default:
      return (index) => String(at(index));
  }
}

/** The state of a summary that is being written. */
interface Summary {
  readonly dims: readonly number[];
  readonly limit: number;
  readonly print: (index: number) => string;
  readonly out: LatinText;
  /** The number of the next element in the first layout. */
  next: number;
}

/** Writes the nested brackets of the first layout. */
function summarizeRows(summary: Summary, axis: number): void {
  const { dims, limit, print, out } = summary;
  const size = dims[axis] ?? 0;
  if (axis === dims.length - 1) {
    for (let i = 0; i < size; i += 1) {
      if (summary.next >= limit) {
        if (axis !== 0) out.add("...");
        return;
      }
      if (i > 0) out.add(" ");
      out.add(print(summary.next));
      summary.next += 1;
    }
    return;
  }
  for (let i = 0; i < size; i += 1) {
    // A row whose first element is past the limit prints nothing at all.
    if (summary.next >= limit) return;
    out.add("[");
    summarizeRows(summary, axis + 1);
    out.add("]");
  }
}

/** Writes the second layout: `limit` items at each end of every dimension. `base` is the row-major number of the index prefix. */
function summarizeEdges(summary: Summary, axis: number, base: number): void {
  const { dims, limit, print, out } = summary;
  if (axis === dims.length) {
    out.add(print(base));
    return;
  }
  const size = dims[axis] ?? 0;
  const left = dims.length - axis - 1;
  const spacing = left === 0 ? " " : "\n".repeat(left) + " ".repeat(axis + 1);
  const head = Math.min(limit, size);
  out.add("[");
  for (let i = 0; i < head; i += 1) {
    if (i > 0) out.add(spacing);
    summarizeEdges(summary, axis + 1, base * size + i);
  }
  if (size > 2 * limit) out.add(`${spacing}...`);
  for (let i = Math.max(head, size - limit); i < size; i += 1) {
    if (i > 0) out.add(spacing);
    summarizeEdges(summary, axis + 1, base * size + i);
  }
  out.add("]");
}

/** An element of a variant or resource tensor. A resource has no value. */
interface BoxedElement {
  readonly value?: unknown;
  summarizeValue(): string;
}

/** Returns the summary of an element as Latin-1 text: that of a Tensor in a Variant is the bytes of its summary, which may not be UTF-8. */
function boxedText(element: BoxedElement): string {
  const { value } = element;
  if (!isTensor(value)) return latin(encodeUtf8(element.summarizeValue()));
  const held = value as { deviceSafeDebugString(): string; summarizeValueBytes(maxEntries: number): Uint8Array };
  return nested(() => `${held.deviceSafeDebugString().slice(0, -1)} values: ${latin(held.summarizeValueBytes(3))}>`);
}

/** Writes elements of dtypes without a printer, one after another, without inner brackets. */
function summarizeOthers(tensor: SummarizedTensor, dtype: DType, limit: number, v2: boolean, out: LatinText): void {
  const boxed = dtype === "variant" || dtype === "resource";
  const bracket = v2 && tensor.dims.length > 0;
  if (bracket) out.add("[");
  for (let i = 0; i < limit; i += 1) {
    if (i > 0) out.add(" ");
    const element = tensor.at?.(i) as BoxedElement | undefined;
    out.add(boxed && element !== undefined ? `<${boxedText(element)}>` : "?");
  }
  if (limit < tensor.numElements) out.add("...");
  if (bracket) out.add("]");
}

/**
 * Returns the summary as the bytes of TensorFlow's result. Throws INVALID_ARGUMENT if `maxEntries` is not an integer.
 *
 * @param maxEntries elements shown (first layout) or items at each end of a dimension (second); negative: all
 */
export function summarizeBytes(tensor: SummarizedTensor, maxEntries: number, printV2: boolean): Uint8Array<ArrayBuffer> {
  if (!Number.isInteger(maxEntries))
    throw new InvalidArgumentError(`the number of entries to show must be an integer, got ${shownValue(maxEntries)}`);
  const { dims, numElements } = tensor;
  const limit = maxEntries < 0 ? numElements : Math.min(maxEntries, numElements);
  if (limit > 0 && tensor.at === null) return latin1Bytes(`uninitialized Tensor of ${numElements} elements of type ${tensor.dataType}`);
  const dtype = dtypeOf(tensor.dataType);
  // Quirk: for bool only, TensorFlow takes "no entries" for "no data" and prints nothing, not even brackets or dots.
  if (dtype === "bool" && limit === 0) return new Uint8Array(0);
  const print = elementPrinter(tensor, dtype, printV2);
  const out = new LatinText();
  if (print === null) summarizeOthers(tensor, dtype, limit, printV2, out);
  else if (dims.length === 0) out.add(limit === 0 ? "..." : print(0));
  else {
    const summary: Summary = { dims, limit, print, out, next: 0 };
    if (printV2) summarizeEdges(summary, 0, 0);
    else {
      summarizeRows(summary, 0);
      if (numElements > limit) out.add("...");
    }
  }
  return out.bytes();
}

/** Returns the bytes of Latin-1 text. */
function latin1Bytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** The longest string that every engine supports: V8's limit. */
const kMaxText = 2 ** 29 - 24;

/**
 * Returns a summary decoded as UTF-8, or with one character per byte if it is not UTF-8. Throws RESOURCE_EXHAUSTED if it exceeds
 * the longest string.
 */
export function summaryText(bytes: Uint8Array): string {
  if (bytes.length > kMaxText) throw new ResourceExhaustedError(`a summary of ${bytes.length} bytes does not fit into one string`);
  return decodeUtf8(bytes) ?? latin(bytes);
}
