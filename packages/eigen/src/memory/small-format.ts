/**
 * SmallFormat: how one dtype of float8, float4, int4, uint4, int2 or uint2 elements is decoded from a byte and encoded into one. Every
 * element takes one byte. The map classes of a dtype read its table.
 */
import {
  float4E2m1fnToFloat,
  floatToFloat4E2m1fn,
  floatToFloat8E4m3b11fnuz,
  floatToFloat8E4m3fn,
  floatToFloat8E4m3fnuz,
  floatToFloat8E5m2,
  floatToFloat8E5m2fnuz,
  int2Bits,
  int4Bits,
  toInt2,
  toInt4,
  toUint2,
  toUint4,
} from "@onebuffer/base";
import { float8Table } from "@onebuffer/base/internal";
import type { DType, Float8DType } from "@onebuffer/base";

/** The value of each of the 256 bytes, and the function that encodes a number as a byte. */
export class SmallFormat<D extends DType> {
  /** The element type. */
  declare readonly dtype: D;
  /** The value of each byte. */
  declare readonly table: Float32Array<ArrayBuffer>;
  /** Returns the byte that stores a number, rounded or wrapped as the dtype requires. */
  declare readonly encode: (value: number) => number;

  constructor(dtype: D, table: Float32Array<ArrayBuffer>, encode: (value: number) => number) {
    this.dtype = dtype;
    this.table = table;
    this.encode = encode;
  }
}

/** The dtypes of 4 or 2 bits. */
export type NarrowDType = "int4" | "uint4" | "int2" | "uint2" | "float4_e2m1fn";

const float8Encoders: { readonly [D in Float8DType]: (value: number) => number } = {
  float8_e5m2: floatToFloat8E5m2,
  float8_e4m3fn: floatToFloat8E4m3fn,
  float8_e4m3fnuz: floatToFloat8E4m3fnuz,
  float8_e4m3b11fnuz: floatToFloat8E4m3b11fnuz,
  float8_e5m2fnuz: floatToFloat8E5m2fnuz,
};

const narrowCodecs: { readonly [D in NarrowDType]: readonly [decode: (x: number) => number, encode: (x: number) => number] } = {
  int4: [toInt4, int4Bits],
  uint4: [toUint4, toUint4],
  int2: [toInt2, int2Bits],
  uint2: [toUint2, toUint2],
  float4_e2m1fn: [float4E2m1fnToFloat, floatToFloat4E2m1fn],
};

const formats = new Map<DType, SmallFormat<DType>>();

/** Returns the format of a dtype: one object per dtype, made on first use. */
export function smallFormat<D extends Float8DType | NarrowDType>(dtype: D): SmallFormat<D> {
  let format = formats.get(dtype);
  if (format === undefined) {
    format = isNarrow(dtype)
      ? narrowFormat(dtype)
      : new SmallFormat(dtype, float8Table(dtype as Float8DType), float8Encoders[dtype as Float8DType]);
    formats.set(dtype, format);
  }
  return format as SmallFormat<D>;
}

function isNarrow(dtype: DType): dtype is NarrowDType {
  return Object.hasOwn(narrowCodecs, dtype);
}

/** Makes the format of a 4- or 2-bit dtype. Reading ignores the bits above the value, as ml_dtypes does for integers. */
function narrowFormat(dtype: NarrowDType): SmallFormat<NarrowDType> {
  const [decode, encode] = narrowCodecs[dtype];
  return new SmallFormat(
    dtype,
    Float32Array.from({ length: 256 }, (_, bits) => decode(bits)),
    encode,
  );
}
