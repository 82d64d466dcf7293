/**
 * The instruction set of WebAssembly as a table. The assembler takes opcodes from it, the listing names, and the type checker the types of
 * instruction names (no counterpart in TensorFlow).
 *
 * A row is [opcode of its first name, immediates after the opcode, names with consecutive opcodes]. Opcodes with a prefix byte are
 * written as prefix * 0x10000 + number: 0xfd0105 is the SIMD instruction 0x105. Names are those of the text format.
 *
 * The table has all numeric, memory, SIMD and relaxed SIMD instructions, and the 32-bit atomics by which threads synchronize. It does not
 * have tables, references, exceptions and other atomics, which nothing here uses. Blocks, branches, locals, constants and calls are
 * methods of CodeWriter.
 */

/** The kind of the immediates between an opcode and the next instruction. */
export type InstructionImmediates = "none" | "memory" | "lane" | "memory-lane" | "zero" | "zeros" | "atomic";

const kRows = [
  [0x00, "none", "unreachable nop"],
  [0x0f, "none", "return"],
  [0x1a, "none", "drop select"],
  [0x28, "memory", "i32.load i64.load f32.load f64.load i32.load8_s i32.load8_u i32.load16_s i32.load16_u"],
  [0x30, "memory", "i64.load8_s i64.load8_u i64.load16_s i64.load16_u i64.load32_s i64.load32_u"],
  [0x36, "memory", "i32.store i64.store f32.store f64.store i32.store8 i32.store16 i64.store8 i64.store16 i64.store32"],
  [0x3f, "zero", "memory.size memory.grow"],
  [0x45, "none", "i32.eqz i32.eq i32.ne i32.lt_s i32.lt_u i32.gt_s i32.gt_u i32.le_s i32.le_u i32.ge_s i32.ge_u"],
  [0x50, "none", "i64.eqz i64.eq i64.ne i64.lt_s i64.lt_u i64.gt_s i64.gt_u i64.le_s i64.le_u i64.ge_s i64.ge_u"],
  [0x5b, "none", "f32.eq f32.ne f32.lt f32.gt f32.le f32.ge f64.eq f64.ne f64.lt f64.gt f64.le f64.ge"],
  [0x67, "none", "i32.clz i32.ctz i32.popcnt i32.add i32.sub i32.mul i32.div_s i32.div_u i32.rem_s i32.rem_u"],
  [0x71, "none", "i32.and i32.or i32.xor i32.shl i32.shr_s i32.shr_u i32.rotl i32.rotr"],
  [0x79, "none", "i64.clz i64.ctz i64.popcnt i64.add i64.sub i64.mul i64.div_s i64.div_u i64.rem_s i64.rem_u"],
  [0x83, "none", "i64.and i64.or i64.xor i64.shl i64.shr_s i64.shr_u i64.rotl i64.rotr"],
  [0x8b, "none", "f32.abs f32.neg f32.ceil f32.floor f32.trunc f32.nearest f32.sqrt"],
  [0x92, "none", "f32.add f32.sub f32.mul f32.div f32.min f32.max f32.copysign"],
  [0x99, "none", "f64.abs f64.neg f64.ceil f64.floor f64.trunc f64.nearest f64.sqrt"],
  [0xa0, "none", "f64.add f64.sub f64.mul f64.div f64.min f64.max f64.copysign"],
  [0xa7, "none", "i32.wrap_i64 i32.trunc_f32_s i32.trunc_f32_u i32.trunc_f64_s i32.trunc_f64_u i64.extend_i32_s i64.extend_i32_u"],
  [0xae, "none", "i64.trunc_f32_s i64.trunc_f32_u i64.trunc_f64_s i64.trunc_f64_u f32.convert_i32_s f32.convert_i32_u"],
  [0xb4, "none", "f32.convert_i64_s f32.convert_i64_u f32.demote_f64 f64.convert_i32_s f64.convert_i32_u f64.convert_i64_s"],
  [0xba, "none", "f64.convert_i64_u f64.promote_f32 i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 f64.reinterpret_i64"],
  [0xc0, "none", "i32.extend8_s i32.extend16_s i64.extend8_s i64.extend16_s i64.extend32_s"],
  [0xfc0000, "none", "i32.trunc_sat_f32_s i32.trunc_sat_f32_u i32.trunc_sat_f64_s i32.trunc_sat_f64_u"],
  [0xfc0004, "none", "i64.trunc_sat_f32_s i64.trunc_sat_f32_u i64.trunc_sat_f64_s i64.trunc_sat_f64_u"],
  [0xfc000a, "zeros", "memory.copy"],
  [0xfc000b, "zero", "memory.fill"],
  [0xfd0000, "memory", "v128.load v128.load8x8_s v128.load8x8_u v128.load16x4_s v128.load16x4_u v128.load32x2_s v128.load32x2_u"],
  [0xfd0007, "memory", "v128.load8_splat v128.load16_splat v128.load32_splat v128.load64_splat v128.store"],
  [0xfd000e, "none", "i8x16.swizzle i8x16.splat i16x8.splat i32x4.splat i64x2.splat f32x4.splat f64x2.splat"],
  [0xfd0015, "lane", "i8x16.extract_lane_s i8x16.extract_lane_u i8x16.replace_lane"],
  [0xfd0018, "lane", "i16x8.extract_lane_s i16x8.extract_lane_u i16x8.replace_lane i32x4.extract_lane i32x4.replace_lane"],
  [0xfd001d, "lane", "i64x2.extract_lane i64x2.replace_lane f32x4.extract_lane f32x4.replace_lane"],
  [0xfd0021, "lane", "f64x2.extract_lane f64x2.replace_lane"],
  [0xfd0023, "none", "i8x16.eq i8x16.ne i8x16.lt_s i8x16.lt_u i8x16.gt_s i8x16.gt_u i8x16.le_s i8x16.le_u i8x16.ge_s i8x16.ge_u"],
  [0xfd002d, "none", "i16x8.eq i16x8.ne i16x8.lt_s i16x8.lt_u i16x8.gt_s i16x8.gt_u i16x8.le_s i16x8.le_u i16x8.ge_s i16x8.ge_u"],
  [0xfd0037, "none", "i32x4.eq i32x4.ne i32x4.lt_s i32x4.lt_u i32x4.gt_s i32x4.gt_u i32x4.le_s i32x4.le_u i32x4.ge_s i32x4.ge_u"],
  [0xfd0041, "none", "f32x4.eq f32x4.ne f32x4.lt f32x4.gt f32x4.le f32x4.ge f64x2.eq f64x2.ne f64x2.lt f64x2.gt f64x2.le f64x2.ge"],
  [0xfd004d, "none", "v128.not v128.and v128.andnot v128.or v128.xor v128.bitselect v128.any_true"],
  [0xfd0054, "memory-lane", "v128.load8_lane v128.load16_lane v128.load32_lane v128.load64_lane"],
  [0xfd0058, "memory-lane", "v128.store8_lane v128.store16_lane v128.store32_lane v128.store64_lane"],
  [0xfd005c, "memory", "v128.load32_zero v128.load64_zero"],
  [0xfd005e, "none", "f32x4.demote_f64x2_zero f64x2.promote_low_f32x4 i8x16.abs i8x16.neg i8x16.popcnt i8x16.all_true i8x16.bitmask"],
  [0xfd0065, "none", "i8x16.narrow_i16x8_s i8x16.narrow_i16x8_u f32x4.ceil f32x4.floor f32x4.trunc f32x4.nearest"],
  [0xfd006b, "none", "i8x16.shl i8x16.shr_s i8x16.shr_u i8x16.add i8x16.add_sat_s i8x16.add_sat_u"],
  [0xfd0071, "none", "i8x16.sub i8x16.sub_sat_s i8x16.sub_sat_u f64x2.ceil f64x2.floor"],
  [0xfd0076, "none", "i8x16.min_s i8x16.min_u i8x16.max_s i8x16.max_u f64x2.trunc i8x16.avgr_u"],
  [0xfd007c, "none", "i16x8.extadd_pairwise_i8x16_s i16x8.extadd_pairwise_i8x16_u"],
  [0xfd007e, "none", "i32x4.extadd_pairwise_i16x8_s i32x4.extadd_pairwise_i16x8_u"],
  [0xfd0080, "none", "i16x8.abs i16x8.neg i16x8.q15mulr_sat_s i16x8.all_true i16x8.bitmask"],
  [0xfd0085, "none", "i16x8.narrow_i32x4_s i16x8.narrow_i32x4_u i16x8.extend_low_i8x16_s i16x8.extend_high_i8x16_s"],
  [0xfd0089, "none", "i16x8.extend_low_i8x16_u i16x8.extend_high_i8x16_u i16x8.shl i16x8.shr_s i16x8.shr_u"],
  [0xfd008e, "none", "i16x8.add i16x8.add_sat_s i16x8.add_sat_u i16x8.sub i16x8.sub_sat_s i16x8.sub_sat_u"],
  [0xfd0094, "none", "f64x2.nearest i16x8.mul i16x8.min_s i16x8.min_u i16x8.max_s i16x8.max_u"],
  [0xfd009b, "none", "i16x8.avgr_u i16x8.extmul_low_i8x16_s i16x8.extmul_high_i8x16_s"],
  [0xfd009e, "none", "i16x8.extmul_low_i8x16_u i16x8.extmul_high_i8x16_u i32x4.abs i32x4.neg"],
  [0xfd00a3, "none", "i32x4.all_true i32x4.bitmask"],
  [0xfd00a7, "none", "i32x4.extend_low_i16x8_s i32x4.extend_high_i16x8_s i32x4.extend_low_i16x8_u i32x4.extend_high_i16x8_u"],
  [0xfd00ab, "none", "i32x4.shl i32x4.shr_s i32x4.shr_u i32x4.add"],
  [0xfd00b1, "none", "i32x4.sub"],
  [0xfd00b5, "none", "i32x4.mul i32x4.min_s i32x4.min_u i32x4.max_s i32x4.max_u i32x4.dot_i16x8_s"],
  [0xfd00bc, "none", "i32x4.extmul_low_i16x8_s i32x4.extmul_high_i16x8_s i32x4.extmul_low_i16x8_u i32x4.extmul_high_i16x8_u"],
  [0xfd00c0, "none", "i64x2.abs i64x2.neg"],
  [0xfd00c3, "none", "i64x2.all_true i64x2.bitmask"],
  [0xfd00c7, "none", "i64x2.extend_low_i32x4_s i64x2.extend_high_i32x4_s i64x2.extend_low_i32x4_u i64x2.extend_high_i32x4_u"],
  [0xfd00cb, "none", "i64x2.shl i64x2.shr_s i64x2.shr_u i64x2.add"],
  [0xfd00d1, "none", "i64x2.sub"],
  [0xfd00d5, "none", "i64x2.mul i64x2.eq i64x2.ne i64x2.lt_s i64x2.gt_s i64x2.le_s i64x2.ge_s"],
  [0xfd00dc, "none", "i64x2.extmul_low_i32x4_s i64x2.extmul_high_i32x4_s i64x2.extmul_low_i32x4_u i64x2.extmul_high_i32x4_u"],
  [0xfd00e0, "none", "f32x4.abs f32x4.neg"],
  [0xfd00e3, "none", "f32x4.sqrt f32x4.add f32x4.sub f32x4.mul f32x4.div f32x4.min f32x4.max f32x4.pmin f32x4.pmax"],
  [0xfd00ec, "none", "f64x2.abs f64x2.neg"],
  [0xfd00ef, "none", "f64x2.sqrt f64x2.add f64x2.sub f64x2.mul f64x2.div f64x2.min f64x2.max f64x2.pmin f64x2.pmax"],
  [0xfd00f8, "none", "i32x4.trunc_sat_f32x4_s i32x4.trunc_sat_f32x4_u f32x4.convert_i32x4_s f32x4.convert_i32x4_u"],
  [0xfd00fc, "none", "i32x4.trunc_sat_f64x2_s_zero i32x4.trunc_sat_f64x2_u_zero f64x2.convert_low_i32x4_s f64x2.convert_low_i32x4_u"],
  [0xfd0100, "none", "i8x16.relaxed_swizzle i32x4.relaxed_trunc_f32x4_s i32x4.relaxed_trunc_f32x4_u"],
  [0xfd0103, "none", "i32x4.relaxed_trunc_f64x2_s_zero i32x4.relaxed_trunc_f64x2_u_zero"],
  [0xfd0105, "none", "f32x4.relaxed_madd f32x4.relaxed_nmadd f64x2.relaxed_madd f64x2.relaxed_nmadd"],
  [0xfd0109, "none", "i8x16.relaxed_laneselect i16x8.relaxed_laneselect i32x4.relaxed_laneselect i64x2.relaxed_laneselect"],
  [0xfd010d, "none", "f32x4.relaxed_min f32x4.relaxed_max f64x2.relaxed_min f64x2.relaxed_max"],
  [0xfd0111, "none", "i16x8.relaxed_q15mulr_s i16x8.relaxed_dot_i8x16_i7x16_s i32x4.relaxed_dot_i8x16_i7x16_add_s"],
  [0xfe0010, "atomic", "i32.atomic.load"],
  [0xfe0017, "atomic", "i32.atomic.store"],
  [0xfe001e, "atomic", "i32.atomic.rmw.add"],
  [0xfe0025, "atomic", "i32.atomic.rmw.sub"],
  [0xfe0041, "atomic", "i32.atomic.rmw.xchg"],
  [0xfe0048, "atomic", "i32.atomic.rmw.cmpxchg"],
] as const;

