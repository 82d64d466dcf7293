/**
 * Vector: a 16-byte value in straight-line SIMD code, with which kernels and math functions are written (Eigen's Packet).
 *
 * A Vector is a node of a graph, not a register: `x.mul(x).add(1)` records a computation, and VectorBuilder later decides the order of
 * instructions, the registers and the unrolling. The kind of a vector is the type of its lanes, which selects the instruction of a method.
 * A plain number stands for a constant in all lanes. A comparison returns a mask: a vector of signed integers of the same width, with all
 * bits set in each lane that compares true. Operations that WebAssembly lacks (products of bytes, unsigned comparisons of 64-bit
 * integers) are composed of several instructions.
 */
import { InternalError } from "@onebuffer/base";
import type { Callable } from "../assembler/assembler-code.ts";
import type { MemoryLaneInstruction, PlainInstruction } from "../assembler/assembler-instructions.ts";

/** The type and number of the lanes. Unsigned kinds differ from signed ones in comparisons, conversions and right shifts. */
export type VectorKind = "f32x4" | "f64x2" | "i8x16" | "u8x16" | "i16x8" | "u16x8" | "i32x4" | "u32x4" | "i64x2" | "u64x2";

/** A vector, or a number for all lanes, which takes the kind of the other operand. */
export type Operand = Vector | number | bigint;

/** The operation of a node. */
export type VectorNode =
  | { readonly type: "instruction"; readonly name: PlainInstruction; readonly args: readonly Vector[]; readonly shift: number | null }
  | { readonly type: "scalars"; readonly what: PlainInstruction | Callable; readonly args: readonly Vector[] }
  | { readonly type: "shuffle"; readonly args: readonly Vector[]; readonly lanes: readonly number[] }
  | { readonly type: "local"; readonly locals: readonly number[] }
  | { readonly type: "bits"; readonly bytes: Uint8Array }
  | { readonly type: "splat"; readonly name: PlainInstruction; readonly local: number; readonly step: number }
  | { readonly type: "load"; readonly instruction: VectorLoad; readonly pointer: number; readonly offset: number; readonly step: number }
  | {
      readonly type: "load-lane";
      readonly instruction: MemoryLaneInstruction;
      readonly args: readonly Vector[];
      readonly lane: number;
      readonly pointer: number;
      readonly offset: number;
      readonly step: number;
    }
  | { readonly type: "when"; readonly args: readonly Vector[]; readonly region: VectorRegion };

/** The load instructions whose result is a vector. */
export type VectorLoad =
  | "v128.load"
  | "v128.load8x8_s"
  | "v128.load8x8_u"
  | "v128.load16x4_s"
  | "v128.load16x4_u"
  | "v128.load32x2_s"
  | "v128.load32x2_u"
  | "v128.load8_splat"
  | "v128.load16_splat"
  | "v128.load32_splat"
  | "v128.load64_splat"
  | "v128.load32_zero"
  | "v128.load64_zero";

/** The code of a `when`, which runs only if a bit of the mask is set: its result, and the values from outside that it uses. */
export interface VectorRegion {
  result: Vector | null;
  readonly captured: Map<number, Vector>;
}

/** The part of VectorBuilder that vectors call to create further nodes. */
export interface VectorSource {
  /** True if relaxed SIMD instructions may be used. */
  readonly relaxed: boolean;
  /** Returns a vector with the same constant in all lanes. */
  constant(kind: VectorKind, value: number | bigint): Vector;
  /** Returns a vector with a constant for each lane. */
  constants(kind: VectorKind, values: readonly (number | bigint)[]): Vector;
  /** Returns the result of an instruction. The same instruction and arguments give the same node. */
  instruction(kind: VectorKind, name: PlainInstruction, args: readonly Vector[], shift?: number | null): Vector;
  /** Applies a scalar instruction of 64-bit integers to both lanes, where there is no vector instruction. */
  longs(name: PlainInstruction, a: Vector, b: Vector): Vector;
  /** Calls a function of two doubles that returns a double for both lanes. */
  calls(target: Callable, a: Vector, b: Vector): Vector;
  /** Returns bytes of two vectors in a new order. */
  shuffle(kind: VectorKind, a: Vector, b: Vector, bytes: readonly number[]): Vector;
  /** Returns the result of `then` if any bit of `mask` is set, otherwise `otherwise`: see VectorBuilder.when. */
  when(mask: Vector, otherwise: Vector, then: () => Vector): Vector;
  /** Returns true if other code handles groups with a lane of `value` (u32x4 or u64x2) above `limit`: see VectorBuilder.guard. */
  guard(value: Vector, limit: number): boolean;
}

