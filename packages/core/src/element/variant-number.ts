/**
 * Reads and writes plain numbers in the metadata of a VariantTensorData: the POD case of set_metadata and get_metadata
 * (tensorflow/core/framework/variant_tensor_data.h and variant_encode_decode.h).
 *
 * A number is stored as C++ has it in memory, little-endian, and is read only if the metadata has exactly its size.
 */

import { elementCodec } from "@onebuffer/base";
import { argumentError, checkObject } from "@onebuffer/base/internal";
import { checkVariantData } from "./variant-tensor-data.ts";
import type { VariantTensorData } from "./variant-tensor-data.ts";

/**
 * The C++ types that a Variant can hold as a plain number, each with the JavaScript type of its value.
 *
 * @example
 * const kind: keyof VariantNumbers = "int";
 * new Variant(42, kind).typeName; // => "int"
 */
export interface VariantNumbers {
  int: number;
  float: number;
  double: number;
  bool: boolean;
}

/** The dtype with the same bytes as each of the types. */
const kDType: Readonly<Record<keyof VariantNumbers, "int32" | "float32" | "float64" | "bool">> = {
  int: "int32",
  float: "float32",
  double: "float64",
  bool: "bool",
};

/** Returns true if a type name is that of a plain number. */
export function isVariantNumber(kind: string): kind is keyof VariantNumbers {
  return typeof kind === "string" && Object.hasOwn(kDType, kind);
}

/** Returns the little-endian bytes of a plain number of this C++ type. */
export function encodeVariantNumber(value: number | boolean, kind: keyof VariantNumbers): Uint8Array {
  const codec = elementCodec(kDType[kind]);
  const bytes = new Uint8Array(codec.bytes);
  codec.write(new DataView(bytes.buffer), 0, value as never);
  return bytes;
}

/** Returns the plain number in the bytes, or null if their count is not the type's size. A bool is true if the byte is not 0. */
export function decodeVariantNumber(bytes: Uint8Array, kind: keyof VariantNumbers): number | boolean | null {
  const { buffer, byteOffset, byteLength } = bytes;
  const codec = elementCodec(kDType[kind]);
  return byteLength === codec.bytes ? codec.read(new DataView(buffer, byteOffset, byteLength), 0) : null;
}

/**
 * Returns the plain number in the metadata, or null if the metadata does not have its size (TF: get_metadata of a POD). Quirk: for a
 * bool, any byte other than 0 is true. Throws INVALID_ARGUMENT for an unknown kind.
 *
 * @example
 * const data: VariantTensorData = { typeName: "", metadata: Uint8Array.of(42, 0, 0, 0), tensors: [] };
 * getVariantMetadata(data, "int"); // => 42
 * getVariantMetadata(data, "double"); // => null
 */
export function getVariantMetadata<K extends keyof VariantNumbers>(data: VariantTensorData, kind: K): VariantNumbers[K] | null {
  checkVariantData(data);
  checkKind(kind);
  return decodeVariantNumber(data.metadata, kind) as VariantNumbers[K] | null;
}

/**
 * Sets the metadata to the bytes of a plain number (TF: set_metadata of a POD). A float is rounded to its C++ type. Throws
 * INVALID_ARGUMENT for an unknown kind, a value of another type, or an int outside the range of int32.
 *
 * @example
 * const data = newVariantTensorData();
 * setVariantMetadata(data, 1.5, "float");
 * data.metadata; // => Uint8Array.of(0, 0, 0xc0, 0x3f)
 */
export function setVariantMetadata<K extends keyof VariantNumbers>(data: VariantTensorData, value: VariantNumbers[K], kind: K): void {
  checkObject(data, "variant data");
  checkKind(kind);
  checkNumberOf(kind, value);
  data.metadata = encodeVariantNumber(value, kind);
}

/** Throws INVALID_ARGUMENT unless the value is the type name of a plain number. */
function checkKind(kind: unknown): void {
  if (!isVariantNumber(kind as string)) throw argumentError("int, float, double or bool", kind);
}

/** Throws INVALID_ARGUMENT unless the value has the right type for the kind: an int32, a number or a boolean. */
function checkNumberOf(kind: keyof VariantNumbers, value: unknown): void {
  if (kind === "bool" ? typeof value !== "boolean" : typeof value !== "number") throw argumentError(`a value of type ${kind}`, value);
  if (kind === "int" && (value as number) !== ((value as number) | 0)) throw argumentError("an int32", value);
}
