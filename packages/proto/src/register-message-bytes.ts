/**
 * Tells core the bytes of the two messages that stand inside `tensor_content`: elements of resource and variant tensors
 * are serialized messages there, and core lies below this package. Loading this package is enough.
 */
import { registerMessageBytes } from "@onebuffer/core";
import { resourceHandleProtoCodec, variantTensorDataProtoCodec } from "./tensor-codec.ts";

registerMessageBytes({
  encodeResourceHandle: (message) => resourceHandleProtoCodec.encode(message),
  decodeResourceHandle: (bytes) => resourceHandleProtoCodec.decode(bytes),
  encodeVariantTensorData: (message) => variantTensorDataProtoCodec.encode(message),
  decodeVariantTensorData: (bytes) => variantTensorDataProtoCodec.decode(bytes),
});
