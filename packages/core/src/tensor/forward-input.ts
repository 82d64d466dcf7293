/**
 * forwardInput: lets an operation reuse its input's buffer for its output (OpKernelContext::forward_input in
 * tensorflow/core/framework/op_kernel.cc).
 *
 * The buffer is reused only if nobody else can notice: the input is the only holder of memory that the buffer owns, dtype and
 * element count agree, and the memory is where the output needs it. TensorFlow's graph-level reservations have no counterpart here.
 */

import type { DType } from "@onebuffer/base";
import { checkArray, checkOptions } from "@onebuffer/base/internal";
import { dataTypeAlwaysOnHost, dataTypeOf } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";
import { AllocatorAttributes } from "@onebuffer/allocator";
import { checkTensor } from "../element/tensor-check.ts";
import { Tensor } from "./tensor.ts";
import type { AllocationOptions, ShapeLike } from "../buffer/shape-and-buffer.ts";
import { kAllocationKeys } from "../buffer/shape-and-buffer.ts";

/** Where input and output are. Unless given, both are in the same kind of memory and have equal attributes. */
export interface ForwardOptions {
  /** The attributes that the input was allocated with. */
  readonly inputAttributes?: AllocatorAttributes;
  /** The attributes that the output needs; forwarding requires them to be equal or less restrictive. */
  readonly outputAttributes?: AllocatorAttributes;
  /** True (the default) if the input is in host memory. */
  readonly inputOnHost?: boolean;
  /** True (the default) if the output is wanted in host memory. */
  readonly outputOnHost?: boolean;
}

const kForwardKeys: readonly string[] = ["inputAttributes", "outputAttributes", "inputOnHost", "outputOnHost", ...kAllocationKeys];

/**
 * Returns a handle over the input's buffer with the output's shape, or null if the input's buffer cannot be reused. The input keeps
 * its handle: an operation that writes the result in place should dispose it. A tensor without elements has no buffer and is never
 * forwarded.
 *
 * Throws INVALID_ARGUMENT for an invalid dtype or shape. Copies: never.
 *
 * @example
 * using input = Tensor.zeros([2, 3]);
 * using output = forwardInput(input, "float32", [3, 2]);
 * output?.sharesBufferWith(input); // => true
 * forwardInput(input, "float32", [3, 2]); // => null
 */
export function forwardInput<D extends DType>(
  input: Tensor | null,
  dtype: D,
  shape: ShapeLike,
  options: ForwardOptions = {},
): Tensor<D> | null {
  if (input !== null) checkTensor(input);
  checkOptions("forwardInput", options, kForwardKeys);
  const dataType = dataTypeOf(dtype);
  const sealed = TensorShape.sealed(shape, dataType);
  if (input === null || input.dtype !== dtype || input.numElements !== sealed.numElements) return null;
  const always = dataTypeAlwaysOnHost(dataType);
  if (!always && (options.inputOnHost ?? true) !== (options.outputOnHost ?? true)) return null;
  if (!input.refCountIsOne()) return null;
  const needed = options.outputAttributes ?? new AllocatorAttributes();
  if (!needed.isEqualOrLessRestrictiveThan(options.inputAttributes ?? new AllocatorAttributes())) return null;
  return Tensor.fromBuffer(dtype, sealed, input.buffer);
}

/**
 * Returns a handle over the first candidate's buffer that can be reused, otherwise a new tensor: forward_input_or_allocate_output.
 *
 * @example
 * using a = Tensor.from([1, 2]);
 * using output = forwardInputOrAllocate([a], "int32", [2]);
 * output.sharesBufferWith(a); // => false
 */
export function forwardInputOrAllocate<D extends DType>(
  candidates: readonly (Tensor | null)[],
  dtype: D,
  shape: ShapeLike,
  options: ForwardOptions & AllocationOptions = {},
): Tensor<D> {
  checkArray(candidates, "an array of tensors");
  checkOptions("forwardInputOrAllocate", options, kForwardKeys);
  for (const candidate of candidates) {
    const forwarded = forwardInput(candidate, dtype, shape, options);
    if (forwarded !== null) return forwarded;
  }
  const { inputAttributes: _input, outputAttributes: _output, inputOnHost: _from, outputOnHost: _to, ...allocation } = options;
  return new Tensor(dtype, shape, allocation);
}
