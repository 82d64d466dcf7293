/**
 * UnknownField: a field of an encoded message that its reader does not know (UnknownFieldSet in protobuf).
 *
 * A newer program may write fields that an older one does not know. A program that reads, changes and writes a message must
 * keep them, so every message interface has a list of them. Only packages/proto makes and writes such fields.
 */

/**
 * One field that the reader of a message did not know. It is written again with the message.
 *
 * @example
 * const field: UnknownField = { no: 99, wireType: 0, data: Uint8Array.of(1) };
 * [field.no, field.wireType]; // => [99, 0]
 */
export interface UnknownField {
  /** The field number, from 1 on. */
  readonly no: number;
  /** protobuf's wire type: 0 varint, 1 eight bytes, 2 length and bytes, 5 four bytes. */
  readonly wireType: number;
  /** The bytes after the tag, the length included. A view of the bytes that were read. */
  readonly data: Uint8Array;
}
