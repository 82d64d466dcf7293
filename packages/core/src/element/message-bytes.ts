/**
 * message-bytes: access to the codecs of the two messages that can be inside a tensor's content (no counterpart in TensorFlow: C++
 * links the generated protobuf code everywhere).
 *
 * In `tensor_content` the elements of resource and variant tensors are serialized messages. This package defines the message objects,
 * but their wire format is in packages/proto, which depends on this package. So packages/proto registers its codecs in
 * packages/base when it is loaded. Only these elements need the codecs; everything else works without packages/proto.
 */
import { FailedPreconditionError } from "@onebuffer/base";
import { messageBytes as registeredBytes } from "@onebuffer/base/internal";
import type { ResourceHandleProto } from "./resource-handle.ts";
import type { VariantTensorDataProto } from "./tensor-proto.ts";

/** The codecs that this package needs. Decoding throws a StatusError if the bytes are not such a message. */
export interface MessageBytes {
  decodeResourceHandle(bytes: Uint8Array): ResourceHandleProto;
  encodeResourceHandle(message: ResourceHandleProto): Uint8Array;
  decodeVariantTensorData(bytes: Uint8Array): VariantTensorDataProto;
  encodeVariantTensorData(message: VariantTensorDataProto): Uint8Array;
}

/** Returns the registered codecs. Throws FAILED_PRECONDITION if there are none; `what` names the content that needs them. */
export function messageBytes(what: string): MessageBytes {
  const handles = registeredBytes("tensorflow.ResourceHandleProto");
  const variants = registeredBytes("tensorflow.VariantTensorDataProto");
  if (handles === null || variants === null)
    throw new FailedPreconditionError(`${what} is made of serialized messages; import onebuffer/proto, which decodes and encodes them`);
  return {
    decodeResourceHandle: (bytes) => handles.decode(bytes),
    encodeResourceHandle: (message) => handles.encode(message),
    decodeVariantTensorData: (bytes) => variants.decode(bytes),
    encodeVariantTensorData: (message) => variants.encode(message),
  };
}
