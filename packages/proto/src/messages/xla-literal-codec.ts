/**
 * The codec of XLA's literals (xla_data.proto), as of 2017 and today: a shape, and its elements in the field of their type.
 */
import type { LiteralProto } from "@onebuffer/xla";
import { MessageCodec } from "../wire/message-codec.ts";
import { list, one, packed } from "../wire/message-type.ts";
import { shapeProtoCodec } from "./xla-shape-codec.ts";

/**
 * xla.LiteralProto. Decoding gives a typed array for each packed field (`preds`: a Uint8Array of 0 and 1), and views of the input for
 * the bytes fields.
 *
 * @example
 * literalProtoCodec.encode({ shape: { elementType: 4, dimensions: [2] }, s32s: [1, 2] }); // => Uint8Array.of(10, 5, 16, 4, 26, 1, 2, 34, 2, 1, 2)
 * literalProtoCodec.decode(Uint8Array.of(34, 2, 1, 2)).s32s; // => Int32Array.of(1, 2)
 */
export const literalProtoCodec: MessageCodec<LiteralProto> = new MessageCodec("xla.LiteralProto", {
  shape: one(1, () => shapeProtoCodec),
  preds: packed(2, "bool"),
  u8s: one(3, "bytes"),
  s32s: packed(4, "int32"),
  s64s: packed(5, "int64"),
  u32s: packed(6, "uint32"),
  u64s: packed(7, "uint64"),
  f32s: packed(8, "float"),
  f64s: packed(9, "double"),
  tupleLiterals: list(10, () => literalProtoCodec),
  f16s: one(11, "bytes"),
  c64s: packed(12, "float"),
  bf16s: one(13, "bytes"),
  sparseIndices: packed(14, "int64"),
  s8s: one(15, "bytes"),
  u16s: one(16, "bytes"),
  s16s: one(17, "bytes"),
  c128s: packed(18, "double"),
  f8e5m2s: one(19, "bytes"),
  f8e4m3fns: one(20, "bytes"),
  s4s: one(21, "bytes"),
  u4s: one(22, "bytes"),
  f8e4m3b11fnuzs: one(23, "bytes"),
  f8e5m2fnuzs: one(24, "bytes"),
  f8e4m3fnuzs: one(25, "bytes"),
  s2s: one(26, "bytes"),
  u2s: one(27, "bytes"),
  f8e4m3s: one(28, "bytes"),
  f8e3m4s: one(29, "bytes"),
  s1s: one(30, "bytes"),
  u1s: one(31, "bytes"),
  f4e2m1fns: one(32, "bytes"),
  f8e8m0fnus: one(33, "bytes"),
});
