/**
 * The lexer of shape text: splits it into tokens (the part of xla/hlo/parser/hlo_lexer.cc that shapes need) and makes
 * errors that point at a column.
 *
 *     token := NAME | INT | '<=' | one of ( ) [ ] { } , : ? * # + ~        INT := '-'? digit+
 *
 * Blanks, line ends, block comments and `//` comments may separate tokens. The text is read once, in linear time.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownText } from "../type/shown-list.ts";

/** A token: its kind, its text and its start in the text. A punctuation token is identified by its text. */
export interface Token {
  readonly kind: "name" | "integer" | "punctuation" | "end";
  readonly text: string;
  readonly start: number;
}

const kSkipped = /(?:[ \t\r\n]+|\/\/[^\n\r]*)+/y;
const kToken = /([A-Za-z_][A-Za-z0-9_]*)|(-?[0-9]+)|<=|[()[\]{},:?*#+~]/y;

/** The number of characters of a long line that an error shows on each side of the error's position. */
const kShownAround = 40;

/** Reads the tokens of one text, with one token of lookahead. */
export class TextLexer {
  readonly #text: string;
  readonly #what: string;
  #position = 0;
  #current: Token;

  /** `what` names the text in error messages: "shape", "layout". Throws INVALID_ARGUMENT if `text` is not a string. */
  constructor(text: string, what: string) {
    if (typeof text !== "string") throw new InvalidArgumentError(`Expected a ${what}'s text, got ${typeof text}`);
    this.#text = text;
    this.#what = what;
    this.#current = this.#read();
  }

  /** The current token: the first that has not been taken. */
  get current(): Token {
    return this.#current;
  }

  /** Returns true if the current token is this punctuation. */
  at(punctuation: string): boolean {
    return this.#current.kind === "punctuation" && this.#current.text === punctuation;
  }

  /** Returns true if the current token is this name. */
  atName(name: string): boolean {
    return this.#current.kind === "name" && this.#current.text === name;
  }

  /** Returns the token after the current one, without taking either. */
  lookAhead(): Token {
    const position = this.#position;
    const token = this.#read();
    this.#position = position;
    return token;
  }

  /** Returns the current token and advances to the next. */
  take(): Token {
    const token = this.#current;
    this.#current = this.#read();
    return token;
  }

  /** Takes the current token if it is this punctuation. Returns true if it was. */
  takeIf(punctuation: string): boolean {
    if (!this.at(punctuation)) return false;
    this.take();
    return true;
  }

  /** Takes this punctuation. Throws INVALID_ARGUMENT if the current token is another; the message ends with `where`. */
  expect(punctuation: string, where: string): void {
    if (!this.takeIf(punctuation)) throw this.unexpected(`'${punctuation}' ${where}`);
  }

  /** Takes an integer and returns it. Throws INVALID_ARGUMENT if the current token is not an integer, or is beyond 2^53 - 1. */
  expectInteger(what: string): number {
    const token = this.#current;
    if (token.kind !== "integer") throw this.unexpected(what);
    const value = Number(token.text);
    if (!Number.isSafeInteger(value)) throw this.error(`${what} is beyond 2^53 - 1: ${shownText(token.text)}`);
    this.take();
    return value + 0;
  }

  /** Returns the error for a current token that the grammar does not allow. */
  unexpected(wanted: string): InvalidArgumentError {
    const { kind, text } = this.#current;
    return this.error(`expected ${wanted}, got ${kind === "end" ? "the end of the text" : `'${shownText(text)}'`}`);
  }

  /** Returns an INVALID_ARGUMENT error that points at a position in the text, by default the start of the current token. */
  error(message: string, start: number = this.#current.start, cause?: unknown): InvalidArgumentError {
    const lineStart = Math.max(this.#text.lastIndexOf("\n", start - 1), this.#text.lastIndexOf("\r", start - 1)) + 1;
    const lineEnd = this.#text.slice(start).search(/[\r\n]/);
    const column = start - lineStart + 1;
    const line = this.#text.slice(0, lineStart).split(/\r\n|\r|\n/).length;
    const from = Math.max(lineStart, start - kShownAround);
    const to = Math.min(lineEnd < 0 ? this.#text.length : start + lineEnd, start + kShownAround);
    const excerpt = this.#text.slice(from, to).replaceAll("\t", " ");
    const place = line === 1 ? `column ${column}` : `line ${line}, column ${column}`;
    const text = `Invalid ${this.#what} text at ${place}: ${message}\n  ${excerpt}\n  ${" ".repeat(start - from)}^`;
    return new InvalidArgumentError(text, cause === undefined ? {} : { cause });
  }

  /** Reads the next token at the read position. */
  #read(): Token {
    this.#skip();
    const start = this.#position;
    if (start === this.#text.length) return { kind: "end", text: "", start };
    kToken.lastIndex = start;
    const match = kToken.exec(this.#text);
    if (match === null) throw this.error(`unexpected character '${String.fromCodePoint(this.#text.codePointAt(start)!)}'`, start);
    this.#position = kToken.lastIndex;
    const kind = match[1] !== undefined ? "name" : match[2] !== undefined ? "integer" : "punctuation";
    return { kind, text: match[0], start };
  }

  /** Advances the read position past blanks and comments. */
  #skip(): void {
    for (;;) {
      kSkipped.lastIndex = this.#position;
      if (kSkipped.test(this.#text)) this.#position = kSkipped.lastIndex;
      if (!this.#text.startsWith("/*", this.#position)) return;
      const end = this.#text.indexOf("*/", this.#position + 2);
      if (end < 0) throw this.error("unterminated comment", this.#position);
      this.#position = end + 2;
    }
  }
}
