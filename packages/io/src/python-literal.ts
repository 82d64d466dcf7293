/**
 * A scanner for the Python literals an .npy header may hold: dict, tuple, list, str, int, bool.
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
 *
 * NumPy gives the text to `ast.literal_eval`, that is to Python's own parser. This one is written by hand, looks at
 * each character once and calls nothing: no `eval`, no regular expression, at most 200 brackets deep (Python's limit).
 * It follows Python in what it reads (any white space and comments between brackets, adjacent strings, parentheses,
 * hexadecimal and underscored ints, signs) and refuses every other literal: floats, complex numbers, bytes, None, sets.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { isDigit, scanString, startsString } from "./python-string.ts";

/** What a literal means. Ints are bigint (Python's have no limit), dicts keep every entry in order, duplicates too. */
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

/** One `key: value` of a dict; `source` is the value as it was written. */
export interface PythonEntry {
  readonly key: PythonValue;
  readonly value: PythonValue;
  readonly source: string;
}

/** Python's tokenizer refuses the 201st open bracket. */
const kMaxDepth = 200;

/** Bases by the letter after a leading zero. */
const kBases: ReadonlyMap<string, number> = new Map([
  ["x", 16],
  ["o", 8],
  ["b", 2],
]);

/**
 * Parses one Python literal that makes up the whole of `text`.
 *
 * @param longInts accept Python 2's long ints, `2L`, as NumPy does in headers of version 1.0 and 2.0.
 *
 * Throws INVALID_ARGUMENT naming what was found and where.
 */
export function parsePythonLiteral(text: string, longInts: boolean): PythonValue {
  if (text.includes("\0")) throw new InvalidArgumentError(`npy header: a NUL character at ${text.indexOf("\0")} of the text`);
  // Python reads \r\n and \r as \n, inside string literals too.
  const source = text.includes("\r") ? text.split("\r\n").join("\n").split("\r").join("\n") : text;
  return new Scanner(source, longInts).document();
}

class Scanner {
  readonly #text: string;
  readonly #longInts: boolean;
  #at: number;
  /** Open brackets at `#at`: inside one, line ends are white space. */
  #depth: number;
  /** Whether the value read last was an int with a sign, which cannot take another one. */
  #signed: boolean;

  constructor(text: string, longInts: boolean) {
    this.#text = text;
    this.#longInts = longInts;
    this.#at = 0;
    this.#depth = 0;
    this.#signed = false;
  }

  /** The whole text: blank lines, a literal, blank lines. */
  document(): PythonValue {
    this.#skipLeadingLines();
    const value = this.#value();
    this.#skipSpace();
    // A line end at depth 0 ends the expression; behind it only blank lines and comments may follow.
    this.#depth = 1;
    this.#skipSpace(false);
    if (this.#at < this.#text.length) throw this.#unexpected("the end of the header");
    this.#refuseIndentedEnd();
    return value;
  }

  /** Python strips blanks before the first line, skips blank lines, and refuses an indented first statement. */
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
   * Quirk: Python takes blanks behind the last line end for an indented statement, and NumPy's second try, the one that
   * drops the long ints' `L`, happens to lose them again.
   */
  #refuseIndentedEnd(): void {
    if (this.#longInts) return;
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

  /** The identifier at the current place, not consumed; "" if there is none. */
  #name(): string {
    let end = this.#at;
    while (isNameCharacter(this.#text.charAt(end))) end++;
    return this.#text.slice(this.#at, end);
  }

  /** Strings that stand side by side are one string. */
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

  /** A run of digits, single underscores between them (and, after 0x, before them) dropped. */
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

  /** Python 2 wrote `2L`; NumPy drops every `L` that follows a number, with or without blanks between. */
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

  /** `(x)` is x, `(x,)` and `()` are tuples. */
  #parenthesized(): PythonValue {
    const { items, commas } = this.#items(")");
    const [only] = items;
    if (only !== undefined && items.length === 1 && commas === 0) return only;
    this.#signed = false;
    return { kind: "tuple", items };
  }

  /** Values between the bracket at the current place and `close`, a trailing comma allowed. */
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

  /** Consumes a comma and the white space behind it; false at `close`; anything else is an error. */
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

/** Letters, digits, underscore and everything beyond ASCII, which Python takes as part of a name or refuses. */
function isNameCharacter(c: string): boolean {
  return (c >= "a" && c <= "z") || (c >= "A" && c <= "Z") || (c >= "0" && c <= "9") || c === "_" || c > "\x7f";
}
