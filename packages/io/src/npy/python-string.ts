/**
 * Parses one Python string token: prefix, quotes, escapes.
 *
 * An .npy header is a Python dict literal, so a descr may be spelled `'<f4'`, `"<f4"`, `u'<f4'`, `'\x3cf4'` or with
 * triple quotes; NumPy reads all of these because Python does. This module returns the text of one such token.
 * It does not join adjacent tokens (python-literal.ts does). It refuses bytes (`b''`) and formatted (`f''`) strings,
 * and the escape `\N{NAME}`, which would need the Unicode name table.
 */
import { InvalidArgumentError } from "@onebuffer/base";

/** A token's text, and the index of the first character after its closing quote. */
export interface StringToken {
  readonly value: string;
  readonly end: number;
}

/** Returns true if a string begins at `text[at]`: a quote, or one or two prefix letters and a quote. */
export function startsString(text: string, at: number): boolean {
  return quoteOf(text, at) !== -1;
}

/** Returns the index of the opening quote of the string that begins at `at`, or -1. */
function quoteOf(text: string, at: number): number {
  for (let i = at; i <= at + 2; i++) {
    const c = text.charAt(i);
    if (c === "'" || c === '"') return i;
    if (c === "" || !"uUrRbBfF".includes(c)) return -1;
  }
  return -1;
}

/** The escapes of one character after the backslash, and their values. */
const kSimpleEscapes: ReadonlyMap<string, string> = new Map([
  ["\n", ""],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

/** The exact number of hexadecimal digits after `\x`, `\u` and `\U`. */
const kHexEscapes: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

/**
 * Reads the string token that begins at `at`, which `startsString` has confirmed.
 *
 * Throws INVALID_ARGUMENT for bytes and formatted strings, a missing closing quote, a bad escape.
 */
export function scanString(text: string, at: number): StringToken {
  const open = quoteOf(text, at);
  const prefix = text.slice(at, open).toLowerCase();
  if (prefix !== "" && prefix !== "u" && prefix !== "r") {
    throw new InvalidArgumentError(
      `npy header: only plain, u'' and r'' strings are read, got ${text.slice(at, open + 1)} at character ${at}`,
    );
  }
  const quote = text.charAt(open);
  const triple = text.startsWith(quote + quote, open + 1);
  const close = triple ? quote + quote + quote : quote;
  let value = "";
  let i = open + close.length;
  while (!text.startsWith(close, i)) {
    const c = text.charAt(i);
    if (c === "" || (c === "\n" && !triple)) {
      throw new InvalidArgumentError(`npy header: the string that begins at character ${at} has no closing ${close}`);
    }
    if (c !== "\\") {
      value += c;
      i++;
    } else if (prefix === "r") {
      // A raw string keeps the backslash, and the character after it cannot close the string.
      value += text.slice(i, i + 2);
      i += 2;
    } else {
      const escape = scanEscape(text, i);
      value += escape.value;
      i = escape.end;
    }
  }
  return { value, end: i + close.length };
}

/** Reads the escape whose backslash is at `at`. The value of an unknown escape is its text, backslash included, as in Python. */
function scanEscape(text: string, at: number): StringToken {
  const c = text.charAt(at + 1);
  const simple = kSimpleEscapes.get(c);
  if (simple !== undefined) return { value: simple, end: at + 2 };
  const digits = kHexEscapes.get(c);
  if (digits !== undefined) return scanHexEscape(text, at, digits);
  if (c === "N") {
    throw new InvalidArgumentError(`npy header: the escape \\N{...} at character ${at} is not read`);
  }
  let end = at + 1;
  let code = 0;
  while (end < at + 4 && isDigit(text.charAt(end), 8)) code = code * 8 + Number(text.charAt(end++));
  if (end > at + 1) return { value: String.fromCharCode(code), end };
  return { value: text.slice(at, at + 2), end: at + 2 };
}

function scanHexEscape(text: string, at: number, digits: number): StringToken {
  const end = at + 2 + digits;
  let code = 0;
  for (let i = at + 2; i < end; i++) {
    const c = text.charAt(i);
    if (!isDigit(c, 16))
      throw new InvalidArgumentError(`npy header: ${text.slice(at, end)} at character ${at} is not ${digits} hexadecimal digits`);
    code = code * 16 + Number.parseInt(c, 16);
  }
  if (code > 0x10ffff)
    throw new InvalidArgumentError(`npy header: ${text.slice(at, end)} at character ${at} is beyond Unicode's last character`);
  return { value: String.fromCodePoint(code), end };
}

/** Returns true if `c` is one digit of `base`, which is 2, 8, 10 or 16. */
export function isDigit(c: string, base: number): boolean {
  const value = c.length === 1 ? "0123456789abcdef".indexOf(c.toLowerCase()) : -1;
  return value >= 0 && value < base;
}
