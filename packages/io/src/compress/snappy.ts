/**
 * Decodes snappy's raw format (google/snappy, format_description.txt), in which blocks of TensorFlow's tables may be compressed.
 *
 *     varint32 length of the output, then elements until the input ends:
 *
 *     tag bits 0-1   tag bits 2-7                     bytes after the tag                 output
 *     00             length - 1, or 60 to 63:         1 to 4 bytes of length - 1,         the bytes that follow
 *     01             length - 4 in bits 2-4,          low 8 bits of the distance          bytes of the output, `distance` back;
 *                    distance >> 8 in bits 5-7                                            they may overlap the copy
 *     10             length - 1                       16 bits of distance                 the same
 *     11             length - 1                       32 bits of distance                 the same
 */
import { DataLossError } from "@onebuffer/base";
import { newBytes } from "../source/new-bytes.ts";

/** The most output bytes of one input byte: a copy of 64 bytes takes three bytes. */
const kMostExpansion = 64 / 3;

/** From this many bytes on, the engine's block copy is faster than a loop. */
const kBlockCopy = 32;

/**
 * Returns the output of `bytes`, at most `maxLength` bytes. The declared length is checked against `maxLength` and against the length
 * of the input before anything is allocated. `what` names the bytes in messages.
 *
 * Throws DATA_LOSS for everything that is not snappy's format.
 */
export function snappyDecode(bytes: Uint8Array<ArrayBufferLike>, maxLength: number, what: string = "snappy"): Uint8Array<ArrayBuffer> {
  const { value: length, next } = declaredLength(bytes, what);
  const possible = Math.floor((bytes.length - next) * kMostExpansion);
  if (length > maxLength || length > possible) {
    throw new DataLossError(
      `${what}: ${bytes.length} bytes declare ${length} bytes of output, at most ${Math.min(maxLength, possible)} are possible`,
    );
  }
  const output = newBytes(length, what);
  const written = decodeElements(bytes, next, output, what);
  if (written !== length) throw new DataLossError(`${what}: expected ${length} bytes of output, got ${written}`);
  return output;
}

/** Reads the varint32 at the start. */
function declaredLength(bytes: Uint8Array<ArrayBufferLike>, what: string): { readonly value: number; readonly next: number } {
  let value = 0;
  for (let i = 0; i < 5 && i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (i === 4 && byte > 15) break;
    value += (byte & 127) * 2 ** (7 * i);
    if (byte < 128) return { value, next: i + 1 };
  }
  throw new DataLossError(`${what}: the declared length is not a number of 32 bits`);
}

/** Decodes all elements and returns the number of bytes written. */
function decodeElements(bytes: Uint8Array<ArrayBufferLike>, start: number, output: Uint8Array<ArrayBuffer>, what: string): number {
  const end = bytes.length;
  let from = start;
  let to = 0;
  while (from < end) {
    const tag = bytes[from++] as number;
    const kind = tag & 3;
    let length = (tag >>> 2) + 1;
    // The number of bytes after the tag that belong to it.
    const extra = kind === 0 ? Math.max(0, length - 60) : kind === 3 ? 4 : kind;
    if (extra > end - from) throw cutShort(what, from);
    let number = 0;
    for (let i = 0; i < extra; i++) number += (bytes[from + i] as number) * 2 ** (8 * i);
    from += extra;
    if (kind === 0) {
      if (extra > 0) length = number + 1;
      if (length > end - from) throw cutShort(what, from);
      if (length > output.length - to) throw tooLong(what, output.length, from);
      if (length >= kBlockCopy) output.set(bytes.subarray(from, from + length), to);
      else for (let i = 0; i < length; i++) output[to + i] = bytes[from + i] as number;
      from += length;
    } else {
      if (kind === 1) {
        length = ((tag >>> 2) & 7) + 4;
        number += (tag >>> 5) << 8;
      }
      if (number === 0 || number > to) throw new DataLossError(`${what}: a copy from ${number} bytes before byte ${to} of the output`);
      if (length > output.length - to) throw tooLong(what, output.length, from);
      if (length >= kBlockCopy && number >= length) output.copyWithin(to, to - number, to - number + length);
      else for (let i = 0; i < length; i++) output[to + i] = output[to + i - number] as number;
    }
    to += length;
  }
  return to;
}

const cutShort = (what: string, at: number): DataLossError => new DataLossError(`${what}: the input ends within the element at byte ${at}`);

const tooLong = (what: string, length: number, at: number): DataLossError =>
  new DataLossError(`${what}: the element at byte ${at} goes beyond the declared ${length} bytes of output`);
