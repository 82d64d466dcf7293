/**
 * sort-parts: the functions of a sort of rows by keys (sort-kernel.ts), as WebAssembly.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { CodeWriter, WasmFunction, WasmModule } from "@onebuffer/wasm/internal";
import { isFloat } from "../../expression/tree/dtype-groups.ts";
import { arrayFunction } from "./array-kernel.ts";

type Plain = Parameters<CodeWriter["op"]>[0];
type Access = Parameters<CodeWriter["memory"]>[0];

/** The keys of a dtype: words of 4 or 8 bytes, also of narrower integers. */
export interface Keys {
  readonly item: number;
  readonly bytes: 4 | 8;
  readonly type: "i32" | "i64";
  readonly float: "f32" | "f64" | null;
  readonly lanes: "i32x4" | "i64x2";
  /** The bit that is inverted in keys of signed numbers. */
  readonly sign: bigint;
  readonly load: Access;
  readonly store: Access;
}

const known = new Map<DType, Keys>();

/** Returns how the elements of a dtype become keys. */
export function keysOf(dtype: DType): Keys {
  let keys = known.get(dtype);
  if (keys === undefined) known.set(dtype, (keys = makeKeys(dtype)));
  return keys;
}

function makeKeys(dtype: DType): Keys {
  const item = dtypeSize(dtype);
  const type = item === 8 ? "i64" : "i32";
  const narrow = item < 4 ? String(item * 8) : "";
  return {
    item,
    bytes: item === 8 ? 8 : 4,
    type,
    float: isFloat(dtype) ? (item === 8 ? "f64" : "f32") : null,
    lanes: item === 8 ? "i64x2" : "i32x4",
    sign: dtype.startsWith("u") ? 0n : 1n << BigInt(item * 8 - 1),
    load: `${type}.load${narrow === "" ? "" : `${narrow}_u`}` as Access,
    store: `${type}.store${narrow}` as Access,
  };
}

/** Pushes a constant of the keys' type. */
export function pushKey(code: CodeWriter, { type }: Keys, value: bigint): CodeWriter {
  return type === "i64" ? code.i64(BigInt.asIntN(64, value)) : code.i32(Number(BigInt.asIntN(32, value)));
}

/** Pushes an i32 as a value of the keys' type; -1 stays -1. */
function pushWide(code: CodeWriter, { type }: Keys, local: number): CodeWriter {
  code.get(local);
  return type === "i64" ? code.op("i64.extend_i32_s") : code;
}

/** Stores the bits in which keys differ behind the keys' half: the table is not yet used. Returns whether one of the values is -0. */
function finishKeys(code: CodeWriter, { type }: Keys, table: number, any: number, all: number): void {
  code
    .get(table)
    .get(any)
    .get(all)
    .op(`${type}.xor` as Plain)
    .memory(`${type}.store` as Access);
}

const kKeyParams = ["from", "to", "count", "flip", "table"] as const;

/** Writes the function that widens narrow integers to keys. */
export function writeNarrowKeys(module: WasmModule, keys: Keys): WasmFunction {
  const { target, at } = arrayFunction(module, "keys", kKeyParams, ["key", "any", "all"]);
  const code = target.body;
  const mask = 2 ** (8 * keys.item) - 1;
  code.i32(-1).set(at.all).get(at.flip).i32(mask).op("i32.and").i32(Number(keys.sign)).op("i32.xor").set(at.flip);
  const next = code.loop();
  code.get(at.to).get(at.from).memory(keys.load).get(at.flip).op("i32.xor").tee(at.key).memory("i32.store");
  code.get(at.any).get(at.key).op("i32.or").set(at.any).get(at.all).get(at.key).op("i32.and").set(at.all);
  code.addTo(at.from, keys.item).addTo(at.to, 4);
  code.countDown(at.count, next);
  finishKeys(code, keys, at.table, at.any, at.all);
  code.i32(0);
  return target;
}

