/**
 * compressTensorProtoInPlace: makes a tensor's message smaller (CompressTensorProtoInPlace in
 * tensorflow/core/framework/tensor_util.cc).
 *
 *     int_val [5, 7, 7, 7, 7 …]       becomes int_val [5, 7]; a reader repeats the last value
 *     tensor_content [0, 0, 0 …]      becomes nothing; a reader fills with zeros
 *     int_val [1, 2, 3 …] of int8     becomes tensor_content, a byte each instead of four
 *
 * TensorFlow's arithmetic decides whether a message is compressed, including its odd count of complex values. The result reads as
 * exactly the bits of the original; TensorFlow's own code changes some values (comments below name each case).
 */
import type { DType, RawDType, TypedArray } from "@onebuffer/base";
import { arraySlots, dtypeOf, dtypeSize, InvalidArgumentError, isObjectDType, typedArrayConstructor } from "@onebuffer/base";
import { checkObject, isSmallDType, shownValue } from "@onebuffer/base/internal";
import { TensorShape } from "@onebuffer/shape";
import { firstBadBool } from "../proto/bool-bytes.ts";
import { repeatLast } from "../proto/fill-missing-values.ts";
import { fieldArray } from "../proto/tensor-as-proto.ts";
import type { TensorProto } from "../element/tensor-proto.ts";
import { fieldValues, repeatedField, typedFieldOf } from "../proto/tensor-proto-field.ts";

/** Returns true if TensorFlow compresses the dtype: all but object, float8, 2-bit and 4-bit dtypes. */
function isCompressible(dtype: DType): dtype is RawDType {
  return !isObjectDType(dtype) && !isSmallDType(dtype);
}

/** Returns the dtype of a message that can be compressed; null for all other numbers, valid or not, whose messages stay unchanged. */
function compressibleOf(dataType: number | undefined): RawDType | null {
  if (dataType === undefined || !Number.isInteger(dataType) || dataType < 1 || dataType > 100) return null;
  try {
    const dtype = dtypeOf(dataType);
    return isCompressible(dtype) ? dtype : null;
  } catch {
    return null;
  }
}

/** Returns the most bytes the smaller form may have: the quotient in single precision, truncated to an integer. */
function allowedBytes(bytes: number, ratio: number): number {
  return Math.floor(Math.fround(Math.fround(bytes) / Math.fround(ratio)));
}

/**
 * Makes `proto` smaller by at least the ratio if that is possible; returns true if it did. Strings, handles, variants, float8,
 * float4 and 2- and 4-bit integers are left unchanged, as are tensors of fewer elements and messages whose content has the wrong
 * size.
 *
 * Throws INVALID_ARGUMENT for an invalid shape (TensorFlow aborts), a ratio that is not above 0, and values that the field cannot
 * hold.
 *
 * @example
 * const proto: TensorProto = { dtype: 1, tensorShape: { dim: [{ size: 100 }] }, floatVal: new Float32Array(100).fill(42) };
 * compressTensorProtoInPlace(proto); // => true
 * proto.floatVal; // => Float32Array.of(42)
 * compressTensorProtoInPlace(proto); // => false
 */
export function compressTensorProtoInPlace(proto: TensorProto, minNumElements: number = 64, minCompressionRatio: number = 2): boolean {
  if (typeof minNumElements !== "number" || typeof minCompressionRatio !== "number" || !(minNumElements >= 0) || !(minCompressionRatio > 0))
    throw new InvalidArgumentError(
      `expected a count and a ratio above 0, got ${shownValue(minNumElements)} and ${shownValue(minCompressionRatio)}`,
    );
  checkObject(proto, "a TensorProto");
  const dtype = compressibleOf(proto.dtype);
  if (dtype === null) return false;
  const sizes = proto.tensorShape ?? {};
  TensorShape.isValidShape(sizes);
  const count = TensorShape.fromProto(sizes).numElements;
  if (count < minNumElements || count === 0) return false;
  const { tensorContent } = proto;
  return tensorContent !== undefined && tensorContent.byteLength > 0
    ? compressContent(proto, dtype, count, tensorContent, minCompressionRatio)
    : compressField(proto, dtype, count, minCompressionRatio);
}