type Row = (typeof kRows)[number];
type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;
type NamesWith<I extends InstructionImmediates> = Words<Extract<Row, readonly [number, I, string]>[2]>;

/** Names of the instructions without immediates, or whose immediates are zeros that select memory 0. */
export type PlainInstruction = NamesWith<"none" | "zero" | "zeros">;
/** Names of the loads and stores of whole values. */
export type MemoryInstruction = NamesWith<"memory">;
/** Names of the instructions that take the number of a lane. */
export type LaneInstruction = NamesWith<"lane">;
/** Names of the loads and stores of one lane. */
export type MemoryLaneInstruction = NamesWith<"memory-lane">;
/** Names of the atomic accesses to a 32-bit word. */
export type AtomicInstruction = NamesWith<"atomic">;
/** All names in the table. */
export type InstructionName = PlainInstruction | MemoryInstruction | LaneInstruction | MemoryLaneInstruction | AtomicInstruction;

/** The properties of one instruction. */
export interface InstructionFacts {
  readonly name: InstructionName;
  readonly opcode: number;
  readonly immediates: InstructionImmediates;
}

/** Instructions by name. */
export const instructionsByName: ReadonlyMap<string, InstructionFacts> = new Map(
  kRows.flatMap(([first, immediates, names]) =>
    names.split(" ").map((name, i) => [name, { name: name as InstructionName, opcode: first + i, immediates }] as const),
  ),
);
