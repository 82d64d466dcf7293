/**
 * The .npy reader (NumPy's lib/format.py, `read_array`): bytes of a file -> a Tensor.
 *
 *     header  ->  is the data as long as it says?  ->  a view of the caller's bytes, or one row-major little-endian copy
 *
 * A view when the data can be used as it stands, which a file in a buffer of its own nearly always can: NumPy aligns the
 * data to 64 bytes. A copy for big-endian data, column-major data, misaligned data, bools that are neither 0 nor 1.
 * With `order: "keep"` column-major data stays as it is: the tensor has the shape that it has in memory, reversed, and a
 * strided map beside it has the file's (npy-array.ts). It does not write .npy and does not read .npz.
 */
import { arraySlots, DataLossError, dtypeSize, InvalidArgumentError, ResourceExhaustedError } from "@onebuffer/base";
import { countCopied, defaultAllocator } from "@onebuffer/allocator";
import { Buffer, ForeignBuffer, Tensor } from "@onebuffer/core";
import type { Allocator } from "@onebuffer/allocator";
import type { TensorBuffer } from "@onebuffer/core";
import { swapByteOrder } from "./byte-order.ts";
import { byteView } from "./byte-view.ts";
import type { BytesInput } from "./byte-view.ts";
import { copyColumnMajor, isSameInBothOrders } from "./column-major.ts";
import { NpyArray } from "./npy-array.ts";
import type { NpyDType } from "./npy-descr.ts";
import { parseNpyHeader } from "./npy-header.ts";
import type { NpyHeader, NpyHeaderOptions } from "./npy-header.ts";

/**
 * How `readNpy` reads.
 *
 * @example
 * const options: NpyReadOptions = { boolBytes: "keep" };
 * const text = "\x93NUMPY\x01\x00\x3c\x00{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }\n\x01\x00\x03\x00";
 * using tensor = readNpy(Uint8Array.from(text, (character) => character.charCodeAt(0)), options);
 * [...tensor.tensorData]; // => [1, 0, 3, 0]
 */
export interface NpyReadOptions extends NpyHeaderOptions {
  /**
   * What becomes of bool bytes other than 0 and 1: `"normalize"` (unless told) makes them 1, in a copy; `"keep"` leaves
   * the bytes of the file as they are, so that nothing is copied; they still read as true.
   */
  readonly boolBytes?: "normalize" | "keep";
  /** Row-major elements, which for a Fortran-ordered file takes a copy; `"keep"` is NpyKeepOptions. */
  readonly order?: "C";
  /** Where a copy's memory comes from, if one is needed; the default allocator unless told. */
  readonly allocator?: Allocator;
}

/** How `readNpy` reads when it is to leave the elements in the file's order and give an NpyArray. */
export interface NpyKeepOptions extends Omit<NpyReadOptions, "order"> {
  readonly order: "keep";
}

/**
 * Reads an .npy file: the tensor has the file's dtype and shape, its elements row-major. With `order: "keep"` it is an
 * NpyArray, whose map has the file's shape and whose elements stay in the file's order.
 *
 * The tensor lies over the caller's bytes wherever they can be used as they stand; writes then go both ways, and the
 * bytes must stay as long as the tensor is used. The handle is the caller's to dispose.
 * Throws what `parseNpyHeader` throws, DATA_LOSS when the data is shorter than the header says (before anything is
 * allocated), RESOURCE_EXHAUSTED when the allocator has no room for a copy.
 * Copies: once, the data, when it is big-endian, column-major (never that with `"keep"`), misaligned or holds bools that are
 * neither 0 nor 1.
 *
 * @example
 * const text = "\x93NUMPY\x01\x00\x3c\x00{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }\n\x01\x02\x03\x04";
 * const file = Uint8Array.from(text, (character) => character.charCodeAt(0));
 * using tensor = readNpy(file);
 * tensor.toArray(); // => [[1, 2], [3, 4]]
 * file[file.length - 1] = 9;
 * tensor.toArray(); // => [[1, 2], [3, 9]]
 * readNpy(file.subarray(0, -1)); // throws DATA_LOSS
 */
