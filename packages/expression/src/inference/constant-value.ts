/**
 * Converts plain values to elements of a dtype: the values that `a.add(2)` and `constant` store in the tree (TensorFlow's
 * convert_to_tensor for a Python number and a known dtype).
 *
 * A number for a float dtype is rounded to that dtype at once, so that every evaluator sees the same number. An integer dtype takes
 * only integers within its range: tf.constant(300, tf.uint8) fails in TensorFlow too.
 */
import {
  InvalidArgumentError,
  bfloat16ToFloat,
  elementCodec,
  floatToBfloat16,
  floatToHalf,
  halfToFloat,
  isRawDType,
} from "@onebuffer/base";
import { dtypeRows, dtypesOfClass, isArray, shownValue, smallCodec } from "@onebuffer/base/internal";
import type { SmallDType } from "@onebuffer/base/internal";
import type { Complex, DType, ElementOf, RawDType } from "@onebuffer/base";
import { isComplex } from "@onebuffer/storage/internal";
import { isBig, isComplexDType, isFloat } from "../tree/dtype-groups.ts";

/** The lowest and highest element of every integer dtype, including the narrow and the quantized ones. */
const integerRanges: ReadonlyMap<DType, readonly [low: bigint, high: bigint]> = new Map([
  ...dtypesOfClass("int", "smallInt", "qint").map((dtype) => [dtype, signedRange(BigInt(dtypeRows[dtype].bits))] as const),
  ...dtypesOfClass("uint", "smallUint", "quint").map((dtype) => [dtype, [0n, 2n ** BigInt(dtypeRows[dtype].bits) - 1n]] as const),
]);

function signedRange(bits: bigint): readonly [low: bigint, high: bigint] {
  return [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}

/** Returns the lowest and highest element of an integer dtype; null for other dtypes. */
export function integerRange(dtype: DType): readonly [low: bigint, high: bigint] | null {
  return integerRanges.get(dtype) ?? null;
}

/** Returns `value` rounded to a float dtype, as storing and reading it would. */
export function roundToFloat(dtype: DType, value: number): number {
  switch (dtype) {
    case "float64":
      return value;
    case "float32":
      return Math.fround(value);
    case "float16":
      return halfToFloat(floatToHalf(value));
    case "bfloat16":
      return bfloat16ToFloat(floatToBfloat16(value));
    default: {
      const [decode, encode] = smallCodec(dtype as SmallDType);
      return decode(encode(value));
    }
  }
}

/**
 * Returns `value` as an element of `dtype`. `what` names the call in error messages.
 *
 * Throws INVALID_ARGUMENT if `value` is not an element of `dtype`: for an integer dtype a fraction, a value out of range or a number that
 * is not a safe integer; for bool a number. Also throws it if `dtype` is not stored as bytes.
 */
export function constantValue(what: string, dtype: DType, value: unknown): ElementOf<RawDType> {
  // Fast path for the most frequent constants.
  if (typeof value === "number") {
    if (dtype === "float32") return Math.fround(value);
    if (dtype === "float64") return value;
    if (dtype === "int32" && (value | 0) === value) return value | 0;
  }
  if (!isRawDType(dtype)) throw new InvalidArgumentError(`${what}: constants of dtype ${shownValue(dtype)} are not supported`);
  const range = integerRange(dtype);
  const element = range === null ? otherElement(dtype, value) : integerElement(dtype, range, value);
  if (element === null)
    throw new InvalidArgumentError(`${what}: ${shownValue(value)} is not an element of dtype ${dtype}${arrayHint(value)}`);
  return element;
}

/** Returns the end of a message about an array in place of an operand: how to make an operand of it. Empty for other values. */
export function arrayHint(value: unknown): string {
  if (isArray(value)) return "; Tensor.from(array) makes an operand of it";
  return ArrayBuffer.isView(value) ? "; Tensor.wrap(array, shape) makes an operand of it" : "";
}

/** Returns a value as an element of an integer dtype, or null if it is not an integer within the range. */
function integerElement(dtype: RawDType, [low, high]: readonly [bigint, bigint], value: unknown): number | bigint | null {
  const exact = typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value));
  if (!exact) return null;
  const big = BigInt(value);
  if (big < low || big > high) return null;
  return isBig(dtype) ? big : Number(big);
}

/** Returns a value as an element of a bool, complex or float dtype, or null if it has the wrong type. */
function otherElement(dtype: RawDType, value: unknown): number | boolean | Complex | null {
  if (dtype === "bool") return typeof value === "boolean" ? value : null;
  if (isComplexDType(dtype)) {
    const pair = typeof value === "number" ? ([value, 0] as const) : value;
    return isComplex(pair) ? (throughBytes(dtype, pair) as Complex) : null;
  }
  if (typeof value !== "number") return null;
  return isFloat(dtype) ? roundToFloat(dtype, value) : (throughBytes(dtype, value) as number);
}

/** Returns `value` as it reads back after being stored as an element of `dtype`. */
function throughBytes(dtype: RawDType, value: number | Complex): ElementOf<RawDType> {
  const codec = elementCodec(dtype);
  const view = new DataView(new ArrayBuffer(codec.bytes));
  codec.write(view, 0, value as never);
  return codec.read(view, 0);
}
