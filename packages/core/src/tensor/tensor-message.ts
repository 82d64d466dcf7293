/**
 * tensor-message: what every message about a tensor begins with, and how it is checked (the counterpart of the head of
 * TensorProto, tensorflow/core/framework/tensor.proto: dtype and shape).
 *
 * Messages travel by postMessage, so they are plain objects of numbers, and whoever posts may send anything: every field is
 * read once and checked before it is used. Bytes and memory are the business of the two kinds of messages.
 */
import type { DataType, DType } from "@onebuffer/base";
import { dataTypeOf, dtypeOf, InvalidArgumentError, shownValue } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";

/** The fields that both kinds of messages have. */
export interface TensorMessageHead {
  /** TensorFlow's number of the dtype. */
  readonly dtype: DataType;
  /** The sizes. */
  readonly dims: readonly number[];
}

/** A head that was checked. */
export interface CheckedHead {
  readonly dtype: DType;
  /** Sealed, with the dtype. */
  readonly shape: TensorShape;
}

/**
 * Dtype and shape of a message. Throws INVALID_ARGUMENT for what is no dtype (as `dtypeOf` does) and for what are no sizes (as
 * `TensorShape` does), and for fields of other types.
 */
export function checkedHead(dtype: unknown, dims: unknown): CheckedHead {
  const name = checkedDType(dtype);
  // A list of our own first: a sly one could answer differently the second time.
  const sizes = Array.isArray(dims) ? Array.from(dims as unknown[]) : dims;
  checkDims(sizes);
  return { dtype: name, shape: TensorShape.sealed(sizes, dataTypeOf(name)) };
}

/** Whether a message's head is of the right form, without making anything of it. Throws INVALID_ARGUMENT if not. */
export function checkHead(dtype: unknown, dims: unknown): void {
  checkedDType(dtype);
  checkDims(dims);
}

function checkedDType(dtype: unknown): DType {
  if (typeof dtype !== "number") throw new InvalidArgumentError(`a tensor's message has a number as dtype, got ${shownValue(dtype)}`);
  return dtypeOf(dtype as DataType);
}

function checkDims(dims: unknown): asserts dims is number[] {
  if (!Array.isArray(dims)) throw new InvalidArgumentError(`a tensor's message has a list of sizes as dims, got ${shownValue(dims)}`);
  const sizes: readonly unknown[] = dims;
  for (let i = 0; i < sizes.length; i++)
    if (typeof sizes[i] !== "number") throw new InvalidArgumentError(`a tensor's message has numbers as dims, got ${shownValue(sizes[i])}`);
}
