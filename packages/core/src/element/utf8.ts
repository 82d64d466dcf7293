/**
 * UTF-8: how text enters and leaves string elements, which in TensorFlow are plain bytes.
 *
 * Nothing here guesses: bytes that are not UTF-8 are reported, never replaced.
 */
import { checkText } from "@onebuffer/base";
import { isSharedMemory } from "@onebuffer/allocator/internal";

/** The part of the web platform's encoding interfaces used here; Node and every browser have them. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };
declare const TextDecoder: new (label: string, options: { fatal: boolean; ignoreBOM: boolean }) => { decode(bytes: Uint8Array): string };

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The UTF-8 bytes of a text. A lone surrogate becomes U+FFFD, as everywhere on the web platform.
 *
 * @example
 * encodeUtf8("é"); // => new Uint8Array([0xc3, 0xa9])
 */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  checkText(text, "a text");
  return encoder.encode(text);
}

/**
 * The text of UTF-8 bytes, or `null` where they are not UTF-8. Copies: bytes in shared memory, which the platform's decoder
 * refuses in browsers, because another thread could change them under it.
 *
 * @example
 * decodeUtf8(new Uint8Array([0xc3, 0xa9])); // => "é"
 * decodeUtf8(new Uint8Array([0xff])); // => null
 */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    // Not slice(): a Buffer of Node's overrides it with one that shares.
    return strict.decode(isSharedMemory(bytes.buffer) ? new Uint8Array(bytes) : bytes);
  } catch {
    return null;
  }
}
