/**
 * UTF-8: converts text to and from string elements, which are plain bytes in TensorFlow.
 *
 * Invalid UTF-8 is reported, never replaced.
 */
import { checkText } from "@onebuffer/base/internal";
import { isSharedMemory } from "@onebuffer/allocator/internal";
import { utf8Bytes } from "../memory/utf8-bytes.ts";

/** The part of the Encoding standard that is used here; Node and every browser implement it. */
declare const TextDecoder: new (label: string, options: { fatal: boolean; ignoreBOM: boolean }) => { decode(bytes: Uint8Array): string };

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Returns the UTF-8 bytes of a text. A lone surrogate becomes U+FFFD, as everywhere on the web platform. Throws INVALID_ARGUMENT if
 * the argument is not a string.
 *
 * @example
 * encodeUtf8("é"); // => new Uint8Array([0xc3, 0xa9])
 */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  checkText(text, "a text");
  return utf8Bytes(text);
}

/**
 * Returns the text of UTF-8 bytes, or null if they are not valid UTF-8. Bytes in shared memory are copied first, because TextDecoder
 * refuses them in browsers (another thread could change them meanwhile).
 *
 * @example
 * decodeUtf8(new Uint8Array([0xc3, 0xa9])); // => "é"
 * decodeUtf8(new Uint8Array([0xff])); // => null
 */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    // Not slice(): Node's Buffer overrides it with a method that does not copy.
    return strict.decode(isSharedMemory(bytes.buffer) ? new Uint8Array(bytes) : bytes);
  } catch {
    return null;
  }
}
