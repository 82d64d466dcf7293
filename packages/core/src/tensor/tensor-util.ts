/**
 * deepCopy, concat, split and makeShape (tensorflow/core/framework/tensor_util.h, namespace tensor).
 *
 * All of them copy: every tensor they return has its own buffer. Alignment does not matter.
 */

import type { DType } from "@onebuffer/base";
import { checkArray, checkInteger, checkObject, checkOptions } from "@onebuffer/base/internal";
import { dataTypeString, InvalidArgumentError } from "@onebuffer/base";
import { TensorShape, TensorShapeUtils } from "@onebuffer/shape";
import { disposeAll } from "@onebuffer/allocator/internal";
import { checkTensor, isTensor as isAnyTensor } from "../element/tensor-check.ts";
import type { AllocationOptions } from "../buffer/shape-and-buffer.ts";
import { kAllocationKeys } from "../buffer/shape-and-buffer.ts";
import { checkCopyable, copied, copyAll } from "./copied-tensor.ts";
import type { Tensor } from "./tensor.ts";

/**
 * Returns a tensor of the same dtype and shape with its own data: DeepCopy. If the second argument is a tensor, which must have the
 * same dtype and element count, the data is copied into it and it is returned.
 *
 * Strings are copied byte for byte, variants are cloned (a tensor inside a variant is shared). Throws INVALID_ARGUMENT for
 * resources, which cannot be copied, and for an output that does not match. Copies: everything.
 *
 * @example
 * using t = Tensor.from([1, 2]);
 * using copy = deepCopy(t);
 * copy.sharesBufferWith(t); // => false
 * copy.toArray(); // => [1, 2]
 */
export function deepCopy<D extends DType>(input: Tensor<D>, options?: AllocationOptions): Tensor<D>;
/**
 * Copies the data into `output`, which must have the same dtype and element count, and returns it.
 *
 * @example
 * using source = Tensor.from([1, 2]);
 * using target = Tensor.zeros([2]);
 * deepCopy(source, target);
 * target.toArray(); // => [1, 2]
 */
export function deepCopy<D extends DType>(input: Tensor<D>, output: Tensor<D>): Tensor<D>;
export function deepCopy<D extends DType>(input: Tensor<D>, target: Tensor<D> | AllocationOptions = {}): Tensor<D> {
  checkTensor(input);
  checkObject(target, "options or a Tensor");
  if (!isTensor(target)) checkOptions("deepCopy", target, kAllocationKeys);
  const { dtype, numElements, shape } = input;
  if (dtype === "resource") throw new InvalidArgumentError("deepCopy of resource handles: a resource cannot be copied");
  if (!isTensor(target)) return copied(dtype, shape, target, (parts) => copyAll(input, 0, parts, 0, numElements));
  if (target.dtype !== dtype || target.numElements !== numElements)
    throw new InvalidArgumentError(`deepCopy of ${input.deviceSafeDebugString()} into ${target.deviceSafeDebugString()}`);
  copyAll(input, 0, target, 0, numElements);
  return target;
}

/** Returns true if the second argument of deepCopy is a tensor, not options. */
function isTensor<D extends DType>(target: Tensor<D> | AllocationOptions): target is Tensor<D> {
  return "heldShape" in target;
}

/**
 * Returns the tensors one after another along dimension 0: Concat. The result never shares memory.
 *
 * Throws INVALID_ARGUMENT for an empty list, scalars, different dtypes, and sizes that differ beyond dimension 0 (Quirk: TensorFlow
 * does not check those); INTERNAL for variants and resources. Copies: everything.
 *
 * @example
 * using a = Tensor.from([[1, 2]]);
 * using b = Tensor.from([[3, 4], [5, 6]]);
 * using c = concat([a, b]);
 * c.toArray(); // => [[1, 2], [3, 4], [5, 6]]
 * concat([]); // throws INVALID_ARGUMENT
 */
