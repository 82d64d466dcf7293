/**
 * The encoding of byte strings in `tensor_content` (tensorflow/core/framework/tensor.cc, by way of platform/coding.h and
 * EncodeStringList in protobuf.cc).
 *
 *     02 01 61 62 63      lengths 2 and 1 as base-128 varints, then "ab" and "c"
 *
 * Resource and variant tensors use the same encoding, each element as a serialized message. The number of strings is not stored: it
 * is the shape's element count.
 */
import { InvalidArgumentError } from "@onebuffer/base";

/** protobuf's limit for one message, at which TensorFlow aborts. TensorFlow's estimate counts 8 bytes more for each string. */
const kMaxListBytes = 2 ** 31 - 1;

/** Returns the number of bytes in the varint of a length below 2^32. */
function varintSize(length: number): number {
  return length < 0x80 ? 1 : length < 0x4000 ? 2 : length < 0x200000 ? 3 : length < 0x10000000 ? 4 : 5;
}

/** Returns the strings as one block. Throws INVALID_ARGUMENT beyond 2^31 - 1 bytes. Copies: the bytes. */
export function encodeStringList(strings: readonly Uint8Array[]): Uint8Array {
  let lengths = 0;
  let payload = 0;
  for (const string of strings) {
    lengths += varintSize(string.byteLength);
    payload += string.byteLength;
  }
  if (payload + 8 * strings.length > kMaxListBytes)
    throw new InvalidArgumentError(
      `${strings.length} strings of ${payload} bytes are more than a message can hold: ${payload + 8 * strings.length} bytes with 8 for each, at most ${kMaxListBytes}`,
    );
  const block = new Uint8Array(lengths + payload);
  let at = 0;
  for (const { byteLength } of strings) {
    let rest = byteLength;
    for (; rest >= 0x80; rest >>>= 7) block[at++] = (rest & 0x7f) | 0x80;
    block[at++] = rest;
  }
  for (const string of strings) {
    block.set(string, at);
    at += string.byteLength;
  }
  return block;
}

/**
 * Returns the `count` strings of a block as views of it. Throws INVALID_ARGUMENT if the lengths do not parse, or do not add up to
 * exactly the bytes after them. Copies: never.
 */
export function decodeStringList(block: Uint8Array, count: number): Uint8Array[] {
  // Each length takes at least one byte, so nothing is allocated for an impossible count.
  if (count > block.byteLength)
    throw new InvalidArgumentError(`tensorContent of ${block.byteLength} bytes cannot hold the lengths of ${count} strings`);
  const lengths: number[] = [];
  let at = 0;
  let total = 0;
  for (let i = 0; i < count; i += 1) {
    let length = 0;
    let shift = 0;
    for (; ; shift += 7) {
      const byte = block[at];
      if (byte === undefined || shift > 28)
        throw new InvalidArgumentError(`the length of string ${i} of ${count} does not parse at byte ${at} of tensorContent`);
      at += 1;
      // As in TensorFlow, bits beyond the 32nd are dropped.
      length = (length | ((byte & 0x7f) << shift)) >>> 0;
      if (byte < 0x80) break;
    }
    lengths.push(length);
    total += length;
  }
  if (total !== block.byteLength - at)
    throw new InvalidArgumentError(
      `the lengths of ${count} strings add up to ${total} bytes, but ${block.byteLength - at} follow them in tensorContent`,
    );
  return lengths.map((length) => {
    const string = block.subarray(at, at + length);
    at += length;
    return string;
  });
}
