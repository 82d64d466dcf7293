/** Reads all elements of a tensor, whatever its dtype and alignment, for printing, comparing and toArray. */

import type { Complex, DType, ElementOf } from "@onebuffer/base";
import { dtypeOf, FailedPreconditionError, InvalidArgumentError, isObjectDType } from "@onebuffer/base";
import { dtypeRows } from "@onebuffer/base/internal";
import type { NestedArray, PrintedArray } from "@onebuffer/eigen";
import { decodeUtf8, inspectedElements, nestedElements as nestedElementsOf } from "@onebuffer/storage/internal";
import { summarizeBytes } from "../text/summarize-value.ts";
import type { ElementReader } from "../element/tensor-compare.ts";
import type { TensorParts } from "../buffer/shape-and-buffer.ts";
import { unalignedViewOfSizes } from "../buffer/tensor-views.ts";
import { elementSizeOf } from "../buffer/typed-allocator.ts";

/**
 * The type of toArray's leaves: the element as a map reads it, but text for strings and pairs of numbers for complex dtypes.
 *
 * @example
 * using tensor = Tensor.from(["a", "b"]);
 * const texts: NestedArray<ArrayElement<"string">> = tensor.toArray();
 * texts; // => ["a", "b"]
 */
export type ArrayElement<D extends DType> = D extends "string" ? string : D extends "complex64" | "complex128" ? Complex : ElementOf<D>;

/** Returns a function that reads element `i` in row-major order. Throws FAILED_PRECONDITION if the tensor is not initialized. */
export function elementReader({ shape, buffer }: TensorParts): ElementReader {
  const count = shape.numElements;
  const view = unalignedViewOfSizes(shape.dataType, buffer, count, [count]) as unknown as { at(index: number): unknown };
  return (index) => view.at(index);
}

/** Returns an element as toArray shows it: strings become text, or a fresh byte array with `bytes`. Throws as nestedElements does. */
function shownElement(element: unknown, index: number, bytes: boolean): unknown {
  if (!ArrayBuffer.isView(element)) return element;
  if (bytes) return (element as Uint8Array).slice();
  const text = decodeUtf8(element as Uint8Array);
  if (text === null) throw new FailedPreconditionError(`string element ${index} is not UTF-8; toArray({ bytes: true }) gives its bytes`);
  return text;
}

/** Returns the one element, a string as text. Throws INVALID_ARGUMENT for another number of elements, otherwise as nestedElements does. */
export function oneElement(parts: TensorParts): unknown {
  const { shape } = parts;
  const count = shape.numElements;
  if (count !== 1)
    throw new InvalidArgumentError(`item() of a tensor of shape ${shape.debugString()}: needs exactly one element, there are ${count}`);
  return shownElement(elementReader(parts)(0), 0, false);
}

/**
 * Returns the sizes and the dtype, and a function that reads an element by its row-major number. Touches no memory before the first
 * read.
 */
export function elementsOfParts(parts: TensorParts): PrintedArray {
  const { shape } = parts;
  let reader: ElementReader | null = null;
  return { dims: shape.dimSizes, dtype: dtypeOf(shape.dataType), at: (index) => (reader ??= elementReader(parts))(index) };
}

/** Returns the text that consoles print; `head` is its first line. Never throws a StatusError. */
export function inspectedParts(parts: TensorParts, head: string, inside: boolean): string {
  const { shape, buffer } = parts;
  if (buffer?.hasData !== true && shape.numElements > 0) return inside ? head : `${head}\n<uninitialized>`;
  return inspectedElements(head, elementsOfParts(parts), inside);
}

/**
 * Returns the elements as nested arrays. Strings become text, or fresh byte arrays with `bytes`. Throws FAILED_PRECONDITION for a
 * string that is not UTF-8, RESOURCE_EXHAUSTED if a tensor without elements would give millions of empty arrays.
 */
export function nestedElements(parts: TensorParts, bytes: boolean): NestedArray<unknown> {
  const { shape } = parts;
  const count = shape.numElements;
  const read = count === 0 ? null : elementReader(parts);
  let at = 0;
  return nestedElementsOf(shape.dimSizes, () => {
    const element = shownElement(read!(at), at, bytes);
    at += 1;
    return element;
  }) as NestedArray<unknown>;
}

/**
 * Returns a function that tells whether a floating element has its sign bit set: the highest of the element's bits, which is in its
 * last byte (little-endian).
 */
function signBitReader({ shape, buffer }: TensorParts): (index: number) => boolean {
  const dtype = dtypeOf(shape.dataType);
  if (buffer === null || isObjectDType(dtype)) return () => false;
  const bytes = buffer.bytes();
  const size = elementSizeOf(dtype);
  const sign = 1 << ((dtypeRows[dtype].bits - 1) & 7);
  return (index) => ((bytes[index * size + size - 1] ?? 0) & sign) !== 0;
}

/** Tensor::SummarizeValue. */
export function summarizeParts(parts: TensorParts, maxEntries: number, printV2: boolean): Uint8Array<ArrayBuffer> {
  const { shape, buffer } = parts;
  const data = shape.numElements === 0 || buffer?.hasData === true;
  const ready = data && shape.numElements > 0;
  return summarizeBytes(
    {
      dims: shape.dimSizes,
      numElements: shape.numElements,
      dataType: shape.dataType,
      at: data ? elementReader(parts) : null,
      signBit: ready ? signBitReader(parts) : () => false,
    },
    maxEntries,
    printV2,
  );
}

/** Tensor::TotalBytes: the buffer's size; for object dtypes the sizes of the elements plus the lengths of strings. */
export function totalBytesOf({ shape, buffer }: TensorParts): number {
  const count = shape.numElements;
  if (count === 0) return 0;
  if (buffer === null)
    throw new FailedPreconditionError(`totalBytes of a tensor that is not initialized: ${count} elements without a buffer`);
  const dtype = dtypeOf(shape.dataType);
  if (!isObjectDType(dtype)) return buffer.size;
  const { elements } = buffer;
  if (elements === null)
    throw new FailedPreconditionError(`totalBytes of a tensor that is not initialized: ${count} elements of ${dtype} without data`);
  let total = count * elementSizeOf(dtype);
  if (dtype === "string") for (let i = 0; i < count; i += 1) total += (elements[buffer.elementOffset + i] as Uint8Array).length;
  return total;
}
