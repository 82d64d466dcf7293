/**
 * TextScanner: the tokens of protobuf's text format (in C++: io::Tokenizer).
 *
 *     name   ":"   "text" 'more text'   -1.5e3   { } < >   [ , ]   ;   # a comment
 *
 * Errors name the line and the column.
 */
import { getTextEncoding } from "@bufbuild/protobuf/wire";
import type { StatusError } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";

const { checkUtf8, encodeUtf8 } = getTextEncoding();

const kSpaces = /\s+/y;
const kComment = /#[^\n]*/y;
const kWord = /[\w.+-]+/y;
/** A run of a string literal without escapes and quotes. */
const kPlain = /[^"'\\\n\0]+/y;
const kEscape = /\\(?:([abfnrtv\\'"?])|([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;
const kEscaped: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92, "'": 39, '"': 34, "?": 63 };

/** A position in a text. */
export class TextScanner {
  readonly #text: string;
  #pos: number;

  constructor(text: string) {
    this.#text = text;
    this.#pos = 0;
    this.#skipBlank();
  }

  /** The character of the next token, or "" at the end of the text. */
  get next(): string {
    return this.#text.charAt(this.#pos);
  }

  /** Returns an INVALID_ARGUMENT error about the next token. */
  malformed(what: string): StatusError {
    const before = this.#text.slice(0, this.#pos);
    const line = before.split("\n").length;
    const column = this.#pos - before.lastIndexOf("\n");
    return new InvalidArgumentError(`text format, line ${line}, column ${column}: ${what}`);
  }

  /** Advances past the next token if it is this character. Returns true if it was. */
  take(character: string): boolean {
    if (this.next !== character) return false;
    this.#pos++;
    this.#skipBlank();
    return true;
  }

  /** Advances past a character that must follow. */
  expect(character: string): void {
    if (!this.take(character)) throw this.malformed(`expected "${character}", got ${this.#shownNext()}`);
  }

  /** Returns the next word: a name or a number with its sign. */
  word(what: string): string {
    let sign = "";
    if (this.next === "-" && /\s/.test(this.#text.charAt(this.#pos + 1))) {
      this.take("-");
      sign = "-";
    }
    const found = this.#match(kWord);
    if (found === null) throw this.malformed(`expected ${what}, got ${this.#shownNext()}`);
    this.#skipBlank();
    return sign + found[0];
  }

  /** Returns the bytes of the next string literals; adjacent ones are one text. */
  bytes(): Uint8Array<ArrayBuffer> {
    const bytes: number[] = [];
    if (this.next !== '"' && this.next !== "'") throw this.malformed(`expected a text in quotes, got ${this.#shownNext()}`);
    while (this.next === '"' || this.next === "'") this.#literal(bytes);
    return Uint8Array.from(bytes);
  }

  /** Appends the bytes of a string literal. */
  #literal(bytes: number[]): void {
    const quote = this.next;
    this.#pos++;
    for (;;) {
      const { next } = this;
      if (next === quote) break;
      if (next === '"' || next === "'") {
        bytes.push(next.charCodeAt(0));
        this.#pos++;
      } else if (next === "\\") this.#escape(bytes);
      else {
        const [plain] = this.#match(kPlain) ?? [""];
        if (plain === "" || !checkUtf8(plain)) throw this.malformed(plain === "" ? "a text without its end" : "a lone surrogate");
        for (const byte of encodeUtf8(plain)) bytes.push(byte);
      }
    }
    this.#pos++;
    this.#skipBlank();
  }

  #escape(bytes: number[]): void {
    const found = this.#match(kEscape, false);
    if (found === null) throw this.malformed(`the escape ${shownValue(this.#text.slice(this.#pos, this.#pos + 2))}`);
    const [all, letter, octal, hex, short, long] = found;
    if (letter !== undefined) bytes.push(kEscaped[letter]!);
    else if (octal !== undefined || hex !== undefined) {
      const byte = octal !== undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex!, 16);
      if (byte > 0xff) throw this.malformed(`the escape ${all}, more than a byte`);
      bytes.push(byte);
    } else {
      const code = Number.parseInt(short ?? long!, 16);
      if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) throw this.malformed(`the escape ${all}, which is no code point`);
      for (const byte of encodeUtf8(String.fromCodePoint(code))) bytes.push(byte);
    }
    this.#pos += all.length;
  }

  /** Returns the match of a sticky expression at the position, and advances past it unless `advance` is false. */
  #match(pattern: RegExp, advance = true): RegExpExecArray | null {
    pattern.lastIndex = this.#pos;
    const found = pattern.exec(this.#text);
    if (found !== null && advance) this.#pos += found[0].length;
    return found;
  }

  /** Advances past spaces and comments. One expression for both would need stack for each of them. */
  #skipBlank(): void {
    while (this.#match(kSpaces) !== null || this.#match(kComment) !== null);
  }

  #shownNext(): string {
    return this.next === "" ? "the end of the text" : shownValue(this.next);
  }
}
