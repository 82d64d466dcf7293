/**
 * Reads string, resource and variant elements from a TensorProto (in TensorFlow: the ProtoHelper templates of
 * tensorflow/core/framework/tensor.cc and DecodeUnaryVariant of variant_op_registry.h).
 *
 * If a message has fewer elements than the shape, the last string is repeated, as for numbers; missing handles and variants are
 * empty. In tensor_content the elements are a string list; the strings of handles and variants are serialized messages. If an
 * element cannot be read, the buffer with all earlier elements is freed.
 */
import type { ObjectDType } from "@onebuffer/base";
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { TensorShape } from "@onebuffer/shape";
import { countCopied } from "@onebuffer/allocator/internal";
import { messageBytes } from "../element/message-bytes.ts";
import { arrayKind } from "../element/nested-array.ts";
import { elementLifecycle } from "../element/object-elements.ts";
import type { ProtoReading } from "./proto-reading.ts";
import { within } from "./proto-reading.ts";
import type { ResourceHandleProto } from "../element/resource-handle.ts";
import { ResourceHandle } from "../element/resource-handle.ts";
import { decodeStringList } from "./string-list.ts";
import type { TensorParts } from "../buffer/shape-and-buffer.ts";
import { allocateFilledParts } from "../buffer/shape-and-buffer.ts";
import type { TensorProto, VariantTensorDataProto } from "../element/tensor-proto.ts";
import { repeatedField } from "./tensor-proto-field.ts";
import { elementSizeOf } from "../buffer/typed-allocator.ts";
import { UnknownVariant } from "../element/unknown-variant.ts";
import { decodeUnaryVariant, hasUnaryVariantDecodeFunction, Variant } from "../element/variant.ts";
import type { VariantTensorData } from "../element/variant-tensor-data.ts";
import { disposeVariantTensorData } from "../element/variant-tensor-data.ts";

/** The typed field of each object dtype. */
const kField: { readonly [D in ObjectDType]: keyof TensorProto } = {
  string: "stringVal",
  resource: "resourceHandleVal",
  variant: "variantVal",
};

/** Returns the parts of a tensor of JavaScript values, read from `content` or, if that is null, from the typed field. */
export function objectPartsFromProto(
  dtype: ObjectDType,
  shape: TensorShape,
  proto: TensorProto,
  content: Uint8Array | null,
  reading: ProtoReading,
): TensorParts {
  const count = shape.numElements;
  const name = content === null ? kField[dtype] : "tensorContent";
  const values = content === null ? repeatedField(proto, name) : decodeStringList(content, count);
  const stored = Math.min(values.length, count);
  reading.checkSplat(dtype, count, stored, elementSizeOf(dtype));
  const parts = allocateFilledParts(dtype, shape, reading.options);
  let done = false;
  try {
    const elements = parts.buffer?.elements;
    if (elements === null || elements === undefined)
      throw new FailedPreconditionError(`an allocator of opaque handles cannot hold elements of ${dtype}`);
    const read = kRead[dtype];
    const { destroy } = elementLifecycle(dtype);
    for (let i = 0; i < stored; i += 1) {
      const element = within(`TensorProto.${name}[${i}]`, () => read(values[i], content !== null, reading));
      const fresh = elements[i];
      elements[i] = element;
      destroy(fresh);
    }
    // All missing strings share one array. Elements are never changed in place, and a copy of a long string for each missing element
    // could take any amount of memory.
    if (dtype === "string" && stored > 0) elements.fill(elements[stored - 1], stored);
    done = true;
  } finally {
    if (!done) parts.buffer?.unref();
  }
  return parts;
}

/** Reads one element from a value of the typed field, or from its bytes in tensor_content if `isBytes` is true. */
type ReadElement = (value: unknown, isBytes: boolean, reading: ProtoReading) => unknown;

/** The function that reads an element of each object dtype. */
const kRead: { readonly [D in ObjectDType]: ReadElement } = {
  string: readString,
  resource: (value, isBytes) =>
    ResourceHandle.fromProto(
      isBytes ? messageBytes("the content of a resource tensor").decodeResourceHandle(value as Uint8Array) : (value as ResourceHandleProto),
    ),
  variant: (value, isBytes, reading) =>
    readVariant(
      isBytes
        ? messageBytes("the content of a variant tensor").decodeVariantTensorData(value as Uint8Array)
        : (value as VariantTensorDataProto),
      reading,
    ),
};

/** Returns a copy of a string's bytes. Throws INVALID_ARGUMENT if `value` is not a Uint8Array. */
function readString(value: unknown): Uint8Array {
  if (arrayKind(value) !== "Uint8Array") throw new InvalidArgumentError(`expected bytes, got ${shownValue(value)}`);
  const bytes = value as Uint8Array;
  countCopied(bytes.byteLength);
  return new Uint8Array(bytes);
}

/**
 * Returns the Variant that a message describes. The decode function registered for its type name reads it. If there is none, the
 * result is an UnknownVariant if the options allow it; otherwise throws INVALID_ARGUMENT.
 */
function readVariant(proto: VariantTensorDataProto, reading: ProtoReading): Variant {
  const data = variantTensorDataOf(proto, reading);
  try {
    const variant = decodeUnaryVariant(data);
    if (variant !== null) return variant;
    const { typeName } = data;
    if (typeName === "")
      throw new InvalidArgumentError(
        `a variant without a type name holds ${data.metadata.byteLength} bytes and ${data.tensors.length} tensors`,
      );
    if (hasUnaryVariantDecodeFunction(typeName))
      throw new InvalidArgumentError(
        `no variant of type ${shownValue(typeName)} can be read from ${data.metadata.byteLength} bytes and ${data.tensors.length} tensors`,
      );
    if (!reading.keepsUnknown)
      throw new InvalidArgumentError(
        `no decode function is registered for variants of type ${shownValue(typeName)}; unknownVariants: "bytes" keeps them`,
      );
    const kept = new Variant();
    kept.emplace(new UnknownVariant(data));
    return kept;
  } finally {
    disposeVariantTensorData(data);
  }
}

/**
 * Returns the VariantTensorData that a message describes (TF: VariantTensorData::FromProto). The caller owns its tensors. Throws
 * INVALID_ARGUMENT if a field has a wrong type or a tensor cannot be read; the tensors read before are then disposed. Does not copy
 * the metadata.
 */
export function variantTensorDataOf(proto: VariantTensorDataProto, reading: ProtoReading): VariantTensorData {
  const message: unknown = proto;
  if (typeof message !== "object" || message === null)
    throw new InvalidArgumentError(`expected a VariantTensorDataProto, got ${shownValue(message)}`);
  const { typeName = "", metadata = new Uint8Array(0), tensors = [] } = proto;
  if (typeof typeName !== "string") throw new InvalidArgumentError(`typeName must be a string, got ${shownValue(typeName)}`);
  if (arrayKind(metadata) !== "Uint8Array") throw new InvalidArgumentError(`metadata must be a Uint8Array, got ${shownValue(metadata)}`);
  if (!Array.isArray(tensors)) throw new InvalidArgumentError(`tensors must be an array, got ${shownValue(tensors)}`);
  const data: VariantTensorData = { typeName, metadata, tensors: [] };
  let done = false;
  try {
    for (const [i, tensor] of (tensors as readonly TensorProto[]).entries())
      data.tensors.push(within(`tensors[${i}]`, () => reading.tensor(tensor)));
    done = true;
  } finally {
    if (!done) disposeVariantTensorData(data);
  }
  return data;
}
