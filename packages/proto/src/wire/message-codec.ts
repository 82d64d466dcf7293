/**
 * MessageCodec: converts messages of one type to and from bytes and JSON (in C++: the code that protoc generates, and json_util).
 *
 * A message is a plain object with camelCase fields; an absent field has proto3's default value. Each message type has a codec
 * constant, such as `tensorProtoCodec`.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { decodeMessage } from "./decode-message.ts";
import { encodeMessage } from "./encode-message.ts";
import { kindOfView } from "./field-values.ts";
import type { FromJsonOptions } from "./from-json.ts";
import { messageFromJson } from "./from-json.ts";
import type { JsonValue } from "./json-value.ts";
import type { FieldOf, MessageType } from "./message-type.ts";
import { makeMessageType } from "./message-type.ts";
import type { ToJsonOptions } from "./to-json.ts";
import { messageToJson } from "./to-json.ts";
import { kMaxRecursion } from "./wire-reader.ts";

const kDefaultRecursionLimit = 100;

const kDefaultObjectLimit: number = 2 ** 23;

/** Limits on the memory and stack that decoding untrusted bytes may use. */
export interface DecodeOptions {
  /** The maximum depth of messages and groups nested in the outermost one. Default: 100, as in protobuf; at most 1000. */
  readonly recursionLimit?: number;
  /**
   * The maximum number of objects made: sub-messages, texts, byte views, unknown fields and elements of plain lists. Default: 2^23,
   * which is about 1 GB. Two bytes of input can become an object of a hundred bytes; numbers in typed arrays are not counted.
   */
  readonly objectLimit?: number;
}

/** The options of encoding. */
export interface EncodeOptions {
  /** The maximum depth of nested messages. Default: 100, because other parsers refuse more; at most 1000. */
  readonly recursionLimit?: number;
}

/**
 * Encodes and decodes messages of one type.
 *
 * @example
 * tensorShapeProtoCodec.encode({ dim: [{ size: 2 }, { size: -1, name: "x" }] }).length; // => 20
 * tensorShapeProtoCodec.decode(Uint8Array.of(18, 2, 8, 2)); // => { dim: [{ size: 2 }] }
 * tensorShapeProtoCodec.toJson({ dim: [{ size: 2 }] }); // => { dim: [{ size: "2" }] }
 * tensorShapeProtoCodec.decode(Uint8Array.of(18, 3, 8)); // throws DATA_LOSS
 */
export class MessageCodec<M extends object> {
  /** The table of the message's fields. */
  readonly type: MessageType;

  /** Makes a codec for the message `typeName` with these fields. */
  constructor(typeName: string, fields: { readonly [K in Exclude<keyof M, "unknownFields">]-?: FieldOf }) {
    this.type = makeMessageType(typeName, fields);
  }

  /** The full name of the message type, such as `tensorflow.TensorProto`. */
  get typeName(): string {
    return this.type.typeName;
  }

  /**
   * Returns the message that the bytes encode. A 64-bit integer is a number if it is a safe integer, otherwise a bigint.
   *
   * Throws DATA_LOSS if the bytes end too early, INVALID_ARGUMENT if they are malformed in any other way, and RESOURCE_EXHAUSTED above
   * the objectLimit; the messages name the byte. Bytes fields are views of `bytes`, not copies; numbers are copied once.
   */
  decode(bytes: Uint8Array, options?: DecodeOptions): M {
    if (kindOfView(bytes) !== "Uint8Array")
      throw new InvalidArgumentError(`Expected the bytes of a ${this.typeName}, got ${shownValue(bytes)}`);
    return decodeMessage(this.type, bytes, depthOf(options), options?.objectLimit ?? kDefaultObjectLimit) as M;
  }

  /**
   * Returns the message's bytes in protobuf's canonical order. Throws INVALID_ARGUMENT if a field cannot hold its value, and
   * RESOURCE_EXHAUSTED if the bytes exceed 2 GiB. Copies everything once.
   */
  encode(message: M, options?: EncodeOptions): Uint8Array<ArrayBuffer> {
    const chunks = this.encodeChunks(message, options);
    // A single chunk is always the writer's copy: the message's own arrays come after a tag.
    if (chunks.length === 1) return chunks[0] as Uint8Array<ArrayBuffer>;
    const all = new Uint8Array(total(chunks));
    let at = 0;
    for (const chunk of chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return all;
  }

  /**
   * Returns the bytes of `encode` as a list of chunks, for writers that accept several. Payloads of at least 4096 bytes (bytes, and
   * floats and doubles in typed arrays of their kind) are not copied: those chunks are the message's own memory. Throws as `encode`.
   */
  encodeChunks(message: M, options?: EncodeOptions): Uint8Array[] {
    return encodeMessage(this.type, message, depthOf(options));
  }

  /** Returns the number of bytes of the encoded message (ByteSizeLong). Encodes it to count them, without copying large payloads. */
  byteLength(message: M, options?: EncodeOptions): number {
    return total(this.encodeChunks(message, options));
  }

  /** Returns the message as proto3 JSON, without unknown fields. Throws INVALID_ARGUMENT if a field cannot hold its value. */
  toJson(message: M, options: ToJsonOptions = {}): JsonValue {
    return messageToJson(this.type, message, options, depthOf(options));
  }

  /** Returns the message that proto3 JSON (a result of `JSON.parse`) describes. Throws INVALID_ARGUMENT if it does not fit the type. */
  fromJson(json: JsonValue, options: FromJsonOptions = {}): M {
    return messageFromJson(this.type, json, options, depthOf(options)) as M;
  }
}

function total(chunks: readonly Uint8Array[]): number {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  return length;
}

/** Returns the recursion limit of the options, or the default; at most kMaxRecursion. */
export function depthOf(options: { readonly recursionLimit?: number } | undefined): number {
  return Math.min(options?.recursionLimit ?? kDefaultRecursionLimit, kMaxRecursion);
}
