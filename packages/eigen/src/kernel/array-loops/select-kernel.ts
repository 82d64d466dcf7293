/**
 * select-kernel: the first k elements of rows in sorted order, or their places, without sorting the rows (TensorFlow's topk_op.cc), as
 * WebAssembly.
 *
 *     row      | 64 bytes | 64 bytes | …        each piece becomes keys, which are compared with the last key of the list, all at once
 *     list     -2  3  5  9      insert 4        the best keys so far, in order
 *              -2  3  5  9      keep what is not larger than 4
 *                 -2  3  5  9   elsewhere the key before, or 4 if that is not larger than 4:  -2 3 4 5; the 9 falls out
 *
 * So an insertion has no branch that depends on a key. Of 1,000 random elements about 55 enter a list of 10. A later element loses against
 * an equal one, so the order is that of the stable sort. The signed order of the keys is the order of the values. NaN is the largest key;
 * elements with the largest key enter no list.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { CodeWriter, WasmModule } from "@onebuffer/wasm/internal";
import { isFloat } from "../../expression/tree/dtype-groups.ts";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";
import type { RowOrder } from "./sort-kernel.ts";

type Plain = Parameters<CodeWriter["op"]>[0];
type Access = Parameters<CodeWriter["memory"]>[0];

/** The bytes that become keys at a time. */
const kPiece = 64;
/** An insertion takes as long as this many keys of the list, and one more for each key. */
const kInsertion = 8;
/** Selecting from a row takes as long as sorting it if its insertions take as long as this many keys per element. */
const kSpentPerElement = 16;

/**
 * Returns true if selecting is expected to be faster than sorting, for elements in random order: k elements fill the list, and then about
 * k log(width / k) are better than its last.
 */
export function suitsSelection({ width, kept }: RowOrder): boolean {
  return kept < width && kept * (1 + Math.log(width / kept)) * (kept + kInsertion) <= kSpentPerElement * width;
}

/** Returns the bytes of scratch memory that `selectRows` needs. */
export function selectScratch({ kept }: RowOrder): number {
  return 2 * kPiece + 2 * listBytes(kept);
}

/** Returns the bytes of a list of keys or places of up to 8 bytes, with a vector before the first and behind the last. */
const listBytes = (kept: number): number => Math.ceil(kept / 2) * 16 + 32;

/**
 * Stores the first `kept` elements of sorted rows, or with `hasPlaces` their places as int32. Returns the number of rows that are done. It
 * stops at a row that has to be sorted: one whose elements are better and better, because sorting it is faster, or one with fewer than
 * `kept` elements that are not NaN or the last value of the order. Returns 0 if the engine refuses the kernel.
 */
export function selectRows(dtype: DType, hasPlaces: boolean, from: number, to: number, order: RowOrder, scratch: number): number {
  const { rows, width, kept, descending } = order;
  const kernel = arrayKernel(`select ${hasPlaces} ${dtype}`, (module) => writeRows(module, keysFor(dtype), hasPlaces));
  if (kernel === null) return 0;
  return kernel["rows"]!(from, to, rows, width, kept, descending ? -1 : 0, scratch, listBytes(kept), 2 * kSpentPerElement * width);
}

/** How the elements of a dtype become keys with a signed order. */
interface LaneKeys {
  readonly item: number;
  readonly lanes: "i8x16" | "i16x8" | "i32x4" | "i64x2";
  readonly float: "f32x4" | "f64x2" | null;
  readonly isUnsigned: boolean;
  /** The keys of the list, and the places beside them, have at least 32 bits. */
  readonly wide: "i32x4" | "i64x2";
  readonly type: "i32" | "i64";
  /** The load of one key with its sign, and its store. */
  readonly load: Access;
  readonly store: Access;
}

function keysFor(dtype: DType): LaneKeys {
  const item = dtypeSize(dtype);
  const type = item === 8 ? "i64" : "i32";
  const narrow = item < 4 ? String(8 * item) : "";
  return {
    item,
    lanes: ({ 1: "i8x16", 2: "i16x8", 4: "i32x4", 8: "i64x2" } as const)[item as 1 | 2 | 4 | 8],
    float: isFloat(dtype) ? (item === 8 ? "f64x2" : "f32x4") : null,
    isUnsigned: dtype.startsWith("u"),
    wide: item === 8 ? "i64x2" : "i32x4",
    type,
    load: `${type}.load${narrow === "" ? "" : `${narrow}_s`}` as Access,
    store: `${type}.store${narrow}` as Access,
  };
}

const kParams = ["from", "to", "rows", "width", "kept", "flip", "scratch", "list", "most"] as const;
const kLocals = ["at", "left", "spent", "done", "source", "end", "slot", "spot", "lane", "first", "keys", "last"] as const;
const kVectors = ["x", "number", "zero", "sign", "largest", "flips", "limit", "any", "key", "place", "kept", "moved"] as const;
type At = Readonly<Record<(typeof kParams)[number] | (typeof kLocals)[number] | "bits", number>>;
type Vectors = Readonly<Record<(typeof kVectors)[number], number>>;

