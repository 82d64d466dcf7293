/**
 * The .npy reader (NumPy's lib/format.py, `read_array`): makes a Tensor of a file's bytes.
 *
 *     header  ->  check the length of the data  ->  a view of the caller's bytes, or one row-major little-endian copy
 *
 * The tensor is a view if the data can be used in place. A file read into a separate buffer nearly always can: NumPy aligns the
 * data to 64 bytes. Big-endian data, column-major data, misaligned data and bool bytes other than 0 and 1 are copied.
 * With `order: "keep"` column-major data is not reordered: the tensor has the reversed shape, and a
 * strided map has the file's shape (npy-array.ts). write-npy.ts writes .npy; .npz is not read.
 */
import { arraySlots, DataLossError, dtypeSize, InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import { countCopied, exhaustedError } from "@onebuffer/allocator/internal";
import { defaultAllocator } from "@onebuffer/allocator";
import { Buffer, ForeignBuffer, Tensor } from "@onebuffer/core";
import type { Allocator } from "@onebuffer/allocator";
import type { TensorBuffer } from "@onebuffer/core";
import { swapByteOrder } from "./byte-order.ts";
import { byteView } from "../source/byte-view.ts";
import type { BytesInput } from "../source/byte-view.ts";
import { copyColumnMajor, isSameInBothOrders } from "./column-major.ts";
import { NpyArray } from "./npy-array.ts";
import type { NpyDType } from "./npy-descr.ts";
import { readHeader } from "./npy-header.ts";
import type { NpyHeader, NpyHeaderOptions } from "./npy-header.ts";

/**
 * The options of `readNpy`.
 *
 * @example
 * const options: NpyReadOptions = { boolBytes: "keep" };
 * const text = "\x93NUMPY\x01\x00\x3c\x00{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }\n\x01\x00\x03\x00";
 * using tensor = readNpy(Uint8Array.from(text, (character) => character.charCodeAt(0)), options);
 * [...tensor.tensorData]; // => [1, 0, 3, 0]
 */
export interface NpyReadOptions<D extends NpyDType = NpyDType> extends NpyHeaderOptions {
  /** The dtype that the file must have; any by default. With it, the tensor's type has the dtype. */
  readonly dtype?: D;
  /**
   * How bool bytes other than 0 and 1 are read: `"normalize"`, the default, makes them 1 in a copy; `"keep"` keeps
   * the file's bytes without a copy, and they read as true.
   */
  readonly boolBytes?: "normalize" | "keep";
  /** Row-major elements, the default; a Fortran-ordered file is copied. See NpyKeepOptions for `"keep"`. */
  readonly order?: "C";
  /** The allocator of the memory of a copy; by default the default allocator. */
  readonly allocator?: Allocator;
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
 * Throws the errors of `parseNpyHeader`, INVALID_ARGUMENT if the file has another dtype than `options.dtype`, DATA_LOSS if the data is shorter than the header requires (before anything is
 * allocated), RESOURCE_EXHAUSTED if the allocator has no memory for a copy.
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
export function readNpy(bytes: BytesInput, options: NpyKeepOptions): NpyArray;
export function readNpy<D extends NpyDType = NpyDType>(bytes: BytesInput, options?: NpyReadOptions<D>): Tensor<D>;
export function readNpy(bytes: BytesInput, options?: NpyReadOptions | NpyKeepOptions): Tensor<NpyDType> | NpyArray {
  if (options !== undefined) checkOptions("readNpy", options, ["dtype", "boolBytes", "order", "allocator", "maxHeaderSize"]);
  const order = options?.order ?? "C";
  if (order !== "C" && order !== "keep")
    throw new InvalidArgumentError(`npy: order is "C" or "keep", got ${typeof order === "string" ? JSON.stringify(order) : typeof order}`);
  const all = byteView(bytes);
  const header = readHeader(all, options?.maxHeaderSize);
  const wanted = options?.dtype;
  if (wanted !== undefined && wanted !== header.dtype) {
    throw new InvalidArgumentError(
      `npy: the file has ${header.dtype}, expected ${shownValue(wanted)}; without the option dtype it is read as it is, and tensorOf(map.cast(…)) converts it`,
    );
  }
  const got = all.length - header.dataOffset;
  if (got < header.dataBytes) {
    throw new DataLossError(
      `npy: expected ${header.dataBytes} bytes of data for ${header.dtype} of shape (${header.shape.join(", ")}), got ${got}`,
    );
  }
  if (order === "C") return tensorOf(all, header, options);
  // A column-major array is a row-major array with reversed dimensions.
  const { fortranOrder, shape } = header;
  const inMemory = fortranOrder ? { ...header, fortranOrder: false, shape: shape.toReversed() } : header;
  return new NpyArray(tensorOf(all, inMemory, options), fortranOrder);
}

/** The options that matter after the header was read. */
type CopyOptions = Omit<NpyReadOptions, "order">;

/** Makes the tensor of a header whose complete data follows it in `all`. */
function tensorOf(all: Uint8Array<ArrayBufferLike>, header: NpyHeader, options?: CopyOptions): Tensor<NpyDType> {
  // An empty tensor needs none of the file's bytes, and a new empty array is aligned for every type.
  const data = header.dataBytes === 0 ? new Uint8Array(0) : all.subarray(header.dataOffset, header.dataOffset + header.dataBytes);
  const buffer = canBeUsedInPlace(data, header, options) ? new ForeignBuffer(data) : copied(data, header, options);
  try {
    return Tensor.fromBuffer(header.dtype, header.shape, buffer);
  } finally {
    // The tensor holds its own reference now. If fromBuffer threw, this frees the buffer.
    buffer.unref();
  }
}

function canBeUsedInPlace(data: Uint8Array<ArrayBufferLike>, header: NpyHeader, options?: CopyOptions): boolean {
  const { dtype, littleEndian, fortranOrder, shape } = header;
  if (data.byteOffset % componentSize(dtype) !== 0 || (!littleEndian && data.length > 0)) return false;
  if (fortranOrder && !isSameInBothOrders(shape)) return false;
  return dtype !== "bool" || options?.boolBytes === "keep" || !data.some((byte) => byte > 1);
}

/** Copies the data, row-major and little-endian, to memory of the allocator. */
function copied(data: Uint8Array<ArrayBufferLike>, header: NpyHeader, options?: CopyOptions): TensorBuffer {
  const { dtype, littleEndian, fortranOrder, shape, numElements } = header;
  const allocator = options?.allocator ?? defaultAllocator();
  const buffer = new Buffer(dtype, allocator, numElements);
  if (!buffer.hasData) {
    buffer.unref();
    throw exhaustedError(allocator, data.length, `npy: the allocator ${allocator.name} has no room for ${data.length} bytes of ${dtype}`);
  }
  const target = buffer.bytes();
  if (fortranOrder) copyColumnMajor(data, target, shape, dtypeSize(dtype));
  else target.set(data);
  countCopied(data.length);
  if (!littleEndian) swapByteOrder(target, componentSize(dtype));
  if (dtype === "bool" && options?.boolBytes !== "keep") for (let i = 0; i < target.length; i++) if (target[i] !== 0) target[i] = 1;
  return buffer;
}

/** The number of bytes that are aligned and byte-swapped together: an element, or one half of a complex element. */
function componentSize(dtype: NpyDType): number {
  return dtypeSize(dtype) / arraySlots(dtype);
}
