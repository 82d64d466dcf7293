/**
 * JsonScanner: reads JSON text value by value, as strictly as Rust's serde_json does.
 *
 * JSON.parse cannot be used for a file header that another program checks too. It drops all but the last of several equal keys, turns `2.0`,
 * `2e0` and `-0` into integers, rounds integers above 2^53, and accepts escapes of half a surrogate pair. The scanner shows every key in the
 * order of the text, and reads an integer only where the text is one. The caller decides which value must follow.
 */
import { InvalidArgumentError } from "@onebuffer/base";

/** The deepest nesting: serde_json's limit. */
const kMaxDepth = 127;
const kMaxUint64 = 2n ** 64n - 1n;
/** The digits of 2^64 - 1. */
const kUint64Digits = 20;
/** An integer of this many digits is below 2^53. */
const kSafeDigits = 15;
const kNumber = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const kDigits = /[0-9]*/y;
const kNeedsCare = /[\\\u0000-\u001f]/;
const kEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** A reader of one JSON text. Every method first skips white space, and throws INVALID_ARGUMENT if the text is not what it reads. */
export class JsonScanner {
  readonly #text: string;
  readonly #subject: string;
  #at: number = 0;
  #depth: number = 0;

  /** @param subject the beginning of error messages, for example "safetensors header". */
  constructor(text: string, subject: string) {
    this.#text = text;
    this.#subject = subject;
  }