/** Writes the function that copies a row and replaces its values by keys, in whole vectors: the last one is filled with the first value. */
export function writeKeys(module: WasmModule, keys: Keys): WasmFunction {
  const { bytes, type, lanes, float, sign } = keys;
  const { target, at } = arrayFunction(module, "keys", kKeyParams, ["end", "zero"]);
  const code = target.body;
  const vectors = ["x", "key", "flips", "signs", "any", "all", "zeros"] as const;
  const v = Object.fromEntries(vectors.map((name) => [name, target.local("v128", name)])) as Record<(typeof vectors)[number], number>;
  const [any, all] = [target.local(type, "anyBit"), target.local(type, "allBits")];
  code.get(at.to).get(at.from).get(at.count).i32(bytes).op("i32.mul").op("memory.copy");
  code.get(at.to).get(at.count).i32(bytes).op("i32.mul").op("i32.add").set(at.end);
  for (let k = 0; k < 16 / bytes - 1; k++) {
    code
      .get(at.end)
      .get(at.from)
      .memory(keys.load)
      .memory(keys.store, k * bytes);
  }
  pushKey(code, keys, sign).op(`${lanes}.splat`).set(v.signs);
  pushWide(code, keys, at.flip).op(`${lanes}.splat`).set(v.flips);
  code.i32(-1).op("i32x4.splat").set(v.all);
  const next = code.loop();
  code.get(at.to).get(at.to).memory("v128.load").tee(v.x);
  if (float === null) code.get(v.signs);
  else {
    // -0 becomes +0.
    const lane = float === "f64" ? "f64x2" : "f32x4";
    code.get(v.signs).op(`${lanes}.eq`).get(v.zeros).op("v128.or").set(v.zeros);
    pushKey(code, keys, 0n).op(`${lanes}.splat`).get(v.x).op(`${lane}.add`).tee(v.key).get(v.key);
    code
      .i32(8 * bytes - 1)
      .op(`${lanes}.shr_s`)
      .get(v.signs)
      .op("v128.or");
  }
  code.op("v128.xor").get(v.flips).op("v128.xor");
  if (float !== null) {
    const lane = float === "f64" ? "f64x2" : "f32x4";
    code.get(v.x).get(v.x).op(`${lane}.ne`).op("v128.or");
  }
  code.tee(v.key).memory("v128.store");
  code.get(v.any).get(v.key).op("v128.or").set(v.any).get(v.all).get(v.key).op("v128.and").set(v.all);
  code.addTo(at.to, 16).get(at.to).get(at.end).op("i32.lt_u").brIf(next).end();
  for (const [vector, scalar, op] of [
    [v.any, any, "or"],
    [v.all, all, "and"],
  ] as const) {
    code.get(vector).lane(`${lanes}.extract_lane`, 0).set(scalar);
    for (let lane = 1; lane < 16 / bytes; lane++) {
      code
        .get(scalar)
        .get(vector)
        .lane(`${lanes}.extract_lane`, lane)
        .op(`${type}.${op}` as Plain)
        .set(scalar);
    }
  }
  finishKeys(code, keys, at.table, any, all);
  code.get(v.zeros).op("v128.any_true");
  return target;
}

/** Pushes the digit of a key on the stack, as the offset of a word in a table. */
function pushDigit(code: CodeWriter, { type }: Keys, shift: number, mask: number): CodeWriter {
  code.get(shift);
  if (type === "i64") code.op("i64.extend_i32_u");
  code.op(`${type}.shr_u` as Plain);
  if (type === "i64") code.op("i32.wrap_i64");
  return code.get(mask).op("i32.and").i32(2).op("i32.shl");
}

/** Writes the function that counts the values of a digit into a table of words, which it clears first. */
export function writeCount(module: WasmModule, keys: Keys): WasmFunction {
  const { target, at } = arrayFunction(module, "count", ["at", "count", "table", "shift", "mask"], ["place", "left"]);
  const code = target.body;
  code.get(at.table).i32(0).get(at.mask).i32(1).op("i32.add").i32(2).op("i32.shl").op("memory.fill");
  const one = (offset: number): void => {
    code.get(at.at).memory(`${keys.type}.load` as Access, offset);
    pushDigit(code, keys, at.shift, at.mask).get(at.table).op("i32.add").tee(at.place);
    code.get(at.place).memory("i32.load").i32(1).op("i32.add").memory("i32.store");
  };
  inGroups(code, at.count, at.left, (size) => {
    for (let k = 0; k < size; k++) one(k * keys.bytes);
    code.addTo(at.at, size * keys.bytes);
  });
  code.i32(0);
  return target;
}

/** Writes loops over `count` elements, which is not 0: over groups of four, then over those that are left. */
function inGroups(code: CodeWriter, count: number, left: number, write: (size: number) => void): void {
  code.get(count).i32(3).op("i32.and").set(left);
  code.get(count).i32(2).op("i32.shr_u").tee(count).if();
  const group = code.loop();
  write(4);
  code.countDown(count, group).end().get(left).if();
  const one = code.loop();
  write(1);
  code.countDown(left, one).end();
}

const kUpOne: readonly number[] = Array.from({ length: 16 }, (_, k) => k + 12);
const kUpTwo: readonly number[] = Array.from({ length: 16 }, (_, k) => k + 8);
const kLast: readonly number[] = Array.from({ length: 16 }, (_, k) => 12 + (k % 4));

