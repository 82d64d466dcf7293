/**
 * vector: values of straight-line SIMD code, as kernels and math functions write them (Eigen's Packet).
 *
 * A Vector is a node of a graph, not a register: `x.mul(x).add(1)` records what is to be computed, and the builder later
 * decides order, registers and unrolling. Its kind says what the 16 bytes are, and so which instruction a method means;
 * plain numbers stand for constants in all lanes. A comparison answers a mask: the integer kind of the same width, all ones
 * in a lane that compares true. What WebAssembly lacks (products of bytes, order of 64-bit integers) is put together here.
 */
import { InternalError } from "@onebuffer/base";
import type { Callable } from "../assembler/assembler-code.ts";
import type { MemoryLaneInstruction, PlainInstruction } from "../assembler/assembler-instructions.ts";

/** What 16 bytes are. Unsigned kinds differ from signed ones in order, conversion and shifts to the right. */
export type VectorKind = "f32x4" | "f64x2" | "i8x16" | "u8x16" | "i16x8" | "u16x8" | "i32x4" | "u32x4" | "i64x2" | "u64x2";

/** A vector, or a number (of all lanes) that takes the kind of the other operand. */
export type Operand = Vector | number | bigint;

/** How a node comes to its value. */
export type VectorNode =
  | { readonly type: "instruction"; readonly name: PlainInstruction; readonly args: readonly Vector[]; readonly shift: number | null }
  | { readonly type: "scalars"; readonly what: PlainInstruction | Callable; readonly args: readonly Vector[] }
  | { readonly type: "shuffle"; readonly args: readonly Vector[]; readonly lanes: readonly number[] }
  | { readonly type: "local"; readonly locals: readonly number[] }
  | { readonly type: "bits"; readonly bytes: Uint8Array }
  | { readonly type: "splat"; readonly name: PlainInstruction; readonly local: number }
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

/** The load instructions that make a vector. */
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

/** Code that runs only when a mask asks for it: its result, and the values from outside that it needs. */
export interface VectorRegion {
  result: Vector | null;
  readonly captured: Map<number, Vector>;
}

/** Where vectors come from: the part of VectorBuilder that vectors themselves call. */
export interface VectorSource {
  /** Whether relaxed instructions may be used. */
  readonly relaxed: boolean;
  /** All lanes the same. */
  constant(kind: VectorKind, value: number | bigint): Vector;
  /** Lanes with values of their own. */
  constants(kind: VectorKind, values: readonly (number | bigint)[]): Vector;
  /** The result of an instruction; the same arguments give the same node. */
  instruction(kind: VectorKind, name: PlainInstruction, args: readonly Vector[], shift?: number | null): Vector;
  /** A scalar instruction of 64-bit integers on both lanes, for there is none of vectors. */
  longs(name: PlainInstruction, a: Vector, b: Vector): Vector;
  /** A function of two doubles that returns one, called for both lanes. */
  calls(target: Callable, a: Vector, b: Vector): Vector;
  /** Bytes of two vectors in a new order. */
  shuffle(kind: VectorKind, a: Vector, b: Vector, bytes: readonly number[]): Vector;
  /** What `then` answers if any bit of `mask` is set, otherwise `otherwise`: see VectorBuilder. */
  when(mask: Vector, otherwise: Vector, then: () => Vector): Vector;
  /** Returns true if groups with a lane of `value` (u32x4 or u64x2) above `limit` are left to other code: see VectorBuilder. */
  guard(value: Vector, limit: number): boolean;
}

/** Bytes of a lane. */
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

const kSignedKinds = { 1: "i8x16", 2: "i16x8", 4: "i32x4", 8: "i64x2" } as const;
const kUnsignedKinds = { 1: "u8x16", 2: "u16x8", 4: "u32x4", 8: "u64x2" } as const;

/** Whether lanes are floats. */
function isFloat(kind: VectorKind): boolean {
  return kind.charCodeAt(0) === 0x66;
}

/** Whether lanes are unsigned integers. */
function isUnsigned(kind: VectorKind): boolean {
  return kind.charCodeAt(0) === 0x75;
}

