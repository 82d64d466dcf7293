/**
 * stackTensors and unstackTensor: tensors along a new axis, and back (tf.stack and tf.unstack, the kernels Pack and Unpack).
 *
 * Both copy, as `concat` and `split` do. Numbers are moved by expressions; JavaScript values (strings) are copied run by run.
 */
import type { DType } from "@onebuffer/base";
import { checkArray, checkObject, shownValue } from "@onebuffer/base/internal";
import { dataTypeString, InvalidArgumentError, isObjectDType } from "@onebuffer/base";
import { countCopied, disposeAll } from "@onebuffer/allocator/internal";
import type { Operand } from "@onebuffer/eigen";
import { stack } from "@onebuffer/eigen";
import { TensorShape } from "@onebuffer/shape";
import { product } from "@onebuffer/storage/internal";
import type { AllocationOptions } from "../buffer/shape-and-buffer.ts";
import { checkTensor } from "../element/tensor-check.ts";
import { checkCopyable, copied, copyAll } from "./copied-tensor.ts";
import { Tensor } from "./tensor.ts";

/** Returns the axis in [0, rank). Throws INVALID_ARGUMENT outside [-rank, rank). */
function checkAxis(call: string, axis: unknown, rank: number): number {
  if (Number.isSafeInteger(axis) && (axis as number) >= -rank && (axis as number) < rank) return ((axis as number) + rank) % rank;
  const wrong = typeof axis === "number" ? `axis ${axis} is not in [-${rank}, ${rank})` : `an axis is a number, got ${shownValue(axis)}`;
  throw new InvalidArgumentError(`${call}: ${wrong}`);
}

/** Returns a map of all elements, at any byte offset. Throws FAILED_PRECONDITION if the tensor is not initialized. */
function operandOf<D extends DType>(tensor: Tensor<D>): Operand<D, number> {
  return tensor.unalignedShaped(tensor.shape.dimSizes);
}

/**
 * Returns tensors of the same dtype and shape, one after the other along a new axis, default 0 (`tf.stack`). The new axis becomes
 * dimension `axis` of the result: -1 puts it last. The result never shares memory.
 *
 * Throws INVALID_ARGUMENT for an empty list, different dtypes or shapes, and an axis outside [-rank - 1, rank + 1); INTERNAL for variants and
 * resources; RESOURCE_EXHAUSTED without room. Copies: everything.
 *
 * @example
 * using a = Tensor.from([1, 2, 3]);
 * using b = Tensor.from([4, 5, 6]);
 * using rows = stackTensors([a, b]);
 * rows.toArray(); // => [[1, 2, 3], [4, 5, 6]]
 * using columns = stackTensors([a, b], -1);
 * columns.toArray(); // => [[1, 4], [2, 5], [3, 6]]
 * stackTensors([]); // throws INVALID_ARGUMENT
 */
export function stackTensors<D extends DType>(tensors: readonly Tensor<D>[], axis: number = 0, options: AllocationOptions = {}): Tensor<D> {
  checkArray(tensors, "an array of tensors");
  for (const tensor of tensors) checkTensor(tensor);
  checkObject(options, "options");
  const [first] = tensors;
  if (first === undefined) throw new InvalidArgumentError("Cannot stack zero tensors");
  const { dtype, shape } = first;
  for (const tensor of tensors) {
    if (tensor.dtype === dtype && tensor.isSameSize(first)) continue;
    const shown = [first, tensor].map((each) => `${dataTypeString(each.shape.dataType)} ${each.shape.debugString()}`);
    throw new InvalidArgumentError(`Cannot stack tensors of different data types or shapes: ${shown.join(" and ")}`);
  }
  checkCopyable(dtype);
  const along = checkAxis("stackTensors", axis, first.dims + 1);
  if (!isObjectDType(dtype)) {
    const stacked = Tensor.evaluate(stack(tensors.map(operandOf), along), options);
    countCopied(stacked.totalBytes);
    return stacked;
  }
  const sizes = shape.dimSizes;
  const run = product(sizes.slice(along));
  return copied(dtype, new TensorShape(sizes.toSpliced(along, 0, tensors.length)), options, (parts) => {
    for (let start = 0, target = 0; start < first.numElements; start += run)
      for (const tensor of tensors) {
        copyAll(tensor, start, parts, target, run);
        target += run;
      }
  });
}

/**
 * Returns the parts of a tensor along an axis, default 0, without that axis (`tf.unstack`): the reverse of `stackTensors`. The caller
 * disposes them. `subSlice` and iteration return the rows of dimension 0 without copying.
 *
 * Throws INVALID_ARGUMENT for a scalar and an axis outside [-rank, rank), INTERNAL for variants and resources, RESOURCE_EXHAUSTED without
 * room; nothing stays allocated then. Copies: everything.
 *
 * @example
 * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
 * const columns = unstackTensor(t, 1);
 * columns.map((column) => column.toArray()); // => [[1, 4], [2, 5], [3, 6]]
 * for (const column of columns) column.dispose();
 * unstackTensor(t, 2); // throws INVALID_ARGUMENT
 */
export function unstackTensor<D extends DType>(tensor: Tensor<D>, axis: number = 0, options: AllocationOptions = {}): Tensor<D>[] {
  checkTensor(tensor);
  checkObject(options, "options");
  const { dtype, shape, dims } = tensor;
  if (dims === 0) throw new InvalidArgumentError("Cannot unstack a zero-dimensional tensor");
  checkCopyable(dtype);
  const along = checkAxis("unstackTensor", axis, dims);
  const sizes = shape.dimSizes;
  const count = sizes[along] as number;
  const run = product(sizes.slice(along + 1));
  const part = (index: number): Tensor<D> => {
    if (!isObjectDType(dtype)) return Tensor.evaluate(tensor.unalignedShaped(sizes).chip(index, along) as Operand<D, number>, options);
    return copied(dtype, new TensorShape(sizes.toSpliced(along, 1)), options, (parts) => {
      for (let start = index * run, target = 0; start < tensor.numElements; start += count * run, target += run)
        copyAll(tensor, start, parts, target, run);
    });
  };
  const parts: Tensor<D>[] = [];
  let isDone = false;
  try {
    for (let index = 0; index < count; index += 1) parts.push(part(index));
    isDone = true;
  } finally {
    if (!isDone) disposeAll(parts);
  }
  return parts;
}
