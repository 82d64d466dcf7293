/**
 * sort-digits: the functions of sort-kernel.ts that count, move, insert and collect keys, as text. A table has a word for each value of a
 * digit: the digit of a key is `key >> shift & mask`.
 */
import type { WasmModule } from "@onebuffer/wasm/internal";
import { inGroups, raised, textFunction } from "../calls/array-kernel.ts";
import type { Keys } from "./sort-keys.ts";

/** Returns the words that replace a key on the stack by its digit, as the offset of a word in the table. */
const digitOf = ({ type }: Keys): string =>
  type === "i64" ? "shift i64.extend_i32_u i64.shr_u i32.wrap_i64 mask & 2 <<" : "shift >> mask & 2 <<";

/** Returns the words that push the address of the place beside the key at an address. */
export const besideOf = ({ bytes }: Keys, address: string): string => `${address} ${bytes === 8 ? "1 >>" : ""} beside +`;

/**
 * Writes the functions that count the values of one digit, or also of a second digit `more` bits higher, into a table of words for each,
 * which they clear first. The two counts of a key do not wait for each other.
 */
export function writeCount(module: WasmModule, keys: Keys, tableBytes: number): void {
  const one =
    (numDigits: number) =>
    (k: number): string =>
      `from ${keys.type}.load:${k * keys.bytes} ->key ${[0, tableBytes]
        .slice(0, numDigits)
        .map((at) => `key ${at === 0 ? "" : next} ${digitOf(keys)} table + ->slot slot slot i32.load:${at} 1 + i32.store:${at}`)
        .join(" ")}`;
  const next = `more ${keys.type === "i64" ? "i64.extend_i32_u i64.shr_u" : ">>"}`;
  for (const numDigits of [1, 2])
    textFunction(
      module,
      `count${numDigits}`,
      "from count table shift mask more",
      `slot left key:${keys.type}`,
      `table 0 ${(numDigits - 1) * tableBytes} mask 1 + 2 << + memory.fill
      ${inGroups(keys.bytes, one(numDigits))}
      0`,
    );
}

/** Writes the function that replaces counts by the addresses where the keys of each digit go: `to` and the sizes of the digits before. */
export function writeStarts(module: WasmModule, { bytes }: Keys): void {
  const last = `shuffle:${Array.from({ length: 16 }, (_, k) => 12 + (k & 3)).join()}`;
  textFunction(
    module,
    "starts",
    "table mask to",
    "stop x:v128 sum:v128 start:v128 zero:v128",
    `table mask 2 << + ->stop
    to i32x4.splat ->start
    loop
      table v128.load ${Math.log2(bytes)} i32x4.shl ->x
      zero x ${raised(4)} x i32x4.add ->sum
      zero sum ${raised(8)} sum i32x4.add start i32x4.add ->sum
      table sum x i32x4.sub v128.store
      sum sum ${last} ->start
      table+=16
    table stop < while
    0`,
  );
}

/** Writes a pass over the keys in order: each is moved to the address that the table has for its digit, which is advanced. */
export function writeMove(module: WasmModule, keys: Keys, hasPlaces: boolean): void {
  const { type, bytes } = keys;
  const place = (k: number): string => (hasPlaces ? `${besideOf(keys, "to")} ${besideOf(keys, "from")} i32.load:${4 * k} i32.store` : "");
  const one = (k: number): string => `
    from ${type}.load:${k * bytes} ->key
    key ${digitOf(keys)} table + ->slot
    slot i32.load ->to
    slot to ${bytes} + i32.store
    to key ${type}.store
    ${place(k)}`;
  textFunction(module, "move", "from count table shift mask beside", `slot to left key:${type}`, `${inGroups(bytes, one)} 0`);
}

/** Writes the insertion sort of nearly sorted keys. It gives up after `moves` moves; returns the moves that are left, below 0 if it gave up. */
export function writeInsert(module: WasmModule, keys: Keys, hasPlaces: boolean): void {
  const { type, bytes } = keys;
  const places = (words: string): string => (hasPlaces ? words : "");
  textFunction(
    module,
    "insert",
    "first count moves beside",
    `at to stop before place key:${type} last:${type}`,
    `first count ${bytes} * + ->stop
    first ->at
    first ${type}.load ->last
    block:done
    loop:next
      at+=${bytes}
      at stop i32.ge_u br_if:done
      at ${type}.load ->key
      key last ${type}.ge_u if
        key ->last
        br:next
      end
      at ->to
      ${places(`${besideOf(keys, "at")} i32.load ->place`)}
      block:found
      loop
        to ${bytes} - ->before
        to before ${type}.load ${type}.store
        ${places(`${besideOf(keys, "to")} ${besideOf(keys, "before")} i32.load i32.store`)}
        moves+=-1
        before ->to
        to first == br_if:found
      key to ${bytes} - ${type}.load ${type}.lt_u while
      end
      to key ${type}.store
      ${places(`${besideOf(keys, "to")} place i32.store`)}
    moves 0 i32.ge_s while
    end
    moves`,
  );
}

/** Writes the function that copies the keys with a digit, which is given as the offset of a word in the table. */
export function writeCollect(module: WasmModule, keys: Keys): void {
  const { type, bytes } = keys;
  const one = (k: number): string => `
    from ${type}.load:${k * bytes} ->key
    to key ${type}.store
    to key ${digitOf(keys)} digit == ${bytes} * + ->to`;
  textFunction(module, "collect", "from count to shift mask digit", `left key:${type}`, `${inGroups(bytes, one)} 0`);
}
