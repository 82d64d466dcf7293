/**
 * scan-cells: how scans load, combine and store elements (scan-kernel.ts): one at a time, or the adjacent ones of a vector.
 *
 *     float32 sums     one     f32.load, as float64                  vector   v128.load, as two vectors of float64: two parts
 *     int8 maxima      one     i32.load8_s, compared                 vector   v128.load, i8x16.max_s
 *     complex64        one     [re, im] as a vector of float64       the same
 *
 * Sums and products of floats are accumulated in float64. Integers wrap around, and only their width matters for sums and products.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { CodeWriter, WasmFunction } from "@onebuffer/wasm/internal";
import { integerRange } from "../../expression/inference/constant-value.ts";
import type { OpNameOf } from "../../expression/tree/op-table.ts";
import { isComplexDType } from "../../expression/tree/dtype-groups.ts";

type Plain = Parameters<CodeWriter["op"]>[0];
type Access = Parameters<CodeWriter["memory"]>[0];
type ValueType = Parameters<WasmFunction["local"]>[0];

/** How the elements of a step are loaded, accumulated and stored. */
export interface Cell {
  /** The type of a total. */
  readonly type: ValueType;
  /** The bytes in memory. */
  readonly bytes: number;
  /** The number of totals. */
  readonly parts: 1 | 2;
  /** Pushes the total of no elements. */
  neutral(code: CodeWriter): void;
  /** Replaces an address on the stack by what is in memory there. */
  load(code: CodeWriter): void;
  /** Replaces that by the elements of one part. `source` is its local if there are several parts. */
  widen(code: CodeWriter, part: number, source: number): void;
  /** Replaces the total and the elements on the stack by the new total. `total` is its local, `value` one for the elements. */
  combine(code: CodeWriter, total: number, value: number): void;
  /** Replaces a total by what is stored of it. */
  narrow(code: CodeWriter): void;
  /** Stores what is on the stack for each part at the address below. */
  store(code: CodeWriter): void;
}

/** A scan of elements of a dtype, one at a time and in vectors of adjacent ones; null if there are no instructions for vectors. */
export interface Scan {
  readonly line: Cell;
  readonly row: Cell | null;
}

/** How single elements are loaded and stored, and the lanes that accumulate vectors. */
interface Form {
  readonly type: "i32" | "i64" | "f32" | "f64";
  readonly load: Access;
  readonly store: Access;
  readonly lanes: "i8x16" | "i16x8" | "i32x4" | "i64x2" | "f32x4" | "f64x2";
}

const kForms: Readonly<Record<string, Form>> = {
  float32: { type: "f64", load: "f32.load", store: "f32.store", lanes: "f64x2" },
  float64: { type: "f64", load: "f64.load", store: "f64.store", lanes: "f64x2" },
  1: { type: "i32", load: "i32.load8_u", store: "i32.store8", lanes: "i8x16" },
  2: { type: "i32", load: "i32.load16_u", store: "i32.store16", lanes: "i16x8" },
  4: { type: "i32", load: "i32.load", store: "i32.store", lanes: "i32x4" },
  8: { type: "i64", load: "i64.load", store: "i64.store", lanes: "i64x2" },
};

/** Returns how a scan of a dtype is computed. */
export function scanOf(op: OpNameOf<"scan">, dtype: DType): Scan {
  const bytes = dtypeSize(dtype);
  const isSum = op === "cumsum";
  if (isComplexDType(dtype)) {
    const cell = complexCell(isSum, dtype === "complex64");
    return { line: cell, row: cell };
  }
  const form = kForms[dtype] ?? kForms[bytes]!;
  const { type, lanes } = form;
  if (isSum || op === "cumprod") {
    const name = isSum ? "add" : "mul";
    const line = lineCell(form, bytes, isSum ? 0 : 1, plain(`${type}.${name}`));
    return { line, row: name === "mul" && lanes === "i8x16" ? null : rowCell(form, line, `${lanes}.${name}` as Plain) };
  }
  const isMax = op === "cummax";
  const name = isMax ? "max" : "min";
  const range = integerRange(dtype);
  if (range === null) {
    const held: Form = dtype === "float32" ? { ...form, type: "f32", lanes: "f32x4" } : form;
    const line = lineCell(held, bytes, isMax ? -Infinity : Infinity, plain(`${held.type as "f32"}.${name}`));
    return { line, row: rowCell(held, line, `${held.lanes as "f32x4"}.${name}`) };
  }
  const sign = dtype.startsWith("u") ? "u" : "s";
  const compared: Cell["combine"] = (code, total, value) =>
    void code
      .tee(value)
      .get(total)
      .get(value)
      .op(`${type as "i32"}.${isMax ? "gt" : "lt"}_${sign}`)
      .op("select");
  const line = lineCell({ ...form, load: form.load.replace("_u", `_${sign}`) as Access }, bytes, range[isMax ? 0 : 1], compared);
  return { line, row: lanes === "i64x2" ? null : rowCell(form, line, `${lanes}.${name}_${sign}` as Plain) };
}

