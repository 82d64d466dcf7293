/**
 * The text of string elements in Python: `repr` and `str` of str and bytes, for the NumPy-like text of string tensors.
 *
 * A TensorFlow string is bytes. UTF-8 bytes are shown as a Python `str` (`'abc'`), others as `bytes` (`b'\xff'`). Objects show
 * their own debug string.
 */
import { decodeUtf8 } from "./utf8.ts";

const kNamed: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Characters that are not printable to Python's str.isprintable, and the plain space, which is checked before. */
const kUnprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/u;

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, "0");
}

function escapeCharacter(character: string): string {
  const named = kNamed[character];
  if (named !== undefined) return named;
  if (character === " " || !kUnprintable.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function quoted(text: string, escaped: (character: string) => string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const character of text) out += character === quote ? `\\${quote}` : escaped(character);
  return out + quote;
}

/** Returns `repr(bytes)`. */
function bytesRepr(bytes: Uint8Array): string {
  let latin = "";
  for (const byte of bytes) latin += String.fromCharCode(byte);
  return `b${quoted(latin, (c) => kNamed[c] ?? (c >= " " && c <= "~" ? c : `\\x${hex(c.charCodeAt(0), 2)}`))}`;
}

function objectText(element: unknown): string {
  const debugString = (element as { debugString?: () => string } | null | undefined)?.debugString;
  return typeof debugString === "function" ? debugString.call(element) : String(element);
}

/** Returns an element as Python's `repr` writes it, with strings quoted. */
export function pythonRepr(element: unknown): string {
  if (!ArrayBuffer.isView(element)) return objectText(element);
  const text = decodeUtf8(element as Uint8Array);
  return text === null ? bytesRepr(element as Uint8Array) : quoted(text, escapeCharacter);
}

/** Returns an element as Python's `str` writes it, with text unquoted. */
export function pythonText(element: unknown): string {
  if (!ArrayBuffer.isView(element)) return objectText(element);
  return decodeUtf8(element as Uint8Array) ?? bytesRepr(element as Uint8Array);
}
