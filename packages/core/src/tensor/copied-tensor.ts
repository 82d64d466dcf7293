/** Tensors that are filled by copying elements: what concat, split, deepCopy, stackTensors and unstackTensor share. */
import type { DType } from "@onebuffer/base";
import { FailedPreconditionError, InternalError } from "@onebuffer/base";
import type { TensorShape } from "@onebuffer/shape";
import type { AllocationOptions, TensorParts } from "../buffer/shape-and-buffer.ts";
import { allocateFilledParts, copyElements } from "../buffer/shape-and-buffer.ts";
import { Tensor } from "./tensor.ts";

/** Returns fresh parts as a tensor, which takes over the reference that the parts hold. */
function tensorOf<D extends DType>(dtype: D, parts: TensorParts): Tensor<D> {
  const tensor = Tensor.fromBuffer(dtype, parts.shape, parts.buffer);
  parts.buffer?.unref();
  return tensor;
}

/** Copies `count` elements of `source` from `first` on into `target` from element `start` on. */
export function copyAll<D extends DType>(source: Tensor<D>, first: number, target: TensorParts, start: number, count: number): void {
  if (count === 0) return;
  if (source.buffer?.hasData !== true || target.buffer?.hasData !== true)
    throw new FailedPreconditionError("elements cannot be copied: a tensor is not initialized");
  copyElements(source.dtype, source.buffer, first, target.buffer, start, count);
}

/** Returns a tensor whose fresh buffer `copy` fills; if `copy` throws, the buffer is freed. */
export function copied<D extends DType>(
  dtype: D,
  shape: TensorShape,
  options: AllocationOptions,
  copy: (parts: TensorParts) => void,
): Tensor<D> {
  const parts = allocateFilledParts(dtype, shape, options);
  let done = false;
  try {
    copy(parts);
    done = true;
  } finally {
    if (!done) parts.buffer?.unref();
  }
  return tensorOf(dtype, parts);
}

/** Throws INTERNAL for resources and variants: concat, split, stackTensors and unstackTensor copy only numbers and strings. */
export function checkCopyable(dtype: DType): void {
  if (dtype === "resource" || dtype === "variant") throw new InternalError(`Unexpected data type ${dtype}`);
}
