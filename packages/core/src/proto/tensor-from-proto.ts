/**
 * TensorProto to tensor: Tensor::FromProto (tensorflow/core/framework/tensor.cc).
 *
 *     tensor_content [00 00 80 3f …]      exactly as many bytes as the shape needs: a view of them, or one block copy
 *     float_val [1, 2]   shape [4]        1 2 2 2: the last value repeated, zeros if there is none, extra ones ignored
 *
 * The checks are in TensorFlow's order: the shape, the dtype, then the elements; a tensor without elements ignores them. Messages
 * are not trusted: elements are allocated only after the message was checked to contain them. Only a repeated value or zeros can
 * take more memory than the message, and those have a limit.
 */
import type { RawDType } from "@onebuffer/base";
import {
  arraySlots,
  dataTypeString,
  dtypeOf,
  dtypeSize,
  FailedPreconditionError,
  InvalidArgumentError,
  isObjectDType,
  isRefType,
  typedArrayConstructor,
} from "@onebuffer/base";
import { isDataType, kInvalidDataType, shownValue } from "@onebuffer/base/internal";
import { TensorShape } from "@onebuffer/shape";
import { firstBadBool } from "./bool-bytes.ts";
import { isMemoryGone, countCopied } from "@onebuffer/allocator/internal";
import { ForeignBuffer } from "../buffer/foreign-buffer.ts";
import { arrayKind } from "../element/nested-array.ts";
import { objectPartsFromProto, variantTensorDataOf } from "./objects-from-proto.ts";
import { ProtoReading } from "./proto-reading.ts";
import type { FromProtoOptions, TensorOfParts } from "./proto-reading.ts";
import { repeatLast } from "./fill-missing-values.ts";
import type { TensorParts } from "../buffer/shape-and-buffer.ts";
import { allocateFilledParts } from "../buffer/shape-and-buffer.ts";
import type { TensorProto, VariantTensorDataProto } from "../element/tensor-proto.ts";
import { fieldValues, repeatedField, typedFieldOf } from "./tensor-proto-field.ts";
import type { VariantTensorData } from "../element/variant-tensor-data.ts";

/** Returns the parts of the tensor that a message describes; `makeTensor` makes the tensors inside variants. */
export function partsFromProto(proto: TensorProto, options: FromProtoOptions, makeTensor: TensorOfParts): TensorParts {
  return readTensor(proto, new ProtoReading(options, makeTensor, readTensor));
}

/** Returns the variant data that a message describes, with handles that the caller owns. */
export function variantDataFromProto(
  proto: VariantTensorDataProto,
  options: FromProtoOptions,
  makeTensor: TensorOfParts,
): VariantTensorData {
  return variantTensorDataOf(proto, new ProtoReading(options, makeTensor, readTensor));
}

function readTensor(proto: TensorProto, reading: ProtoReading): TensorParts {
  const message: unknown = proto;
  if (typeof message !== "object" || message === null) throw new InvalidArgumentError(`expected a TensorProto, got ${shownValue(message)}`);
  const sizes = proto.tensorShape ?? {};
  TensorShape.isValidShape(sizes);
  const shape = TensorShape.sealed(TensorShape.fromProto(sizes), dataTypeOfProto(proto));
  const dtype = dtypeOf(shape.dataType);
  if (shape.numElements === 0) return { shape, buffer: null };
  const content = contentOf(proto);
  if (isObjectDType(dtype)) return objectPartsFromProto(dtype, shape, proto, content, reading);
  return content === null ? fromField(dtype, shape, proto, reading) : fromContent(dtype, shape, content, reading);
}

/** Returns the dtype's number. Throws INVALID_ARGUMENT for DT_INVALID, REF types and unknown numbers. */
function dataTypeOfProto(proto: TensorProto): number {
  const dataType: unknown = proto.dtype ?? kInvalidDataType;
  if (dataType === kInvalidDataType) throw new InvalidArgumentError("TensorProto.dtype is not set");
  if (!isDataType(dataType) || isRefType(dataType))
    throw new InvalidArgumentError(
      `TensorProto.dtype ${shownValue(dataType)} is not the type of a tensor${typeof dataType === "number" ? `: ${dataTypeString(dataType)}` : ""}`,
    );
  return dataType;
}

