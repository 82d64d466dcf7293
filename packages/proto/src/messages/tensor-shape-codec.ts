/**
 * The codec of TensorShapeProto (tensorflow/core/framework/tensor_shape.proto).
 *
 *     12 02 08 02      field 2, 2 bytes: dim { size: 2 }      18 01      field 3: unknown_rank: true
 *
 * Field 1 is not used any more.
 */
import type { TensorShapeProto, TensorShapeProtoDim } from "@onebuffer/shape";
import { MessageCodec } from "../wire/message-codec.ts";
import { list, one } from "../wire/message-type.ts";

const dimCodec: MessageCodec<TensorShapeProtoDim> = new MessageCodec("tensorflow.TensorShapeProto.Dim", {
  size: one(1, "int64"),
  name: one(2, "string"),
});

/**
 * tensorflow.TensorShapeProto.
 *
 * @example
 * tensorShapeProtoCodec.encode(new TensorShape([2]).asProto()); // => Uint8Array.of(18, 2, 8, 2)
 * const proto = tensorShapeProtoCodec.decode(Uint8Array.of(18, 2, 8, 2, 18, 0));
 * TensorShape.fromProto(proto).debugString(); // => "[2,0]"
 */
export const tensorShapeProtoCodec: MessageCodec<TensorShapeProto> = new MessageCodec("tensorflow.TensorShapeProto", {
  dim: list(2, () => dimCodec),
  unknownRank: one(3, "bool"),
});