/** In place of a constant shift: the shift is the first 32-bit lane of the second argument. Instructions take it modulo the width. */
export const kByLane = -1;

/** The number of bytes of a lane. */
export const laneBytes: Readonly<Record<VectorKind, 1 | 2 | 4 | 8>> = {
  f32x4: 4,
  f64x2: 8,
  i8x16: 1,
  u8x16: 1,
  i16x8: 2,
  u16x8: 2,
  i32x4: 4,
  u32x4: 4,
  i64x2: 8,
  u64x2: 8,
};

/** The kinds of signed integers by the bytes of a lane. Masks have these kinds. */
export const kSignedKinds = { 1: "i8x16", 2: "i16x8", 4: "i32x4", 8: "i64x2" } as const;
const kUnsignedKinds = { 1: "u8x16", 2: "u16x8", 4: "u32x4", 8: "u64x2" } as const;

/** Returns true if the lanes are floats: the kind starts with "f". */
function isFloat(kind: VectorKind): boolean {
  return kind.charCodeAt(0) === 0x66;
}

/** Returns true if the lanes are unsigned integers: the kind starts with "u". */
function isUnsigned(kind: VectorKind): boolean {
  return kind.charCodeAt(0) === 0x75;
}

/** Returns the prefix of the names of a kind's instructions. Unsigned kinds have those of the signed ones. */
export function shapeOf(kind: VectorKind): "f32x4" | "f64x2" | "i8x16" | "i16x8" | "i32x4" | "i64x2" {
  return isFloat(kind) ? (kind as "f32x4") : kSignedKinds[laneBytes[kind]];
}

/** Returns the end of the names of instructions that depend on the sign. */
function signOf(kind: VectorKind): "u" | "s" {
  return isUnsigned(kind) ? "u" : "s";
}

/** A value of 16 bytes in straight-line code. Methods throw INTERNAL if the kinds of their operands do not fit. */
export class Vector {
  readonly source: VectorSource;
  readonly id: number;
  readonly kind: VectorKind;
  readonly node: VectorNode;
  /** The innermost `when` that this node is part of, or null. */
  readonly region: VectorRegion | null;

  constructor(source: VectorSource, id: number, kind: VectorKind, node: VectorNode, region: VectorRegion | null) {
    this.source = source;
    this.id = id;
    this.kind = kind;
    this.node = node;
    this.region = region;
  }

  /** The kind of the masks that comparisons return: signed integers of the same width. */
  get maskKind(): VectorKind {
    return kSignedKinds[laneBytes[this.kind]];
  }

