/**
 * TensorContents: what a tensor contains, as text in TensorFlow's and NumPy's layouts, as JSON and as nested arrays; comparisons.
 */
import type { DType } from "@onebuffer/base";
import { dataTypeString } from "@onebuffer/base";
import { checkOptions } from "@onebuffer/base/internal";
import type { NestedArray, PrintOptions, TensorJson } from "@onebuffer/eigen";
import { numpyText } from "@onebuffer/eigen";
import { tensorJson } from "@onebuffer/storage/internal";
import { summaryText } from "../text/summarize-value.ts";
import type { TensorBase } from "./tensor-base.ts";
import { TensorViews } from "./tensor-views.ts";
import { checkTensor } from "../element/tensor-check.ts";
import type { Tolerance } from "../element/tensor-compare.ts";
import { elementsClose, elementsEqual, isAlike } from "../element/tensor-compare.ts";
import type { ArrayElement } from "./tensor-elements.ts";
import { elementReader, elementsOfParts, nestedElements, summarizeParts } from "./tensor-elements.ts";

/** A tensor with its contents: the parent of Tensor. */
export abstract class TensorContents<D extends DType = DType> extends TensorViews<D> {
  /**
   * Returns the first `maxEntries` elements (all if negative) in TensorFlow's text. A summary that is not UTF-8 shows each byte as
   * one character. Throws INVALID_ARGUMENT if `maxEntries` is not an integer.
   *
   * @example
   * using t = Tensor.from([1, 2, 3]);
   * t.summarizeValue(2); // => "1 2..."
   */
  summarizeValue(maxEntries: number, printV2: boolean = false): string {
    return summaryText(summarizeParts(this, maxEntries, printV2));
  }

  /**
   * The same as summarizeValue, as exactly the bytes that TensorFlow returns.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.summarizeValueBytes(2); // => Uint8Array.of(49, 32, 50)
   */
  summarizeValueBytes(maxEntries: number, printV2: boolean = false): Uint8Array {
    return summarizeParts(this, maxEntries, printV2);
  }

  /**
   * Returns `Tensor<type: float shape: [2,3] values: …>` with the first `numValues` elements.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.debugString(1); // => "Tensor<type: float shape: [2] values: 1...>"
   */
  debugString(numValues: number = 3): string {
    return `${this.deviceSafeDebugString().slice(0, -1)} values: ${this.summarizeValue(numValues)}>`;
  }

  /**
   * Returns `Tensor<type: float shape: [2,3]>`, without reading any element.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.deviceSafeDebugString(); // => "Tensor<type: float shape: [2]>"
   */
  deviceSafeDebugString(): string {
    const { shape } = this;
    return `Tensor<type: ${dataTypeString(shape.dataType)} shape: ${shape.debugString()}>`;
  }

  /**
   * Returns the elements in NumPy's layout: eight digits, aligned columns, long dimensions shortened beyond 1000 elements.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.toString(); // => "[1. 2.]"
   */
  override toString(options?: PrintOptions): string {
    if (!this.isInitialized()) return this.debugString();
    return numpyText(elementsOfParts(this), options);
  }

  /**
   * Returns dtype, shape and elements, which JSON.stringify writes: 64-bit integers, NaN and infinities as strings, a complex number
   * as a pair. Throws INVALID_ARGUMENT for more than 1,000,000 elements and for variants and resources, FAILED_PRECONDITION if the
   * tensor is not initialized or a string is not UTF-8. Copies: the elements.
   *
   * @example
   * using t = Tensor.from([[1, 2], [3, NaN]]);
   * JSON.stringify(t); // => '{"dtype":"float32","shape":[2,2],"values":[[1,2],[3,"NaN"]]}'
   */
  toJSON(): TensorJson {
    return tensorJson(elementsOfParts(this));
  }

  /**
   * Returns the elements of a string tensor as nested arrays of byte arrays. Copies: the elements.
   *
   * @example
   * using t = Tensor.from(["a"]);
   * t.toArray({ bytes: true }); // => [Uint8Array.of(97)]
   */
  toArray(options: { readonly bytes: true }): NestedArray<D extends "string" ? Uint8Array : ArrayElement<D>>;
  /**
   * Returns the elements as nested arrays; for a scalar the bare value. Strings become text (byte arrays with `bytes`), complex
   * numbers become pairs. Copies: the elements.
   *
   * @example
   * using t = Tensor.from([[1, 2], [3, 4]]);
   * t.toArray(); // => [[1, 2], [3, 4]]
   */
  toArray(options?: { readonly bytes?: boolean }): NestedArray<ArrayElement<D>>;
  toArray(options: { readonly bytes?: boolean } = {}): NestedArray<unknown> {
    checkOptions("toArray", options, ["bytes"]);
    this.shapeFor("toArray");
    return nestedElements(this, options.bytes ?? false);
  }

  /**
   * Returns true if dtype, shape and all elements are equal. NaN equals NaN only with `equalNan`.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * using other = Tensor.from([1, 3]);
   * [t.equals(t), t.equals(other)]; // => [true, false]
   */
  equals(other: TensorBase, options: { readonly equalNan?: boolean } = {}): boolean {
    checkTensor(other);
    checkOptions("equals", options, ["equalNan"]);
    return isAlike(this, other) && elementsEqual(this.numElements, elementReader(this), elementReader(other), options.equalNan ?? false);
  }

  /**
   * Returns true if dtype and shape are equal and all elements are close: |this - other| <= atol + rtol * |other|, NumPy's rule and
   * defaults.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * using other = Tensor.from([1, 2.1]);
   * [t.isClose(other), t.isClose(other, { atol: 0.2 })]; // => [false, true]
   */
  isClose(other: TensorBase, tolerance: Tolerance = {}): boolean {
    checkTensor(other);
    checkOptions("isClose", tolerance, ["atol", "rtol", "equalNan"]);
    return isAlike(this, other) && elementsClose(this.dtype, this.numElements, elementReader(this), elementReader(other), tolerance);
  }
}
