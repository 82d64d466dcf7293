/**
 * Parses NumPy's basic indexing from text, for example `"1:3, ::2, -1"`, and applies it to the geometry of a strided map.
 *
 *     items  item ("," item)* [","]            item   int | part ":" part [":" part] | "..." | "None" | "newaxis"
 *     part   int or "None" or nothing          int    any number of signs, then decimal digits, which `_` may separate
 *
 * This is Python's grammar, restricted to basic indexing. White space is allowed between tokens. Lists, masks, names, expressions and
 * numbers that are not decimal are refused; the error names their column, counted from 1.
 */
import { InvalidArgumentError, OutOfRangeError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { kMaxRank } from "./map-geometry.ts";
import type { StridedGeometry } from "./strided-geometry.ts";
import { chippedGeometry, expandedGeometry, slicedGeometry } from "./strided-geometry.ts";
import type { SliceRange } from "./indices.ts";
import { sliceHint } from "./slice-hint.ts";

/** One item of the text and the column it starts at. */
type SliceItem =
  | { readonly kind: "index"; readonly index: number; readonly column: number }
  | { readonly kind: "range"; readonly range: SliceRange; readonly column: number }
  | { readonly kind: "ellipsis"; readonly column: number }
  | { readonly kind: "newaxis"; readonly column: number };

const kSpace = /[ \t\n\r\f]*/y;
const kNewAxis = /(?:None|(?:np\.|numpy\.)?newaxis)(?![\w.])/y;
const kSign = /[+-]/y;
/** A decimal integer: no leading zeros except in zero itself, and no following character that would make it a float or a name. */
const kDigits = /(?:0(?:_?0)*|[1-9](?:_?[0-9])*)(?![\w.])/y;
/**
 * The value of integers that are larger still. No size exceeds it, so the result of a slice is the same; Python's integers are unbounded.
 */
const kMaxIndex = Number.MAX_SAFE_INTEGER;
/** Parses the items of a slice text from left to right. */
class SliceReader {
  declare private readonly text: string;
  #position = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The column of the next token, counted from 1. Skips white space. */
  get column(): number {
    this.#match(kSpace);
    return this.#position + 1;
  }

  /** True if only white space remains. */
  get atEnd(): boolean {
    return this.column > this.text.length;
  }

  /** Returns the items of the whole text. Throws INVALID_ARGUMENT if the text does not follow the grammar. */
  items(): SliceItem[] {
    const items: SliceItem[] = [];
    do items.push(this.#item());
    while (this.#eat(",") && !this.atEnd);
    if (!this.atEnd) throw this.#error('"," or the end');
    return items;
  }

  #item(): SliceItem {
    const { column } = this;
    if (this.#eat("...")) return { kind: "ellipsis", column };
    const first = this.#part();
    if (!this.#eat(":")) {
      if (first === undefined) throw this.#error('an index, ":", "..." or "newaxis"');
      return first === null ? { kind: "newaxis", column } : { kind: "index", index: first, column };
    }
    const stop = this.#part() ?? null;
    const step = this.#eat(":") ? (this.#part() ?? null) : null;
    if (step === 0)
      throw new InvalidArgumentError(`the step of the slice at column ${column} of ${shownValue(this.text)} is 0${sliceHint("text")}`);
    return { kind: "range", range: [first ?? null, stop, step], column };
  }

  /** Reads an integer or None. Returns null for None, and undefined if the next token is neither. */
  #part(): number | null | undefined {
    if (this.#word(kNewAxis) !== null) return null;
    let sign = 1;
    let signed = false;
    for (let word = this.#word(kSign); word !== null; word = this.#word(kSign)) {
      signed = true;
      if (word === "-") sign = -sign;
    }
    const digits = this.#word(kDigits);
    if (digits !== null) return sign * Math.min(Number(digits.replaceAll("_", "")), kMaxIndex) + 0;
    if (signed) throw this.#error("a decimal integer");
    return undefined;
  }

  #eat(mark: string): boolean {
    this.#match(kSpace);
    if (!this.text.startsWith(mark, this.#position)) return false;
    this.#position += mark.length;
    return true;
  }

  #word(pattern: RegExp): string | null {
    this.#match(kSpace);
    return this.#match(pattern);
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.#position += found.length;
    return found;
  }

  #error(expected: string): InvalidArgumentError {
    const { column, text } = this;
    const got = column > text.length ? "the end" : shownValue(String.fromCodePoint(text.codePointAt(column - 1) as number));
    return new InvalidArgumentError(
      `slice text ${shownValue(text)}: expected ${expected} at column ${column}, got ${got}${sliceHint("text")}`,
    );
  }
}

/** Returns the geometry of the elements that a slice text selects. Throws what ConstStridedMap.strided documents. */
export function geometryOfText(geometry: StridedGeometry, text: string): StridedGeometry {
  if (typeof text !== "string")
    throw new InvalidArgumentError(`a slice text must be a string, got ${shownValue(text)}${sliceHint("text")}`);
  const items = new SliceReader(text).items();
  const rank = geometry.dims.length;
  const ellipses = items.filter(({ kind }) => kind === "ellipsis");
  const [, second] = ellipses;
  if (second !== undefined)
    throw new InvalidArgumentError(`slice text ${shownValue(text)}: a second "..." at column ${second.column}${sliceHint("text")}`);
  const picks = items.filter(({ kind }) => kind === "index" || kind === "range");
  const surplus = picks[rank];
  if (surplus !== undefined) {
    throw new InvalidArgumentError(
      `slice text ${shownValue(text)}: ${picks.length} indices for the ${rank} dimensions of [${geometry.dims}], one too many at column ${surplus.column}${sliceHint("text")}`,
    );
  }
  const newRank = rank + items.filter(({ kind }) => kind === "newaxis").length - items.filter(({ kind }) => kind === "index").length;
  if (newRank > kMaxRank)
    throw new InvalidArgumentError(`slice text ${shownValue(text)} makes ${newRank} dimensions, more than ${kMaxRank}${sliceHint("text")}`);
  let result = geometry;
  // The dimension of the result that the next item applies to, and the dimension of the original map it comes from.
  let at = 0;
  let source = 0;
  // New dimensions are added at the end: before the indices have taken dimensions away, there could be too many.
  const added: number[] = [];
  for (const item of items) {
    if (item.kind === "ellipsis") {
      at += rank - picks.length;
      source += rank - picks.length;
    } else if (item.kind === "newaxis") {
      added.push(at + added.length);
    } else if (item.kind === "range") {
      result = slicedGeometry(result, [...new Array<null>(at).fill(null), item.range]);
      at++;
      source++;
    } else {
      const size = result.dims[at] as number;
      const index = item.index < 0 ? item.index + size : item.index;
      if (index < 0 || index >= size) {
        throw new OutOfRangeError(
          `slice text ${shownValue(text)}: index ${item.index} at column ${item.column} of dimension ${source} is not in [${-size + 0}, ${size})${sliceHint("text")}`,
        );
      }
      result = chippedGeometry(result, index, at);
      source++;
    }
  }
  return added.reduce((made, dimension) => expandedGeometry(made, dimension), result);
}
