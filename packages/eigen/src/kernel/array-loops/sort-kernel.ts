/**
 * sort-kernel: sorts rows, finds the places that sorted elements come from, and counts digits of keys, as WebAssembly. The order is the plain
 * evaluator's: stable, NaN last in both directions, zeros of both signs equal.
 *
 *     value      float32    -2     -1      0      1      NaN
 *     key        uint32     3ff…   407…    800…   bf8…   fff…     unsigned order is the order of the values
 *
 * Keys of a descending sort are inverted, but for that of NaN. Equal bits at the top of all keys are left out. The next bits, as many as
 * tell most elements apart, are sorted by digits, the lowest digit first (a radix sort); what is still out of order is inserted at its
 * place. If that takes too many moves, all bits are sorted by digits.
 *
 *     scratch    keys | keys | places | places | table of counts      a pass moves from one half to the other; places for argsort only
 */
import type { DType } from "@onebuffer/base";
import type { CodeWriter, WasmFunction, WasmModule } from "@onebuffer/wasm/internal";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";
import type { ArrayFunctions } from "./array-kernel.ts";
import {
  keysOf,
  pushBeside,
  writeCollect,
  writeCount,
  writeInsert,
  writeKeys,
  writeMove,
  writeNarrowKeys,
  writeNarrowValues,
  writeStarts,
  writeValues,
  writeZeros,
} from "./sort-parts.ts";
import type { Keys } from "./sort-parts.ts";

type Plain = Parameters<CodeWriter["op"]>[0];
type Access = Parameters<CodeWriter["memory"]>[0];

/** The bits of a digit: two digits have the wanted bits of a short row, whose tables have to be small. */
const kLongDigit = 11;
const kShortDigit = 8;
/** Rows of at most this many elements are sorted by insertion alone. */
const kInsertedRow = 28;
/** Bits of the keys that are sorted by digits, beyond the logarithm of the width. */
const kSpareBits = 8;
/** Insertion may move each element this often on average, and a short row as often as it has to. */
const kMovesPerElement = 3;
const kLeastMoves = (kInsertedRow * kInsertedRow) / 2;
/** The bytes of a table of counts. */
export const kTableBytes: number = 4 << kLongDigit;

/** How rows are sorted. */
export interface RowOrder {
  readonly rows: number;
  readonly width: number;
  /** How many elements of each row are wanted. */
  readonly kept: number;
  readonly descending: boolean;
}

/** Returns the bytes of an element of a dtype, and of its key. */
export function keyBytes(dtype: DType): { readonly item: number; readonly bytes: 4 | 8 } {
  return keysOf(dtype);
}

/** Returns the bytes of scratch memory that `sortRows` needs. */
export function sortScratch(dtype: DType, width: number, hasPlaces: boolean): number {
  return 2 * halfBytes(keysOf(dtype).bytes, width) * (hasPlaces ? 2 : 1) + kTableBytes;
}

/** Returns the bytes of the keys of a row, with room for a whole vector behind the last. */
const halfBytes = (bytes: number, width: number): number => Math.ceil((width * bytes + 16) / 256) * 256;

/**
 * Sorts rows at address `from`, which may be `to`, or with `hasPlaces` stores the places within the row that sorted elements come from as
 * int32. Returns false if the engine refuses the kernel.
 */
export function sortRows(dtype: DType, hasPlaces: boolean, from: number, to: number, order: RowOrder, scratch: number): boolean {
  const keys = keysOf(dtype);
  const kernel = sortKernel(dtype, hasPlaces);
  if (kernel === null) return false;
  const { rows, width, kept, descending } = order;
  const half = halfBytes(keys.bytes, width);
  const wanted = width <= kInsertedRow ? 0 : Math.ceil(Math.log2(width)) + kSpareBits;
  const bits = Math.max(kShortDigit, Math.min(kLongDigit, Math.ceil(wanted / 2)));
  kernel["rows"]!(from, to, rows, width, kept, descending ? -1 : 0, scratch, half, bits, wanted);
  return true;
}

/** Returns the functions for a dtype; null if the engine refuses them. */
export function sortKernel(dtype: DType, hasPlaces: boolean): ArrayFunctions | null {
  return arrayKernel(`${hasPlaces ? "argsort" : "sort"} ${dtype}`, (module) => {
    const keys = keysOf(dtype);
    const parts = {
      keys: keys.item < 4 ? writeNarrowKeys(module, keys) : writeKeys(module, keys),
      count: writeCount(module, keys),
      starts: writeStarts(module, keys),
      move: writeMove(module, keys, hasPlaces),
      insert: writeInsert(module, keys, hasPlaces),
      values: keys.item < 4 ? writeNarrowValues(module, keys) : writeValues(module, keys),
      zeros: keys.float === null ? null : writeZeros(module, keys),
    };
    writeRows(module, keys, hasPlaces, parts);
    if (!hasPlaces) writeCollect(module, keys);
  });
}

/** The functions that the function for all rows calls. */
type Parts = Readonly<Record<"keys" | "count" | "starts" | "move" | "insert" | "values", WasmFunction>> & {
  readonly zeros: WasmFunction | null;
};

const kParams = ["from", "to", "rows", "width", "kept", "flip", "scratch", "half", "bits", "wanted"] as const;
const kLocals = ["a", "b", "table", "mask", "beside", "top", "low", "shift", "digit", "hasZero", "end"] as const;
type At = Readonly<Record<(typeof kParams)[number] | (typeof kLocals)[number], number>>;

