/**
 * radix-kernel: the functions of a radix sort of 32-bit keys, as WebAssembly.
 *
 *     value      float32    -2     -1      0      1      NaN
 *     key        uint32     3ff…   407…    800…   bf8…   fff…     unsigned order is the order of the values
 *
 * A key of a descending sort is inverted; that of NaN is the largest either way, so that NaN comes last. The digits of the keys are
 * counted in one pass over them; each further pass moves the keys by one digit, the lowest first, and keeps the order of equal digits.
 */
import type { CodeWriter, WasmModule } from "@onebuffer/wasm/internal";
import { arrayKernel } from "./array-kernel.ts";

/** How values become keys: by their sign bit, or as they are. */
export type KeyKind = "float32" | "int32" | "uint32";

/** The compiled functions. Addresses and counts are 32-bit integers; `flip` is -1 for a descending sort, otherwise 0. */
export interface RadixKernel {
  /** Replaces `count` values by their keys. */
  readonly keys: Readonly<Record<KeyKind, (at: number, count: number, flip: number) => number>>;
  /** Replaces `count` keys by their values. */
  readonly values: Readonly<Record<KeyKind, (at: number, count: number, flip: number) => number>>;
  /** Counts the digits of `count` keys into `digits` tables of 2^bits words, which must be 0. */
  readonly count: (at: number, count: number, tables: number, bits: number) => number;
  /** Moves keys to the places that the table has for their digits; the table is advanced. */
  readonly move: (from: number, to: number, count: number, table: number, shift: number, mask: number) => number;
  /** The same, and moves a word beside each key along. */
  readonly movePairs: (from: number, to: number, count: number, table: number, shift: number, mask: number, beside: number) => number;
}

/** Returns the functions, compiled at the first call; null if the engine refuses them. */
export function radixKernel(): RadixKernel | null {
  const run = arrayKernel("radix sort", writeRadix);
  if (run === null) return null;
  const named = (name: string): RadixKernel["keys"] => ({
    float32: run[`${name}Float`]!,
    int32: run[`${name}Int`]!,
    uint32: run[`${name}Uint`]!,
  });
  return { keys: named("keys"), values: named("values"), count: run["count"]!, move: run["move"]!, movePairs: run["movePairs"]! };
}

const kSign = -0x80000000;

function writeRadix(module: WasmModule): void {
  writeEach(module, "keysUint", (code, word, flip) => code.get(word).get(flip).op("i32.xor"));
  writeEach(module, "keysInt", (code, word, flip) => code.get(word).i32(kSign).op("i32.xor").get(flip).op("i32.xor"));
  writeEach(module, "keysFloat", writeFloatKey);
  writeEach(module, "valuesUint", (code, word, flip) => code.get(word).get(flip).op("i32.xor"));
  writeEach(module, "valuesInt", (code, word, flip) => code.get(word).get(flip).op("i32.xor").i32(kSign).op("i32.xor"));
  writeEach(module, "valuesFloat", writeFloatValue);
  writeCount(module);
  writeMove(module, "move", false);
  writeMove(module, "movePairs", true);
}

/** The key of a float: its bits with the sign inverted if positive, all inverted if negative. Zeros of both signs have one key. */
function writeFloatKey(code: CodeWriter, word: number, flip: number): void {
  // -0 becomes +0.
  code.get(word).op("f32.reinterpret_i32").f32(0).op("f32.add").op("i32.reinterpret_f32").set(word);
  code.i32(-1);
  code.get(word).i32(31).op("i32.shr_s").i32(kSign).op("i32.or").get(word).op("i32.xor").get(flip).op("i32.xor");
  code.get(word).op("f32.reinterpret_i32").get(word).op("f32.reinterpret_i32").op("f32.ne").op("select");
}

/** The value of a key: if the key's highest bit is set only that is inverted, otherwise all bits are. */
function writeFloatValue(code: CodeWriter, word: number, flip: number): void {
  code.get(word).get(flip).op("i32.xor").tee(word);
  code.get(word).i32(31).op("i32.shr_s").i32(-1).op("i32.xor").i32(kSign).op("i32.or").op("i32.xor");
}

const kEachParams = { at: "i32", count: "i32", flip: "i32" } as const;

/** Writes a function that replaces each of `count` words at `at`. `push` pushes the new word. */
function writeEach(module: WasmModule, name: string, push: (code: CodeWriter, word: number, flip: number) => unknown): void {
  const target = module.function(name, kEachParams, ["i32"]);
  const { at, count, flip } = target.paramsOf(kEachParams);
  const word = target.local("i32", "word");
  const code = target.body;
  const again = code.loop();
  code.get(at).memory("i32.load").set(word).get(at);
  push(code, word, flip);
  code.memory("i32.store");
  code.addTo(at, 4);
  code.countDown(count, again);
  code.i32(0);
}

const kCountParams = { at: "i32", count: "i32", tables: "i32", bits: "i32" } as const;

/** Writes the function that counts the digits of keys, for all digits in one pass. */
function writeCount(module: WasmModule): void {
  const target = module.function("count", kCountParams, ["i32"]);
  const { at, count, tables, bits } = target.paramsOf(kCountParams);
  const key = target.local("i32", "key");
  const table = target.local("i32", "table");
  const place = target.local("i32", "place");
  const shift = target.local("i32", "shift");
  const mask = target.local("i32", "mask");
  const bytes = target.local("i32", "bytes");
  const code = target.body;
  code.i32(4).get(bits).op("i32.shl").tee(bytes).i32(4).op("i32.sub").set(mask);
  const again = code.loop();
  code.get(at).memory("i32.load").set(key).get(tables).set(table).i32(0).set(shift);
  const digits = code.loop();
  code.get(key).get(shift).op("i32.shr_u").i32(2).op("i32.shl").get(mask).op("i32.and").get(table).op("i32.add").tee(place);
  code.get(place).memory("i32.load").i32(1).op("i32.add").memory("i32.store");
  code.get(table).get(bytes).op("i32.add").set(table);
  code.get(shift).get(bits).op("i32.add").tee(shift).i32(32).op("i32.lt_u").brIf(digits).end();
  code.addTo(at, 4);
  code.countDown(count, again);
  code.i32(0);
}

const kMoveParams = { from: "i32", to: "i32", count: "i32", table: "i32", shift: "i32", mask: "i32" } as const;

/**
 * Writes a pass over the keys in order. `table` has the address where the next key of each digit goes; with pairs, the words beside the
 * keys are `beside` bytes behind them, on both sides.
 */
function writeMove(module: WasmModule, name: string, hasPairs: boolean): void {
  const target = module.function(name, hasPairs ? { ...kMoveParams, beside: "i32" } : kMoveParams, ["i32"]);
  const { from, to, count, table, shift, mask } = target.paramsOf(kMoveParams);
  const key = target.local("i32", "key");
  const slot = target.local("i32", "slot");
  const place = target.local("i32", "place");
  const code = target.body;
  const again = code.loop();
  code.get(from).memory("i32.load").tee(key).get(shift).op("i32.shr_u").get(mask).op("i32.and").i32(2).op("i32.shl");
  code.get(table).op("i32.add").tee(slot).memory("i32.load").set(place);
  code.get(slot).get(place).i32(4).op("i32.add").memory("i32.store");
  code.get(place).get(to).op("i32.add").tee(place).get(key).memory("i32.store");
  if (hasPairs) {
    const beside = target.param("beside");
    code.get(place).get(beside).op("i32.add").get(from).get(beside).op("i32.add").memory("i32.load").memory("i32.store");
  }
  code.addTo(from, 4);
  code.countDown(count, again);
  code.i32(0);
}