export function concat<D extends DType>(tensors: readonly Tensor<D>[], options: AllocationOptions = {}): Tensor<D> {
  if (isAnyTensor(tensors)) throw new InvalidArgumentError("concat: expected an array of tensors, as in concat([a, b]), got a tensor");
  checkArray(tensors, "an array of tensors");
  for (const tensor of tensors) checkTensor(tensor);
  checkOptions("concat", options, kAllocationKeys);
  const [first] = tensors;
  if (first === undefined) throw new InvalidArgumentError("Cannot concatenate zero tensors");
  const { dtype } = first;
  let rows = 0;
  for (const tensor of tensors) {
    if (tensor.dims === 0) throw new InvalidArgumentError("Cannot concatenate a zero-dimensional tensor");
    if (tensor.dtype !== dtype)
      throw new InvalidArgumentError(
        "Cannot concatenate tensors that have different data types. " +
          `Got ${dataTypeString(first.shape.dataType)} and ${dataTypeString(tensor.shape.dataType)}.`,
      );
    rows += tensor.dimSize(0);
  }
  checkCopyable(dtype);
  const inner = first.shape.dimSizes.slice(1);
  for (const tensor of tensors)
    if (tensor.dims !== first.dims || inner.some((size, d) => size !== tensor.dimSize(d + 1)))
      throw new InvalidArgumentError(
        `Cannot concatenate tensors whose sizes differ beyond dimension 0: ${first.shape.debugString()} and ${tensor.shape.debugString()}`,
      );
  return copied(dtype, new TensorShape([rows, ...inner]), options, (parts) => {
    let start = 0;
    for (const tensor of tensors) {
      copyAll(tensor, 0, parts, start, tensor.numElements);
      start += tensor.numElements;
    }
  });
}

/**
 * Returns pieces of the given numbers of rows, which must sum to dimension 0: Split. Zero rows are allowed. `slice` returns such a
 * piece without copying.
 *
 * Throws INVALID_ARGUMENT for a scalar, and for sizes that have another sum or are not non-negative integers (Quirk: TensorFlow
 * aborts on a negative one); INTERNAL for variants and resources. Copies: everything.
 *
 * @example
 * using t = Tensor.from([1, 2, 3]);
 * const pieces = split(t, [1, 2]);
 * pieces.map((piece) => piece.toArray()); // => [[1], [2, 3]]
 * pieces.forEach((piece) => piece.dispose());
 */
export function split<D extends DType>(tensor: Tensor<D>, sizes: readonly number[], options: AllocationOptions = {}): Tensor<D>[] {
  checkTensor(tensor);
  checkArray(sizes, "an array of numbers of rows");
  checkOptions("split", options, kAllocationKeys);
  if (tensor.dims === 0) throw new InvalidArgumentError("Cannot split a zero-dimensional tensor");
  const rows = tensor.dimSize(0);
  for (const size of sizes) checkInteger(size, "a number of rows");
  const sum = sizes.reduce((total, size) => total + size, 0);
  if (sum !== rows)
    throw new InvalidArgumentError(
      `The values in 'sizes' do not sum to the zeroth-dimension size of 'tensor': [${sizes.join(",")}] sums to ${sum}, not ${rows}`,
    );
  const { dtype, shape } = tensor;
  checkCopyable(dtype);
  const inner = shape.dimSizes.slice(1);
  const rowElements = rows === 0 ? 0 : tensor.numElements / rows;
  const result: Tensor<D>[] = [];
  let done = false;
  try {
    let row = 0;
    for (const size of sizes) {
      const first = row * rowElements;
      result.push(
        copied(dtype, new TensorShape([size, ...inner]), options, (parts) => copyAll(tensor, first, parts, 0, size * rowElements)),
      );
      row += size;
    }
    done = true;
  } finally {
    if (!done) disposeAll(result);
  }
  return result;
}

/**
 * Returns the shape whose sizes are in an int32 or int64 vector: MakeShape. Throws INVALID_ARGUMENT for other ranks and dtypes,
 * negative sizes, and too many dimensions or elements.
 *
 * @example
 * using sizes = Tensor.from([2, 3], { dtype: "int32" });
 * makeShape(sizes).debugString(); // => "[2,3]"
 */
export function makeShape(shape: Tensor): TensorShape {
  checkTensor(shape);
  if (shape.dims !== 1) throw new InvalidArgumentError(`shape must be a vector of {int32,int64}, got shape ${shape.shape.debugString()}`);
  const { dtype } = shape;
  if (dtype !== "int32" && dtype !== "int64")
    throw new InvalidArgumentError(`shape must be a vector of {int32,int64}. Got ${dataTypeString(shape.shape.dataType)}`);
  return TensorShapeUtils.makeShape(shape.toArray() as (number | bigint)[]);
}
