/**
 * Codecs of TensorProto, VariantTensorDataProto and ResourceHandleProto (tensor.proto and resource_handle.proto in
 * tensorflow/core/framework).
 *
 *     08 01 | 12 04 12 02 08 02 | 2a 08 00 00 80 3f 00 00 00 40
 *     float | shape [2]         | float_val: 1, 2, packed
 *
 * A TensorProto can contain variants and a variant TensorProtos, so their codecs are in one file.
 */
import { DataType } from "@onebuffer/base";
import type { DtypeAndShapeProto, ResourceHandleProto, TensorProto, VariantTensorDataProto } from "@onebuffer/core";
import { MessageCodec } from "../wire/message-codec.ts";
import { list, one, packed } from "../wire/message-type.ts";
import { tensorShapeProtoCodec } from "./tensor-shape-codec.ts";

const dtypeAndShapeCodec: MessageCodec<DtypeAndShapeProto> = new MessageCodec("tensorflow.ResourceHandleProto.DtypeAndShape", {
  dtype: one(1, DataType),
  shape: one(2, () => tensorShapeProtoCodec),
});

/**
 * tensorflow.ResourceHandleProto. Field 7 is reserved.
 *
 * @example
 * resourceHandleProtoCodec.encode({ name: "v", hashCode: 3 }); // => Uint8Array.of(26, 1, 118, 32, 3)
 * resourceHandleProtoCodec.decode(Uint8Array.of(26, 1, 118)); // => { name: "v" }
 */
export const resourceHandleProtoCodec: MessageCodec<ResourceHandleProto> = new MessageCodec("tensorflow.ResourceHandleProto", {
  device: one(1, "string"),
  container: one(2, "string"),
  name: one(3, "string"),
  hashCode: one(4, "uint64"),
  maybeTypeName: one(5, "string"),
  dtypesAndShapes: list(6, () => dtypeAndShapeCodec),
});

/**
 * tensorflow.TensorProto. Decoding gives a typed array for each packed field (`boolVal`: a Uint8Array of 0 and 1), and views of the
 * input for `tensorContent`, `stringVal` and `float8Val`. Encoding also accepts any other list of values for a packed field.
 *
 * @example
 * const bytes = tensorProtoCodec.encode({ dtype: DataType.DT_FLOAT, tensorShape: {}, floatVal: [1] });
 * bytes; // => Uint8Array.of(8, 1, 18, 0, 42, 4, 0, 0, 128, 63)
 * tensorProtoCodec.decode(bytes).floatVal; // => Float32Array.of(1)
 * tensorProtoCodec.toJson({ dtype: DataType.DT_INT64, int64Val: [7n] }); // => { dtype: "DT_INT64", int64Val: ["7"] }
 * tensorProtoCodec.encode({ intVal: [2 ** 31] }); // throws INVALID_ARGUMENT
 */
export const tensorProtoCodec: MessageCodec<TensorProto> = new MessageCodec("tensorflow.TensorProto", {
  dtype: one(1, DataType),
  tensorShape: one(2, () => tensorShapeProtoCodec),
  versionNumber: one(3, "int32"),
  tensorContent: one(4, "bytes"),
  floatVal: packed(5, "float"),
  doubleVal: packed(6, "double"),
  intVal: packed(7, "int32"),
  stringVal: list(8, "bytes"),
  scomplexVal: packed(9, "float"),
  int64Val: packed(10, "int64"),
  boolVal: packed(11, "bool"),
  dcomplexVal: packed(12, "double"),
  halfVal: packed(13, "int32"),
  resourceHandleVal: list(14, () => resourceHandleProtoCodec),
  variantVal: list(15, () => variantTensorDataProtoCodec),
  uint32Val: packed(16, "uint32"),
  uint64Val: packed(17, "uint64"),
  float8Val: one(18, "bytes"),
});

/**
 * tensorflow.VariantTensorDataProto.
 *
 * @example
 * const proto = { typeName: "T", metadata: Uint8Array.of(1), tensors: [{ dtype: DataType.DT_INT32 }] };
 * variantTensorDataProtoCodec.encode(proto); // => Uint8Array.of(10, 1, 84, 18, 1, 1, 26, 2, 8, 3)
 * variantTensorDataProtoCodec.toJson(proto); // => { typeName: "T", metadata: "AQ==", tensors: [{ dtype: "DT_INT32" }] }
 */
export const variantTensorDataProtoCodec: MessageCodec<VariantTensorDataProto> = new MessageCodec("tensorflow.VariantTensorDataProto", {
  typeName: one(1, "string"),
  metadata: one(2, "bytes"),
  tensors: list(3, () => tensorProtoCodec),
});
