/**
 * The fields that every message about a tensor begins with, dtype and sizes, and the checks of them (the counterpart of dtype and
 * tensor_shape in tensorflow/core/framework/tensor.proto).
 *
 * Messages travel by postMessage, so they are plain objects of numbers, and a sender may post anything: every field is read once
 * and checked before it is used. The two kinds of messages, in share-tensor.ts and transfer-tensor.ts, add the memory or the bytes.
 */
import type { DataType, DType } from "@onebuffer/base";
import { dataTypeOf, dtypeOf, InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { TensorShape } from "@onebuffer/shape";

/** The fields that both kinds of messages have. */
export interface TensorMessageHead {
  /** The DataType number of the dtype. */
  readonly dtype: DataType;
  /** The sizes. */
  readonly dims: readonly number[];
}

/** The dtype and shape of a message, after checking. */
export interface CheckedHead {
  readonly dtype: DType;
  /** Sealed, with the dtype. */
  readonly shape: TensorShape;
}

/**
 * Returns the dtype and shape of a message. Throws INVALID_ARGUMENT for an unknown dtype number (as `dtypeOf` does), invalid sizes
 * (as `TensorShape` does) and fields of other types.
 */
export function checkedHead(dtype: unknown, dims: unknown): CheckedHead {
  const name = checkedDType(dtype);
  // Copies the list first: a Proxy or getter could return other values when read again.
  const sizes = Array.isArray(dims) ? Array.from(dims as unknown[]) : dims;
  checkDims(sizes);
  return { dtype: name, shape: TensorShape.sealed(sizes, dataTypeOf(name)) };
}

/** Throws INVALID_ARGUMENT unless both fields have the right form; computes nothing from them. */
export function checkHead(dtype: unknown, dims: unknown): void {
  checkedDType(dtype);
  checkDims(dims);
}

function checkedDType(dtype: unknown): DType {
  if (typeof dtype !== "number")
    throw new InvalidArgumentError(`the dtype in a tensor's message must be a number, got ${shownValue(dtype)}`);
  return dtypeOf(dtype as DataType);
}

function checkDims(dims: unknown): asserts dims is number[] {
  if (!Array.isArray(dims))
    throw new InvalidArgumentError(`the dims in a tensor's message must be an array of sizes, got ${shownValue(dims)}`);
  const sizes: readonly unknown[] = dims;
  for (let i = 0; i < sizes.length; i++)
    if (typeof sizes[i] !== "number")
      throw new InvalidArgumentError(`the dims in a tensor's message must be numbers, got ${shownValue(sizes[i])}`);
}
