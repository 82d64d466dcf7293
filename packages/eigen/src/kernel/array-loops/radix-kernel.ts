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
  /** Replaces `count` values by their keys. Returns a value other than 0 if one of them is -0. */
  readonly keys: Readonly<Record<KeyKind, (at: number, count: number, flip: number) => number>>;
  /** Replaces `count` keys by their values. */
  readonly values: Readonly<Record<KeyKind, (at: number, count: number, flip: number) => number>>;
  /** Counts the digits of `count` keys, of 8 or of 11 bits, into a table of 2^bits words for each, which must be 0. */
  readonly count: Readonly<Record<8 | 11, (at: number, count: number, tables: number) => number>>;
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
  return {
    keys: named("keys"),
    values: named("values"),
    count: { 8: run["count8"]!, 11: run["count11"]! },
    move: run["move"]!,
    movePairs: run["movePairs"]!,
  };
}

const kSign = -0x80000000;

function writeRadix(module: WasmModule): void {
  writeEach(module, "keysUint", (code, word, flip) => code.get(word).get(flip).op("i32.xor"));
  writeEach(module, "keysInt", (code, word, flip) => code.get(word).i32(kSign).op("i32.xor").get(flip).op("i32.xor"));
  writeEach(module, "keysFloat", writeFloatKey);
  writeEach(module, "valuesUint", (code, word, flip) => code.get(word).get(flip).op("i32.xor"));
  writeEach(module, "valuesInt", (code, word, flip) => code.get(word).get(flip).op("i32.xor").i32(kSign).op("i32.xor"));
  writeEach(module, "valuesFloat", writeFloatValue);
  writeCount(module, 8);
  writeCount(module, 11);
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

/** Writes a function that replaces each of `count` words at `at`. `push` pushes the new word. Returns whether a word was that of -0. */
function writeEach(module: WasmModule, name: string, push: (code: CodeWriter, word: number, flip: number) => unknown): void {
  const target = module.function(name, kEachParams, ["i32"]);
  const { at, count, flip } = target.paramsOf(kEachParams);
  const word = target.local("i32", "word");
  const found = target.local("i32", "found");
  const code = target.body;
  const again = code.loop();
  code.get(at).memory("i32.load").set(word);
  code.get(word).i32(kSign).op("i32.eq").get(found).op("i32.or").set(found).get(at);
  push(code, word, flip);
  code.memory("i32.store");
  code.addTo(at, 4);
  code.countDown(count, again);
  code.get(found);
}

const kCountParams = { at: "i32", count: "i32", tables: "i32" } as const;

/** Writes the function that counts the digits of keys, for all digits in one pass. */
function writeCount(module: WasmModule, bits: number): void {
  const target = module.function(`count${bits}`, kCountParams, ["i32"]);
  const { at, count, tables } = target.paramsOf(kCountParams);
  const key = target.local("i32", "key");
  const place = target.local("i32", "place");
  const code = target.body;
  const again = code.loop();
  code.get(at).memory("i32.load").set(key);
  for (let shift = 0, table = 0; shift < 32; shift += bits, table += 4 << bits) {
    code
      .get(key)
      .i32(shift)
      .op("i32.shr_u")
      .i32((1 << bits) - 1)
      .op("i32.and")
      .i32(2)
      .op("i32.shl")
      .get(tables)
      .op("i32.add")
      .tee(place);
    code.get(place).memory("i32.load", table).i32(1).op("i32.add").memory("i32.store", table);
  }
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