/** Writes the function that replaces counts by the addresses where the keys of each digit go. */
export function writeStarts(module: WasmModule, { bytes }: Keys): WasmFunction {
  const { target, at } = arrayFunction(module, "starts", ["table", "mask", "to"], ["end"]);
  const [x, sum, start, zero] = ["x", "sum", "start", "zero"].map((name) => target.local("v128", name)) as [number, number, number, number];
  const code = target.body;
  code.get(at.table).get(at.mask).i32(2).op("i32.shl").op("i32.add").set(at.end).get(at.to).op("i32x4.splat").set(start);
  const next = code.loop();
  code.get(at.table).memory("v128.load").i32(Math.log2(bytes)).op("i32x4.shl").set(x);
  code.get(zero).get(x).shuffle(kUpOne).get(x).op("i32x4.add").set(sum);
  code.get(zero).get(sum).shuffle(kUpTwo).get(sum).op("i32x4.add").set(sum);
  code.get(at.table).get(sum).get(x).op("i32x4.sub").get(start).op("i32x4.add").memory("v128.store");
  code.get(sum).get(sum).shuffle(kLast).get(start).op("i32x4.add").set(start);
  code.addTo(at.table, 16).get(at.table).get(at.end).op("i32.lt_u").brIf(next).end();
  code.i32(0);
  return target;
}

/** Pushes the address of the place beside the key at an address. */
export function pushBeside(code: CodeWriter, { bytes }: Keys, address: number, beside: number): CodeWriter {
  code.get(address);
  if (bytes === 8) code.i32(1).op("i32.shr_u");
  return code.get(beside).op("i32.add");
}

/** Writes a pass over the keys in order: each is moved to the address that the table has for its digit, which is advanced. */
export function writeMove(module: WasmModule, keys: Keys, hasPlaces: boolean): WasmFunction {
  const { type, bytes } = keys;
  const { target, at } = arrayFunction(module, "move", ["from", "count", "table", "shift", "mask", "beside"], ["slot", "to", "left"]);
  const key = target.local(type, "key");
  const code = target.body;
  const one = (offset: number): void => {
    code
      .get(at.from)
      .memory(`${type}.load` as Access, offset)
      .tee(key);
    pushDigit(code, keys, at.shift, at.mask).get(at.table).op("i32.add").tee(at.slot).memory("i32.load").set(at.to);
    code.get(at.slot).get(at.to).i32(bytes).op("i32.add").memory("i32.store");
    code
      .get(at.to)
      .get(key)
      .memory(`${type}.store` as Access);
    if (hasPlaces) {
      pushBeside(code, keys, at.to, at.beside);
      pushBeside(code, keys, at.from, at.beside)
        .memory("i32.load", (offset * 4) / bytes)
        .memory("i32.store");
    }
  };
  inGroups(code, at.count, at.left, (size) => {
    for (let k = 0; k < size; k++) one(k * bytes);
    code.addTo(at.from, size * bytes);
  });
  code.i32(0);
  return target;
}

/** Writes the insertion sort of nearly sorted keys. It gives up after `moves` moves; returns the moves that are left, below 0 if it gave up. */
export function writeInsert(module: WasmModule, keys: Keys, hasPlaces: boolean): WasmFunction {
  const { type, bytes } = keys;
  const { target, at } = arrayFunction(module, "insert", ["first", "count", "moves", "beside"], ["at", "to", "end", "before", "place"]);
  const [key, last] = [target.local(type, "key"), target.local(type, "last")];
  const [load, store]: readonly [Access, Access] = [`${type}.load`, `${type}.store`];
  const code = target.body;
  code.get(at.first).get(at.count).i32(bytes).op("i32.mul").op("i32.add").set(at.end);
  code.get(at.first).memory(load).set(last).get(at.first).set(at.at);
  const done = code.block();
  const next = code.loop();
  code.addTo(at.at, bytes).get(at.at).get(at.end).op("i32.ge_u").brIf(done);
  code.get(at.at).memory(load).tee(key).get(last).op(`${type}.lt_u`).if();
  code.get(at.at).set(at.to);
  if (hasPlaces) pushBeside(code, keys, at.at, at.beside).memory("i32.load").set(at.place);
  const found = code.block();
  const shift = code.loop();
  code.get(at.to).i32(bytes).op("i32.sub").set(at.before);
  code.get(at.to).get(at.before).memory(load).memory(store);
  if (hasPlaces) {
    pushBeside(code, keys, at.to, at.beside);
    pushBeside(code, keys, at.before, at.beside).memory("i32.load").memory("i32.store");
  }
  code.addTo(at.moves, -1);
  code.get(at.before).tee(at.to).get(at.first).op("i32.eq").brIf(found);
  code.get(key).get(at.to).i32(bytes).op("i32.sub").memory(load).op(`${type}.lt_u`).brIf(shift).end().end();
  code.get(at.to).get(key).memory(store);
  if (hasPlaces) pushBeside(code, keys, at.to, at.beside).get(at.place).memory("i32.store");
  code.get(at.moves).i32(0).op("i32.lt_s").brIf(done);
  code.else().get(key).set(last).end();
  code.br(next).end().end();
  code.get(at.moves);
  return target;
}

