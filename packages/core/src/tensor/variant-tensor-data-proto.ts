/**
 * VariantTensorData to a message and back: VariantTensorData::ToProto and FromProto
 * (tensorflow/core/framework/variant_tensor_data.cc).
 *
 * The proto package encodes the message: `variantTensorDataProtoCodec.encode(variantTensorDataToProto(data))` is TensorFlow's
 * SerializeToString. Quirk fixed: TensorFlow's ParseFromString ignores errors in the tensors; these functions throw.
 */
import { dtypeOf } from "@onebuffer/base";
import type { FromProtoOptions } from "../proto/proto-reading.ts";
import { Tensor } from "./tensor.ts";
import { dataAsProto } from "../proto/tensor-as-proto.ts";
import { variantDataFromProto } from "../proto/tensor-from-proto.ts";
import type { TensorParts } from "../buffer/shape-and-buffer.ts";
import type { VariantTensorDataProto } from "../element/tensor-proto.ts";
import type { VariantTensorData } from "../element/variant-tensor-data.ts";

/**
 * Returns the data as a message, its tensors in typed fields. Copies: the tensors' elements, not the metadata.
 *
 * @example
 * using tensor = Tensor.from([3], { dtype: "int32" });
 * const proto = variantTensorDataToProto({ typeName: "T", metadata: Uint8Array.of(1), tensors: [tensor] });
 * proto.tensors; // => [{ dtype: 3, tensorShape: { dim: [{ size: 1 }] }, intVal: Int32Array.of(3) }]
 */
export function variantTensorDataToProto(data: VariantTensorData): VariantTensorDataProto {
  return dataAsProto(data);
}

/** Returns the parts as a tensor, which takes over the reference that the parts hold. */
function tensorOf({ shape, buffer }: TensorParts): Tensor {
  const tensor = Tensor.fromBuffer(dtypeOf(shape.dataType), shape, buffer);
  buffer?.unref();
  return tensor;
}

/**
 * Returns the data of a message in a fresh object, whose handles the caller owns (disposeVariantTensorData). Throws as
 * Tensor.fromProto does for the tensors, and then keeps none of them (Quirk: TensorFlow keeps those before the invalid one). The
 * metadata is the message's own array. Copies: as Tensor.fromProto.
 *
 * @example
 * const data = variantTensorDataFromProto({ typeName: "T", tensors: [{ dtype: 1, floatVal: [2] }] });
 * (data.tensors[0] as Tensor).toArray(); // => 2
 * disposeVariantTensorData(data);
 * variantTensorDataFromProto({ tensors: [{ dtype: 0 }] }); // throws INVALID_ARGUMENT
 */
export function variantTensorDataFromProto(proto: VariantTensorDataProto, options: FromProtoOptions = {}): VariantTensorData {
  return variantDataFromProto(proto, options, tensorOf);
}
