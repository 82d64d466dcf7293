/**
 * LiteralProto as a plain object (LiteralProto in xla_data.proto): a shape and its elements. The elements are in the field
 * of the shape's element type, in the linear order of the shape's layout.
 *
 *     1 shape   2 preds   3 u8s   4 s32s   5 s64s   6 u32s   7 u64s   8 f32s   9 f64s   10 tuple_literals   11 ... 33 see below
 *
 * 16-bit types, and all types narrower than 32 bits that were added later, are encoded as little-endian bytes. From 19 on,
 * field numbers are not type numbers. packages/proto encodes these objects as bytes and JSON.
 */
import type { UnknownField } from "@onebuffer/base";
import type { ShapeProto } from "./shape-proto.ts";

/** A Literal message of either era. A decoder sets the typed arrays named below; byte fields are views of its input. */
export interface LiteralProto {
  readonly shape?: ShapeProto | null | undefined;
  /** PRED. Decoded: a Uint8Array of 0 and 1. */
  readonly preds?: ArrayLike<boolean> | ArrayLike<number> | null | undefined;
  readonly s1s?: Uint8Array | null | undefined;
  readonly s2s?: Uint8Array | null | undefined;
  readonly s4s?: Uint8Array | null | undefined;
  readonly s8s?: Uint8Array | null | undefined;
  readonly u1s?: Uint8Array | null | undefined;
  readonly u2s?: Uint8Array | null | undefined;
  readonly u4s?: Uint8Array | null | undefined;
  readonly u8s?: Uint8Array | null | undefined;
  /** S32. Decoded: an Int32Array. */
  readonly s32s?: ArrayLike<number> | null | undefined;
  /** S64. Decoded: a BigInt64Array. */
  readonly s64s?: ArrayLike<bigint> | null | undefined;
  /** U32. Decoded: a Uint32Array. */
  readonly u32s?: ArrayLike<number> | null | undefined;
  /** U64. Decoded: a BigUint64Array. */
  readonly u64s?: ArrayLike<bigint> | null | undefined;
  /** F32. Decoded: a Float32Array. */
  readonly f32s?: ArrayLike<number> | null | undefined;
  /** F64. Decoded: a Float64Array. */
  readonly f64s?: ArrayLike<number> | null | undefined;
  /** C64 as re, im, re, im. Decoded: a Float32Array. */
  readonly c64s?: ArrayLike<number> | null | undefined;
  /** C128 as re, im, re, im. Decoded: a Float64Array. */
  readonly c128s?: ArrayLike<number> | null | undefined;
  readonly tupleLiterals?: readonly LiteralProto[] | null | undefined;
  /** F16, 2 bytes each. */
  readonly f16s?: Uint8Array | null | undefined;
  /** BF16, 2 bytes each. */
  readonly bf16s?: Uint8Array | null | undefined;
  /** U16, 2 bytes each. */
  readonly u16s?: Uint8Array | null | undefined;
  /** S16, 2 bytes each. */
  readonly s16s?: Uint8Array | null | undefined;
  readonly f4e2m1fns?: Uint8Array | null | undefined;
  readonly f8e3m4s?: Uint8Array | null | undefined;
  readonly f8e4m3b11fnuzs?: Uint8Array | null | undefined;
  readonly f8e4m3fns?: Uint8Array | null | undefined;
  readonly f8e4m3fnuzs?: Uint8Array | null | undefined;
  readonly f8e4m3s?: Uint8Array | null | undefined;
  readonly f8e5m2fnuzs?: Uint8Array | null | undefined;
  readonly f8e5m2s?: Uint8Array | null | undefined;
  readonly f8e8m0fnus?: Uint8Array | null | undefined;
  /** Indices of a sparse literal. Decoded: a BigInt64Array. */
  readonly sparseIndices?: ArrayLike<bigint> | null | undefined;
  /** Fields of the encoded message that the reader did not know. */
  readonly unknownFields?: readonly UnknownField[] | undefined;
}
