/**
 * Converts a tensor to a TensorProto (in TensorFlow: Tensor::AsProtoField and AsProtoTensorContent of
 * tensorflow/core/framework/tensor.cc).
 *
 *     asProtoField          the elements as numbers, strings or messages in the typed field of the dtype
 *     asProtoTensorContent  the elements as bytes in tensor_content: for numbers as in memory, little-endian
 *
 * All elements are written; tensor/compress-tensor-proto.ts shortens a message. The message of a tensor without a buffer has only
 * dtype and shape. If the elements need no conversion, the message's array is a view of the tensor.
 */
import type { RawDType, TypedArray } from "@onebuffer/base";
import {
  dataTypeSize,
  dtypeOf,
  FailedPreconditionError,
  InvalidArgumentError,
  isObjectDType,
  typedArrayConstructor,
} from "@onebuffer/base";
import { isSmallDType, smallCodec } from "@onebuffer/base/internal";
import { withHiddenOwner } from "@onebuffer/storage/internal";
import { countCopied } from "@onebuffer/allocator/internal";
import { messageBytes } from "../element/message-bytes.ts";
import type { ResourceHandle } from "../element/resource-handle.ts";
import { encodeStringList } from "./string-list.ts";
import type { TensorParts } from "../buffer/shape-and-buffer.ts";
import type { AsProtoOptions, TensorProto, VariantTensorDataProto } from "../element/tensor-proto.ts";
import { typedFieldOf } from "./tensor-proto-field.ts";
import type { Variant } from "../element/variant.ts";
import { encodeVariant } from "../element/variant.ts";
import type { VariantTensorData } from "../element/variant-tensor-data.ts";
import { checkVariantData, disposeVariantTensorData } from "../element/variant-tensor-data.ts";

/** Returns a message with dtype and shape only. The shape is present even for a scalar. */
function headOf({ shape }: TensorParts): TensorProto {
  return { dtype: shape.dataType, tensorShape: shape.asProto() };
}

/** Returns true if there are elements to write. */
function hasElements({ shape, buffer }: TensorParts): boolean {
  return buffer?.hasData === true && shape.numElements > 0;
}

/** Returns the message of a tensor with its elements in the typed field (TF: Tensor::AsProtoField). */
export function asProtoFieldOf(parts: TensorParts, { copy = false }: AsProtoOptions): TensorProto {
  const proto = headOf(parts);
  if (!hasElements(parts)) return proto;
  const dtype = dtypeOf(parts.shape.dataType);
  if (dtype === "string") proto.stringVal = elementsOf<Uint8Array>(parts).map((bytes) => (copy ? copied(bytes) : bytes));
  else if (dtype === "resource") proto.resourceHandleVal = elementsOf<ResourceHandle>(parts).map((handle) => handle.asProto());
  else if (dtype === "variant") proto.variantVal = elementsOf<Variant>(parts).map(variantAsProto);
  else (proto as Record<string, unknown>)[typedFieldOf(dtype).name] = ownedField(parts, dtype, copy);
  return proto;
}

/** Returns the message of a tensor with its elements in tensor_content (TF: Tensor::AsProtoTensorContent). */
export function asProtoTensorContentOf(parts: TensorParts, { copy = false }: AsProtoOptions): TensorProto {
  const proto = headOf(parts);
  if (!hasElements(parts)) return proto;
  const dtype = dtypeOf(parts.shape.dataType);
  if (isObjectDType(dtype)) proto.tensorContent = encodeStringList(serialized(parts));
  else {
    const bytes = bytesOf(parts);
    proto.tensorContent = copy ? copied(bytes) : bytes;
  }
  return proto;
}

/** Returns a copy of bytes, which bytesCopied counts. */
function copied(bytes: Uint8Array): Uint8Array {
  countCopied(bytes.byteLength);
  return new Uint8Array(bytes);
}

/** Returns a view of exactly the elements' bytes. The view keeps the memory alive. */
function bytesOf({ shape, buffer }: TensorParts): Uint8Array {
  if (buffer === null) return new Uint8Array(0);
  const bytes = buffer.bytes();
  const size = shape.numElements * dataTypeSize(shape.dataType);
  return withHiddenOwner(bytes.byteLength === size ? bytes : bytes.subarray(0, size), buffer.owner);
}

