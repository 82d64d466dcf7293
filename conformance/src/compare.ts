/**
 * Compares the result of a call with the expected JSON of a vector.
 *
 * An expected object is partial: only the keys that it lists are compared. So a result is a record of functions (a `State`), of which
 * only those for the listed keys are called. Numbers are compared exactly: -0 is not 0, and NaN equals NaN. An integer
 * outside ±(2^53 - 1) is written as decimal text and equals only a bigint.
 */
import { isJsonArray, isJsonObject, RunnerError } from "./vector.ts";
import type { Json } from "./vector.ts";

/** A result with its own comparison: `mismatch` returns null if it matches, otherwise the text `got … want …`. */
export interface Matcher {
  mismatch(expected: Json): string | null;
}

/** A result whose keys are read on demand. */
export type State = Readonly<Record<string, () => unknown>>;

function isMatcher(value: unknown): value is Matcher {
  return typeof value === "object" && value !== null && typeof (value as Partial<Matcher>).mismatch === "function";
}

const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";

/** Returns bytes as lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** Returns the bytes of lower-case hex. Throws RunnerError for other text, which Node would silently cut off at the first wrong digit. */
export function fromHex(hex: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(hex)) throw new RunnerError(`not bytes in hex: ${JSON.stringify(hex)}`);
  return new Uint8Array(Buffer.from(hex, "hex"));
}

/** Returns the text of a value for a failure line. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (isBytes(value)) return `bytes ${toHex(value)}`;
  if (Array.isArray(value)) return `[${value.map(show).join(",")}]`;
  if (isMatcher(value)) return "a value";
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .map(([key, item]) => `${key}: ${typeof item === "function" ? "…" : show(item)}`)
      .join(", ")}}`;
  return JSON.stringify(value);
}

/** Returns the text of a mismatch. */
export function gotWant(got: unknown, expected: Json): string {
  return `got ${show(got)} want ${JSON.stringify(expected)}`;
}

/** Returns the number for the texts NaN, Infinity, -Infinity and -0; undefined for other texts. */
function specialNumber(text: string): number | undefined {
  return text === "NaN" ? Number.NaN : text === "Infinity" ? Infinity : text === "-Infinity" ? -Infinity : text === "-0" ? -0 : undefined;
}

function sameNumber(got: number, expected: Json): boolean {
  const want = typeof expected === "string" ? specialNumber(expected) : expected;
  return Object.is(got, want);
}

function sameInteger(got: bigint, expected: Json): boolean {
  if (typeof expected === "number") return Number.isSafeInteger(expected) && BigInt(expected) === got;
  return typeof expected === "string" && /^-?\d+$/.test(expected) && BigInt(expected) === got;
}

/** Returns true if a text, or bytes, equal the expected text (as UTF-8) or `{"hex": …}`. */
export function sameText(got: string | Uint8Array, expected: Json): boolean {
  if (typeof expected === "string" && typeof got === "string") return got === expected;
  const want =
    typeof expected === "string" ? Buffer.from(expected, "utf8").toString("hex") : isJsonObject(expected) ? expected["hex"] : undefined;
  return want === toHex(typeof got === "string" ? new TextEncoder().encode(got) : got);
}

function listMismatch(got: readonly unknown[], expected: readonly Json[]): string | null {
  if (got.length !== expected.length) return gotWant(got, expected);
  const at = got.findIndex((item, index) => mismatch(item, expected[index] as Json) !== null);
  return at < 0 ? null : got.length > 16 ? `[${at}] ${mismatch(got[at], expected[at] as Json)}` : gotWant(got, expected);
}

/** Compares a result with the expected JSON. Returns null if they match, otherwise the text for the failure line. */
export function mismatch(got: unknown, expected: Json): string | null {
  if (isMatcher(got)) return got.mismatch(expected);
  if (typeof got === "number") return sameNumber(got, expected) ? null : gotWant(got, expected);
  if (typeof got === "bigint") return sameInteger(got, expected) ? null : gotWant(got, expected);
  if (typeof got === "string" || isBytes(got)) return sameText(got, expected) ? null : gotWant(got, expected);
  if (Array.isArray(got)) return isJsonArray(expected) ? listMismatch(got, expected) : gotWant(got, expected);
  if (typeof got === "object" && got !== null)
    return isJsonObject(expected) ? stateMismatch(got as Readonly<Record<string, unknown>>, expected) : gotWant(got, expected);
  return got === expected ? null : gotWant(got, expected);
}

/** Compares the listed keys only. A listed key that the result does not have is a mismatch. */
function stateMismatch(got: Readonly<Record<string, unknown>>, expected: Readonly<Record<string, Json>>): string | null {
  for (const [key, want] of Object.entries(expected)) {
    if (!Object.hasOwn(got, key)) return `got no "${key}" (a key the runner does not know) want ${JSON.stringify(want)}`;
    const entry = got[key];
    const wrong = mismatch(typeof entry === "function" ? (entry as () => unknown)() : entry, want);
    if (wrong !== null) return `${key}: ${wrong}`;
  }
  return null;
}

/** The result of a call that returns only a status: it matches `"OK"`, or the state after the call. */
export class Ok implements Matcher {
  readonly #state: unknown;

  constructor(state: unknown = {}) {
    this.#state = state;
  }

  mismatch(expected: Json): string | null {
    return expected === "OK" ? null : mismatch(this.#state, expected);
  }
}

/** Bytes that are compared with hex in which `..` matches any byte. */
export class HexPattern implements Matcher {
  readonly #hex: string;

  constructor(bytes: Uint8Array) {
    this.#hex = toHex(bytes);
  }

  mismatch(expected: Json): string | null {
    const fits =
      typeof expected === "string" &&
      expected.length === this.#hex.length &&
      [...expected].every((digit, index) => digit === "." || digit === this.#hex[index]);
    return fits ? null : gotWant(this.#hex, expected);
  }
}

/** A list that is compared without regard to order. */
export class AnyOrder implements Matcher {
  readonly #items: readonly unknown[];

  constructor(items: readonly unknown[]) {
    this.#items = items;
  }

  mismatch(expected: Json): string | null {
    if (!isJsonArray(expected) || expected.length !== this.#items.length) return gotWant(this.#items, expected);
    const left = [...expected];
    for (const item of this.#items) {
      const at = left.findIndex((want) => mismatch(item, want) === null);
      if (at < 0) return gotWant(this.#items, expected);
      left.splice(at, 1);
    }
    return null;
  }
}

/** Sizes that may be larger than the expected ones: a number, or a list compared element by element. */
export class AtLeast implements Matcher {
  readonly #got: number | readonly number[];

  constructor(got: number | readonly number[]) {
    this.#got = got;
  }

  mismatch(expected: Json): string | null {
    const got = typeof this.#got === "number" ? [this.#got] : this.#got;
    const want = isJsonArray(expected) ? expected : [expected];
    const fits = got.length === want.length && got.every((size, index) => typeof want[index] === "number" && size >= want[index]);
    return fits ? null : `got ${show(this.#got)} want at least ${JSON.stringify(expected)}`;
  }
}

/** A list of which only the beginning is expected. */
export class Prefix implements Matcher {
  readonly #got: readonly unknown[];

  constructor(got: readonly unknown[]) {
    this.#got = got;
  }

  mismatch(expected: Json): string | null {
    if (!isJsonArray(expected)) return gotWant(this.#got, expected);
    return mismatch(this.#got.slice(0, expected.length), expected);
  }
}
