/**
 * Decodes the strings of an .npy file to the elements of a string tensor.
 *
 *     S3     'a' 'b' 00                          bytes, filled with NULs at the end
 *     U2     61 00 00 00   00 00 00 00           code points of four bytes, filled with NULs at the end
 *
 * A string tensor has bytes as elements, so `S` elements are copied as they are and `U` elements become UTF-8. Python's texts may have half
 * a surrogate pair; it becomes the three bytes that UTF-8's scheme gives it, as in Python's "surrogatepass".
 */
import { InvalidArgumentError } from "@onebuffer/base";

const kMaxCodePoint = 0x10ffff;

/** Returns the bytes of each element in the order of the file. Throws INVALID_ARGUMENT for a number that is no code point. */
export function decodeStrings(
  data: Uint8Array<ArrayBufferLike>,
  count: number,
  { itemSize, wide, littleEndian }: { readonly itemSize: number; readonly wide: boolean; readonly littleEndian: boolean },
): Uint8Array[] {
  const elements: Uint8Array[] = [];
  const buffer = new Uint8Array(wide ? itemSize : 0);
  for (let i = 0; i < count; i++) {
    const item = data.subarray(i * itemSize, (i + 1) * itemSize);
    elements.push(wide ? utf8Of(item, littleEndian, buffer) : item.slice(0, lengthWithoutNuls(item)));
  }
  return elements;
}

function lengthWithoutNuls(bytes: Uint8Array<ArrayBufferLike>): number {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length--;
  return length;
}

/** Returns the UTF-8 bytes of four-byte code points. `buffer` has as many bytes as they have, which is enough. */
function utf8Of(item: Uint8Array<ArrayBufferLike>, littleEndian: boolean, buffer: Uint8Array): Uint8Array {
  const view = new DataView(item.buffer, item.byteOffset, item.byteLength);
  let end = item.byteLength;
  while (end > 0 && view.getUint32(end - 4, littleEndian) === 0) end -= 4;
  let length = 0;
  for (let at = 0; at < end; at += 4) {
    const code = view.getUint32(at, littleEndian);
    if (code > kMaxCodePoint) throw new InvalidArgumentError(`npy: a text has the character ${code}, the largest is ${kMaxCodePoint}`);
    if (code < 0x80) {
      buffer[length++] = code;
      continue;
    }
    const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    buffer[length++] = ((0xff00 >> (more + 1)) & 0xff) | (code >> (6 * more));
    for (let shift = 6 * (more - 1); shift >= 0; shift -= 6) buffer[length++] = 0x80 | ((code >> shift) & 0x3f);
  }
  return buffer.slice(0, length);
}
