/**
 * UnknownField: what a message from the wire holds beyond the fields its reader knows (UnknownFieldSet in protobuf).
 *
 * A newer program may write fields that an older one has not heard of. Whoever reads, changes and writes a message must
 * not lose them; so every message interface has a list of them. Only packages/proto makes and writes such fields.
 */

/**
 * One field that the reader of a message did not know, kept to be written again.
 *
 * @example
 * const field: UnknownField = { no: 99, wireType: 0, data: Uint8Array.of(1) };
 * [field.no, field.wireType]; // => [99, 0]
 */
export interface UnknownField {
  /** The field number, from 1 on. */
  readonly no: number;
  /** 0 varint, 1 eight bytes, 2 bytes with their length in front, 5 four bytes. */
  readonly wireType: number;
  /** The bytes after the tag, the length included. A view of what was read. */
  readonly data: Uint8Array;
}
