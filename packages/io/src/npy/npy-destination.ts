/**
 * NpyDestination: the memory that the data of an .npy file is read into, and the tensor that it becomes.
 *
 *     little-endian, row-major     the memory of the tensor
 *     big-endian                   the memory of the tensor; its bytes are swapped at the end
 *     column-major                 other memory, from which the elements are copied in row-major order at the end
 *     strings                      other memory, from which the elements are decoded at the end
 */
import { DataLossError } from "@onebuffer/base";
import type { RawDType } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { countCopied } from "@onebuffer/allocator/internal";
import { newBytes } from "../source/new-bytes.ts";
import { blankTensor, canBeUsedInPlace, componentSize, filledTensor, normalizeBools, tensorInPlace } from "../tensor/tensor-bytes.ts";
import type { TensorReadOptions } from "../tensor/tensor-bytes.ts";
import { swapByteOrder } from "./byte-order.ts";
import { copyColumnMajor, isSameInBothOrders } from "./column-major.ts";
import type { NpyAnyHeader } from "./npy-header.ts";
import { decodeStrings } from "./npy-strings.ts";

/** Memory for the data of a file, which becomes a tensor when it is filled. */
export interface NpyDestination {
  /** As many bytes as the header says. */
  readonly bytes: Uint8Array<ArrayBufferLike>;
  /** Returns the tensor. Call it once, when the bytes are filled. */
  finish(): Tensor;
  /** Frees the memory. Call it if the bytes cannot be filled. */
  abandon(): void;
}

/** Throws DATA_LOSS unless `got` bytes are enough for the data. */
export function checkDataBytes({ dataBytes, dtype, shape }: NpyAnyHeader, got: number): void {
  if (got < dataBytes)
    throw new DataLossError(
      `npy: expected ${dataBytes} bytes of data for ${dtype} of shape (${shape.join(", ")}), got ${Math.max(0, got)}`,
    );
}

/**
 * Returns the memory for the data of a file. Throws RESOURCE_EXHAUSTED if there is none. The caller has checked that the source has that many
 * bytes.
 */
export function npyDestination(header: NpyAnyHeader, options: TensorReadOptions): NpyDestination {
  const { dtype, fortranOrder, shape, dataBytes } = header;
  if (dtype === "string" || (fortranOrder && !isSameInBothOrders(shape))) {
    const bytes = newBytes(dataBytes, "npy");
    return { bytes, finish: () => tensorOverNpy(bytes, header, options), abandon: () => undefined };
  }
  const tensor = blankTensor("npy", dtype, shape, options.allocator);
  const bytes = tensor.tensorData;
  return {
    bytes,
    finish: () => {
      putInOrder(bytes, header, options);
      return tensor;
    },
    abandon: () => tensor.dispose(),
  };
}

/** Returns the tensor of data in memory: over these bytes if they can be used in place, else over a copy. */
export function tensorOverNpy(data: Uint8Array<ArrayBufferLike>, header: NpyAnyHeader, options: TensorReadOptions): Tensor {
  const { dtype, littleEndian, fortranOrder, shape, itemSize } = header;
  if (dtype === "string") return stringTensor(data, header, options);
  const columnMajor = fortranOrder && !isSameInBothOrders(shape);
  if (data.length === 0 || (littleEndian && !columnMajor && canBeUsedInPlace(data, dtype, options)))
    return tensorInPlace(data, dtype, shape);
  // The bools are normalized by putInOrder, below.
  return filledTensor("npy", dtype, shape, { ...options, boolBytes: "keep" }, (target) => {
    if (columnMajor) copyColumnMajor(data, target, shape, itemSize);
    else target.set(data);
    countCopied(data.length);
    putInOrder(target, header, options);
  });
}

/** Makes the row-major elements in the memory of a tensor little-endian, and its bools 0 or 1. */
function putInOrder(bytes: Uint8Array<ArrayBufferLike>, { dtype, littleEndian }: NpyAnyHeader, { boolBytes }: TensorReadOptions): void {
  if (!littleEndian) swapByteOrder(bytes, componentSize(dtype as RawDType));
  if (dtype === "bool" && boolBytes !== "keep") normalizeBools(bytes);
}

function stringTensor(data: Uint8Array<ArrayBufferLike>, header: NpyAnyHeader, { allocator }: TensorReadOptions): Tensor {
  const { fortranOrder, shape, numElements, itemSize } = header;
  let ordered = data;
  if (fortranOrder && !isSameInBothOrders(shape)) {
    ordered = newBytes(data.length, "npy");
    copyColumnMajor(data, ordered, shape, itemSize);
  }
  const elements = decodeStrings(ordered, numElements, header);
  const tensor = new Tensor("string", shape, allocator === undefined ? {} : { allocator });
  try {
    const flat = tensor.flat();
    for (const [i, element] of elements.entries()) flat.set(i, element);
    return tensor as Tensor;
  } catch (error) {
    tensor.dispose();
    throw error;
  }
}
