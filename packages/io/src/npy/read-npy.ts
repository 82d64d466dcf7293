/**
 * The .npy reader (NumPy's lib/format.py, `read_array`): makes a Tensor of a file's bytes.
 *
 *     header  ->  check the length of the data  ->  a view of the caller's bytes, or one row-major little-endian copy
 *
 * The tensor is a view if the data can be used in place. A file read into a separate buffer nearly always can: NumPy aligns the
 * data to 64 bytes. Big-endian data, column-major data, misaligned data and bool bytes other than 0 and 1 are copied.
 * With `order: "keep"` column-major data is not reordered: the tensor has the reversed shape, and a
 * strided map has the file's shape (npy-array.ts). npy-file.ts reads files and servers, write-npy.ts writes.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { byteView, checkOptions, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { BytesInput } from "../source/bytes-input.ts";
import { checkBoolBytes, kTensorReadOptions } from "../tensor/tensor-bytes.ts";
import type { TensorReadOptions } from "../tensor/tensor-bytes.ts";
import { NpyArray } from "./npy-array.ts";
import { checkTypeOptions } from "./npy-descr.ts";
import type { NpyAnyDType, NpyDType, NpyTypeOptions, NpyVoidDType } from "./npy-descr.ts";
import { checkDataBytes, tensorOverNpy } from "./npy-destination.ts";
import { readHeader } from "./npy-header.ts";
import type { NpyAnyHeader, NpyHeaderOptions } from "./npy-header.ts";

/**
 * The options of `readNpy`.
 *
 * @example
 * const options: NpyReadOptions = { boolBytes: "keep" };
 * const text = "\x93NUMPY\x01\x00\x3c\x00{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }\n\x01\x00\x03\x00";
 * using tensor = readNpy(Uint8Array.from(text, (character) => character.charCodeAt(0)), options);
 * [...tensor.tensorData]; // => [1, 0, 3, 0]
 */
export interface NpyReadOptions<D extends NpyAnyDType = NpyDType> extends NpyHeaderOptions, NpyTypeOptions, TensorReadOptions {
  /** The dtype that the file must have; any by default. With it, the tensor's type has the dtype. */
  readonly dtype?: D;
  /** Row-major elements, the default; a Fortran-ordered file is copied. See NpyKeepOptions for `"keep"`. */
  readonly order?: "C";
}

/**
 * The options of `readNpy` that keep the elements in the file's order; the result is an NpyArray.
 *
 * @example
 * const options: NpyKeepOptions = { order: "keep" };
 * const text = "\x93NUMPY\x01\x00\x3c\x00{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2), } \n\x01\x02\x03\x04";
 * using array = readNpy(Uint8Array.from(text, (character) => character.charCodeAt(0)), options);
 * array.map.toArray(); // => [[1, 3], [2, 4]]
 */
export interface NpyKeepOptions<D extends NpyDType = NpyDType> extends Omit<NpyReadOptions<D>, "order"> {
  /** The elements stay in the order of the file. */
  readonly order: "keep";
}

/**
 * Reads an .npy file and returns a tensor with the file's dtype and shape and row-major elements. With `order: "keep"` returns an
 * NpyArray, whose map has the file's shape and whose elements stay in the file's order.
 *
 * If the caller's bytes can be used in place, the tensor is a view of them: a write through one is seen in the other, and the
 * bytes must not be reused while the tensor is in use. The caller disposes the tensor.
 * The data is copied once if it is big-endian, column-major (except with `"keep"`), misaligned, or has bool bytes other than
 * 0 and 1.
 *
 * Throws the errors of `parseNpyHeader`, INVALID_ARGUMENT if the file has another dtype than `options.dtype`, DATA_LOSS if the data is
 * shorter than the header requires (before anything is allocated), RESOURCE_EXHAUSTED if the allocator has no memory for a copy.
 *
 * @example
 * const text = "\x93NUMPY\x01\x00\x3c\x00{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }\n\x01\x02\x03\x04";
 * const file = Uint8Array.from(text, (character) => character.charCodeAt(0));
 * using tensor = readNpy(file);
 * tensor.toArray(); // => [[1, 2], [3, 4]]
 * file[file.length - 1] = 9;
 * tensor.toArray(); // => [[1, 2], [3, 9]]
 * readNpy(file.subarray(0, -1)); // throws DATA_LOSS
 * readNpy(file, { dtype: "float32" }); // throws INVALID_ARGUMENT
 */
