/**
 * Codecs of the entries of a checkpoint's index file (tensorflow/core/protobuf/tensor_bundle.proto): the header, whose key is empty,
 * and one entry per tensor with the shard and the position of its bytes.
 */
import type { UnknownField } from "@onebuffer/base";
import { DataType } from "@onebuffer/base";
import type { TensorShapeProto } from "@onebuffer/shape";
import type { TensorSliceProto } from "@onebuffer/slice";
import type { Int64 } from "../wire/int64.ts";
import { MessageCodec } from "../wire/message-codec.ts";
import { list, one } from "../wire/message-type.ts";
import { tensorShapeProtoCodec } from "./tensor-shape-codec.ts";
import { tensorSliceProtoCodec } from "./tensor-slice-codec.ts";
import type { VersionDef } from "./types-codec.ts";
import { versionDefCodec } from "./types-codec.ts";

/**
 * The byte order of a bundle's data: tensorflow.BundleHeaderProto.Endianness.
 *
 * @example
 * BundleEndianness.BIG; // => 1
 */
export const BundleEndianness = { LITTLE: 0, BIG: 1 } as const;

/** tensorflow.BundleHeaderProto as a plain object. */
export interface BundleHeaderProto {
  /** The number of data files. */
  readonly numShards?: number | undefined;
  /** A BundleEndianness. */
  readonly endianness?: number | undefined;
  readonly version?: VersionDef | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.BundleEntryProto as a plain object. */
export interface BundleEntryProto {
  /** A DataType number. */
  readonly dtype?: number | undefined;
  readonly shape?: TensorShapeProto | undefined;
  /** The number of the data file. */
  readonly shardId?: number | undefined;
  /** The offset of the tensor's bytes in the data file. */
  readonly offset?: Int64 | undefined;
  /** The number of bytes. */
  readonly size?: Int64 | undefined;
  /** The masked crc32c of the bytes, a uint32. */
  readonly crc32c?: number | undefined;
  /** The slices of a tensor that is saved in slices; each slice also has its own entry. */
  readonly slices?: readonly TensorSliceProto[] | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * tensorflow.BundleHeaderProto.
 *
 * @example
 * bundleHeaderProtoCodec.encode({ numShards: 1, version: { producer: 1 } }); // => Uint8Array.of(8, 1, 26, 2, 8, 1)
 * bundleHeaderProtoCodec.toJson({ endianness: BundleEndianness.BIG }); // => { endianness: "BIG" }
 */
export const bundleHeaderProtoCodec: MessageCodec<BundleHeaderProto> = new MessageCodec("tensorflow.BundleHeaderProto", {
  numShards: one(1, "int32"),
  endianness: one(2, BundleEndianness),
  version: one(3, () => versionDefCodec),
});

/**
 * tensorflow.BundleEntryProto.
 *
 * @example
 * bundleEntryProtoCodec.encode({ dtype: 1, size: 8, crc32c: 0x01020304 }); // => Uint8Array.of(8, 1, 40, 8, 53, 4, 3, 2, 1)
 */
export const bundleEntryProtoCodec: MessageCodec<BundleEntryProto> = new MessageCodec("tensorflow.BundleEntryProto", {
  dtype: one(1, DataType),
  shape: one(2, () => tensorShapeProtoCodec),
  shardId: one(3, "int32"),
  offset: one(4, "int64"),
  size: one(5, "int64"),
  crc32c: one(6, "fixed32"),
  slices: list(7, () => tensorSliceProtoCodec),
});
