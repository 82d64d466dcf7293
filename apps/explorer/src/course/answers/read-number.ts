/**
 * Numbers as people write them: digits with separators, units, fractions, powers, small words.
 *
 *     1024   1,024   1 024   1_024   0x400   2^10   4 * 256   1 KiB   1024 bytes   4 * 256 = 1024
 */

/** Units by their lower-case names, and how many of the asked unit each is. */
export type Units = Readonly<Record<string, number>>;

/** The units of memory. */
export const kByteUnits: Units = { k: 1e3, b: 1, byte: 1, bytes: 1, kb: 1e3, mb: 1e6, kib: 2 ** 10, mib: 2 ** 20, bit: 1 / 8, bits: 1 / 8 };

const kWords = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/** A number as it was read. */
export interface ReadNumber {
  readonly value: number;
  /** By how much it may be off, because it was rounded to a unit: `11.7 KiB` is one of many numbers. */
  readonly slack: number;
}

/** Reads a number. Returns null if the text is none. */
export function readNumber(text: string, units: Units = {}): ReadNumber | null {
  const last = text
    .trim()
    .toLowerCase()
    .replace(/\s*\([^()]*[a-z][^()]*\)$/, "")
    .split("=")
    .at(-1)!
    .trim();
  const word = kWords.indexOf(last);
  if (word >= 0) return { value: word, slack: 0 };
  const [counted = "", what = ""] = last.split(/\s+/);
  if (kWords.includes(counted) && Object.hasOwn(units, what)) return { value: kWords.indexOf(counted) * units[what]!, slack: 0 };
  // The unit may stand before the number, too: `row 2`.
  const [, before = "", rest = last] = /^([a-z]+)\s+(.*)$/.exec(last) ?? [];
  const [, number = last, after = ""] = /^(.*?[\d)])\s*([a-z]+)\.?$/.exec(rest) ?? [];
  const isHex = /^0x/.test(last);
  const unit = Object.hasOwn(units, after) && !isHex ? after : "";
  const isNamed = Object.hasOwn(units, before);
  const digits = unit !== "" ? number : isNamed ? rest : last;
  const value = valueOf(withoutSeparators(digits.replace(/(?<=\d)(?:st|nd|rd|th)$/, "")));
  if (value === null) return null;
  const factor = units[unit] ?? 1;
  const decimals = /[.,](\d+)$/.exec(digits)?.[1]?.length ?? 0;
  return { value: value * factor, slack: factor >= 1000 && decimals > 0 ? (0.5 * factor) / 10 ** decimals : 0 };
}

/** Removes separators between thousands, and writes a decimal comma as a point. */
function withoutSeparators(text: string): string {
  return text
    .replace(/(?<=\d)[ \u00a0\u202f_'’,](?=\d{3}(?!\d))/g, "")
    .replace(/^(-?\d+),(\d+)$/, "$1.$2")
    .replace(/(?<=[\d)])\s*[x×·]\s*(?=[\d(])(?<!^0x)/g, "*")
    .replaceAll("÷", "/")
    .replaceAll("−", "-")
    .replaceAll("**", "^");
}

const kToken = /\s*(0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|[-+*/^()])/y;

/** Computes a text of numbers, signs and parentheses. Returns null if it is none. */
function valueOf(text: string): number | null {
  const tokens: string[] = [];
  kToken.lastIndex = 0;
  const whole = text.trim();
  for (let end = 0; end < whole.length; end = kToken.lastIndex) {
    const match = kToken.exec(whole);
    if (match === null || tokens.length > 60) return null;
    tokens.push(match[1]!);
  }
  const value = new Sum(tokens).whole();
  return value !== null && Number.isFinite(value) ? value : null;
}

/** Computes tokens: sums of products of powers. */
class Sum {
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  whole(): number | null {
    const value = this.#sum();
    return value === null || this.#next < this.#tokens.length ? null : value;
  }

  #sum(): number | null {
    let left = this.#product();
    for (let sign = this.#accept("+", "-"); sign !== null; sign = this.#accept("+", "-")) {
      const right = this.#product();
      left = left === null || right === null ? null : sign === "+" ? left + right : left - right;
    }
    return left;
  }

  #product(): number | null {
    let left = this.#power();
    for (let sign = this.#accept("*", "/"); sign !== null; sign = this.#accept("*", "/")) {
      const right = this.#power();
      left = left === null || right === null ? null : sign === "*" ? left * right : left / right;
    }
    return left;
  }

  #power(): number | null {
    if (this.#accept("-") !== null) {
      const value = this.#power();
      return value === null ? null : -value;
    }
    if (this.#accept("+") !== null) return this.#power();
    const base = this.#atom();
    if (base === null || this.#accept("^") === null) return base;
    const exponent = this.#power();
    return exponent === null ? null : base ** exponent;
  }

  #atom(): number | null {
    if (this.#accept("(") !== null) {
      const value = this.#sum();
      return this.#accept(")") === null ? null : value;
    }
    const token = this.#tokens[this.#next];
    if (token === undefined || !/[\d]/.test(token)) return null;
    this.#next++;
    return Number(token);
  }

  #accept(...signs: readonly string[]): string | null {
    const token = this.#tokens[this.#next];
    if (token === undefined || !signs.includes(token)) return null;
    this.#next++;
    return token;
  }
}

/** Returns true if two numbers are the same but for rounding. */
export const sameNumber = (a: number, b: number, slack = 0): boolean => Math.abs(a - b) <= slack + 1e-6 * Math.max(1, Math.abs(b));
