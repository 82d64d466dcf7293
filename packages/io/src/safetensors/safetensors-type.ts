/**
 * The element types of safetensors (`Dtype` of the reference's lib.rs) and the dtypes of tensors.
 *
 * The order of the table is the reference's. Its writer puts the tensors of the last type first, so that the largest elements come first
 * and all are aligned. F4 and F6 elements are packed without unused bits between them.
 */
import { UnimplementedError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { dtypeRows, shownValue } from "@onebuffer/base/internal";
import type { DTypesWhere } from "@onebuffer/base/internal";

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
 * The dtypes that a safetensors file can hold: bool, integers and floats of 8 to 64 bits but float8_e4m3b11fnuz, float4 and complex64.
 *
 * @example
 * const dtype: SafetensorsDType = "bfloat16";
 * dtype; // => "bfloat16"
 */
export type SafetensorsDType = DTypesWhere<"safetensors", string>;

/** The types in the reference's order, and the bits of an element. */
const kTypes: readonly (readonly [SafetensorsType, number])[] = [
  ["BOOL", 8],
  ["F4", 4],
  ["F6_E2M3", 6],
  ["F6_E3M2", 6],
  ["U8", 8],
  ["I8", 8],
  ["F8_E5M2", 8],
  ["F8_E4M3", 8],
  ["F8_E8M0", 8],
  ["F8_E4M3FNUZ", 8],
  ["F8_E5M2FNUZ", 8],
  ["I16", 16],
  ["U16", 16],
  ["F16", 16],
  ["BF16", 16],
  ["I32", 32],
  ["U32", 32],
  ["F32", 32],
  ["C64", 64],
  ["F64", 64],
  ["I64", 64],
  ["U64", 64],
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

const kDTypeOf: ReadonlyMap<SafetensorsType | null, SafetensorsDType> = new Map(
  (Object.keys(dtypeRows) as SafetensorsDType[]).map((dtype) => [dtypeRows[dtype].safetensors, dtype]),
);
const kTraits: readonly SafetensorsTypeTraits[] = kTypes.map(([type, bits], order) => ({ type, order, bits, dtype: kDTypeOf.get(type) }));
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
