/**
 * message-bytes: the door through which the bytes of two messages come into this package (no counterpart: C++ links
 * the generated protobuf code everywhere).
 *
 * Elements of resource and variant tensors stand in `tensor_content` as serialized messages. This package knows the
 * messages but lies below packages/proto, which knows their bytes; so proto hands its codecs in here when it is
 * loaded. Everything else works without.
 */
import { FailedPreconditionError } from "@onebuffer/base";
import type { ResourceHandleProto } from "./resource-handle.ts";
import type { VariantTensorDataProto } from "./tensor-proto.ts";

/**
 * What this package needs of the wire. Decoding throws a StatusError for bytes that are no such message.
 *
 * @example
 * const handles: Pick<MessageBytes, "decodeResourceHandle"> = { decodeResourceHandle: () => ({ name: "v" }) };
 * handles.decodeResourceHandle(Uint8Array.of(26, 1, 118)).name; // => "v"
 */
export interface MessageBytes {
  decodeResourceHandle(bytes: Uint8Array): ResourceHandleProto;
  encodeResourceHandle(message: ResourceHandleProto): Uint8Array;
  decodeVariantTensorData(bytes: Uint8Array): VariantTensorDataProto;
  encodeVariantTensorData(message: VariantTensorDataProto): Uint8Array;
}

let registered: MessageBytes | null = null;

/**
 * Hands the codecs in; packages/proto does so when it is loaded. A later call replaces them, so that two copies of proto
 * can stand side by side.
 *
 * @example
 * typeof registerMessageBytes; // => "function"
 */
export function registerMessageBytes(codecs: MessageBytes): void {
  registered = codecs;
}

/** The codecs. Throws FAILED_PRECONDITION naming the package to import when there are none. */
export function messageBytes(what: string): MessageBytes {
  if (registered === null)
    throw new FailedPreconditionError(`${what} is made of serialized messages; import @onebuffer/proto, which knows their bytes`);
  return registered;
}