/** Combines a total with elements by one instruction. */
function plain(name: Plain): Cell["combine"] {
  return (code) => void code.op(name);
}

/** Returns true if elements of float32 are accumulated as float64. */
const isRounded = ({ type, load }: Form): boolean => load === "f32.load" && type === "f64";

function lineCell(form: Form, bytes: number, neutral: number | bigint, combine: Cell["combine"]): Cell {
  const { type, load, store } = form;
  const rounds = isRounded(form);
  return {
    type,
    bytes,
    parts: 1,
    neutral(code) {
      if (type === "f64") code.f64(Number(neutral));
      else if (type === "f32") code.f32(Number(neutral));
      else if (type === "i64") code.i64(BigInt.asIntN(64, BigInt(neutral)));
      else code.i32(Number(neutral) | 0);
    },
    load: (code) => void code.memory(load),
    widen: (code) => void (rounds && code.op("f64.promote_f32")),
    combine,
    narrow: (code) => void (rounds && code.op("f32.demote_f64")),
    store: (code) => void code.memory(store),
  };
}

/** The bytes of two vectors of float64: the second of one of them twice, and the first of both. */
const kSecond = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
const kFirstOfBoth = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];

function rowCell(form: Form, line: Cell, combine: Plain): Cell {
  const rounds = isRounded(form);
  return {
    type: "v128",
    bytes: 16,
    parts: rounds ? 2 : 1,
    neutral(code) {
      line.neutral(code);
      code.op(`${form.lanes}.splat`);
    },
    load: (code) => void code.memory("v128.load"),
    widen(code, part, source) {
      if (!rounds) return;
      // The upper two of four floats become the lower two.
      if (part === 1) code.get(source).shuffle(kSecond);
      code.op("f64x2.promote_low_f32x4");
    },
    combine: plain(combine),
    narrow: (code) => void (rounds && code.op("f32x4.demote_f64x2_zero")),
    store: (code) => void (rounds ? code.shuffle(kFirstOfBoth) : code).memory("v128.store"),
  };
}

/** The bytes of a pair of float64 with its halves exchanged, and with its first half twice. */
const kSwapped = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];
const kFirst = [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7];

function complexCell(isSum: boolean, isSingle: boolean): Cell {
  const one = new Uint8Array(16);
  if (!isSum) new DataView(one.buffer).setFloat64(0, 1, true);
  // Inverts the sign of the first half.
  const sign = new Uint8Array(16);
  sign[7] = 0x80;
  return {
    type: "v128",
    bytes: isSingle ? 8 : 16,
    parts: 1,
    neutral: (code) => void code.v128(one),
    load: (code) => void code.memory(isSingle ? "v128.load64_zero" : "v128.load"),
    widen: (code) => void (isSingle && code.op("f64x2.promote_low_f32x4")),
    combine(code, total, value) {
      if (isSum) {
        code.op("f64x2.add");
        return;
      }
      // [re, im] * re of the value, plus [-im, re] * its imaginary part.
      code.set(value).get(value).get(value).shuffle(kFirst).op("f64x2.mul");
      code.get(total).get(total).shuffle(kSwapped).get(value).get(value).shuffle(kSecond).op("f64x2.mul");
      code.v128(sign).op("v128.xor").op("f64x2.add");
    },
    narrow: (code) => void (isSingle && code.op("f32x4.demote_f64x2_zero")),
    store: (code) => void (isSingle ? code.memoryLane("v128.store64_lane", 0) : code.memory("v128.store")),
  };
}