export function readNpy<D extends NpyDType = NpyDType>(bytes: BytesInput, options: NpyKeepOptions<D>): NpyArray;
/**
 * As above; `strings: true` reads NumPy's texts (`<U7`, `|S7`) as a string tensor.
 *
 * @example
 * using numbers = Tensor.from([1, 2]);
 * using tensor = readNpy(writeNpy(numbers), { strings: true });
 * tensor.toArray(); // => [1, 2]
 */
export function readNpy(bytes: BytesInput, options: NpyReadOptions & { readonly strings: true }): Tensor<NpyDType | "string">;
/**
 * As above; `voidAs` names the dtype of elements that NumPy has no name for (`|V2`), such as bfloat16.
 *
 * @example
 * using halves = Tensor.from([1, 2], { dtype: "bfloat16" });
 * using tensor = readNpy(writeNpy(halves, { voidTypes: true }), { voidAs: "bfloat16" });
 * tensor.toArray(); // => [1, 2]
 */
export function readNpy<D extends NpyVoidDType>(bytes: BytesInput, options: NpyReadOptions & { readonly voidAs: D }): Tensor<NpyDType | D>;
/**
 * As above, as a tensor in row-major order; with `dtype`, a file of another dtype is refused.
 *
 * @example
 * using source = Tensor.from([[1, 2], [3, 4]]);
 * using tensor = readNpy(writeNpy(source), { dtype: "float32" });
 * tensor.toArray(); // => [[1, 2], [3, 4]]
 */
export function readNpy<D extends NpyDType = NpyDType>(bytes: BytesInput, options?: NpyReadOptions<D>): Tensor<D>;
export function readNpy(bytes: BytesInput, options: NpyReadOptions<NpyAnyDType> | NpyKeepOptions = {}): Tensor<NpyAnyDType> | NpyArray {
  checkReadOptions("readNpy", options);
  const all = byteView(bytes);
  const header = readHeader(all, options);
  checkWanted(header, options.dtype);
  checkDataBytes(header, all.length - header.dataOffset);
  const data = all.subarray(header.dataOffset, header.dataOffset + header.dataBytes);
  if (options.order !== "keep") return tensorOverNpy(data, header, options) as Tensor<NpyAnyDType>;
  return new NpyArray(tensorOverNpy(data, headerInMemory(header), options) as Tensor<NpyDType>, header.fortranOrder);
}

/** The names of the options of `readNpy`. */
export const kNpyReadOptions: readonly string[] = ["dtype", "order", "maxHeaderSize", "strings", "voidAs", ...kTensorReadOptions];

/** Checks the options of a function that reads .npy data. */
export function checkReadOptions(call: string, options: NpyReadOptions<NpyAnyDType> | NpyKeepOptions, more: readonly string[] = []): void {
  checkOptions(call, options, [...kNpyReadOptions, ...more]);
  const order = options.order ?? "C";
  if (order !== "C" && order !== "keep")
    throw new InvalidArgumentError(`npy: order is "C" or "keep", got ${typeof order === "string" ? JSON.stringify(order) : typeof order}`);
  checkBoolBytes(call, options.boolBytes);
  checkTypeOptions(call, options);
}

/** Throws INVALID_ARGUMENT unless the file has the dtype that the caller wants, if it wants one. */
export function checkWanted(header: NpyAnyHeader, wanted: unknown): void {
  if (wanted !== undefined && wanted !== header.dtype) {
    throw new InvalidArgumentError(
      `npy: the file has ${header.dtype}, expected ${shownValue(wanted)}; without the option dtype it is read as it is, and tensorOf(map.cast(…)) converts it`,
    );
  }
}

/** Returns the header of the same data as a row-major array: a column-major array is a row-major array with reversed dimensions. */
export function headerInMemory(header: NpyAnyHeader): NpyAnyHeader {
  return header.fortranOrder ? { ...header, fortranOrder: false, shape: header.shape.toReversed() } : header;
}