/** A value of 16 bytes in straight-line code. */
export class Vector {
  readonly source: VectorSource;
  readonly id: number;
  readonly kind: VectorKind;
  readonly node: VectorNode;
  /** The conditional code that this node is part of; null outside of any. */
  readonly region: VectorRegion | null;

  constructor(source: VectorSource, id: number, kind: VectorKind, node: VectorNode, region: VectorRegion | null) {
    this.source = source;
    this.id = id;
    this.kind = kind;
    this.node = node;
    this.region = region;
  }

  /** The signed integer kind of the same width: what comparisons answer. */
  get maskKind(): VectorKind {
    return kSignedKinds[laneBytes[this.kind]];
  }

  /** How instructions call the shape: unsigned kinds share the names of signed ones. */
  get #shape(): "f32x4" | "f64x2" | "i8x16" | "i16x8" | "i32x4" | "i64x2" {
    return isFloat(this.kind) ? (this.kind as "f32x4") : kSignedKinds[laneBytes[this.kind]];
  }

  /** The operand as a vector of this kind. Throws INTERNAL for another kind: `as` or a conversion is missing. */
  #like(value: Operand): Vector {
    if (typeof value !== "object") return this.source.constant(this.kind, value);
    if (value.kind !== this.kind) throw new InternalError(`an operand is ${value.kind}, the other ${this.kind}`);
    return value;
  }

  /** `<shape>.<word>` of this and other vectors. */
  #op(word: string, ...others: readonly Operand[]): Vector {
    const args = [this as Vector, ...others.map((value) => this.#like(value))];
    return this.source.instruction(this.kind, `${this.#shape}.${word}` as PlainInstruction, args);
  }

  #float(word: string): Vector {
    if (!isFloat(this.kind)) throw new InternalError(`${word} is for floats, not ${this.kind}`);
    return this.#op(word);
  }

  /** The same bytes as another kind. No instruction. */
  as(kind: VectorKind): Vector {
    return kind === this.kind ? this : new Vector(this.source, this.id, kind, this.node, this.region);
  }

  /** Sum; integers wrap around. */
  add(other: Operand): Vector {
    return this.#op("add", other);
  }

  /** Difference; integers wrap around. */
  sub(other: Operand): Vector {
    return this.#op("sub", other);
  }

  /** Product; integers wrap around. Bytes are multiplied as 16-bit integers. */
  mul(other: Operand): Vector {
    if (laneBytes[this.kind] !== 1) return this.#op("mul", other);
    const b = this.#like(other);
    const low = this.source.instruction("i16x8", "i16x8.extmul_low_i8x16_u", [this, b]);
    const high = this.source.instruction("i16x8", "i16x8.extmul_high_i8x16_u", [this, b]);
    return low.shuffle(high, [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]).as(this.kind);
  }

  /** Quotient of floats. */
  div(other: Operand): Vector {
    return this.#op("div", other);
  }

  /** The smaller. Floats: NaN if either is, -0 below +0. */
  min(other: Operand): Vector {
    return this.#extreme("min", other);
  }

  /** The larger. Floats: NaN if either is, +0 above -0. */
  max(other: Operand): Vector {
    return this.#extreme("max", other);
  }

  #extreme(word: "min" | "max", other: Operand): Vector {
    if (isFloat(this.kind)) return this.#op(word, other);
    if (laneBytes[this.kind] < 8) return this.#op(`${word}_${isUnsigned(this.kind) ? "u" : "s"}`, other);
    const b = this.#like(other);
    return (word === "min" ? this.lt(b) : this.gt(b)).select(this, b);
  }

  /** `other < this ? other : this`: one instruction on x64, this if either is NaN. */
  pmin(other: Operand): Vector {
    return this.#op("pmin", other);
  }

  /** `this < other ? other : this`: one instruction on x64, this if either is NaN. */
  pmax(other: Operand): Vector {
    return this.#op("pmax", other);
  }

  /** this * b + c, in one rounding or two: relaxed where the engine has it. */
  madd(b: Operand, c: Operand): Vector {
    if (!this.source.relaxed || !isFloat(this.kind)) return this.mul(b).add(c);
    return this.#op("relaxed_madd", b, c);
  }

  /** c - this * b, in one rounding or two. */
  nmadd(b: Operand, c: Operand): Vector {
    if (!this.source.relaxed || !isFloat(this.kind)) return this.#like(c).sub(this.mul(b));
    return this.#op("relaxed_nmadd", b, c);
  }

  /** The sign bit of a float lane. */
  get #signBit(): bigint {
    return -1n << BigInt(laneBytes[this.kind] * 8 - 1);
  }

  /** Negative; integers wrap around. A float's sign is a bit: by its own instruction engines make the mask anew each time. */
  neg(): Vector {
    return isFloat(this.kind) ? this.xor(this.#signBit) : this.#op("neg");
  }

  /** Magnitude; the least integer stays. */
  abs(): Vector {
    if (isUnsigned(this.kind)) return this;
    return isFloat(this.kind) ? this.and(~this.#signBit) : this.#op("abs");
  }

  /** Square root, correctly rounded. */
  sqrt(): Vector {
    return this.#float("sqrt");
  }

  /** The integer at or below. */
  floor(): Vector {
    return this.#float("floor");
  }

  /** The integer at or above. */
  ceil(): Vector {
    return this.#float("ceil");
  }

  /** The integer towards zero. */
  trunc(): Vector {
    return this.#float("trunc");
  }

  /** The nearest integer, ties to even. */
  nearest(): Vector {
    return this.#float("nearest");
  }

  /** Sum that stops at the ends of the range; 8 and 16 bits. */
  addSat(other: Operand): Vector {
    return this.#op(isUnsigned(this.kind) ? "add_sat_u" : "add_sat_s", other);
  }

  /** Difference that stops at the ends of the range; 8 and 16 bits. */
  subSat(other: Operand): Vector {
    return this.#op(isUnsigned(this.kind) ? "sub_sat_u" : "sub_sat_s", other);
  }

  #compare(word: "eq" | "ne" | "lt" | "gt" | "le" | "ge", other: Operand): Vector {
    const b = this.#like(other);
    const ordered = word !== "eq" && word !== "ne";
    const name = (suffix: string): PlainInstruction => `${this.#shape}.${word}${suffix}` as PlainInstruction;
    if (isFloat(this.kind) || !ordered) return this.source.instruction(this.maskKind, name(""), [this, b]);
    if (!isUnsigned(this.kind)) return this.source.instruction(this.maskKind, name("_s"), [this, b]);
    if (this.kind !== "u64x2") return this.source.instruction(this.maskKind, name("_u"), [this, b]);
    // There is no unsigned order of 64 bits: with the sign bits turned around the signed one is the same.
    const flip = (value: Vector): Vector => value.as("i64x2").xor(-0x8000000000000000n);
    return flip(this).#compare(word, flip(b));
  }

  /** Mask of equal lanes; NaN equals nothing. */
  eq(other: Operand): Vector {
    return this.#compare("eq", other);
  }

  /** Mask of lanes that differ; NaN differs from everything. */
  ne(other: Operand): Vector {
    return this.#compare("ne", other);
  }

  /** Mask of this < other. */
  lt(other: Operand): Vector {
    return this.#compare("lt", other);
  }

  /** Mask of this > other. */
  gt(other: Operand): Vector {
    return this.#compare("gt", other);
  }

  /** Mask of this <= other. */
  le(other: Operand): Vector {
    return this.#compare("le", other);
  }

  /** Mask of this >= other. */
  ge(other: Operand): Vector {
    return this.#compare("ge", other);
  }

  /** The instruction on all 128 bits; the other operand may be of any kind. */
  #bits(name: "v128.and" | "v128.or" | "v128.xor" | "v128.andnot", other: Operand): Vector {
    const b = typeof other === "object" ? other : this.source.constant(isFloat(this.kind) ? this.maskKind : this.kind, other);
    return this.source.instruction(this.kind, name, [this, b]);
  }

  /** Bits set in both. A number is an integer, of floats too. */
  and(other: Operand): Vector {
    return this.#bits("v128.and", other);
  }

  /** Bits set in one or both. */
  or(other: Operand): Vector {
    return this.#bits("v128.or", other);
  }

  /** Bits set in one. */
  xor(other: Operand): Vector {
    return this.#bits("v128.xor", other);
  }

  /** Bits set in this and not in the other. */
  andNot(other: Operand): Vector {
    return this.#bits("v128.andnot", other);
  }

  /** All bits turned around. */
  not(): Vector {
    return this.source.instruction(this.kind, "v128.not", [this]);
  }

  /** Of a mask: `ifTrue` in lanes that are all ones, `ifFalse` in lanes that are zero. One of them may be a number. */
  select(ifTrue: Operand, ifFalse: Operand): Vector {
    const kind = typeof ifTrue === "object" ? ifTrue.kind : typeof ifFalse === "object" ? ifFalse.kind : this.kind;
    const as = (value: Operand): Vector => (typeof value === "object" ? value : this.source.constant(kind, value));
    const a = as(ifTrue);
    const b = as(ifFalse);
    if (a.kind !== b.kind) throw new InternalError(`select between ${a.kind} and ${b.kind}`);
    const name = this.source.relaxed ? (`${this.maskKind}.relaxed_laneselect` as PlainInstruction) : "v128.bitselect";
    return this.source.instruction(kind, name, [a, b, this]);
  }

  /** Bit by bit: of `a` where this has a one, of `b` where it has a zero. The kind is that of `a`. */
  bitSelect(a: Vector, b: Vector): Vector {
    return this.source.instruction(a.kind, "v128.bitselect", [a, b, this]);
  }

  #shift(word: "shl" | "shr_s" | "shr_u", bits: number): Vector {
    if (bits === 0) return this;
    return this.source.instruction(this.kind, `${kSignedKinds[laneBytes[this.kind]]}.${word}`, [this], bits);
  }

  /** Bits moved up by a number fixed in the code, modulo the width. */
  shl(bits: number): Vector {
    return this.#shift("shl", bits);
  }

  /** Bits moved down; signed kinds fill in the sign, unsigned and float kinds zeros. */
  shr(bits: number): Vector {
    return this.#shift(this.kind.charCodeAt(0) === 0x69 ? "shr_s" : "shr_u", bits);
  }

  /** Bytes of this (0 to 15) and the other (16 to 31) in a new order. */
  shuffle(other: Vector, bytes: readonly number[]): Vector {
    return this.source.shuffle(this.kind, this, other, bytes);
  }

  /** Lanes of this (from 0) and the other (from the number of lanes) in a new order. */
  lanes(other: Vector, order: readonly number[]): Vector {
    const size = laneBytes[this.kind];
    return this.shuffle(
      other,
      order.flatMap((lane) => Array.from({ length: size }, (_, i) => lane * size + i)),
    );
  }

  /** Of a table in this: the byte that each byte of `indices` names; 0 where it names none. */
  swizzle(indices: Vector): Vector {
    return this.source.instruction(this.kind, "i8x16.swizzle", [this, indices]);
  }

  /** i32x4 or u32x4 to f32x4, rounded to nearest even. */
  toF32(): Vector {
    return this.source.instruction("f32x4", isUnsigned(this.kind) ? "f32x4.convert_i32x4_u" : "f32x4.convert_i32x4_s", [this]);
  }

  /** f32x4 to i32x4 towards zero; NaN gives 0, the ends of the range hold. */
  toI32(): Vector {
    return this.source.instruction("i32x4", "i32x4.trunc_sat_f32x4_s", [this]);
  }

  /** f32x4 to u32x4 towards zero; NaN gives 0, the ends of the range hold. */
  toU32(): Vector {
    return this.source.instruction("u32x4", "i32x4.trunc_sat_f32x4_u", [this]);
  }

  /** The lower two lanes of an f32x4, i32x4 or u32x4 as f64x2: exact. */
  lowToF64(): Vector {
    if (this.kind === "f32x4") return this.source.instruction("f64x2", "f64x2.promote_low_f32x4", [this]);
    return this.source.instruction("f64x2", isUnsigned(this.kind) ? "f64x2.convert_low_i32x4_u" : "f64x2.convert_low_i32x4_s", [this]);
  }

  /** The upper two lanes of an f32x4, i32x4 or u32x4 as f64x2. */
  highToF64(): Vector {
    return this.lanes(this, [2, 3, 2, 3]).lowToF64();
  }

  /** Two f64x2 rounded to one f32x4: this in the lower lanes, `high` in the upper. */
  demote(high: Vector): Vector {
    const half = (value: Vector): Vector => this.source.instruction("f32x4", "f32x4.demote_f64x2_zero", [value]);
    return half(this).lanes(half(high), [0, 1, 4, 5]);
  }

  /** Two f64x2 truncated and saturated to one i32x4 or u32x4. */
  truncate(high: Vector, to: "i32x4" | "u32x4"): Vector {
    const name = to === "i32x4" ? "i32x4.trunc_sat_f64x2_s_zero" : "i32x4.trunc_sat_f64x2_u_zero";
    const half = (value: Vector): Vector => this.source.instruction(to, name, [value]);
    return half(this).lanes(half(high), [0, 1, 4, 5]);
  }

  #extend(half: "low" | "high"): Vector {
    const bytes = laneBytes[this.kind];
    if (bytes === 8 || isFloat(this.kind)) throw new InternalError(`${this.kind} has no wider integers`);
    const wide = (bytes * 2) as 2 | 4 | 8;
    const unsigned = isUnsigned(this.kind);
    const name = `${kSignedKinds[wide]}.extend_${half}_${kSignedKinds[bytes]}_${unsigned ? "u" : "s"}` as PlainInstruction;
    return this.source.instruction(unsigned ? kUnsignedKinds[wide] : kSignedKinds[wide], name, [this]);
  }

  /** The lower half of the lanes, twice as wide. */
  extendLow(): Vector {
    return this.#extend("low");
  }

  /** The upper half of the lanes, twice as wide. */
  extendHigh(): Vector {
    return this.#extend("high");
  }

  #extendMultiply(half: "low" | "high", other: Vector): Vector {
    const bytes = laneBytes[this.kind];
    if (bytes === 8 || isFloat(this.kind)) throw new InternalError(`${this.kind} has no wider integers`);
    const wide = (bytes * 2) as 2 | 4 | 8;
    const unsigned = isUnsigned(this.kind);
    const name = `${kSignedKinds[wide]}.extmul_${half}_${kSignedKinds[bytes]}_${unsigned ? "u" : "s"}` as PlainInstruction;
    return this.source.instruction(unsigned ? kUnsignedKinds[wide] : kSignedKinds[wide], name, [this, this.#like(other)]);
  }

  /** Products of the lower half of the lanes, twice as wide. */
  extendMultiplyLow(other: Vector): Vector {
    return this.#extendMultiply("low", other);
  }

  /** Products of the upper half of the lanes, twice as wide. */
  extendMultiplyHigh(other: Vector): Vector {
    return this.#extendMultiply("high", other);
  }

  /** Two i16x8 or i32x4, read as signed, saturated to lanes of half the width. */
  narrow(high: Vector, to: "i8x16" | "u8x16" | "i16x8" | "u16x8"): Vector {
    const from = kSignedKinds[laneBytes[this.kind]];
    const name = `${kSignedKinds[laneBytes[to]]}.narrow_${from}_${isUnsigned(to) ? "u" : "s"}` as PlainInstruction;
    return this.source.instruction(to, name, [this, high]);
  }

  /** Lanes of half the width, the upper halves dropped: this in the lower lanes, `high` in the upper. */
  wrap(high: Vector): Vector {
    const bytes = laneBytes[this.kind];
    if (bytes === 1 || isFloat(this.kind)) throw new InternalError(`${this.kind} has no narrower integers`);
    const half = (bytes / 2) as 1 | 2 | 4;
    const kind = isUnsigned(this.kind) ? kUnsignedKinds[half] : kSignedKinds[half];
    const order = Array.from({ length: 16 / half }, (_, i) => i * 2);
    return this.as(kind).lanes(high.as(kind), order);
  }
}
