/**
 * The functions that decode and encode the dtypes whose elements are bit patterns of 8, 4 or 2 bits in one byte, by dtype.
 */

import type { DTypesWhere } from "../types/dtype-table.ts";
import { float4E2m1fnToFloat, floatToFloat4E2m1fn } from "./float4-e2m1fn.ts";
import { float8E4m3b11fnuzToFloat, floatToFloat8E4m3b11fnuz } from "./float8-e4m3b11fnuz.ts";
import { float8E4m3fnToFloat, floatToFloat8E4m3fn } from "./float8-e4m3fn.ts";
import { float8E4m3fnuzToFloat, floatToFloat8E4m3fnuz } from "./float8-e4m3fnuz.ts";
import { float8E5m2ToFloat, floatToFloat8E5m2 } from "./float8-e5m2.ts";
import { float8E5m2fnuzToFloat, floatToFloat8E5m2fnuz } from "./float8-e5m2fnuz.ts";
import { int2Bits, toInt2 } from "./int2.ts";
import { int4Bits, toInt4 } from "./int4.ts";
import { toUint2 } from "./uint2.ts";
import { toUint4 } from "./uint4.ts";

/** A dtype whose elements are bit patterns in one byte. */
export type SmallDType = DTypesWhere<"class", "smallFloat" | "smallInt" | "smallUint">;

/** The value of a bit pattern, and the pattern of a number, rounded or wrapped as the dtype requires. */
export type PatternCodec = readonly [decode: (bits: number) => number, encode: (x: number) => number];

/** Reading ignores the bits above a value of 4 or 2 bits, as ml_dtypes does. */
const kSmallCodecs: Readonly<Record<SmallDType, PatternCodec>> = {
  float8_e5m2: [float8E5m2ToFloat, floatToFloat8E5m2],
  float8_e4m3fn: [float8E4m3fnToFloat, floatToFloat8E4m3fn],
  float8_e4m3fnuz: [float8E4m3fnuzToFloat, floatToFloat8E4m3fnuz],
  float8_e4m3b11fnuz: [float8E4m3b11fnuzToFloat, floatToFloat8E4m3b11fnuz],
  float8_e5m2fnuz: [float8E5m2fnuzToFloat, floatToFloat8E5m2fnuz],
  float4_e2m1fn: [float4E2m1fnToFloat, floatToFloat4E2m1fn],
  int4: [toInt4, int4Bits],
  uint4: [toUint4, toUint4],
  int2: [toInt2, int2Bits],
  uint2: [toUint2, toUint2],
};

/**
 * Returns true if the elements of a dtype are bit patterns of 8, 4 or 2 bits in one byte.
 *
 * @example
 * [isSmallDType("int4"), isSmallDType("int8")]; // => [true, false]
 */
export function isSmallDType(dtype: string): dtype is SmallDType {
  return Object.hasOwn(kSmallCodecs, dtype);
}

/**
 * Returns the functions that decode and encode the bytes of a dtype.
 *
 * @example
 * const [decode, encode] = smallCodec("int4");
 * [decode(0x0f), encode(-1)]; // => [-1, 15]
 */
export function smallCodec(dtype: SmallDType): PatternCodec {
  return kSmallCodecs[dtype];
}