/** Returns tensor_content, or null if it is absent or empty. */
function contentOf(proto: TensorProto): Uint8Array | null {
  const content: unknown = proto.tensorContent;
  if (content === undefined || content === null) return null;
  if (arrayKind(content) !== "Uint8Array")
    throw new InvalidArgumentError(`TensorProto.tensorContent must be a Uint8Array, got ${shownValue(content)}`);
  const bytes = content as Uint8Array;
  if (bytes.byteLength > 0) return bytes;
  // A detached array has length 0 and would be read as "all zeros".
  if (isMemoryGone(bytes.buffer, 0)) throw new FailedPreconditionError("TensorProto.tensorContent is detached");
  return null;
}

/** Throws INVALID_ARGUMENT unless every byte is 0 or 1, as bool elements must be. */
function checkBools(content: Uint8Array): void {
  const bad = firstBadBool(content);
  if (bad >= 0) throw new InvalidArgumentError(`TensorProto.tensorContent[${bad}] is ${content[bad]}, a bool element must be 0 or 1`);
}

function fromContent(dtype: RawDType, shape: TensorShape, content: Uint8Array, reading: ProtoReading): TensorParts {
  const size = dtypeSize(dtype);
  const expected = shape.numElements * size;
  if (content.byteLength !== expected)
    throw new InvalidArgumentError(
      `TensorProto.tensorContent has ${content.byteLength} bytes, but ${shape.numElements} elements of ${dtype} in shape ${shape.debugString()} take ${expected}`,
    );
  if (dtype === "bool") checkBools(content);
  const aligned = content.byteOffset % typedArrayConstructor(dtype).BYTES_PER_ELEMENT === 0;
  if (reading.borrows && aligned) return { shape, buffer: new ForeignBuffer(content) };
  const parts = allocateFilledParts(dtype, shape, reading.options);
  parts.buffer?.bytes().set(content);
  countCopied(expected);
  return parts;
}

function fromField(dtype: RawDType, shape: TensorShape, proto: TensorProto, reading: ProtoReading): TensorParts {
  const field = typedFieldOf(dtype);
  const slots = arraySlots(dtype);
  const count = shape.numElements;
  const given = repeatedField(proto, field.name);
  const stored = Math.min(Math.floor(given.length / slots), count);
  const { array, borrowed } = fieldValues(field, given, stored * slots);
  const storage = typedArrayConstructor(dtype) as unknown as { readonly name: string };
  if (stored === count && borrowed && reading.borrows && storage.name === field.array.name)
    return { shape, buffer: new ForeignBuffer(array) };
  const size = dtypeSize(dtype);
  reading.checkSplat(dtype, count, stored, size);
  const parts = allocateFilledParts(dtype, shape, reading.options);
  const buffer = parts.buffer;
  if (buffer === null) return parts;
  const bytes = buffer.bytes();
  if (stored > 0) storeValues(dtype, array, buffer.typedArray(dtype), bytes);
  repeatLast(bytes, size, stored, count);
  countCopied(stored * size);
  return parts;
}

/** A typed array of numbers or of bigints. */
interface AnyArray {
  readonly buffer: ArrayBufferLike;
  readonly length: number;
  set(values: ArrayLike<unknown>): void;
}

/** Stores field values as elements. Setting a typed array truncates wider integers to their low bits, which is TensorFlow's rule. */
function storeValues(dtype: RawDType, values: unknown, elements: unknown, bytes: Uint8Array): void {
  if (elements !== null) {
    (elements as AnyArray).set(values as ArrayLike<unknown>);
    return;
  }
  // The allocator returned an address that is not aligned for a typed array of elements, so the bytes are copied.
  const between = new (typedArrayConstructor(dtype))((values as AnyArray).length) as AnyArray;
  between.set(values as ArrayLike<unknown>);
  bytes.set(new Uint8Array(between.buffer));
}
