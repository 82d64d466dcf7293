/**
 * Tells the packages below the bytes of the two messages that stand inside `tensor_content`: elements of resource and
 * variant tensors are serialized messages there. Loading this package is enough. The door is in base, not in core, so that
 * who only reads messages need not load tensors.
 */
import { registerMessageBytes } from "@onebuffer/base";
import { resourceHandleProtoCodec, variantTensorDataProtoCodec } from "./tensor-codec.ts";

registerMessageBytes(resourceHandleProtoCodec);
registerMessageBytes(variantTensorDataProtoCodec);
