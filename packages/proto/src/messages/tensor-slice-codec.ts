/**
 * The codec of TensorSliceProto (tensorflow/core/framework/tensor_slice.proto).
 *
 *     0a 00            an extent without a length: the whole dimension
 *     0a 04 08 0e 10 01  an extent with start 14 and length 1
 *
 * The length is a oneof, so a length of 0 is encoded.
 */
import type { TensorSliceExtent, TensorSliceProto } from "@onebuffer/slice";
import { MessageCodec } from "../wire/message-codec.ts";
import { list, one, optional } from "../wire/message-type.ts";

const extentCodec: MessageCodec<TensorSliceExtent> = new MessageCodec("tensorflow.TensorSliceProto.Extent", {
  start: one(1, "int64"),
  length: optional(2, "int64"),
});

/**
 * tensorflow.TensorSliceProto.
 *
 * @example
 * tensorSliceProtoCodec.encode(TensorSlice.parse("-:14,1").asProto()); // => Uint8Array.of(10, 0, 10, 4, 8, 14, 16, 1)
 * TensorSlice.fromProto(tensorSliceProtoCodec.decode(Uint8Array.of(10, 0))).debugString(); // => "-"
 */
export const tensorSliceProtoCodec: MessageCodec<TensorSliceProto> = new MessageCodec("tensorflow.TensorSliceProto", {
  extent: list(1, () => extentCodec),
});
