/**
 * A parser for the Python literals that an .npy header may contain: dict, tuple, list, str, int, bool.
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
 *
 * NumPy passes the text to `ast.literal_eval`, that is, to Python's parser. This parser is written by hand, reads each
 * character once and uses no `eval` and no regular expression; it reads at most 200 nested brackets (Python's limit).
 * It reads what Python reads (any white space and comments between brackets, adjacent strings, parentheses,
 * hexadecimal and underscored ints, signs) and refuses every other literal: floats, complex numbers, bytes, None, sets.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { isDigit, scanString, startsString } from "./python-string.ts";

/** The value of a literal. Ints are bigints, because Python's ints have no limit; dicts keep all entries in order, also duplicates. */
export type PythonValue = string | bigint | boolean | PythonSequence | PythonDict;

/** A tuple `(1, 2)` or a list `[1, 2]`. */
export interface PythonSequence {
  readonly kind: "tuple" | "list";
  readonly items: readonly PythonValue[];
}

/** A dict `{key: value}`. */
export interface PythonDict {
  readonly kind: "dict";
  readonly entries: readonly PythonEntry[];
}

/** One entry of a dict; `source` is the text of the value. */
export interface PythonEntry {
  readonly key: PythonValue;
  readonly value: PythonValue;
  readonly source: string;
}

/** The most open brackets: Python's tokenizer refuses the 201st. */
const kMaxDepth = 200;

/** The bases of ints by the letter after the leading zero. */
const kBases: ReadonlyMap<string, number> = new Map([
  ["x", 16],
  ["o", 8],
  ["b", 2],
]);

/**
 * Parses `text` as one Python literal.
 *
 * @param longInts accept Python 2's long ints, `2L`, as NumPy does in headers of version 1.0 and 2.0.
 *
 * Throws INVALID_ARGUMENT with the unexpected text and its position.
 */
export function parsePythonLiteral(text: string, longInts: boolean): PythonValue {
  if (text.includes("\0")) throw new InvalidArgumentError(`npy header: a NUL character at ${text.indexOf("\0")} of the text`);
  // Python reads \r\n and \r as \n, inside string literals too.
  const source = text.includes("\r") ? text.split("\r\n").join("\n").split("\r").join("\n") : text;
  return new Scanner(source, longInts, longInts && !/\r[ \t]+$/.test(text)).document();
}

class Scanner {
  readonly #text: string;
  readonly #longInts: boolean;
  readonly #blankEnd: boolean;
  #at: number;
  /** The number of open brackets at `#at`. Inside brackets line ends are white space. */
  #depth: number;
  /** True if the last value was an int with a sign, which cannot have another sign. */
  #signed: boolean;

  /** `blankEnd` allows blanks behind the last line end. */
  constructor(text: string, longInts: boolean, blankEnd: boolean) {
    this.#text = text;
    this.#longInts = longInts;
    this.#blankEnd = blankEnd;
    this.#at = 0;
    this.#depth = 0;
    this.#signed = false;
  }

  /** Parses the whole text: blank lines, a literal, blank lines. */
  document(): PythonValue {
    this.#skipLeadingLines();
    const value = this.#value();
    this.#skipSpace();
    // A line end outside brackets ends the expression; only blank lines and comments may follow.
    this.#depth = 1;
    this.#skipSpace(false);
    if (this.#at < this.#text.length) throw this.#unexpected("the end of the header");
    this.#refuseIndentedEnd();
    return value;
  }

  /** Skips blanks before the first line and blank lines, and refuses an indented first statement, as Python does. */
  #skipLeadingLines(): void {
    while (this.#is(" ") || this.#is("\t")) this.#at++;
    let column = 0;
    for (;;) {
      const c = this.#text.charAt(this.#at);
      if (c === " " || c === "\t") column++;
      else if (c === "\f" || c === "\n") column = 0;
      else if (c === "#") {
        this.#skipComment();
        continue;
      } else break;
      this.#at++;
    }
    if (column > 0) throw this.#unexpected("the header's text not to be indented behind a line end");
  }

  /**
   * Quirk: Python reads blanks after the last line end as an indented statement and refuses them. For versions 1.0 and 2.0 NumPy tries
   * again after removing the `L` of long ints, which also removes these blanks, but not those behind a \r alone.
   */
  #refuseIndentedEnd(): void {
    if (this.#blankEnd) return;
    const lastLine = this.#text.slice(this.#text.lastIndexOf("\n") + 1);
    if (lastLine !== "" && lastLine !== this.#text && lastLine.trim() === "") {
      throw new InvalidArgumentError(`npy header: the header ends with a line of ${lastLine.length} blanks without a line end`);
    }
  }

  #is(c: string): boolean {
    return this.#text.charAt(this.#at) === c;
  }

  #skipComment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  /** Skips white space, comments and, inside brackets, line ends and `\` before a line end. */
  #skipSpace(continuations = true): void {
    for (;;) {
      const c = this.#text.charAt(this.#at);
      if (c === " " || c === "\t" || c === "\f") this.#at++;
      else if (c === "#") this.#skipComment();
      else if (c === "\n" && this.#depth > 0) this.#at++;
      else if (c === "\\" && this.#depth > 0 && continuations && this.#text.charAt(this.#at + 1) === "\n") this.#at += 2;
      else return;
    }
  }

  #unexpected(expected: string): InvalidArgumentError {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    const got = rest === "" ? "the end of the header" : JSON.stringify(rest);
    return new InvalidArgumentError(`npy header: expected ${expected} at character ${this.#at}, got ${got}`);
  }