const kValueParams = ["at", "to", "count", "flip"] as const;

/** Writes the function that stores keys as narrow integers. */
export function writeNarrowValues(module: WasmModule, { item, sign, store }: Keys): WasmFunction {
  const { target, at } = arrayFunction(module, "values", kValueParams, []);
  const code = target.body;
  const next = code.loop();
  code.get(at.to).get(at.at).memory("i32.load").get(at.flip).op("i32.xor").i32(Number(sign)).op("i32.xor").memory(store);
  code.addTo(at.at, 4).addTo(at.to, item);
  code.countDown(at.count, next);
  code.i32(0);
  return target;
}

/** Writes the function that replaces keys by their values, in whole vectors, and copies them to the result. */
export function writeValues(module: WasmModule, keys: Keys): WasmFunction {
  const { bytes, lanes, float, sign } = keys;
  const { target, at } = arrayFunction(module, "values", kValueParams, ["next", "end"]);
  const [x, flips, signs] = ["x", "flips", "signs"].map((name) => target.local("v128", name)) as [number, number, number];
  const code = target.body;
  code.get(at.at).tee(at.next).get(at.count).i32(bytes).op("i32.mul").op("i32.add").set(at.end);
  pushKey(code, keys, sign).op(`${lanes}.splat`).set(signs);
  pushWide(code, keys, at.flip).op(`${lanes}.splat`).set(flips);
  const next = code.loop();
  code.get(at.next).get(at.next).memory("v128.load").get(flips).op("v128.xor").tee(x).get(signs);
  if (float !== null) {
    // If the highest bit of a key is set only that is inverted, otherwise all bits are.
    code
      .get(x)
      .i32(8 * bytes - 1)
      .op(`${lanes}.shr_s`)
      .op("v128.not")
      .op("v128.or");
  }
  code.op("v128.xor").memory("v128.store").addTo(at.next, 16).get(at.next).get(at.end).op("i32.lt_u").brIf(next).end();
  code.get(at.to).get(at.at).get(at.count).i32(bytes).op("i32.mul").op("memory.copy").i32(0);
  return target;
}

/** Writes the function that collects the zeros of a row in their order, with their signs. Returns the end of the list. */
export function writeZeros(module: WasmModule, keys: Keys): WasmFunction {
  const { bytes, float } = keys;
  const { target, at } = arrayFunction(module, "zeros", ["from", "count", "list"], []);
  const code = target.body;
  const next = code.loop();
  code
    .get(at.list)
    .get(at.from)
    .memory(keys.load)
    .memory(keys.store)
    .get(at.list)
    .i32(bytes)
    .get(at.from)
    .memory(`${float!}.load` as Access);
  (float === "f64" ? code.f64(0) : code.f32(0))
    .op(`${float!}.eq` as Plain)
    .op("i32.mul")
    .op("i32.add")
    .set(at.list);
  code.addTo(at.from, bytes);
  code.countDown(at.count, next);
  code.get(at.list);
  return target;
}

/** Writes the functions that select keys: `collect` copies those with a digit, given as the offset in a table, `copy` copies one key. */
export function writeCollect(module: WasmModule, keys: Keys): void {
  const { type, bytes } = keys;
  const { target, at } = arrayFunction(module, "collect", ["from", "count", "to", "shift", "mask", "digit"], ["left"]);
  const key = target.local(type, "key");
  const [load, store]: readonly [Access, Access] = [`${type}.load`, `${type}.store`];
  const code = target.body;
  inGroups(code, at.count, at.left, (size) => {
    for (let k = 0; k < size; k++) {
      code
        .get(at.to)
        .get(at.from)
        .memory(load, k * bytes)
        .tee(key)
        .memory(store)
        .get(at.to)
        .i32(bytes)
        .get(key);
      pushDigit(code, keys, at.shift, at.mask).get(at.digit).op("i32.eq").op("i32.mul").op("i32.add").set(at.to);
    }
    code.addTo(at.from, size * bytes);
  });
  code.i32(0);
  const copy = arrayFunction(module, "copy", ["from", "to"], []);
  copy.target.body.get(copy.at.to).get(copy.at.from).memory(load).memory(store).i32(0);
}
