/**
 * Plain numbers in a VariantTensorData's metadata: the POD case of set_metadata and get_metadata
 * (tensorflow/core/framework/variant_tensor_data.h and variant_encode_decode.h).
 *
 * A number stands there as C++ has it in memory, little-endian, and is read back only from exactly as many bytes.
 */

import { argumentError, checkObject } from "@onebuffer/base";
import { checkVariantData } from "./variant-tensor-data.ts";
import type { VariantTensorData } from "./variant-tensor-data.ts";

/**
 * The C++ types a JavaScript number or boolean can stand for, with the type a reader gets.
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

const kSize: Readonly<Record<keyof VariantNumbers, number>> = { int: 4, float: 4, double: 8, bool: 1 };

/** Whether a type name is one of the plain numbers'. */
export function isVariantNumber(kind: string): kind is keyof VariantNumbers {
  return typeof kind === "string" && Object.hasOwn(kSize, kind);
}

/** Throws INVALID_ARGUMENT unless the value names a plain number's type. */
function checkKind(kind: unknown): void {
  if (!isVariantNumber(kind as string)) throw argumentError("int, float, double or bool", kind);
}

/** Throws INVALID_ARGUMENT unless the value is of the kind: an int32, a number or a boolean. */
function checkNumberOf(kind: keyof VariantNumbers, value: unknown): void {
  if (kind === "bool" ? typeof value !== "boolean" : typeof value !== "number") throw argumentError(`a value of type ${kind}`, value);
  if (kind === "int" && (value as number) !== ((value as number) | 0)) throw argumentError("an int32", value);
}

/** The bytes of a plain number as C++ lays it out in memory. */
export function encodeVariantNumber(value: number | boolean, kind: keyof VariantNumbers): Uint8Array {
  const bytes = new Uint8Array(kSize[kind]);
  const view = new DataView(bytes.buffer);
  if (kind === "int") view.setInt32(0, Number(value), true);
  else if (kind === "float") view.setFloat32(0, Number(value), true);
  else if (kind === "double") view.setFloat64(0, Number(value), true);
  else view.setUint8(0, value === true ? 1 : 0);
  return bytes;
}

/** A plain number from exactly as many bytes as its type has, otherwise null; any non-zero byte is true. */
export function decodeVariantNumber(bytes: Uint8Array, kind: keyof VariantNumbers): number | boolean | null {
  if (bytes.byteLength !== kSize[kind]) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (kind === "int") return view.getInt32(0, true);
  if (kind === "float") return view.getFloat32(0, true);
  if (kind === "double") return view.getFloat64(0, true);
  return view.getUint8(0) !== 0;
}

/**
 * The plain number in the metadata, or null when it has another size (TF: get_metadata of a POD). Quirk: any byte
 * other than 0 is true.
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
 * Makes a plain number the metadata (TF: set_metadata of a POD); it is cut to its C++ type as a typed array would.
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