/** Writes the function that selects from rows. Its scratch memory has a piece, the keys of a piece, the list, and its places. */
function writeRows(module: WasmModule, keys: LaneKeys, hasPlaces: boolean): void {
  const { item, wide, type } = keys;
  const { target, at: words } = arrayFunction(module, "rows", kParams, kLocals);
  const at: At = { ...words, bits: target.local("i64", "bits") };
  const v = Object.fromEntries(kVectors.map((name) => [name, target.local("v128", name)])) as Vectors;
  const code = target.body;
  const bytes = type === "i64" ? 8 : 4;
  writeConstants(code, keys, at, v);
  code
    .get(at.scratch)
    .i32(2 * kPiece + 16)
    .op("i32.add")
    .tee(at.keys);
  code.get(at.kept).i32(1).op("i32.sub").i32(bytes).op("i32.mul").op("i32.add").set(at.last);
  const stopped = code.block();
  const nextRow = code.loop();
  // An empty list: the smallest key, to which nothing moves, and the largest.
  code.get(at.keys).i32(16).op("i32.sub").tee(at.slot);
  pushKey(code, keys, -(2n ** BigInt(8 * item - 1)))
    .op(`${wide}.splat`)
    .memory("v128.store");
  const nextSlot = code.loop();
  code.addTo(at.slot, 16).get(at.slot);
  pushKey(code, keys, 2n ** BigInt(8 * item - 1) - 1n)
    .op(`${wide}.splat`)
    .memory("v128.store");
  code.get(at.slot).get(at.last).op("i32.lt_u").brIf(nextSlot).end();
  code.get(v.largest).set(v.limit).i32(0).set(at.first).get(at.most).set(at.spent);
  code.get(at.width).set(at.left).get(at.from).set(at.at);
  const nextPiece = code.loop();
  writePiece(code, keys, at, v);
  code.get(at.spent).i32(0).op("i32.lt_s").brIf(stopped);
  code.addTo(at.at, kPiece).addTo(at.first, kPiece / item);
  code
    .addTo(at.left, -kPiece / item)
    .get(at.left)
    .i32(0)
    .op("i32.gt_s")
    .brIf(nextPiece)
    .end();
  code.get(at.last).memory(`${type}.load` as Access);
  pushKey(code, keys, 2n ** BigInt(8 * item - 1) - 1n)
    .op(`${type}.eq` as Plain)
    .brIf(stopped);
  writeResult(code, keys, at, hasPlaces);
  code.get(at.from).get(at.width).i32(item).op("i32.mul").op("i32.add").set(at.from);
  code.addTo(at.done, 1).get(at.done).get(at.rows).op("i32.lt_u").brIf(nextRow).end().end();
  code.get(at.done);
}

/** Pushes a key as the list has it. */
function pushKey(code: CodeWriter, { type }: LaneKeys, key: bigint): CodeWriter {
  return type === "i64" ? code.i64(key) : code.i32(Number(key));
}

/** Sets the vectors from which keys are made. */
function writeConstants(code: CodeWriter, keys: LaneKeys, at: At, v: Vectors): void {
  const { item, lanes, type } = keys;
  pushKey(code, keys, -(2n ** BigInt(8 * item - 1)))
    .op(`${lanes}.splat`)
    .tee(v.sign)
    .op("v128.not")
    .set(v.largest);
  code.get(at.flip);
  if (type === "i64") code.op("i64.extend_i32_s");
  code.op(`${lanes}.splat`).set(v.flips);
}

/** Writes the selection from the piece at `at`: the elements before `left`, the first of which has the place `first`. */
function writePiece(code: CodeWriter, keys: LaneKeys, at: At, v: Vectors): void {
  const { item, lanes } = keys;
  const [elements, each] = [kPiece / item, 16 / item];
  // The last piece is copied, so that nothing behind the row is read.
  code.get(at.at).set(at.source);
  code.get(at.left).i32(elements).op("i32.lt_s").if();
  code.get(at.scratch).tee(at.source).get(at.at).get(at.left).i32(item).op("i32.mul").op("memory.copy").end();
  for (let offset = 0; offset < kPiece; offset += 16) {
    code.get(at.scratch).get(at.source).memory("v128.load", offset).set(v.x);
    pushKeys(code, keys, v)
      .tee(v.x)
      .memory("v128.store", kPiece + offset);
    code.get(v.x).get(v.limit).op(`${lanes}.lt_s`);
    if (offset > 0) code.get(v.any).op("v128.or");
    code.set(v.any);
  }
  code.get(v.any).op("v128.any_true").if();
  for (let offset = 0; offset < kPiece; offset += 16) {
    code
      .get(at.scratch)
      .memory("v128.load", kPiece + offset)
      .get(v.limit)
      .op(`${lanes}.lt_s`)
      .op(`${lanes}.bitmask`)
      .op("i64.extend_i32_u");
    if (offset > 0)
      code
        .i64(BigInt((offset / 16) * each))
        .op("i64.shl")
        .get(at.bits)
        .op("i64.or");
    code.set(at.bits);
  }
  // Nothing behind the row.
  code.get(at.left).i32(elements).op("i32.lt_s").if();
  code.get(at.bits).i64(-1n).get(at.left).op("i64.extend_i32_u").op("i64.shl").i64(-1n).op("i64.xor").op("i64.and").set(at.bits).end();
  const done = code.block();
  const next = code.loop();
  code.get(at.bits).op("i64.eqz").brIf(done);
  code.get(at.bits).op("i64.ctz").op("i32.wrap_i64").set(at.lane);
  code.get(at.bits).get(at.bits).i64(1n).op("i64.sub").op("i64.and").set(at.bits);
  writeInsert(code, keys, at, v);
  code.br(next).end().end();
  code
    .get(at.last)
    .memory(`v128.load${8 * item}_splat` as Access)
    .set(v.limit)
    .end();
}