/** Writes the function that sorts rows. */
function writeRows(module: WasmModule, keys: Keys, hasPlaces: boolean, parts: Parts): void {
  const { target, at } = arrayFunction(module, "rows", kParams, kLocals);
  const { bytes, item } = keys;
  const code = target.body;
  code
    .get(at.scratch)
    .get(at.half)
    .i32(hasPlaces ? 4 : 2)
    .op("i32.mul")
    .op("i32.add")
    .set(at.table);
  code.i32(1).get(at.bits).op("i32.shl").i32(1).op("i32.sub").set(at.mask);
  // The place beside the key at an address is at this distance from the address, or from half of it.
  code.get(at.half).i32(1).op("i32.shl").set(at.beside);
  if (bytes === 8) code.get(at.scratch).get(at.scratch).i32(1).op("i32.shr_u").op("i32.sub").get(at.beside).op("i32.add").set(at.beside);
  const nextRow = code.loop();
  code.get(at.scratch).tee(at.a).get(at.half).op("i32.add").set(at.b);
  code.get(at.from).get(at.a).get(at.width).get(at.flip).get(at.table).call(parts.keys).set(at.hasZero);
  code
    .i32(8 * bytes)
    .get(at.table)
    .memory(`${keys.type}.load` as Access)
    .op(`${keys.type}.clz` as Plain);
  if (bytes === 8) code.op("i32.wrap_i64");
  code.op("i32.sub").set(at.top);
  if (hasPlaces) writeIota(code, keys, at);
  writeDigits(code, at, parts);
  if (hasPlaces) {
    pushBeside(code.get(at.to), keys, at.a, at.beside).get(at.kept).i32(4).op("i32.mul").op("memory.copy");
    code.get(at.to).get(at.kept).i32(4).op("i32.mul").op("i32.add").set(at.to);
  } else writeResult(code, keys, at, parts);
  code.get(at.from).get(at.width).i32(item).op("i32.mul").op("i32.add").set(at.from);
  code.countDown(at.rows, nextRow);
  code.i32(0);
}

/** Writes the numbers from 0 beside the keys. */
function writeIota(code: CodeWriter, keys: Keys, at: At): void {
  pushBeside(code, keys, at.a, at.beside).set(at.end).i32(0).set(at.digit);
  const next = code.loop();
  code.get(at.end).get(at.digit).memory("i32.store").addTo(at.end, 4);
  code.addTo(at.digit, 1).get(at.digit).get(at.width).op("i32.lt_u").brIf(next).end();
}

/** Writes the sort of the keys at `a`, which ends there. */
function writeDigits(code: CodeWriter, at: At, parts: Parts): void {
  code.get(at.top).get(at.wanted).op("i32.sub").set(at.low);
  const sorted = code.block();
  const again = code.loop();
  code.get(at.low).i32(0).get(at.low).i32(0).op("i32.gt_s").op("select").set(at.low);
  code.get(at.top).get(at.low).op("i32.sub").get(at.bits).op("i32.add").i32(1).op("i32.sub").get(at.bits).op("i32.div_u").set(at.digit);
  code.get(at.top).get(at.digit).get(at.bits).op("i32.mul").op("i32.sub").tee(at.low).set(at.shift);
  const passed = code.block();
  const pass = code.loop();
  code.get(at.digit).op("i32.eqz").brIf(passed);
  // The lowest digit may have bits in common with the next one.
  code.get(at.shift).i32(0).get(at.shift).i32(0).op("i32.gt_s").op("select").set(at.end);
  code.get(at.a).get(at.width).get(at.table).get(at.end).get(at.mask).call(parts.count).op("drop");
  code.get(at.table).get(at.mask).get(at.b).call(parts.starts).op("drop");
  code.get(at.a).get(at.width).get(at.table).get(at.end).get(at.mask).get(at.beside).call(parts.move).op("drop");
  code.get(at.a).get(at.b).set(at.a).set(at.b);
  code.get(at.shift).get(at.bits).op("i32.add").set(at.shift);
  code.addTo(at.digit, -1).br(pass).end().end();
  code.get(at.low).i32(0).op("i32.le_s").brIf(sorted);
  code.get(at.a).get(at.width).get(at.width).i32(kMovesPerElement).op("i32.mul").i32(kLeastMoves).op("i32.add").get(at.beside);
  code.call(parts.insert).i32(0).op("i32.ge_s").brIf(sorted);
  code.i32(0).set(at.low).br(again).end().end();
}

/** Writes the store of the sorted values. The zeros among them are put back in their order, with their signs. */
function writeResult(code: CodeWriter, { item, float }: Keys, at: At, { zeros, values }: Parts): void {
  const kept = (): CodeWriter => code.get(at.kept).i32(item).op("i32.mul");
  if (zeros !== null) {
    code.get(at.hasZero).if();
    code.get(at.from).get(at.width).get(at.b).call(zeros).get(at.b).op("i32.sub").set(at.hasZero).end();
  }
  code.get(at.a).get(at.to).get(at.kept).get(at.flip).call(values).op("drop");
  code.get(at.to);
  kept().op("i32.add").set(at.end);
  if (zeros !== null) {
    code.get(at.hasZero).if();
    code.get(at.to).set(at.a);
    const found = code.block();
    const next = code.loop();
    code.get(at.a).get(at.end).op("i32.eq").brIf(found);
    code.get(at.a).memory(`${float!}.load` as Access);
    (float === "f64" ? code.f64(0) : code.f32(0)).op(`${float!}.eq` as Plain).brIf(found);
    code.addTo(at.a, item).br(next).end().end();
    code
      .get(at.end)
      .get(at.a)
      .op("i32.sub")
      .tee(at.digit)
      .get(at.hasZero)
      .get(at.digit)
      .get(at.hasZero)
      .op("i32.lt_u")
      .op("select")
      .set(at.digit);
    code.get(at.a).get(at.b).get(at.digit).op("memory.copy").end();
  }
  code.get(at.end).set(at.to);
}
