/**
 * spread-kernel: sums of parts of rows in float32, x - x * share of some and x * share of others: the gradient of a linear interpolation, where
 * each row of the result was a mean of two rows (blend-kernel.ts).
 *
 *     for each row of the result            its entries are one behind the other in two tables
 *       for some vectors of the row
 *         add up x - x * share over the entries of the first table, and x * share over those of the second; store the sum of the two
 */
import type { WasmModule } from "@onebuffer/wasm/internal";
import { arrayKernel, textFunction } from "../calls/array-kernel.ts";

/**
 * The function. `first` and `second` are addresses of tables of addresses: of the entries of each row, and of the end of the last. An entry is
 * the place of a row of `from`, in bytes, and its share. `count` rows of `bytes` are stored.
 */
export type SpreadKernel = (from: number, first: number, second: number, to: number, count: number, bytes: number) => number;

/** The vectors of a step of long rows: each takes two registers. */
const kVectors = 4;

/** Returns the function; null if the engine refuses it. */
export function spreadKernel(): SpreadKernel | null {
  return (arrayKernel("spread", writeSpread)?.["rows"] as SpreadKernel | undefined) ?? null;
}

function writeSpread(module: WasmModule): void {
  const ks = Array.from({ length: kVectors }, (_, k) => k);
  const vectors = ks.map((k) => `low${k}:v128 high${k}:v128`).join(" ");
  textFunction(
    module,
    "rows",
    "from first second to count bytes",
    `at entry stop row ${vectors} x:v128 shares:v128 low:f32 high:f32 value:f32 share:f32`,
    `loop
      0 ->at
      ${whileLeft(16 * kVectors, ks.map(vectorWords))}
      ${whileLeft(16, [vectorWords(0)])}
      ${whileLeft(4, [elementWords])}
      first+=4 second+=4 to+=bytes
      count+=-1
    count while
    0`,
  );
}

/** The words for one vector, or one element, of a step. */
interface PartWords {
  readonly share: string;
  readonly zero: string;
  /** Adds x - x * share to the first sum. */
  readonly first: string;
  /** Adds x * share to the second sum. */
  readonly second: string;
  /** Stores the sum of both at its place. */
  readonly store: string;
}

function vectorWords(k: number): PartWords {
  const load = `row v128.load:${16 * k} ->x`;
  const product = "x shares f32x4.mul";
  return {
    share: "v128.load32_splat:4 ->shares",
    zero: `f32:0 f32x4.splat ->low${k} f32:0 f32x4.splat ->high${k}`,
    first: `${load} low${k} x ${product} f32x4.sub f32x4.add ->low${k}`,
    second: `${load} high${k} ${product} f32x4.add ->high${k}`,
    store: `to at + low${k} high${k} f32x4.add v128.store:${16 * k}`,
  };
}

const elementWords: PartWords = {
  share: "f32.load:4 ->share",
  zero: "f32:0 ->low f32:0 ->high",
  first: "row f32.load ->value low value value share f32.mul f32.sub f32.add ->low",
  second: "high row f32.load share f32.mul f32.add ->high",
  store: "to at + low high f32.add f32.store",
};

/** Returns the words that compute steps of some bytes while the row has as many left. */
function whileLeft(step: number, parts: readonly PartWords[]): string {
  const all = (words: (part: PartWords) => string): string => parts.map(words).join(" ");
  const entries = (table: string, words: (part: PartWords) => string): string => `
    ${table} i32.load ->entry
    ${table} i32.load:4 ->stop
    entry stop < if
      loop
        entry i32.load from + at + ->row
        entry ${parts[0]!.share}
        ${all(words)}
        entry+=8
      entry stop < while
    end`;
  return `
    at ${step} + bytes i32.le_u if
      loop
        ${all(({ zero }) => zero)}
        ${entries("first", ({ first }) => first)}
        ${entries("second", ({ second }) => second)}
        ${all(({ store }) => store)}
        at+=${step}
      at ${step} + bytes i32.le_u while
    end`;
}
