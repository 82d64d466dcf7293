/** utf8-bytes: the UTF-8 bytes of a text, as string elements hold them. */

/** The part of the Encoding standard that is used here; Node and every browser implement it. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

const encoder = new TextEncoder();

/**
 * Texts of up to this many characters are encoded here if they are ASCII: the encoder makes an ArrayBuffer for each, which takes longer than
 * to encode it, and to collect a million takes longer still. Engines keep the bytes of so short an array in the array.
 */
const kShortText = 64;

/** Returns the UTF-8 bytes of a text. A lone surrogate becomes U+FFFD. */
export function utf8Bytes(text: string): Uint8Array<ArrayBuffer> {
  return (text.length <= kShortText ? asciiBytes(text) : null) ?? encoder.encode(text);
}

/** Returns the bytes of a text that is ASCII, and null for others. */
function asciiBytes(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return null;
    bytes[i] = code;
  }
  return bytes;
}