export function readNpy(bytes: BytesInput, options: NpyKeepOptions): NpyArray;
export function readNpy(bytes: BytesInput, options?: NpyReadOptions): Tensor<NpyDType>;
export function readNpy(bytes: BytesInput, options?: NpyReadOptions | NpyKeepOptions): Tensor<NpyDType> | NpyArray {
  const order = options?.order ?? "C";
  if (order !== "C" && order !== "keep")
    throw new InvalidArgumentError(`npy: order is "C" or "keep", got ${typeof order === "string" ? JSON.stringify(order) : typeof order}`);
  const all = byteView(bytes);
  const header = parseNpyHeader(all, options);
  const got = all.length - header.dataOffset;
  if (got < header.dataBytes) {
    throw new DataLossError(
      `npy: expected ${header.dataBytes} bytes of data for ${header.dtype} of shape (${header.shape.join(", ")}), got ${got}`,
    );
  }
  if (order === "C") return tensorOf(all, header, options);
  // Reversed, a column-major array is a row-major one.
  const { fortranOrder, shape } = header;
  const inMemory = fortranOrder ? { ...header, fortranOrder: false, shape: shape.toReversed() } : header;
  return new NpyArray(tensorOf(all, inMemory, options), fortranOrder);
}

/** What matters once the header is read. */
type CopyOptions = Omit<NpyReadOptions, "order">;

/** The tensor of a header whose data follows in the same bytes, all of it. */
function tensorOf(all: Uint8Array<ArrayBufferLike>, header: NpyHeader, options?: CopyOptions): Tensor<NpyDType> {
  // No bytes lie anywhere as well as in the file, and a fresh empty array is aligned for every type.
  const data = header.dataBytes === 0 ? new Uint8Array(0) : all.subarray(header.dataOffset, header.dataOffset + header.dataBytes);
  const buffer = canBeUsedInPlace(data, header, options) ? new ForeignBuffer(data) : copied(data, header, options);
  try {
    return Tensor.fromBuffer(header.dtype, header.shape, buffer);
  } finally {
    // The tensor holds its own reference now; if there is none, the buffer ends here.
    buffer.unref();
  }
}

function canBeUsedInPlace(data: Uint8Array<ArrayBufferLike>, header: NpyHeader, options?: CopyOptions): boolean {
  const { dtype, littleEndian, fortranOrder, shape } = header;
  if (data.byteOffset % componentSize(dtype) !== 0 || (!littleEndian && data.length > 0)) return false;
  if (fortranOrder && !isSameInBothOrders(shape)) return false;
  return dtype !== "bool" || options?.boolBytes === "keep" || !data.some((byte) => byte > 1);
}

/** One row-major, little-endian copy in memory of the allocator's. */
function copied(data: Uint8Array<ArrayBufferLike>, header: NpyHeader, options?: CopyOptions): TensorBuffer {
  const { dtype, littleEndian, fortranOrder, shape, numElements } = header;
  const allocator = options?.allocator ?? defaultAllocator();
  const buffer = new Buffer(dtype, allocator, numElements);
  if (!buffer.hasData) {
    buffer.unref();
    const report = allocator.exhaustionReport(data.length);
    throw new ResourceExhaustedError(
      `npy: the allocator ${allocator.name} has no room for ${data.length} bytes of ${dtype}${report === "" ? "" : `\n${report}`}`,
    );
  }
  const target = buffer.bytes();
  if (fortranOrder) copyColumnMajor(data, target, shape, dtypeSize(dtype));
  else target.set(data);
  countCopied(data.length);
  if (!littleEndian) swapByteOrder(target, componentSize(dtype));
  if (dtype === "bool" && options?.boolBytes !== "keep") for (let i = 0; i < target.length; i++) if (target[i] !== 0) target[i] = 1;
  return buffer;
}

/** Bytes of what is aligned and byte-swapped as one: the element, or one half of a complex one. */
function componentSize(dtype: NpyDType): number {
  return dtypeSize(dtype) / arraySlots(dtype);
}
