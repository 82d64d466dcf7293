/**
 * Checks on dimension sizes before any of them is stored (TensorFlow: the tests inside AddDimWithStatus and
 * InitDims of framework/tensor_shape.cc).
 *
 * A size is a safe integer. What is larger, fractional, NaN or no number at all is refused with INVALID_ARGUMENT,
 * never rounded. Negative sizes are decided by the caller: a PartialTensorShape reads them as "unknown".
 * Nothing here knows how a shape stores its sizes.
 */
import { InvalidArgumentError, isArray, plainTypedArray, shownValue, typedArrayKind } from "@onebuffer/base";
import { multiplyWithoutOverflow } from "./multiply-without-overflow.ts";

/** The most dimensions a shape can have (TF: TensorShapeRep::MaxDimensions); 255 in the rank byte means unknown rank. */
export const kMaxDimensions = 254;

/** Sizes of at most this take the short way into Rep16: the product of four of them fits TensorFlow's int64 (TF: InitDims). */
export const kMaxSmall = 55108;

/** `value` as a size, minus zero made plain; INVALID_ARGUMENT naming it unless it is a safe integer. */
export function checkedSize(value: unknown): number {
  if (typeof value !== "number")
    throw new InvalidArgumentError(`Expected a dimension size that is a number, got ${typeof value} ${shownValue(value)}`);
  if (!Number.isSafeInteger(value)) {
    if (Number.isInteger(value)) throw new InvalidArgumentError(`Expected a dimension size within 2**53 - 1, got ${BigInt(value)}`);
    throw new InvalidArgumentError(`Expected a dimension size that is an integer, got ${value}`);
  }
  return value + 0;
}

/** As checkedSize, and an int64 that came as a bigint is taken too when it is exact as a number. */
export function checkedInt64Size(value: unknown): number {
  if (typeof value !== "bigint") return checkedSize(value);
  if (value > Number.MAX_SAFE_INTEGER || value < -Number.MAX_SAFE_INTEGER) {
    throw new InvalidArgumentError(`Expected a dimension size within 2**53 - 1, got ${value}`);
  }
  return Number(value);
}

/** An array or a typed array, as a tensor of sizes would hold it; INVALID_ARGUMENT for any other thing. */
export function checkedList(dims: unknown): ArrayLike<unknown> {
  if (isArray(dims)) return dims;
  if (typedArrayKind(dims) !== "") return plainTypedArray(dims as ArrayBufferView) as unknown as ArrayLike<unknown>;
  throw new InvalidArgumentError(`Expected a list of dimension sizes, got ${shownValue(dims)}`);
}

/** The error of a negative size given to a shape whose sizes must be known. */
export function negativeSizeError(size: number): InvalidArgumentError {
  return new InvalidArgumentError(`Expected a non-negative size, got ${size}`);
}

/** A checked copy of a list of sizes; INVALID_ARGUMENT when it is no array, too long, or holds what is no size. */
export function checkedSizes(dims: unknown): number[] {
  if (!isArray(dims)) throw new InvalidArgumentError(`Expected an array of dimension sizes, got ${shownValue(dims)}`);
  if (dims.length > kMaxDimensions) throw tooManyDimensionsError(dims.length);
  const sizes: number[] = [];
  for (let d = 0; d < dims.length; d++) sizes.push(checkedSize(dims[d]));
  return sizes;
}

/** The error of a shape that would have more than 254 dimensions. */
export function tooManyDimensionsError(rank: number): InvalidArgumentError {
  return new InvalidArgumentError(`Too many dimensions in tensor: ${rank}, the maximum is ${kMaxDimensions}`);
}

/** The error of a product that does not fit. */
export function overflowError(a: number, b: number): InvalidArgumentError {
  return new InvalidArgumentError(`Encountered overflow when multiplying ${a} with ${b}, result: -1`);
}

/** What countElements found: the count (-1: some size is unknown), or the two factors whose product did not fit. */
export type ElementCount = { readonly count: number } | { readonly factors: readonly [number, number] };

/**
 * The number of elements of a shape with these sizes.
 *
 * Sizes are multiplied in order, up to the first unknown one, and no product on the way may exceed 2^53 - 1, as in TensorFlow:
 * [0, 2^40, 2^40] has no elements, [2^40, 2^40, 0] is refused because the overflow comes before the zero.
 */
export function countElements(sizes: readonly number[]): ElementCount {
  let count = 1;
  for (const size of sizes) {
    if (size < 0) return { count: -1 };
    const product = multiplyWithoutOverflow(count, size);
    if (product < 0) return { factors: [count, size] };
    count = product;
  }
  return { count };
}

/** The count of countElements; INVALID_ARGUMENT naming the factors when a product does not fit. */
export function checkedCount(sizes: readonly number[]): number {
  const counted = countElements(sizes);
  if ("factors" in counted) throw overflowError(counted.factors[0], counted.factors[1]);
  return counted.count;
}

/** `[2,?,4]`: the sizes as TensorFlow prints a shape of known rank, unknown ones as a question mark. */
export function sizesString(sizes: Iterable<number | bigint>): string {
  const parts: string[] = [];
  for (const size of sizes) parts.push(size < 0 ? "?" : String(size));
  return `[${parts.join(",")}]`;
}