  #value(): PythonValue {
    this.#skipSpace();
    this.#signed = false;
    const c = this.#text.charAt(this.#at);
    if (c === "{") return this.#dict();
    if (c === "(") return this.#parenthesized();
    if (c === "[") return { kind: "list", items: this.#items("]").items };
    if (c === "+" || c === "-") return this.#signedInt(c);
    if (isDigit(c, 10)) return this.#int();
    if (startsString(this.#text, this.#at)) return this.#strings();
    const name = this.#name();
    if (name === "True" || name === "False") {
      this.#at += name.length;
      return name === "True";
    }
    throw this.#unexpected("a dict, tuple, list, str, int or bool");
  }

  /** Returns the identifier at the current position without consuming it; "" if there is none. */
  #name(): string {
    let end = this.#at;
    while (isNameCharacter(this.#text.charAt(end))) end++;
    return this.#text.slice(this.#at, end);
  }

  /** Parses adjacent strings as one string. */
  #strings(): string {
    let value = "";
    let end = this.#at;
    while (startsString(this.#text, this.#at)) {
      const token = scanString(this.#text, this.#at);
      value += token.value;
      end = token.end;
      this.#at = end;
      this.#skipSpace();
    }
    this.#at = end;
    return value;
  }

  #signedInt(sign: string): bigint {
    this.#at++;
    const operand = this.#value();
    if (typeof operand !== "bigint" || this.#signed) throw this.#unexpected(`an int after '${sign}'`);
    this.#signed = true;
    return sign === "-" ? -operand : operand;
  }

  #int(): bigint {
    const start = this.#at;
    const base = this.#is("0") ? kBases.get(this.#text.charAt(start + 1).toLowerCase()) : undefined;
    if (base !== undefined) this.#at += 2;
    const digits = this.#digits(base ?? 10, base !== undefined);
    const value = BigInt(base === undefined ? digits : `0${this.#text.charAt(start + 1).toLowerCase()}${digits}`);
    if (base === undefined && value !== 0n && digits.startsWith("0")) {
      this.#at = start;
      throw this.#unexpected("an int without leading zeros");
    }
    this.#skipLongSuffix();
    if (isNameCharacter(this.#text.charAt(this.#at)) || this.#is(".")) {
      this.#at = start;
      throw this.#unexpected("an int");
    }
    return value;
  }

  /** Reads a run of digits. Single underscores between digits (and before them after 0x) are dropped. */
  #digits(base: number, underscoreFirst: boolean): string {
    let digits = "";
    let underscore = underscoreFirst;
    for (;;) {
      const c = this.#text.charAt(this.#at);
      if (isDigit(c, base)) digits += c;
      else if (!(c === "_" && underscore && isDigit(this.#text.charAt(this.#at + 1), base))) break;
      underscore = c !== "_";
      this.#at++;
    }
    if (digits === "") throw this.#unexpected(`a digit of base ${base}`);
    return digits;
  }

  /** Skips the `L` of Python 2's long ints, `2L`. Like NumPy, skips every `L` after a number, also after blanks. */
  #skipLongSuffix(): void {
    if (!this.#longInts) return;
    for (;;) {
      const before = this.#at;
      while (this.#is(" ") || this.#is("\t") || this.#is("\f")) this.#at++;
      if (this.#name() !== "L") {
        this.#at = before;
        return;
      }
      this.#at++;
    }
  }

  /** Parses a parenthesized value or a tuple: `(x)` is x, `(x,)` and `()` are tuples. */
  #parenthesized(): PythonValue {
    const { items, commas } = this.#items(")");
    const [only] = items;
    if (only !== undefined && items.length === 1 && commas === 0) return only;
    this.#signed = false;
    return { kind: "tuple", items };
  }

  /** Parses the values between the bracket at the current position and `close`; a trailing comma is allowed. */
  #items(close: string): { readonly items: readonly PythonValue[]; readonly commas: number } {
    this.#open();
    const items: PythonValue[] = [];
    let commas = 0;
    while (!this.#is(close)) {
      items.push(this.#value());
      this.#skipSpace();
      if (!this.#comma(close)) break;
      commas++;
    }
    this.#close(close);
    return { items, commas };
  }

  #dict(): PythonDict {
    this.#open();
    const entries: PythonEntry[] = [];
    while (!this.#is("}")) {
      const key = this.#value();
      this.#skipSpace();
      if (!this.#is(":")) throw this.#unexpected("':'");
      this.#at++;
      this.#skipSpace();
      const start = this.#at;
      const value = this.#value();
      entries.push({ key, value, source: this.#text.slice(start, this.#at) });
      this.#skipSpace();
      if (!this.#comma("}")) break;
    }
    this.#close("}");
    this.#signed = false;
    return { kind: "dict", entries };
  }

  #open(): void {
    if (this.#depth === kMaxDepth)
      throw new InvalidArgumentError(`npy header: more than ${kMaxDepth} open brackets at character ${this.#at}`);
    this.#depth++;
    this.#at++;
    this.#skipSpace();
  }

  /** Consumes a comma and the white space after it. Returns false at `close`; throws for anything else. */
  #comma(close: string): boolean {
    if (this.#is(close)) return false;
    if (!this.#is(",")) throw this.#unexpected(`',' or '${close}'`);
    this.#at++;
    this.#skipSpace();
    return true;
  }

  #close(close: string): void {
    if (!this.#is(close)) throw this.#unexpected(`'${close}'`);
    this.#at++;
    this.#depth--;
  }
}

/** Returns true for letters, digits, underscore and all characters beyond ASCII, which Python reads as part of a name or refuses. */
function isNameCharacter(c: string): boolean {
  return (c >= "a" && c <= "z") || (c >= "A" && c <= "Z") || (c >= "0" && c <= "9") || c === "_" || c > "\x7f";
}
