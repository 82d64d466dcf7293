/**
 * SmallFormat: how one dtype of float8, float4, int4, uint4, int2 or uint2 elements is decoded from a byte and encoded into one. Every
 * element takes one byte. The map classes of a dtype read its table.
 */
import { smallCodec } from "@onebuffer/base/internal";
import type { SmallDType } from "@onebuffer/base/internal";
import type { DType } from "@onebuffer/base";

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

const formats = new Map<DType, SmallFormat<DType>>();

/** Returns the format of a dtype: one object per dtype, made on first use. */
export function smallFormat<D extends SmallDType>(dtype: D): SmallFormat<D> {
  let format = formats.get(dtype);
  if (format === undefined) {
    const [decode, encode] = smallCodec(dtype);
    format = new SmallFormat(
      dtype,
      Float32Array.from({ length: 256 }, (_, byte) => decode(byte)),
      encode,
    );
    formats.set(dtype, format);
  }
  return format as SmallFormat<D>;
}
