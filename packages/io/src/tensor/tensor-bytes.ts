/**
 * Makes tensors of the bytes of a file: over the bytes themselves where the elements in them are aligned, or over one copy in memory of an
 * allocator. All bytes are little-endian and row-major.
 *
 *     bytes in memory, aligned      a ForeignBuffer over them: no copy
 *     bytes in memory, misaligned   a copy
 *     bytes of a file or server     read into the memory of the tensor
 */
import { arraySlots, dtypeSize, InvalidArgumentError } from "@onebuffer/base";
import type { RawDType } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { defaultAllocator } from "@onebuffer/allocator";
import type { Allocator } from "@onebuffer/allocator";
import { countCopied, exhaustedError } from "@onebuffer/allocator/internal";
import { Buffer, ForeignBuffer, Tensor } from "@onebuffer/core";
import type { TensorBuffer } from "@onebuffer/core";
import { product } from "@onebuffer/storage/internal";

/**
 * The options of everything that reads tensors of a file.
 *
 * @example
 * const options: TensorReadOptions = { boolBytes: "keep" };
 * using flags = Tensor.from([true, false]);
 * using tensors = readSafetensors(writeSafetensors({ flags }), options);
 * tensors.tensor("flags").toArray(); // => [true, false]
 */
export interface TensorReadOptions {
  /** The allocator of the memory of tensors that are not views; by default the default allocator. */
  readonly allocator?: Allocator;
  /**
   * How bool bytes other than 0 and 1 are read: `"normalize"`, the default, makes them 1, in a copy if the bytes are the caller's; `"keep"`
   * keeps the file's bytes, and they read as true.
   */
  readonly boolBytes?: "normalize" | "keep";
}

/** The names of these options. */
export const kTensorReadOptions: readonly string[] = ["allocator", "boolBytes"];

/** Returns the options of an allocation alone. */
export function allocationOf({ allocator }: TensorReadOptions): { readonly allocator?: Allocator } {
  return allocator === undefined ? {} : { allocator };
}

/** Throws INVALID_ARGUMENT unless `boolBytes` is one of its values. */
export function checkBoolBytes(call: string, boolBytes: unknown): void {
  if (boolBytes !== undefined && boolBytes !== "normalize" && boolBytes !== "keep")
    throw new InvalidArgumentError(`${call}: boolBytes is "normalize" or "keep", got ${shownValue(boolBytes)}`);
}

/** Returns the number of bytes that are aligned and byte-swapped together: an element, or one half of a complex element. */
export function componentSize(dtype: RawDType): number {
  return dtypeSize(dtype) / arraySlots(dtype);
}

/** Returns true if a tensor can use the bytes as they are: aligned, and bool bytes that are 0 or 1 or shall be kept. */
export function canBeUsedInPlace(bytes: Uint8Array<ArrayBufferLike>, dtype: RawDType, options: TensorReadOptions): boolean {
  if (bytes.byteOffset % componentSize(dtype) !== 0) return false;
  return dtype !== "bool" || options.boolBytes === "keep" || !hasOtherBools(bytes);
}

/** Returns a tensor over `bytes` if they can be used in place, else over a copy. `subject` begins error messages. */
export function tensorOverBytes(
  subject: string,
  bytes: Uint8Array<ArrayBufferLike>,
  dtype: RawDType,
  shape: readonly number[],
  options: TensorReadOptions,
): Tensor {
  if (bytes.length === 0 || canBeUsedInPlace(bytes, dtype, options)) return tensorInPlace(bytes, dtype, shape);
  return filledTensor(subject, dtype, shape, options, (target) => {
    target.set(bytes);
    countCopied(bytes.length);
  });
}

/** Returns a tensor over `bytes`, which must be aligned. */
export function tensorInPlace(bytes: Uint8Array<ArrayBufferLike>, dtype: RawDType, shape: readonly number[]): Tensor {
  // An empty tensor needs none of the bytes, and a new empty array is aligned for every type.
  return adopted(new ForeignBuffer(bytes.length === 0 ? new Uint8Array(0) : bytes), dtype, shape);
}

/** Returns a tensor of new memory that `fill` has filled. Throws RESOURCE_EXHAUSTED if the allocator has none. */
export function filledTensor(
  subject: string,
  dtype: RawDType,
  shape: readonly number[],
  options: TensorReadOptions,
  fill: (target: Uint8Array<ArrayBufferLike>) => void,
): Tensor {
  const tensor = blankTensor(subject, dtype, shape, options.allocator);
  try {
    const target = tensor.tensorData;
    fill(target);
    if (dtype === "bool" && options.boolBytes !== "keep") normalizeBools(target);
    return tensor;
  } catch (error) {
    tensor.dispose();
    throw error;
  }
}

/** Like `filledTensor`, for bytes that take time to arrive. */
export async function filledTensorAsync(
  subject: string,
  dtype: RawDType,
  shape: readonly number[],
  options: TensorReadOptions,
  fill: (target: Uint8Array<ArrayBufferLike>) => Promise<void>,
): Promise<Tensor> {
  const tensor = blankTensor(subject, dtype, shape, options.allocator);
  try {
    await fill(tensor.tensorData);
    if (dtype === "bool" && options.boolBytes !== "keep") normalizeBools(tensor.tensorData);
    return tensor;
  } catch (error) {
    tensor.dispose();
    throw error;
  }
}

/** Returns a tensor whose elements are not set yet. Throws RESOURCE_EXHAUSTED if the allocator has no memory for it. */
export function blankTensor(subject: string, dtype: RawDType, shape: readonly number[], allocator: Allocator = defaultAllocator()): Tensor {
  const numElements = product(shape);
  if (numElements === 0) return tensorInPlace(new Uint8Array(0), dtype, shape);
  const buffer = new Buffer(dtype, allocator, numElements);
  if (!buffer.hasData) {
    buffer.unref();
    const bytes = numElements * dtypeSize(dtype);
    throw exhaustedError(allocator, bytes, `${subject}: the allocator ${allocator.name} has no room for ${bytes} bytes of ${dtype}`);
  }
  return adopted(buffer, dtype, shape);
}

/** Makes every byte other than 0 a 1. */
export function normalizeBools(bytes: Uint8Array<ArrayBufferLike>): void {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0) bytes[i] = 1;
}

function hasOtherBools(bytes: Uint8Array<ArrayBufferLike>): boolean {
  for (let i = 0; i < bytes.length; i++) if ((bytes[i] as number) > 1) return true;
  return false;
}

/** Returns a tensor over a buffer, whose reference it takes. */
function adopted(buffer: TensorBuffer, dtype: RawDType, shape: readonly number[]): Tensor {
  try {
    return Tensor.fromBuffer(dtype, shape, buffer);
  } finally {
    // The tensor holds its own reference now. If fromBuffer threw, this frees the buffer.
    buffer.unref();
  }
}
