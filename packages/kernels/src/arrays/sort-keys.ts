/**
 * sort-keys: the functions of sort-kernel.ts that make keys of values and values of keys, as text. Keys are words of 4 or 8 bytes, also of
 * narrower integers.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { WasmModule } from "@onebuffer/wasm/internal";
import { isFloat } from "@onebuffer/expression/internal";
import { integerAccess, textFunction } from "../calls/array-kernel.ts";

/** The keys of a dtype. */
export interface Keys {
  readonly item: number;
  readonly bytes: 4 | 8;
  readonly type: "i32" | "i64";
  readonly lanes: "i32x4" | "i64x2";
  readonly float: "f32" | "f64" | null;
  /** The words that load and store an element as a word. */
  readonly load: string;
  readonly store: string;
  /**
   * The words that set `signs`, the bit that is inverted in keys of signed numbers, and `flips`, the bits that are inverted as the local
   * `flip` says.
   */
  readonly masks: string;
}

/** Returns how the elements of a dtype become keys. */
export function keysOf(dtype: DType): Keys {
  const item = dtypeSize(dtype);
  const isWide = item === 8;
  const [type, load, store] = integerAccess(item, "u");
  const lanes = isWide ? "i64x2" : "i32x4";
  const bits = 8 * item;
  const sign = dtype.startsWith("u") ? 0n : 1n << BigInt(bits - 1);
  return {
    item,
    bytes: isWide ? 8 : 4,
    type,
    lanes,
    float: isFloat(dtype) ? (isWide ? "f64" : "f32") : null,
    load,
    store,
    masks: `
      ${type}:${sign} ${lanes}.splat ->signs
      flip ${isWide ? "i64.extend_i32_s" : item < 4 ? `${2 ** bits - 1} &` : ""} ${lanes}.splat ->flips`,
  };
}

/** Returns the words that copy `count` elements of `size` bytes to elements of another size. */
function copies(to: string, store: string, toSize: number, from: string, load: string, size: number): string {
  if (size === toSize) return `${to} ${from} count ${size} * memory.copy`;
  return `
    count ->left
    loop
      left+=-1
      ${to} left ${toSize} * + ${from} left ${size} * + ${load} ${store}
    left while`;
}

/**
 * Writes the function that stores the keys of a row, in whole vectors: the last one is filled with the first key. Returns how many low bits
 * are not the same in all keys, plus 256 if one of the values is -0.
 */
export function writeKeys(module: WasmModule, { item, bytes, type, lanes, float, load, masks }: Keys): void {
  const numbers = float === "f64" ? "f64x2" : "f32x4";
  // -0 becomes +0. The other bits of negative numbers are inverted: the larger they are as integers, the smaller is the number.
  const key =
    float === null
      ? "x signs v128.xor flips v128.xor"
      : `x zero ${numbers}.add ->x
         x x ${8 * bytes - 1} ${lanes}.shr_s signs v128.or v128.xor flips v128.xor x x ${numbers}.ne v128.or`;
  const words = Array.from({ length: 16 / bytes }, (_, k) => k);
  textFunction(
    module,
    "keys",
    "from to count flip",
    "left stop x:v128 zero:v128 first:v128 flips:v128 signs:v128 differ:v128 zeros:v128",
    `${copies("to", `${type}.store`, bytes, "from", load, item)}
    to count ${bytes} * + ->stop
    ${words.map((k) => `stop from ${load} ${type}.store:${k * bytes}`).join(" ")}
    ${masks}
    from ${load} ${lanes}.splat ->x
    ${key} ->first
    loop
      to v128.load ->x
      ${float === null ? "" : `x signs ${lanes}.eq zeros v128.or ->zeros`}
      ${key} ->x
      to x v128.store
      x first v128.xor differ v128.or ->differ
      to+=16
    to stop < while
    ${8 * bytes} ${words.map((k) => `differ ${lanes}.extract_lane:${k} ${k > 0 ? `${type}.or` : ""}`).join(" ")}
    ${type}.clz ${type === "i64" ? "i32.wrap_i64" : ""} -
    zeros v128.any_true 8 << |`,
  );
}

/**
 * Writes, for keys of integers, `range`, which returns the least key of a row and the number of low bits that differ in distances from it, and
 * `lower`, which subtracts a number from keys. The bits that differ in keys on both sides of a power of two are more: of the numbers -100
 * to 99, whose distances have 8 bits, all 32.
 */
export function writeRange(module: WasmModule, { bytes, type, lanes }: Keys): void {
  const words = Array.from({ length: 16 / bytes }, (_, k) => k);
  const isWide = bytes === 8;
  // Without an instruction for the lesser of two unsigned integers, they are compared as signed ones with the sign inverted.
  const signed = (name: string): string => `${name} sign v128.xor`;
  const lesser = isWide ? `x least ${signed("x")} ${signed("least")} i64x2.lt_s v128.bitselect` : "x least i32x4.min_u";
  const greater = isWide ? `x most ${signed("x")} ${signed("most")} i64x2.gt_s v128.bitselect` : "x most i32x4.max_u";
  const extreme = (vector: string, result: string, isBetter: string): string =>
    words.map((k) => `${vector} ${lanes}.extract_lane:${k} ->one one ${result} one ${result} ${isBetter} select ->${result}`).join(" ");
  textFunction(
    module,
    "range",
    "from count",
    `stop one:${type} low:${type} high:${type} x:v128 least:v128 most:v128 sign:v128`,
    `from count ${bytes} * + ->stop
    ${isWide ? `i64:${-(2n ** 63n)} i64x2.splat ->sign` : ""}
    from v128.load ->least
    least ->most
    loop
      from v128.load ->x
      ${lesser} ->least
      ${greater} ->most
      from+=16
    from stop < while
    ${type}:-1 ->low
    ${extreme("least", "low", `${type}.lt_u`)}
    ${extreme("most", "high", `${type}.gt_u`)}
    low
    ${8 * bytes} high low ${type}.sub ${type}.clz ${isWide ? "i32.wrap_i64" : ""} -`,
    [type, "i32"],
  );
  textFunction(
    module,
    "lower",
    `from count base:${type}`,
    "stop bases:v128",
    `from count ${bytes} * + ->stop
    base ${lanes}.splat ->bases
    loop
      from from v128.load bases ${lanes}.sub v128.store
      from+=16
    from stop < while
    0`,
  );
}

/** Writes the function that replaces keys by their values, in whole vectors, and stores them. */
export function writeValues(module: WasmModule, { item, bytes, type, lanes, float, store, masks }: Keys): void {
  textFunction(
    module,
    "values",
    "from to count flip",
    "left at stop x:v128 flips:v128 signs:v128",
    // Of a number, the sign bit alone is inverted if it is set in the key, otherwise all bits are.
    `from ->at
    from count ${bytes} * + ->stop
    ${masks}
    loop
      at v128.load flips v128.xor ->x
      at x signs ${float === null ? "" : `x ${8 * bytes - 1} ${lanes}.shr_s v128.not v128.or`} v128.xor v128.store
      at+=16
    at stop < while
    ${copies("to", store, item, "from", `${type}.load`, bytes)}
    0`,
  );
}

/** Writes the function that collects the zeros of a row in their order, with their signs. Returns the end of the list. */
export function writeZeros(module: WasmModule, { bytes, type, float }: Keys): void {
  textFunction(
    module,
    "zeros",
    "from count list",
    `zero:${float}`,
    `loop
      list from ${type}.load ${type}.store
      list from ${float}.load zero ${float}.eq ${bytes} * + ->list
      from+=${bytes}
      count+=-1
    count while
    list`,
  );
}
