/**
 * The instruction set of WebAssembly as a table. The assembler takes opcodes from it, the listing names, and the type checker the types of
 * instruction names (no counterpart in TensorFlow).
 *
 * A row is [opcode of its first name, immediates after the opcode, names with consecutive opcodes]. Opcodes with a prefix byte are
 * written as prefix * 0x10000 + number: 0xfd0105 is the SIMD instruction 0x105. Names are those of the text format; one without a dot
 * has the type of the name before it: "i32.clz ctz" are i32.clz and i32.ctz.
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
  [0x28, "memory", "i32.load i64.load f32.load f64.load i32.load8_s load8_u load16_s load16_u"],
  [0x30, "memory", "i64.load8_s load8_u load16_s load16_u load32_s load32_u"],
  [0x36, "memory", "i32.store i64.store f32.store f64.store i32.store8 store16 i64.store8 store16 store32"],
  [0x3f, "zero", "memory.size grow"],
  [0x45, "none", "i32.eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"],
  [0x50, "none", "i64.eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"],
  [0x5b, "none", "f32.eq ne lt gt le ge f64.eq ne lt gt le ge"],
  [0x67, "none", "i32.clz ctz popcnt add sub mul div_s div_u rem_s rem_u"],
  [0x71, "none", "i32.and or xor shl shr_s shr_u rotl rotr"],
  [0x79, "none", "i64.clz ctz popcnt add sub mul div_s div_u rem_s rem_u"],
  [0x83, "none", "i64.and or xor shl shr_s shr_u rotl rotr"],
  [0x8b, "none", "f32.abs neg ceil floor trunc nearest sqrt"],
  [0x92, "none", "f32.add sub mul div min max copysign"],
  [0x99, "none", "f64.abs neg ceil floor trunc nearest sqrt"],
  [0xa0, "none", "f64.add sub mul div min max copysign"],
  [0xa7, "none", "i32.wrap_i64 trunc_f32_s trunc_f32_u trunc_f64_s trunc_f64_u i64.extend_i32_s extend_i32_u"],
  [0xae, "none", "i64.trunc_f32_s trunc_f32_u trunc_f64_s trunc_f64_u f32.convert_i32_s convert_i32_u"],
  [0xb4, "none", "f32.convert_i64_s convert_i64_u demote_f64 f64.convert_i32_s convert_i32_u convert_i64_s"],
  [0xba, "none", "f64.convert_i64_u promote_f32 i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 f64.reinterpret_i64"],
  [0xc0, "none", "i32.extend8_s extend16_s i64.extend8_s extend16_s extend32_s"],
  [0xfc0000, "none", "i32.trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s trunc_sat_f64_u"],
  [0xfc0004, "none", "i64.trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s trunc_sat_f64_u"],
  [0xfc000a, "zeros", "memory.copy"],
  [0xfc000b, "zero", "memory.fill"],
  [0xfd0000, "memory", "v128.load load8x8_s load8x8_u load16x4_s load16x4_u load32x2_s load32x2_u"],
  [0xfd0007, "memory", "v128.load8_splat load16_splat load32_splat load64_splat store"],
  [0xfd000e, "none", "i8x16.swizzle splat i16x8.splat i32x4.splat i64x2.splat f32x4.splat f64x2.splat"],
  [0xfd0015, "lane", "i8x16.extract_lane_s extract_lane_u replace_lane"],
  [0xfd0018, "lane", "i16x8.extract_lane_s extract_lane_u replace_lane i32x4.extract_lane replace_lane"],
  [0xfd001d, "lane", "i64x2.extract_lane replace_lane f32x4.extract_lane replace_lane"],
  [0xfd0021, "lane", "f64x2.extract_lane replace_lane"],
  [0xfd0023, "none", "i8x16.eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"],
  [0xfd002d, "none", "i16x8.eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"],
  [0xfd0037, "none", "i32x4.eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"],
  [0xfd0041, "none", "f32x4.eq ne lt gt le ge f64x2.eq ne lt gt le ge"],
  [0xfd004d, "none", "v128.not and andnot or xor bitselect any_true"],
  [0xfd0054, "memory-lane", "v128.load8_lane load16_lane load32_lane load64_lane"],
  [0xfd0058, "memory-lane", "v128.store8_lane store16_lane store32_lane store64_lane"],
  [0xfd005c, "memory", "v128.load32_zero load64_zero"],
  [0xfd005e, "none", "f32x4.demote_f64x2_zero f64x2.promote_low_f32x4 i8x16.abs neg popcnt all_true bitmask"],
  [0xfd0065, "none", "i8x16.narrow_i16x8_s narrow_i16x8_u f32x4.ceil floor trunc nearest"],
  [0xfd006b, "none", "i8x16.shl shr_s shr_u add add_sat_s add_sat_u"],
  [0xfd0071, "none", "i8x16.sub sub_sat_s sub_sat_u f64x2.ceil floor"],
  [0xfd0076, "none", "i8x16.min_s min_u max_s max_u f64x2.trunc i8x16.avgr_u"],
  [0xfd007c, "none", "i16x8.extadd_pairwise_i8x16_s extadd_pairwise_i8x16_u"],
  [0xfd007e, "none", "i32x4.extadd_pairwise_i16x8_s extadd_pairwise_i16x8_u"],
  [0xfd0080, "none", "i16x8.abs neg q15mulr_sat_s all_true bitmask"],
  [0xfd0085, "none", "i16x8.narrow_i32x4_s narrow_i32x4_u extend_low_i8x16_s extend_high_i8x16_s"],
  [0xfd0089, "none", "i16x8.extend_low_i8x16_u extend_high_i8x16_u shl shr_s shr_u"],
  [0xfd008e, "none", "i16x8.add add_sat_s add_sat_u sub sub_sat_s sub_sat_u"],
  [0xfd0094, "none", "f64x2.nearest i16x8.mul min_s min_u max_s max_u"],
  [0xfd009b, "none", "i16x8.avgr_u extmul_low_i8x16_s extmul_high_i8x16_s"],
  [0xfd009e, "none", "i16x8.extmul_low_i8x16_u extmul_high_i8x16_u i32x4.abs neg"],
  [0xfd00a3, "none", "i32x4.all_true bitmask"],
  [0xfd00a7, "none", "i32x4.extend_low_i16x8_s extend_high_i16x8_s extend_low_i16x8_u extend_high_i16x8_u"],
  [0xfd00ab, "none", "i32x4.shl shr_s shr_u add"],
  [0xfd00b1, "none", "i32x4.sub"],
  [0xfd00b5, "none", "i32x4.mul min_s min_u max_s max_u dot_i16x8_s"],
  [0xfd00bc, "none", "i32x4.extmul_low_i16x8_s extmul_high_i16x8_s extmul_low_i16x8_u extmul_high_i16x8_u"],
  [0xfd00c0, "none", "i64x2.abs neg"],
  [0xfd00c3, "none", "i64x2.all_true bitmask"],
  [0xfd00c7, "none", "i64x2.extend_low_i32x4_s extend_high_i32x4_s extend_low_i32x4_u extend_high_i32x4_u"],
  [0xfd00cb, "none", "i64x2.shl shr_s shr_u add"],
  [0xfd00d1, "none", "i64x2.sub"],
  [0xfd00d5, "none", "i64x2.mul eq ne lt_s gt_s le_s ge_s"],
  [0xfd00dc, "none", "i64x2.extmul_low_i32x4_s extmul_high_i32x4_s extmul_low_i32x4_u extmul_high_i32x4_u"],
  [0xfd00e0, "none", "f32x4.abs neg"],
  [0xfd00e3, "none", "f32x4.sqrt add sub mul div min max pmin pmax"],
  [0xfd00ec, "none", "f64x2.abs neg"],
  [0xfd00ef, "none", "f64x2.sqrt add sub mul div min max pmin pmax"],
  [0xfd00f8, "none", "i32x4.trunc_sat_f32x4_s trunc_sat_f32x4_u f32x4.convert_i32x4_s convert_i32x4_u"],
  [0xfd00fc, "none", "i32x4.trunc_sat_f64x2_s_zero trunc_sat_f64x2_u_zero f64x2.convert_low_i32x4_s convert_low_i32x4_u"],
  [0xfd0100, "none", "i8x16.relaxed_swizzle i32x4.relaxed_trunc_f32x4_s relaxed_trunc_f32x4_u"],
  [0xfd0103, "none", "i32x4.relaxed_trunc_f64x2_s_zero relaxed_trunc_f64x2_u_zero"],
  [0xfd0105, "none", "f32x4.relaxed_madd relaxed_nmadd f64x2.relaxed_madd relaxed_nmadd"],
  [0xfd0109, "none", "i8x16.relaxed_laneselect i16x8.relaxed_laneselect i32x4.relaxed_laneselect i64x2.relaxed_laneselect"],
  [0xfd010d, "none", "f32x4.relaxed_min relaxed_max f64x2.relaxed_min relaxed_max"],
  [0xfd0111, "none", "i16x8.relaxed_q15mulr_s relaxed_dot_i8x16_i7x16_s i32x4.relaxed_dot_i8x16_i7x16_add_s"],
  [0xfe0010, "atomic", "i32.atomic.load"],
  [0xfe0017, "atomic", "i32.atomic.store"],
  [0xfe001e, "atomic", "i32.atomic.rmw.add"],
  [0xfe0025, "atomic", "i32.atomic.rmw.sub"],
  [0xfe0041, "atomic", "i32.atomic.rmw.xchg"],
  [0xfe0048, "atomic", "i32.atomic.rmw.cmpxchg"],
] as const;

type Row = (typeof kRows)[number];
/** `type.` of a word with a dot, and otherwise of the word before it. */
type TypeOf<Word extends string, Before extends string> = Word extends `${infer Type}.${string}` ? `${Type}.` : Before;
type Named<Word extends string, Before extends string> = Word extends `${string}.${string}` ? Word : `${Before}${Word}`;
type Words<S extends string, Before extends string = ""> = S extends `${infer First} ${infer Rest}`
  ? Named<First, Before> | Words<Rest, TypeOf<First, Before>>
  : Named<S, Before>;
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
  kRows.flatMap(([first, immediates, words]) => {
    let type = "";
    return words.split(" ").map((word, i): [string, InstructionFacts] => {
      const dot = word.indexOf(".") + 1;
      if (dot > 0) type = word.slice(0, dot);
      const name = dot > 0 ? word : type + word;
      return [name, { name: name as InstructionName, opcode: first + i, immediates }];
    });
  }),
);