  /** Returns a scanner of UTF-8 bytes. A byte order mark is not white space. Throws INVALID_ARGUMENT if the bytes are not UTF-8. */
  static ofBytes(bytes: Uint8Array<ArrayBufferLike>, subject: string): JsonScanner {
    let text: string;
    try {
      // Copied with `slice`, because browsers' TextDecoder refuses shared memory.
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.slice());
    } catch (cause) {
      throw new InvalidArgumentError(`${subject}: the ${bytes.length} bytes are not valid UTF-8`, { cause });
    }
    return new JsonScanner(text, subject);
  }

  /** Returns the next character that is not white space, without reading it: "" at the end of the text. */
  peek(): string {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return this.#text.charAt(this.#at);
      this.#at++;
    }
  }

  /** Reads an object. Calls `readValue` after each key; it must read the value. Equal keys are all reported. */
  object(readValue: (key: string) => void): void {
    this.#sequence("{", "}", "an object", () => {
      const key = this.string();
      this.#expect(":");
      readValue(key);
    });
  }

  /** Reads an array. Calls `readItem` with the index of each item; it must read the item. */
  array(readItem: (index: number) => void): void {
    let index = 0;
    this.#sequence("[", "]", "an array", () => readItem(index++));
  }

  /** Reads a string. An escape of half a surrogate pair is refused. */
  string(): string {
    if (this.peek() !== '"') throw this.error("a string");
    const start = this.#at + 1;
    const end = this.#text.indexOf('"', start);
    if (end < 0) throw this.error("a string with an end");
    const plain = this.#text.slice(start, end);
    if (kNeedsCare.test(plain)) return this.#escapedString(start);
    this.#at = end + 1;
    return plain;
  }

  /** Reads an integer from 0 to 2^64 - 1, written as one: not `2.0`, `-0` or `2e0`. Returns a bigint above 2^53 - 1. */
  unsigned(): number | bigint {
    const first = this.peek();
    kDigits.lastIndex = this.#at;
    const digits = kDigits.exec(this.#text)?.[0] ?? "";
    const next = this.#text.charAt(this.#at + digits.length);
    if (digits === "" || (first === "0" && digits !== "0") || next === "." || next === "e" || next === "E") {
      throw this.error("an integer from 0 to 2^64 - 1");
    }
    if (digits.length <= kSafeDigits) {
      this.#at += digits.length;
      return Number(digits);
    }
    const value = digits.length <= kUint64Digits ? BigInt(digits) : kMaxUint64 + 1n;
    if (value > kMaxUint64) throw this.error("an integer from 0 to 2^64 - 1");
    this.#at += digits.length;
    return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  }

  /** Reads `null`. */
  null(): void {
    this.#word("null");
  }

  /** Reads any value and forgets it. */
  skip(): void {
    const first = this.peek();
    if (first === "{") this.object(() => this.skip());
    else if (first === "[") this.array(() => this.skip());
    else if (first === '"') this.string();
    else if (first === "t") this.#word("true");
    else if (first === "f") this.#word("false");
    else if (first === "n") this.#word("null");
    else this.#number();
  }

  /** Throws INVALID_ARGUMENT unless only white space is left. */
  end(): void {
    if (this.peek() !== "") throw this.error("the end");
  }

  /** Returns the error that `expected` should be at the current place. */
  error(expected: string): InvalidArgumentError {
    const found = this.peek() === "" ? "the end" : JSON.stringify(this.#text.slice(this.#at, this.#at + 20));
    return new InvalidArgumentError(`${this.#subject}: expected ${expected} at character ${this.#at}, got ${found}`);
  }

  #sequence(open: string, close: string, what: string, readPart: () => void): void {
    if (this.peek() !== open) throw this.error(what);
    if (this.#depth === kMaxDepth) throw this.error(`at most ${kMaxDepth} nested values`);
    this.#depth++;
    this.#at++;
    if (this.peek() !== close) {
      readPart();
      while (this.peek() === ",") {
        this.#at++;
        readPart();
      }
    }
    if (this.peek() !== close) throw this.error(`"," or "${close}"`);
    this.#at++;
    this.#depth--;
  }

  #expect(character: string): void {
    if (this.peek() !== character) throw this.error(`"${character}"`);
    this.#at++;
  }

  #word(word: string): void {
    this.peek();
    if (!this.#text.startsWith(word, this.#at)) throw this.error(word);
    this.#at += word.length;
  }

  #number(): void {
    kNumber.lastIndex = this.#at;
    const number = kNumber.exec(this.#text)?.[0];
    if (number === undefined || !Number.isFinite(Number(number))) throw this.error("a value");
    this.#at += number.length;
  }

  /** Reads the characters of a string that may have escapes; `start` is the first one. */
  #escapedString(start: number): string {
    const parts: string[] = [];
    let from = start;
    let at = start;
    for (;;) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x22) break;
      if (Number.isNaN(code)) throw this.error("a string with an end");
      if (code < 0x20) throw this.#characterError(at, "an escape for a control character");
      if (code !== 0x5c) {
        at++;
        continue;
      }
      parts.push(this.#text.slice(from, at));
      const escape = this.#text.charAt(at + 1);
      const character = escape === "u" ? this.#unicodeEscape(at) : kEscapes.get(escape);
      if (character === undefined) throw this.#characterError(at, "an escape of JSON");
      parts.push(character);
      at += escape === "u" ? 6 * character.length : 2;
      from = at;
    }
    parts.push(this.#text.slice(from, at));
    this.#at = at + 1;
    return parts.join("");
  }

  /** Returns the character of a `\uXXXX`, or of the two of a surrogate pair, at `at`. */
  #unicodeEscape(at: number): string {
    const unit = this.#codeUnit(at);
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    const low = unit < 0xdc00 ? this.#codeUnit(at + 6) : 0;
    if (low < 0xdc00 || low > 0xdfff) throw this.#characterError(at, "both halves of a surrogate pair");
    return String.fromCharCode(unit, low);
  }

  #codeUnit(at: number): number {
    const escape = this.#text.slice(at, at + 6);
    if (!/^\\u[0-9a-fA-F]{4}$/.test(escape)) throw this.#characterError(at, "\\u and four hexadecimal digits");
    return Number.parseInt(escape.slice(2), 16);
  }

  #characterError(at: number, expected: string): InvalidArgumentError {
    this.#at = at;
    return this.error(expected);
  }
}
