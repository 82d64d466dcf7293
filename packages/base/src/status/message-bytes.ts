/**
 * message-bytes: a registry of message codecs, through which packages/core encodes and decodes messages although packages/proto is
 * above it (no counterpart in TensorFlow: C++ links the generated protobuf code everywhere).
 *
 * The elements of resource and variant tensors are serialized messages in `tensor_content`. core has the messages but not their wire
 * format, so proto registers its codecs here when it is loaded. Nothing else needs the registry.
 */

/** Reads and writes messages of one type. `decode` throws a StatusError if the bytes are not such a message. */
export interface MessageBytes {
  /** The full name, for example `tensorflow.ResourceHandleProto`. */
  readonly typeName: string;
  decode(bytes: Uint8Array): object;
  encode(message: object): Uint8Array;
}

const registered: Map<string, MessageBytes> = new Map();

/**
 * Registers a codec; packages/proto does so when it is loaded. A later call for the same type replaces the codec, so that two
 * copies of proto can be loaded.
 *
 * @example
 * registerMessageBytes({ typeName: "example.Empty", decode: () => ({}), encode: () => new Uint8Array(0) });
 * messageBytes("example.Empty")?.decode(new Uint8Array(0)); // => {}
 */
export function registerMessageBytes(codec: MessageBytes): void {
  registered.set(codec.typeName, codec);
}

/**
 * Returns the codec of a type, or null if none is registered.
 *
 * @example
 * messageBytes("example.Unheard"); // => null
 */
export function messageBytes(typeName: string): MessageBytes | null {
  return registered.get(typeName) ?? null;
}