/** Returns the words of an array's memory, to compare by bits: a NaN equals the same NaN, and -0 differs from 0. */
function wordsOf({ buffer, byteOffset, byteLength, BYTES_PER_ELEMENT }: TypedArray): Uint8Array | Uint32Array {
  return BYTES_PER_ELEMENT === 1
    ? new Uint8Array(buffer, byteOffset, byteLength)
    : new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT);
}

/** Returns the index of the first group of `step` words from which on all groups equal the last one. */
function lengthBeforeTail(words: Uint8Array | Uint32Array, step: number): number {
  for (let at = words.length - step - 1; at >= 0; at -= 1) if (words[at] !== words[at + step]) return Math.floor(at / step) + 1;
  return 0;
}

function compressField(proto: TensorProto, dtype: RawDType, count: number, ratio: number): boolean {
  const field = typedFieldOf(dtype);
  const slots = arraySlots(dtype);
  const given = repeatedField(proto, field.name);
  // Readers ignore values beyond the element count (TensorFlow writes past a buffer here).
  const stored = Math.min(Math.floor(given.length / slots), count);
  if (stored === 0) return false;
  const { array } = fieldValues(field, given, stored * slots);
  const words = wordsOf(array);
  const step = words.length / stored;
  const head = lengthBeforeTail(words, step);
  // Compared by bits, so that -0 stays; TensorFlow compares float16 and bfloat16 by value and confuses the two zeros.
  if (head === 0 && words.subarray(words.length - step).every((word) => word === 0)) {
    proto[field.name] = undefined;
    return true;
  }
  const valueSize = field.array.BYTES_PER_ELEMENT;
  const kept = head + 1;
  const asField = kept * valueSize;
  const asContent = count * dtypeSize(dtype);
  const before = Math.floor(given.length / slots) * valueSize;
  if (Math.min(asField, asContent) > allowedBytes(before, ratio)) return false;
  if (asField <= asContent) (proto as Record<string, unknown>)[field.name] = array.slice(0, kept * slots);
  else {
    proto.tensorContent = contentOf(dtype, array, stored, count);
    proto[field.name] = undefined;
  }
  return true;
}

/** Returns all elements as bytes. Missing ones repeat the last, as readers do (TensorFlow writes zeros). */
function contentOf(dtype: RawDType, values: TypedArray, stored: number, count: number): Uint8Array {
  const size = dtypeSize(dtype);
  const content = new Uint8Array(count * size);
  const elements = new (typedArrayConstructor(dtype))(content.buffer) as unknown as { set(values: unknown): void };
  elements.set(values);
  repeatLast(content, size, stored, count);
  return content;
}

function compressContent(proto: TensorProto, dtype: RawDType, count: number, content: Uint8Array, ratio: number): boolean {
  const size = dtypeSize(dtype);
  if (content.byteLength !== count * size) return false;
  // Readers refuse such bytes; a typed field would turn them into valid values.
  if (dtype === "bool" && firstBadBool(content) >= 0) return false;
  const kept = lengthBeforeTail(content, size) + 1;
  // Compared by bits: TensorFlow treats -0 as 0 here and loses its sign.
  if (kept === 1 && content.subarray(0, size).every((byte) => byte === 0)) {
    proto.tensorContent = undefined;
    return true;
  }
  const field = typedFieldOf(dtype);
  if (kept * arraySlots(dtype) * field.array.BYTES_PER_ELEMENT > allowedBytes(content.byteLength, ratio)) return false;
  (proto as Record<string, unknown>)[field.name] = fieldArray(dtype, content.subarray(0, kept * size), true);
  proto.tensorContent = undefined;
  return true;
}
