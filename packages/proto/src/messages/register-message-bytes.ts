/**
 * Registers the codecs of ResourceHandleProto and VariantTensorDataProto when this package is loaded. packages/core needs them, because
 * in `tensor_content` the elements of resource and variant tensors are serialized messages. The registry is in packages/base, not in
 * packages/core, so that a program that only reads messages need not load tensors.
 */
import { registerMessageBytes } from "@onebuffer/base/internal";
import { resourceHandleProtoCodec, variantTensorDataProtoCodec } from "./tensor-codec.ts";

registerMessageBytes(resourceHandleProtoCodec);
registerMessageBytes(variantTensorDataProtoCodec);