  /** Returns the operand as a vector of this kind. Throws INTERNAL for another kind: the caller must use `as` or convert it. */
  #like(value: Operand): Vector {
    if (typeof value !== "object") return this.source.constant(this.kind, value);
    if (value.kind !== this.kind) throw new InternalError(`an operand is ${value.kind}, the other ${this.kind}`);
    return value;
  }

  /** Returns the result of the instruction `<shape>.<word>` on this and other vectors. */
  #op(word: string, ...others: readonly Operand[]): Vector {
    return this.#to(this.kind, `${shapeOf(this.kind)}.${word}`, ...others.map((value) => this.#like(value)));
  }

  /** Returns the result of an instruction on this and other vectors, as a vector of a kind. */
  #to(kind: VectorKind, name: string, ...others: readonly Vector[]): Vector {
    return this.source.instruction(kind, name as PlainInstruction, [this, ...others]);
  }

  #float(word: string): Vector {
    if (!isFloat(this.kind)) throw new InternalError(`${word} is for floats, not ${this.kind}`);
    return this.#op(word);
  }

  /** Returns the same bytes as another kind. This needs no instruction. */
  as(kind: VectorKind): Vector {
    return kind === this.kind ? this : new Vector(this.source, this.id, kind, this.node, this.region);
  }

  /** Returns the sum. Integers wrap around. */
  add(other: Operand): Vector {
    return this.#op("add", other);
  }

  /** Returns the difference. Integers wrap around. */
  sub(other: Operand): Vector {
    return this.#op("sub", other);
  }

  /** Returns the product. Integers wrap around. Bytes are multiplied as 16-bit integers. */
  mul(other: Operand): Vector {
    if (laneBytes[this.kind] !== 1) return this.#op("mul", other);
    const b = this.#like(other);
    const low = this.#to("i16x8", "i16x8.extmul_low_i8x16_u", b);
    const high = this.#to("i16x8", "i16x8.extmul_high_i8x16_u", b);
    return low.shuffle(high, [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]).as(this.kind);
  }

  /** Returns the quotient of floats. */
  div(other: Operand): Vector {
    return this.#op("div", other);
  }

  /** Returns the smaller operand. For floats: NaN if either is NaN; -0 is below +0. */
  min(other: Operand): Vector {
    return this.#extreme("min", other);
  }

  /** Returns the larger operand. For floats: NaN if either is NaN; +0 is above -0. */
  max(other: Operand): Vector {
    return this.#extreme("max", other);
  }

  #extreme(word: "min" | "max", other: Operand): Vector {
    if (isFloat(this.kind)) return this.#op(word, other);
    if (laneBytes[this.kind] < 8) return this.#op(`${word}_${signOf(this.kind)}`, other);
    const b = this.#like(other);
    return (word === "min" ? this.lt(b) : this.gt(b)).select(this, b);
  }

  /** Returns `other < this ? other : this`, which is `this` if either is NaN. One instruction on x64. */
  pmin(other: Operand): Vector {
    return this.#op("pmin", other);
  }

  /** Returns `this < other ? other : this`, which is `this` if either is NaN. One instruction on x64. */
  pmax(other: Operand): Vector {
    return this.#op("pmax", other);
  }

  /** Returns this * b + c, rounded once or twice: with a relaxed multiply-add if the engine has it. */
  madd(b: Operand, c: Operand): Vector {
    if (!this.source.relaxed || !isFloat(this.kind)) return this.mul(b).add(c);
    return this.#op("relaxed_madd", b, c);
  }

  /** Returns c - this * b, rounded once or twice. */
  nmadd(b: Operand, c: Operand): Vector {
    if (!this.source.relaxed || !isFloat(this.kind)) return this.#like(c).sub(this.mul(b));
    return this.#op("relaxed_nmadd", b, c);
  }

  /** The sign bit of a float lane, as an integer. */
  get #signBit(): bigint {
    return -1n << BigInt(laneBytes[this.kind] * 8 - 1);
  }

  /**
   * Returns the negative. Integers wrap around. A float's sign bit is flipped with a constant: for the instruction `neg` engines would
   * make that constant again each time.
   */
  neg(): Vector {
    return isFloat(this.kind) ? this.xor(this.#signBit) : this.#op("neg");
  }

  /** Returns the magnitude. The least integer stays as it is. */
  abs(): Vector {
    if (isUnsigned(this.kind)) return this;
    return isFloat(this.kind) ? this.and(~this.#signBit) : this.#op("abs");
  }

  /** Returns the square root, correctly rounded. Throws INTERNAL for integers, as the next four methods do. */
  sqrt(): Vector {
    return this.#float("sqrt");
  }

  /** Returns the largest integer not above. */
  floor(): Vector {
    return this.#float("floor");
  }

  /** Returns the smallest integer not below. */
  ceil(): Vector {
    return this.#float("ceil");
  }

  /** Returns the integer towards zero. */
  trunc(): Vector {
    return this.#float("trunc");
  }

  /** Returns the nearest integer, ties to even. */
  nearest(): Vector {
    return this.#float("nearest");
  }

  /** Returns the sum, saturated to the range of the kind. For 8 and 16 bits. */
  addSat(other: Operand): Vector {
    return this.#op(`add_sat_${signOf(this.kind)}`, other);
  }

  /** Returns the difference, saturated to the range of the kind. For 8 and 16 bits. */
  subSat(other: Operand): Vector {
    return this.#op(`sub_sat_${signOf(this.kind)}`, other);
  }

  #compare(word: "eq" | "ne" | "lt" | "gt" | "le" | "ge", other: Operand): Vector {
    const b = this.#like(other);
    const isSigned = !isFloat(this.kind) && word !== "eq" && word !== "ne";
    if (!isSigned || this.kind !== "u64x2") {
      return this.#to(this.maskKind, `${shapeOf(this.kind)}.${word}${isSigned ? `_${signOf(this.kind)}` : ""}`, b);
    }
    // There is no unsigned comparison of 64 bits. A signed comparison with the sign bits flipped gives the same result.
    const flip = (value: Vector): Vector => value.as("i64x2").xor(-0x8000000000000000n);
    return flip(this).#compare(word, flip(b));
  }

  /** Returns the mask of equal lanes. NaN equals nothing. */
  eq(other: Operand): Vector {
    return this.#compare("eq", other);
  }

  /** Returns the mask of lanes that differ. NaN differs from everything. */
  ne(other: Operand): Vector {
    return this.#compare("ne", other);
  }

  /** Returns the mask of this < other. */
  lt(other: Operand): Vector {
    return this.#compare("lt", other);
  }

  /** Returns the mask of this > other. */
  gt(other: Operand): Vector {
    return this.#compare("gt", other);
  }

  /** Returns the mask of this <= other. */
  le(other: Operand): Vector {
    return this.#compare("le", other);
  }

  /** Returns the mask of this >= other. */
  ge(other: Operand): Vector {
    return this.#compare("ge", other);
  }

  /** Returns the result of an instruction on all 128 bits. The other operand may be of any kind. */
  #bits(name: "v128.and" | "v128.or" | "v128.xor" | "v128.andnot", other: Operand): Vector {
    const b = typeof other === "object" ? other : this.source.constant(isFloat(this.kind) ? this.maskKind : this.kind, other);
    return this.#to(this.kind, name, b);
  }

  /** Returns the bits set in both. A number is the bits of an integer lane, also for float kinds; likewise in `or`, `xor` and `andNot`. */
  and(other: Operand): Vector {
    return this.#bits("v128.and", other);
  }

  /** Returns the bits set in one or both. */
  or(other: Operand): Vector {
    return this.#bits("v128.or", other);
  }

  /** Returns the bits set in exactly one. */
  xor(other: Operand): Vector {
    return this.#bits("v128.xor", other);
  }

  /** Returns the bits set in this and not in the other. */
  andNot(other: Operand): Vector {
    return this.#bits("v128.andnot", other);
  }

  /** Returns all bits flipped. */
  not(): Vector {
    return this.#to(this.kind, "v128.not");
  }

  /** For a mask: returns `ifTrue` in lanes of all ones and `ifFalse` in lanes of zeros. One of them may be a number. */
  select(ifTrue: Operand, ifFalse: Operand): Vector {
    const kind = typeof ifTrue === "object" ? ifTrue.kind : typeof ifFalse === "object" ? ifFalse.kind : this.kind;
    const as = (value: Operand): Vector => (typeof value === "object" ? value : this.source.constant(kind, value));
    const a = as(ifTrue);
    const b = as(ifFalse);
    if (a.kind !== b.kind) throw new InternalError(`select between ${a.kind} and ${b.kind}`);
    const name = this.source.relaxed ? (`${this.maskKind}.relaxed_laneselect` as PlainInstruction) : "v128.bitselect";
    return this.source.instruction(kind, name, [a, b, this]);
  }

  #shift(word: "shl" | "shr_s" | "shr_u", bits: number | Vector): Vector {
    if (bits === 0) return this;
    const name = `${kSignedKinds[laneBytes[this.kind]]}.${word}` as const;
    return typeof bits === "number"
      ? this.source.instruction(this.kind, name, [this], bits)
      : this.source.instruction(this.kind, name, [this, bits], kByLane);
  }

  /** Shifts left by a constant number of bits, modulo the width, or by the number in the lanes of a vector in which all are equal. */
  shl(bits: number | Vector): Vector {
    return this.#shift("shl", bits);
  }

  /** Shifts right, by a number as for `shl`. Signed kinds shift in the sign; unsigned and float kinds shift in zeros. */
  shr(bits: number | Vector): Vector {
    return this.#shift(this.kind.charCodeAt(0) === 0x69 ? "shr_s" : "shr_u", bits);
  }

  /** Returns bytes of this (0 to 15) and of the other (16 to 31) in a new order. */
  shuffle(other: Vector, bytes: readonly number[]): Vector {
    return this.source.shuffle(this.kind, this, other, bytes);
  }

  /** Returns lanes of this (numbered from 0) and of the other (numbered on after those of this) in a new order. */
  lanes(other: Vector, order: readonly number[]): Vector {
    const size = laneBytes[this.kind];
    return this.shuffle(
      other,
      order.flatMap((lane) => Array.from({ length: size }, (_, i) => lane * size + i)),
    );
  }

  /** Looks up each byte of `indices` in this, as a table of 16 bytes. An index of 16 or more gives 0. */
  swizzle(indices: Vector): Vector {
    return this.#to(this.kind, "i8x16.swizzle", indices);
  }

  /** Converts i32x4 or u32x4 to f32x4, rounded to nearest even. */
  toF32(): Vector {
    return this.#to("f32x4", `f32x4.convert_i32x4_${signOf(this.kind)}`);
  }

  /** Converts f32x4 to i32x4, rounded towards zero and saturated. NaN gives 0. */
  toI32(): Vector {
    return this.#to("i32x4", "i32x4.trunc_sat_f32x4_s");
  }

  /** Converts f32x4 to u32x4, rounded towards zero and saturated. NaN gives 0. */
  toU32(): Vector {
    return this.#to("u32x4", "i32x4.trunc_sat_f32x4_u");
  }

  /** Converts the lower two lanes of an f32x4, i32x4 or u32x4 to f64x2. The conversion is exact. */
  lowToF64(): Vector {
    return this.#to("f64x2", `f64x2.${this.kind === "f32x4" ? "promote_low_f32x4" : `convert_low_i32x4_${signOf(this.kind)}`}`);
  }

  /** Converts the upper two lanes of an f32x4, i32x4 or u32x4 to f64x2. The conversion is exact. */
  highToF64(): Vector {
    return this.lanes(this, [2, 3, 2, 3]).lowToF64();
  }

  /** Rounds two f64x2 to one f32x4: this to the lower lanes, `high` to the upper. */
  demote(high: Vector): Vector {
    return this.#halves(high, "f32x4", "f32x4.demote_f64x2_zero");
  }

  /** Converts two f64x2 to one i32x4 or u32x4, rounded towards zero and saturated: this to the lower lanes, `high` to the upper. */
  truncate(high: Vector, to: "i32x4" | "u32x4"): Vector {
    return this.#halves(high, to, `i32x4.trunc_sat_f64x2_${signOf(to)}_zero`);
  }

  /** Returns the two lower lanes of the results of an instruction on this and on another vector. */
  #halves(high: Vector, to: VectorKind, name: string): Vector {
    return this.#to(to, name).lanes(high.#to(to, name), [0, 1, 4, 5]);
  }

  /** Returns the result of an instruction from half of the lanes to integers of twice the width. */
  #widen(word: "extend_low" | "extend_high" | "extmul_low" | "extmul_high", ...others: readonly Vector[]): Vector {
    const bytes = laneBytes[this.kind];
    if (bytes === 8 || isFloat(this.kind)) throw new InternalError(`${this.kind} has no wider integers`);
    const wide = (bytes * 2) as 2 | 4 | 8;
    const name = `${kSignedKinds[wide]}.${word}_${kSignedKinds[bytes]}_${signOf(this.kind)}`;
    return this.#to((isUnsigned(this.kind) ? kUnsignedKinds : kSignedKinds)[wide], name, ...others.map((value) => this.#like(value)));
  }

  /** Converts the lower half of the lanes to integers of twice the width. */
  extendLow(): Vector {
    return this.#widen("extend_low");
  }

  /** Converts the upper half of the lanes to integers of twice the width. */
  extendHigh(): Vector {
    return this.#widen("extend_high");
  }

  /** Returns the products of the lower half of the lanes, in twice the width. */
  extendMultiplyLow(other: Vector): Vector {
    return this.#widen("extmul_low", other);
  }

  /** Returns the products of the upper half of the lanes, in twice the width. */
  extendMultiplyHigh(other: Vector): Vector {
    return this.#widen("extmul_high", other);
  }

  /** Saturates two i16x8 or i32x4 (read as signed) to lanes of half the width: this to the lower lanes, `high` to the upper. */
  narrow(high: Vector, to: "i8x16" | "u8x16" | "i16x8" | "u16x8"): Vector {
    return this.#to(to, `${shapeOf(to)}.narrow_${this.maskKind}_${signOf(to)}`, high);
  }

  /** Returns lanes of half the width without their upper bits: this in the lower lanes, `high` in the upper. */
  wrap(high: Vector): Vector {
    const bytes = laneBytes[this.kind];
    if (bytes === 1 || isFloat(this.kind)) throw new InternalError(`${this.kind} has no narrower integers`);
    const half = (bytes / 2) as 1 | 2 | 4;
    const kind = (isUnsigned(this.kind) ? kUnsignedKinds : kSignedKinds)[half];
    const order = Array.from({ length: 16 / half }, (_, i) => i * 2);
    return this.as(kind).lanes(high.as(kind), order);
  }
}
