/**
 * Checks dimension sizes before a shape stores them (TensorFlow: the checks inside AddDimWithStatus and
 * InitDims of framework/tensor_shape.cc).
 *
 * A size is a safe integer. Larger and fractional numbers, NaN and other types are refused with INVALID_ARGUMENT,
 * never rounded. The caller decides about negative sizes: in a PartialTensorShape they mean "unknown".
 * These functions do not depend on how a shape stores its sizes.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, plainTypedArray, shownValue, typedArrayKind } from "@onebuffer/base/internal";
import { multiplyWithoutOverflow } from "./multiply-without-overflow.ts";

/** The most dimensions a shape can have (TF: TensorShapeRep::MaxDimensions); 255 in the rank byte means unknown rank. */
export const kMaxDimensions = 254;

/** The largest size of the fast path into Rep16: the product of four such sizes fits TensorFlow's int64 (TF: InitDims). */
export const kMaxSmall = 55108;

/** Returns `value` as a size; -0 becomes 0. Throws INVALID_ARGUMENT with the value unless it is a safe integer. */
export function checkedSize(value: unknown): number {
  if (typeof value !== "number") {
    const type = typeof value === "object" ? "" : `${typeof value} `;
    throw new InvalidArgumentError(`Expected a dimension size that is a number, got ${type}${shownValue(value)}`);
  }
  if (!Number.isSafeInteger(value)) {
    if (Number.isInteger(value)) throw new InvalidArgumentError(`Expected a dimension size within 2**53 - 1, got ${BigInt(value)}`);
    throw new InvalidArgumentError(`Expected a dimension size that is an integer, got ${value}`);
  }
  return value + 0;
}

/** Like checkedSize, but also takes a bigint, if a number can hold it exactly. */
export function checkedInt64Size(value: unknown): number {
  if (typeof value !== "bigint") return checkedSize(value);
  if (value > Number.MAX_SAFE_INTEGER || value < -Number.MAX_SAFE_INTEGER) {
    throw new InvalidArgumentError(`Expected a dimension size within 2**53 - 1, got ${value}`);
  }
  return Number(value);
}

/** Returns an array, or a typed array as its plain kind. Throws INVALID_ARGUMENT for anything else. */
export function checkedList(dims: unknown): ArrayLike<unknown> {
  if (isArray(dims)) return dims;
  if (typedArrayKind(dims) !== "") return plainTypedArray(dims as ArrayBufferView) as unknown as ArrayLike<unknown>;
  throw new InvalidArgumentError(`Expected a list of dimension sizes, got ${shownValue(dims)}`);
}

/** Returns the error for a negative size in a shape whose sizes must be known. */
export function negativeSizeError(size: number): InvalidArgumentError {
  return new InvalidArgumentError(`Expected a non-negative size, got ${size}`);
}

/** Returns a checked copy of a list of sizes. Throws INVALID_ARGUMENT if it is not an array, has more than 254 elements, or holds an
 * invalid size. */
export function checkedSizes(dims: unknown): number[] {
  if (!isArray(dims)) throw new InvalidArgumentError(`Expected an array of dimension sizes, got ${shownValue(dims)}`);
  if (dims.length > kMaxDimensions) throw tooManyDimensionsError(dims.length);
  const sizes: number[] = [];
  for (let d = 0; d < dims.length; d++) sizes.push(checkedSize(dims[d]));
  return sizes;
}

/** Returns the error for a shape that would have more than 254 dimensions. */
export function tooManyDimensionsError(rank: number): InvalidArgumentError {
  return new InvalidArgumentError(`Too many dimensions in tensor: ${rank}, the maximum is ${kMaxDimensions}`);
}

/**
 * Returns the error for a product that is too large. The message has TensorFlow's result: -1, but a product from 2^63 to below 2^64 as the
 * negative number that its bits are as an int64.
 */
export function overflowError(a: number | bigint, b: number | bigint): InvalidArgumentError {
  const product = BigInt(a) * BigInt(b);
  const result = product >> 63n === 1n ? BigInt.asIntN(64, product) : -1n;
  return new InvalidArgumentError(`Encountered overflow when multiplying ${a} with ${b}, result: ${result}`);
}

/**
 * The result of countElements: the count (-1 if a size is unknown), or the two factors of the product that is too large: the first one
 * above 2^63 - 1, where TensorFlow stops, with a bigint, or if there is none, the first one above 2^53 - 1.
 */
export type ElementCount = { readonly count: number } | { readonly factors: readonly [number | bigint, number] };

/**
 * Counts the elements of a shape with these sizes.
 *
 * Sizes are multiplied in order, up to the first unknown size, and no intermediate product may exceed 2^63 - 1, as in TensorFlow:
 * [0, 2^40, 2^40] and [2^40, 2^20, 0] have no elements, [2^40, 2^40, 0] is refused because the overflow comes before the zero.
 * The count itself may not exceed 2^53 - 1.
 */
export function countElements(sizes: readonly number[]): ElementCount {
  let count = 1;
  for (const size of sizes) {
    if (size < 0) return { count: -1 };
    const product = multiplyWithoutOverflow(count, size);
    if (product < 0) return countLarge(sizes) ?? { factors: [count, size] };
    count = product;
  }
  return { count };
}

/**
 * countElements of sizes whose product exceeds 2^53 - 1: the count if a zero or an unknown size comes before 2^63, the factors of a product
 * from 2^63 on, otherwise null.
 */
function countLarge(sizes: readonly number[]): ElementCount | null {
  let product = 1n;
  for (const size of sizes) {
    if (size <= 0) return { count: sizes.some((each) => each < 0) ? -1 : 0 };
    const next = product * BigInt(size);
    if (next >> 63n > 0n) return { factors: [product, size] };
    product = next;
  }
  return null;
}

/** Throws INVALID_ARGUMENT with the factors if the product of the sizes exceeds 2^63 - 1, TensorFlow's limit. */
export function checkInt64Product(sizes: readonly number[]): void {
  const counted = countElements(sizes);
  if ("factors" in counted && typeof counted.factors[0] === "bigint") throw overflowError(counted.factors[0], counted.factors[1]);
}

/** Returns the count of countElements. Throws INVALID_ARGUMENT with the factors if there is none. */
export function checkedCount(sizes: readonly number[]): number {
  const counted = countElements(sizes);
  if ("factors" in counted) throw overflowError(counted.factors[0], counted.factors[1]);
  return counted.count;
}

/** Returns the sizes as TensorFlow prints a shape of known rank, unknown sizes as a question mark: `[2,?,4]`. */
export function sizesString(sizes: Iterable<number | bigint>): string {
  const parts: string[] = [];
  for (const size of sizes) parts.push(size < 0 ? "?" : String(size));
  return `[${parts.join(",")}]`;
}
