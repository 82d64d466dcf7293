/**
 * VariantTensorData: the plain form a Variant's value is written into and read from
 * (tensorflow/core/framework/variant_tensor_data.h): a type name, some bytes, and tensors.
 *
 * Plain structural objects, no class; as messages they are VariantTensorDataProto (variant-tensor-data-proto.ts). The tensors are known here
 * only as handles that can be shared and let go, because Tensor itself stands above this file.
 */
import { argumentError, isArray, typedArrayKind } from "@onebuffer/base";
import { disposeAll } from "@onebuffer/allocator/internal";
import type { AsProtoOptions, TensorProto } from "./tensor-proto.ts";
import { decodeUtf8 } from "./utf8.ts";

/** What a Variant needs of a tensor it holds or encodes: Tensor has all of it. */
export interface VariantTensor {
  /** `tensorflow::Tensor`: what tells a tensor from other values. */
  readonly typeName: string;
  /** A second handle on the same buffer. */
  share(): VariantTensor;
  /** Lets this handle go. */
  dispose(): void;
  /** The text TensorFlow shows. */
  debugString(): string;
  /** The tensor as a message; with `copy` one that stays right when the handle is let go. */
  asProtoField(options?: AsProtoOptions): TensorProto;
}

/**
 * A value taken apart. Whoever holds the object owns the handles in `tensors`.
 *
 * @example
 * const data: VariantTensorData = { typeName: "int", metadata: new Uint8Array([42, 0, 0, 0]), tensors: [] };
 * decodeUnaryVariant(data)?.get("int"); // => 42
 */
export interface VariantTensorData {
  /** The name a decode function is registered under. */
  typeName: string;
  /** Whatever the value's encode wrote; the bytes of a plain number. */
  metadata: Uint8Array;
  /** Handles owned by this object. */
  tensors: VariantTensor[];
}

/** Throws INVALID_ARGUMENT unless the value has the parts of a VariantTensorData: a name, bytes, tensors. */
export function checkVariantData(data: unknown): void {
  const parts = data as Partial<VariantTensorData> | null | undefined;
  if (typeof parts?.typeName !== "string" || typedArrayKind(parts.metadata) !== "Uint8Array" || !isArray(parts.tensors))
    throw argumentError("variant data: a typeName, metadata and tensors", data);
  for (const tensor of parts.tensors)
    if (typeof (tensor as Partial<VariantTensor> | null | undefined)?.share !== "function")
      throw argumentError("a Tensor in variant data", tensor);
}

/**
 * An empty VariantTensorData, for an encode to fill.
 *
 * @example
 * newVariantTensorData(); // => ({ typeName: "", metadata: new Uint8Array(0), tensors: [] })
 */
export function newVariantTensorData(): VariantTensorData {
  return { typeName: "", metadata: new Uint8Array(0), tensors: [] };
}

/**
 * Lets go of the tensor handles, all of them even if one throws. Calling it again does nothing.
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
 * TensorFlow's DebugString of the data. Metadata that is not UTF-8 is shown as hexadecimal (TF prints the raw bytes).
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