/** Returns the elements in the field's array type. If the array is a view, it keeps the memory alive. */
function ownedField(parts: TensorParts, dtype: RawDType, copy: boolean): TypedArray {
  const bytes = bytesOf(parts);
  const array = fieldArray(dtype, bytes, copy);
  return parts.buffer !== null && array.buffer === bytes.buffer ? withHiddenOwner(array, parts.buffer.owner) : array;
}

/** Returns a list of the elements of an object dtype. The buffer still owns them. */
function elementsOf<E>({ shape, buffer }: TensorParts): E[] {
  const elements = buffer?.elements;
  if (buffer === null || elements === null || elements === undefined)
    throw new FailedPreconditionError("the elements of this tensor are not in host memory");
  return elements.slice(buffer.elementOffset, buffer.elementOffset + shape.numElements) as E[];
}

/** Returns the elements of an object dtype as the byte strings that tensor_content consists of. */
function serialized(parts: TensorParts): Uint8Array[] {
  const dtype = dtypeOf(parts.shape.dataType);
  if (dtype === "string") return elementsOf<Uint8Array>(parts);
  if (dtype === "resource") {
    const codecs = messageBytes("the content of a resource tensor");
    // Quirk fixed: TensorFlow repeats in each handle the dtypes and shapes of all handles before it.
    return elementsOf<ResourceHandle>(parts).map((handle) => codecs.encodeResourceHandle(handle.asProto()));
  }
  const codecs = messageBytes("the content of a variant tensor");
  return elementsOf<Variant>(parts).map((variant) => codecs.encodeVariantTensorData(variantAsProto(variant)));
}

/** Returns the elements in the field's array type: a view of `bytes` if no conversion is needed and `copy` is false. */
export function fieldArray(dtype: RawDType, bytes: Uint8Array, copy: boolean): TypedArray {
  const stored = typedArrayConstructor(dtype);
  const { array: wanted } = typedFieldOf(dtype);
  const size = stored.BYTES_PER_ELEMENT;
  const converts = (stored as unknown as { readonly name: string }).name !== wanted.name;
  const moves = bytes.byteOffset % size !== 0 || (copy && !converts);
  const held = moves ? copied(bytes) : bytes;
  const elements = new stored(held.buffer, held.byteOffset, held.byteLength / size) as TypedArray;
  if (!converts) return elements;
  countCopied(bytes.byteLength);
  // Narrower than a byte: the bits above the element's are ignored.
  const narrow = isSmallDType(dtype) ? smallCodec(dtype)[0] : undefined;
  const from = elements as ArrayLike<number>;
  const field = new wanted(from.length) as Int32Array;
  if (narrow === undefined) field.set(from);
  else for (let i = 0; i < from.length; i += 1) field[i] = narrow(from[i] as number);
  return field;
}

/** The maximum depth of variants in tensors in variants. It stops the conversion of a variant that contains itself. */
const kMaxDepth = 100;
/** The depth of the current conversion. */
let depth = 0;

/** Returns a Variant as a message. Throws INVALID_ARGUMENT if it is nested too deeply. */
function variantAsProto(variant: Variant): VariantTensorDataProto {
  if (depth >= kMaxDepth) throw new InvalidArgumentError(`variants in tensors in variants may nest at most ${kMaxDepth} levels deep`);
  depth += 1;
  try {
    const data = encodeVariant(variant);
    try {
      return dataAsProto(data);
    } finally {
      disposeVariantTensorData(data);
    }
  } finally {
    depth -= 1;
  }
}

/**
 * Returns the message of a VariantTensorData (TF: VariantTensorData::ToProto). Copies the elements of the tensors, because callers
 * dispose the handles while the message is still in use. Does not copy the metadata.
 */
export function dataAsProto(data: VariantTensorData): VariantTensorDataProto {
  checkVariantData(data);
  const { typeName, metadata, tensors } = data;
  return { typeName, metadata, tensors: tensors.map((tensor) => tensor.asProtoField({ copy: true })) };
}
