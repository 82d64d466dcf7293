/**
 * Codecs of TensorFlow's first checkpoint format (tensorflow/core/util/saved_tensor_slice.proto): a table whose first entry describes
 * all tensors and their slices; each other entry contains one slice.
 */
import type { UnknownField } from "@onebuffer/base";
import { DataType } from "@onebuffer/base";
import type { TensorProto } from "@onebuffer/core";
import type { TensorShapeProto } from "@onebuffer/shape";
import type { TensorSliceProto } from "@onebuffer/slice";
import { MessageCodec } from "../wire/message-codec.ts";
import { list, one } from "../wire/message-type.ts";
import { tensorProtoCodec } from "./tensor-codec.ts";
import { tensorShapeProtoCodec } from "./tensor-shape-codec.ts";
import { tensorSliceProtoCodec } from "./tensor-slice-codec.ts";
import type { VersionDef } from "./types-codec.ts";
import { versionDefCodec } from "./types-codec.ts";

/** tensorflow.SavedSliceMeta as a plain object: a tensor and its saved slices. */
export interface SavedSliceMeta {
  readonly name?: string | undefined;
  /** The shape of the whole tensor. */
  readonly shape?: TensorShapeProto | undefined;
  /** A DataType number. */
  readonly type?: number | undefined;
  readonly slice?: readonly TensorSliceProto[] | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.SavedTensorSliceMeta as a plain object: the tensors in a file. */
export interface SavedTensorSliceMeta {
  readonly tensor?: readonly SavedSliceMeta[] | undefined;
  readonly versions?: VersionDef | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.SavedSlice as a plain object: a slice and its elements. */
export interface SavedSlice {
  readonly name?: string | undefined;
  readonly slice?: TensorSliceProto | undefined;
  /** The elements, in the typed field of their dtype, without a shape. */
  readonly data?: TensorProto | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.SavedTensorSlices as a plain object: an entry of the table, which has either `meta` or `data`. */
export interface SavedTensorSlices {
  readonly meta?: SavedTensorSliceMeta | undefined;
  readonly data?: SavedSlice | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * tensorflow.SavedSliceMeta.
 *
 * @example
 * savedSliceMetaCodec.encode({ name: "w", type: DataType.DT_FLOAT, slice: [{}] }); // => Uint8Array.of(10, 1, 119, 24, 1, 34, 0)
 */
export const savedSliceMetaCodec: MessageCodec<SavedSliceMeta> = new MessageCodec("tensorflow.SavedSliceMeta", {
  name: one(1, "string"),
  shape: one(2, () => tensorShapeProtoCodec),
  type: one(3, DataType),
  slice: list(4, () => tensorSliceProtoCodec),
});

/**
 * tensorflow.SavedTensorSliceMeta.
 *
 * @example
 * savedTensorSliceMetaCodec.encode({ versions: { producer: 1 } }); // => Uint8Array.of(18, 2, 8, 1)
 */
export const savedTensorSliceMetaCodec: MessageCodec<SavedTensorSliceMeta> = new MessageCodec("tensorflow.SavedTensorSliceMeta", {
  tensor: list(1, () => savedSliceMetaCodec),
  versions: one(2, () => versionDefCodec),
});

/**
 * tensorflow.SavedSlice.
 *
 * @example
 * savedSliceCodec.encode({ name: "w", data: { intVal: [5] } }); // => Uint8Array.of(10, 1, 119, 26, 3, 58, 1, 5)
 */
export const savedSliceCodec: MessageCodec<SavedSlice> = new MessageCodec("tensorflow.SavedSlice", {
  name: one(1, "string"),
  slice: one(2, () => tensorSliceProtoCodec),
  data: one(3, () => tensorProtoCodec),
});

/**
 * tensorflow.SavedTensorSlices.
 *
 * @example
 * savedTensorSlicesCodec.encode({ data: { name: "w" } }); // => Uint8Array.of(18, 3, 10, 1, 119)
 */
export const savedTensorSlicesCodec: MessageCodec<SavedTensorSlices> = new MessageCodec("tensorflow.SavedTensorSlices", {
  meta: one(1, () => savedTensorSliceMetaCodec),
  data: one(2, () => savedSliceCodec),
});
