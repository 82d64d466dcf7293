/**
 * message-bytes: the bytes of the two messages that stand inside a tensor's content (no counterpart: C++ links the
 * generated protobuf code everywhere).
 *
 * Elements of resource and variant tensors stand in `tensor_content` as serialized messages. This package knows the
 * messages but lies below packages/proto, which knows their bytes; proto hands its codecs in through base when it is
 * loaded. Everything else works without.
 */
import { FailedPreconditionError, messageBytes as registeredBytes } from "@onebuffer/base";
import type { ResourceHandleProto } from "./resource-handle.ts";
import type { VariantTensorDataProto } from "./tensor-proto.ts";

/** What this package needs of the wire. Decoding throws a StatusError for bytes that are no such message. */
export interface MessageBytes {
  decodeResourceHandle(bytes: Uint8Array): ResourceHandleProto;
  encodeResourceHandle(message: ResourceHandleProto): Uint8Array;
  decodeVariantTensorData(bytes: Uint8Array): VariantTensorDataProto;
  encodeVariantTensorData(message: VariantTensorDataProto): Uint8Array;
}

/** The codecs. Throws FAILED_PRECONDITION naming the package to import when there are none. */
export function messageBytes(what: string): MessageBytes {
  const handles = registeredBytes("tensorflow.ResourceHandleProto");
  const variants = registeredBytes("tensorflow.VariantTensorDataProto");
  if (handles === null || variants === null)
    throw new FailedPreconditionError(`${what} is made of serialized messages; import @onebuffer/proto, which knows their bytes`);
  return {
    decodeResourceHandle: (bytes) => handles.decode(bytes),
    encodeResourceHandle: (message) => handles.encode(message),
    decodeVariantTensorData: (bytes) => variants.decode(bytes),
    encodeVariantTensorData: (message) => variants.encode(message),
  };
}
