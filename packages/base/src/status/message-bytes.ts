/**
 * message-bytes: the door through which a package gets the bytes of a message from packages/proto, which lies above it
 * (no counterpart: C++ links the generated protobuf code everywhere).
 *
 * Elements of resource and variant tensors stand in `tensor_content` as serialized messages. The package of tensors knows
 * the messages but not their bytes; so proto hands its codecs in here when it is loaded. Everything else works without.
 */

/** Reads and writes messages of one type. Decoding throws a StatusError for bytes that are no such message. */
export interface MessageBytes {
  /** The full name, as `tensorflow.ResourceHandleProto`. */
  readonly typeName: string;
  decode(bytes: Uint8Array): object;
  encode(message: object): Uint8Array;
}

const registered: Map<string, MessageBytes> = new Map();

/**
 * Hands a codec in; packages/proto does so when it is loaded. A later call for the same type replaces it, so that two
 * copies of proto can stand side by side.
 *
 * @example
 * registerMessageBytes({ typeName: "example.Empty", decode: () => ({}), encode: () => new Uint8Array(0) });
 * messageBytes("example.Empty")?.decode(new Uint8Array(0)); // => {}
 */
export function registerMessageBytes(codec: MessageBytes): void {
  registered.set(codec.typeName, codec);
}

/**
 * The codec of a type, or null while nobody handed one in.
 *
 * @example
 * messageBytes("example.Unheard"); // => null
 */
export function messageBytes(typeName: string): MessageBytes | null {
  return registered.get(typeName) ?? null;
}
