/**
 * Checks the sizes of makeShape and makePartialShape, which are elements of an int32 or int64 tensor. Its error messages differ from
 * the constructors', as in TensorFlow (MakeShapeHelper of framework/tensor_shape.cc).
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { checkedInt64Size, checkedList, countElements, kMaxDimensions, sizesString } from "./dim-sizes.ts";

/**
 * Returns the first `n` of `dims`, by default all, as checked sizes. Each must be at least `lowest`: 0, or -1 where unknown sizes
 * are allowed. Throws INVALID_ARGUMENT, with TensorFlow's message, if they are not a valid shape.
 */
export function makeSizes(dims: ArrayLike<number | bigint>, n: number | undefined, lowest: number): number[] {
  const list = checkedList(dims);
  if (n === undefined) n = list.length;
  if (!Number.isSafeInteger(n)) throw new InvalidArgumentError(`Expected a number of dimensions that is an integer, got ${shownValue(n)}`);
  if (n > kMaxDimensions) throw new InvalidArgumentError(`Too many dimensions: ${n}, the maximum is ${kMaxDimensions}`);
  if (n < 0) throw new InvalidArgumentError(`Negative number of dimensions ${n}`);
  if (n > list.length) throw new InvalidArgumentError(`Expected ${n} dimension sizes, got ${list.length}`);
  const sizes: number[] = [];
  for (let d = 0; d < n; d++) {
    const size = checkedInt64Size(list[d]);
    if (size < lowest) throw new InvalidArgumentError(`Dimension ${size} must be >= ${lowest}`);
    sizes.push(size);
  }
  if ("factors" in countElements(sizes)) {
    throw new InvalidArgumentError(`Shape ${sizesString(sizes)} would have more than 2**53 - 1 elements (TensorFlow's limit is 2**63 - 1)`);
  }
  return sizes;
}
