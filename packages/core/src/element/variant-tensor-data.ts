/**
 * VariantTensorData: the encoded form of a Variant's value: a type name, some bytes, and tensors
 * (tensorflow/core/framework/variant_tensor_data.h).
 *
 * It is a plain structural object, not a class. The corresponding message is VariantTensorDataProto (tensor-proto.ts). In this file
 * a tensor is only a handle with `share` and `dispose`, because tensor.ts imports this file.
 */
import { argumentError, isArray, typedArrayKind } from "@onebuffer/base/internal";
import { disposeAll } from "@onebuffer/allocator/internal";
import type { AsProtoOptions, TensorProto } from "./tensor-proto.ts";
import { decodeUtf8 } from "@onebuffer/storage/internal";

/** The methods of a tensor that a Variant uses; Tensor implements them. */
export interface VariantTensor {
  /** `tensorflow::Tensor`, which distinguishes a tensor from other values. */
  readonly typeName: string;
  /** Returns a new handle on the same buffer. */
  share(): VariantTensor;
  /** Releases this handle. */
  dispose(): void;
  /** Returns the text that TensorFlow prints. */
  debugString(): string;
  /** Returns the tensor as a message; with `copy` the message stays valid after the handle is disposed. */
  asProtoField(options?: AsProtoOptions): TensorProto;
}

/**
 * The encoded form of a Variant's value. The owner of the object owns the handles in `tensors`.
 *
 * @example
 * const data: VariantTensorData = { typeName: "int", metadata: new Uint8Array([42, 0, 0, 0]), tensors: [] };
 * decodeUnaryVariant(data)?.get("int"); // => 42
 */
export interface VariantTensorData {
  /** The name of the value's type, under which its decode function is registered. */
  typeName: string;
  /** The bytes that the value's encode wrote, or the bytes of a plain number. */
  metadata: Uint8Array;
  /** Handles owned by this object. */
  tensors: VariantTensor[];
}

/** Throws INVALID_ARGUMENT unless the value has the fields of a VariantTensorData: a name, bytes and tensors. */
export function checkVariantData(data: unknown): void {
  const parts = data as Partial<VariantTensorData> | null | undefined;
  if (typeof parts?.typeName !== "string" || typedArrayKind(parts.metadata) !== "Uint8Array" || !isArray(parts.tensors))
    throw argumentError("variant data: a typeName, metadata and tensors", data);
  for (const tensor of parts.tensors)
    if (typeof (tensor as Partial<VariantTensor> | null | undefined)?.share !== "function")
      throw argumentError("a Tensor in variant data", tensor);
}

/**
 * Returns an empty VariantTensorData, to be filled by an encode method.
 *
 * @example
 * newVariantTensorData(); // => ({ typeName: "", metadata: new Uint8Array(0), tensors: [] })
 */
export function newVariantTensorData(): VariantTensorData {
  return { typeName: "", metadata: new Uint8Array(0), tensors: [] };
}

/**
 * Disposes all tensor handles, even if one of them throws, and empties the list. A second call does nothing.
 *
 * @example
 * const data = newVariantTensorData();
 * disposeVariantTensorData(data);
 */
export function disposeVariantTensorData(data: VariantTensorData): void {
  checkVariantData(data);
  disposeAll(data.tensors.splice(0));
}

/**
 * Returns TensorFlow's DebugString of the data. Metadata that is not UTF-8 is shown in hexadecimal (TF prints the raw bytes).
 *
 * @example
 * variantTensorDataDebugString({ typeName: "int", metadata: new Uint8Array([42]), tensors: [] }); // => "type_name: int metadata: *"
 */
export function variantTensorDataDebugString(data: VariantTensorData): string {
  checkVariantData(data);
  const text = decodeUtf8(data.metadata) ?? Array.from(data.metadata, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const tensors = data.tensors.map((tensor) => ` tensors: ${tensor.debugString()}`);
  return `type_name: ${data.typeName} metadata: ${text}${tensors.join("")}`;
}
