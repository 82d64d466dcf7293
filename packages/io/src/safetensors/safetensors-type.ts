/**
 * The element types of safetensors (`Dtype` of the reference's lib.rs) and the dtypes of tensors.
 *
 * The order of the table is the reference's. Its writer puts the tensors of the last type first, so that the largest elements come first
 * and all are aligned. F4 and F6 elements are packed without unused bits between them.
 */
import { UnimplementedError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";

/**
 * The name of an element type in a safetensors file.
 *
 * @example
 * const type: SafetensorsType = "BF16";
 * type; // => "BF16"
 */
export type SafetensorsType =
  | "BOOL"
  | "F4"
  | "F6_E2M3"
  | "F6_E3M2"
  | "U8"
  | "I8"
  | "F8_E5M2"
  | "F8_E4M3"
  | "F8_E8M0"
  | "F8_E4M3FNUZ"
  | "F8_E5M2FNUZ"
  | "I16"
  | "U16"
  | "F16"
  | "BF16"
  | "I32"
  | "U32"
  | "F32"
  | "C64"
  | "F64"
  | "I64"
  | "U64";

/**
 * The dtypes that a safetensors file can hold.
 *
 * @example
 * const dtype: SafetensorsDType = "bfloat16";
 * dtype; // => "bfloat16"
 */
export type SafetensorsDType = Extract<
  DType,
  | "bool"
  | "float4_e2m1fn"
  | "uint8"
  | "int8"
  | "float8_e5m2"
  | "float8_e4m3fn"
  | "float8_e4m3fnuz"
  | "float8_e5m2fnuz"
  | "int16"
  | "uint16"
  | "float16"
  | "bfloat16"
  | "int32"
  | "uint32"
  | "float32"
  | "complex64"
  | "float64"
  | "int64"
  | "uint64"
>;

/** The type, the bits of an element, and the dtype. */
const kTypes: readonly (readonly [SafetensorsType, number, SafetensorsDType | undefined])[] = [
  ["BOOL", 8, "bool"],
  ["F4", 4, "float4_e2m1fn"],
  ["F6_E2M3", 6, undefined],
  ["F6_E3M2", 6, undefined],
  ["U8", 8, "uint8"],
  ["I8", 8, "int8"],
  ["F8_E5M2", 8, "float8_e5m2"],
  ["F8_E4M3", 8, "float8_e4m3fn"],
  ["F8_E8M0", 8, undefined],
  ["F8_E4M3FNUZ", 8, "float8_e4m3fnuz"],
  ["F8_E5M2FNUZ", 8, "float8_e5m2fnuz"],
  ["I16", 16, "int16"],
  ["U16", 16, "uint16"],
  ["F16", 16, "float16"],
  ["BF16", 16, "bfloat16"],
  ["I32", 32, "int32"],
  ["U32", 32, "uint32"],
  ["F32", 32, "float32"],
  ["C64", 64, "complex64"],
  ["F64", 64, "float64"],
  ["I64", 64, "int64"],
  ["U64", 64, "uint64"],
];

/** What a reader and a writer need to know of an element type. */
export interface SafetensorsTypeTraits {
  readonly type: SafetensorsType;
  /** The place in the reference's list. */
  readonly order: number;
  /** The bits of an element in the file. */
  readonly bits: number;
  /** The dtype of a tensor of this type, if there is one. */
  readonly dtype: SafetensorsDType | undefined;
}

const kTraits: readonly SafetensorsTypeTraits[] = kTypes.map(([type, bits, dtype], order) => ({ type, order, bits, dtype }));
const kByType: ReadonlyMap<string, SafetensorsTypeTraits> = new Map(kTraits.map((traits) => [traits.type, traits]));
const kByDType: ReadonlyMap<DType | undefined, SafetensorsTypeTraits> = new Map(kTraits.map((traits) => [traits.dtype, traits]));

/** Returns the traits of a type's name, or undefined if there is no such type. */
export function typeTraits(type: string): SafetensorsTypeTraits | undefined {
  return kByType.get(type);
}

/** Returns the traits of the type that holds elements of a dtype. Throws UNIMPLEMENTED if there is none. */
export function traitsOfDType(dtype: DType, name: string): SafetensorsTypeTraits {
  const traits = kByDType.get(dtype);
  if (traits === undefined)
    throw new UnimplementedError(`safetensors: tensor ${shownValue(name)}: ${dtype} has no type in a safetensors file`);
  return traits;
}
