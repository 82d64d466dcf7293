/**
 * MessageCodec: the bytes and the JSON of one type of message (in C++: what protoc generates for it, and json_util).
 *
 * A message is a plain object with camelCase fields; an absent field has proto3's default. There is one constant per
 * message, such as `tensorProtoCodec`.
 */
import { InvalidArgumentError, shownValue } from "@onebuffer/base";
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
/** A caller's limit, which the stack limits too. */
function depthOf(options: { readonly recursionLimit?: number } | undefined): number {
  return Math.min(options?.recursionLimit ?? kDefaultRecursionLimit, kMaxRecursion);
}

const kDefaultObjectLimit: number = 2 ** 23;

/** Bounds on what bytes from outside may cost. */
export interface DecodeOptions {
  /** How deep messages and groups may be nested below the outermost one. Default: 100, as in protobuf; at most 1000. */
  readonly recursionLimit?: number;
  /**
   * How many sub-messages, texts, byte views, unknown fields and elements of plain lists may be made. Default: 2^23, which is
   * about 1 GB. Two bytes on the wire can become an object of a hundred; typed arrays need no such limit.
   */
  readonly objectLimit?: number;
}

/** How deep a message may be nested that is written. */
export interface EncodeOptions {
  /** Default: 100, since other parsers refuse more; at most 1000. */
  readonly recursionLimit?: number;
}

/**
 * Reads and writes messages of one type.
 *
 * @example
 * tensorShapeProtoCodec.encode({ dim: [{ size: 2 }, { size: -1, name: "x" }] }).length; // => 20
 * tensorShapeProtoCodec.decode(Uint8Array.of(18, 2, 8, 2)); // => { dim: [{ size: 2 }] }
 * tensorShapeProtoCodec.toJson({ dim: [{ size: 2 }] }); // => { dim: [{ size: "2" }] }
 * tensorShapeProtoCodec.decode(Uint8Array.of(18, 3, 8)); // throws DATA_LOSS
 */
export class MessageCodec<M extends object> {
  /** The table that the codec works from. */
  readonly type: MessageType;

  constructor(typeName: string, fields: { readonly [K in Exclude<keyof M, "unknownFields">]-?: FieldOf }) {
    this.type = makeMessageType(typeName, fields);
  }

  /** The full name, as `tensorflow.TensorProto`. */
  get typeName(): string {
    return this.type.typeName;
  }

  /**
   * The message that the bytes hold. 64-bit integers are numbers while exact, bigints beyond.
   *
   * Throws DATA_LOSS where the bytes end too early, INVALID_ARGUMENT for whatever else is malformed, RESOURCE_EXHAUSTED beyond
   * the objectLimit; each says at which byte. Copies: bytes fields never, they are views of `bytes`; numbers once.
   */
  decode(bytes: Uint8Array, options?: DecodeOptions): M {
    if (kindOfView(bytes) !== "Uint8Array")
      throw new InvalidArgumentError(`Expected the bytes of a ${this.typeName}, got ${shownValue(bytes)}`);
    return decodeMessage(this.type, bytes, depthOf(options), options?.objectLimit ?? kDefaultObjectLimit) as M;
  }

  /**
   * The message's bytes in protobuf's canonical order. Throws INVALID_ARGUMENT for values a field cannot hold,
   * RESOURCE_EXHAUSTED beyond 2 GiB. Copies: everything, once.
   */
  encode(message: M, options?: EncodeOptions): Uint8Array<ArrayBuffer> {
    const chunks = this.encodeChunks(message, options);
    // A single chunk is the writer's own: a payload always has a tag in front.
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
   * What `encode` gives, in pieces, for writers that take several. Copies: payloads of 4096 bytes and more never (bytes, and
   * floats and doubles in their typed arrays); those pieces are the message's own memory.
   */
  encodeChunks(message: M, options?: EncodeOptions): Uint8Array[] {
    return encodeMessage(this.type, message, depthOf(options));
  }

  /** How many bytes `encode` gives (ByteSizeLong). It writes the message to find out, but no large payload. */
  byteLength(message: M, options?: EncodeOptions): number {
    return total(this.encodeChunks(message, options));
  }

  /** The message as proto3 JSON; unknown fields are not in it. Throws as `encode` does. */
  toJson(message: M, options: ToJsonOptions = {}): JsonValue {
    return messageToJson(this.type, message, options, depthOf(options));
  }

  /** The message that proto3 JSON describes, as JSON.parse gives it. Throws INVALID_ARGUMENT for what does not fit. */
  fromJson(json: JsonValue, options: FromJsonOptions = {}): M {
    return messageFromJson(this.type, json, options, depthOf(options)) as M;
  }
}

function total(chunks: readonly Uint8Array[]): number {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  return length;
}