/** Pushes the keys of the elements `x`. */
function pushKeys(code: CodeWriter, { item, lanes, float, isUnsigned }: LaneKeys, v: Vectors): CodeWriter {
  if (float === null) {
    code.get(v.x).get(v.flips).op("v128.xor");
    return isUnsigned ? code.get(v.sign).op("v128.xor") : code;
  }
  // Adding 0 makes -0 +0. The other bits of negative numbers are inverted: the larger they are as integers, the smaller is the number.
  code.get(v.x).get(v.zero).op(`${float}.add`).tee(v.number).get(v.number);
  code
    .i32(8 * item - 1)
    .op(`${lanes}.shr_s` as Plain)
    .get(v.largest)
    .op("v128.and")
    .op("v128.xor")
    .get(v.flips)
    .op("v128.xor");
  return code.get(v.largest).get(v.x).get(v.x).op(`${float}.eq`).op("v128.bitselect");
}

/** Writes the insertion of a lane of the piece into the list, from its last vector to its first, as shown at the top. */
function writeInsert(code: CodeWriter, { item, type, wide, load }: LaneKeys, at: At, v: Vectors): void {
  const bytes = type === "i64" ? 8 : 4;
  code.get(at.lane).i32(item).op("i32.mul").get(at.scratch).op("i32.add").memory(load, kPiece).op(`${wide}.splat`).set(v.key);
  code.get(at.lane).get(at.first).op("i32.add");
  if (type === "i64") code.op("i64.extend_i32_u");
  code.op(`${wide}.splat`).set(v.place);
  code.get(at.last).get(at.last).get(at.keys).op("i32.sub").i32(15).op("i32.and").op("i32.sub").set(at.slot);
  const next = code.loop();
  code.get(at.slot).i32(16).op("i32.sub").set(at.end);
  // Whole vectors are loaded, as they were stored: a vector that overlaps two recent stores would have to wait for both.
  const before = Array.from({ length: 16 }, (_, k) => 16 - bytes + k);
  code.get(at.end).memory("v128.load").get(at.slot).memory("v128.load").tee(v.kept).shuffle(before).tee(v.x);
  code.get(v.key).op(`${wide}.le_s`).set(v.moved);
  code.get(at.slot).get(v.kept).get(v.key).get(v.x).get(v.moved).op("v128.bitselect");
  code.get(v.kept).get(v.key).op(`${wide}.le_s`).tee(v.kept).op("v128.bitselect").memory("v128.store");
  code.get(at.slot).get(at.list).op("i32.add").tee(at.spot);
  code.get(at.end).get(at.list).op("i32.add").memory("v128.load").get(at.spot).memory("v128.load").tee(v.x).shuffle(before).set(v.number);
  code.get(v.x).get(v.place).get(v.number).get(v.moved).op("v128.bitselect").get(v.kept).op("v128.bitselect").memory("v128.store");
  code.get(at.slot).i32(16).op("i32.sub").tee(at.slot).get(at.keys).op("i32.ge_u").brIf(next).end();
  code.get(at.spent).get(at.kept).op("i32.sub").i32(kInsertion).op("i32.sub").set(at.spent);
}

/** Writes the store of the places in the list, or of the elements there, at `to`. */
function writeResult(code: CodeWriter, { item, type, load, store }: LaneKeys, at: At, hasPlaces: boolean): void {
  const bytes = type === "i64" ? 8 : 4;
  code.get(at.keys).get(at.list).op("i32.add").set(at.spot).get(at.last).get(at.list).op("i32.add").set(at.end);
  const next = code.loop();
  code.get(at.to).get(at.spot).memory("i32.load");
  if (hasPlaces) code.memory("i32.store").addTo(at.to, 4);
  else code.i32(item).op("i32.mul").get(at.from).op("i32.add").memory(load).memory(store).addTo(at.to, item);
  code.addTo(at.spot, bytes).get(at.spot).get(at.end).op("i32.le_u").brIf(next).end();
}
