/**
 * The instruction set of WebAssembly as a table. The assembler takes opcodes from it, the listing names, and the type checker the types of
 * instruction names (no counterpart in TensorFlow).
 *
 * Rows are grouped by the immediates after the opcode. A row is the opcode of its first name and names with consecutive opcodes; "-" stands
 * for an opcode that is no such instruction. Opcodes with a prefix byte are written as prefix * 0x10000 + number: 0xfd0105 is the SIMD
 * instruction 0x105. Names are those of the text format; one without a dot has the type of the name before it: "i32.clz ctz" are i32.clz
 * and i32.ctz.
 *
 * The table has all numeric, memory, SIMD and relaxed SIMD instructions, and the 32-bit atomics by which threads synchronize. It does not
 * have tables, references, exceptions and other atomics, which nothing here uses. Blocks, branches, locals, constants and calls are
 * methods of CodeWriter.
 */

/** The kind of the immediates between an opcode and the next instruction. */
export type InstructionImmediates = "none" | "memory" | "lane" | "memory-lane" | "zero" | "zeros" | "atomic";

const kRows = {
  none: [
    "0x00 unreachable nop",
    "0x0f return",
    "0x1a drop select",
    "0x45 i32.eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u i64.eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u",
    "0x5b f32.eq ne lt gt le ge f64.eq ne lt gt le ge i32.clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u",
    "0x77 i32.rotl rotr i64.clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr",
    "0x8b f32.abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign f64.abs neg ceil floor trunc nearest sqrt add sub",
    "0xa2 f64.mul div min max copysign i32.wrap_i64 trunc_f32_s trunc_f32_u trunc_f64_s trunc_f64_u i64.extend_i32_s extend_i32_u trunc_f32_s",
    "0xaf i64.trunc_f32_u trunc_f64_s trunc_f64_u f32.convert_i32_s convert_i32_u convert_i64_s convert_i64_u demote_f64",
    "0xb7 f64.convert_i32_s convert_i32_u convert_i64_s convert_i64_u promote_f32 i32.reinterpret_f32 i64.reinterpret_f64",
    "0xbe f32.reinterpret_i32 f64.reinterpret_i64 i32.extend8_s extend16_s i64.extend8_s extend16_s extend32_s",
    "0xfc0000 i32.trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s trunc_sat_f64_u i64.trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s",
    "0xfc0007 i64.trunc_sat_f64_u",
    "0xfd000e i8x16.swizzle splat i16x8.splat i32x4.splat i64x2.splat f32x4.splat f64x2.splat",
    "0xfd0023 i8x16.eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u i16x8.eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u",
    "0xfd0037 i32x4.eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u f32x4.eq ne lt gt le ge f64x2.eq ne lt gt le ge",
    "0xfd004d v128.not and andnot or xor bitselect any_true",
    "0xfd005e f32x4.demote_f64x2_zero f64x2.promote_low_f32x4 i8x16.abs neg popcnt all_true bitmask narrow_i16x8_s narrow_i16x8_u",
    "0xfd0067 f32x4.ceil floor trunc nearest i8x16.shl shr_s shr_u add add_sat_s add_sat_u sub sub_sat_s sub_sat_u",
    "0xfd0074 f64x2.ceil floor i8x16.min_s min_u max_s max_u f64x2.trunc i8x16.avgr_u i16x8.extadd_pairwise_i8x16_s extadd_pairwise_i8x16_u",
    "0xfd007e i32x4.extadd_pairwise_i16x8_s extadd_pairwise_i16x8_u i16x8.abs neg q15mulr_sat_s all_true bitmask narrow_i32x4_s narrow_i32x4_u",
    "0xfd0087 i16x8.extend_low_i8x16_s extend_high_i8x16_s extend_low_i8x16_u extend_high_i8x16_u shl shr_s shr_u add add_sat_s add_sat_u",
    "0xfd0091 i16x8.sub sub_sat_s sub_sat_u f64x2.nearest i16x8.mul min_s min_u max_s max_u - avgr_u extmul_low_i8x16_s extmul_high_i8x16_s",
    "0xfd009e i16x8.extmul_low_i8x16_u extmul_high_i8x16_u i32x4.abs neg - all_true bitmask - - extend_low_i16x8_s extend_high_i16x8_s",
    "0xfd00a9 i32x4.extend_low_i16x8_u extend_high_i16x8_u shl shr_s shr_u add - - sub - - - mul min_s min_u max_s max_u dot_i16x8_s",
    "0xfd00bc i32x4.extmul_low_i16x8_s extmul_high_i16x8_s extmul_low_i16x8_u extmul_high_i16x8_u i64x2.abs neg - all_true bitmask",
    "0xfd00c7 i64x2.extend_low_i32x4_s extend_high_i32x4_s extend_low_i32x4_u extend_high_i32x4_u shl shr_s shr_u add",
    "0xfd00d1 i64x2.sub - - - mul eq ne lt_s gt_s le_s ge_s extmul_low_i32x4_s extmul_high_i32x4_s extmul_low_i32x4_u extmul_high_i32x4_u",
    "0xfd00e0 f32x4.abs neg - sqrt add sub mul div min max pmin pmax f64x2.abs neg - sqrt add sub mul div min max pmin pmax",
    "0xfd00f8 i32x4.trunc_sat_f32x4_s trunc_sat_f32x4_u f32x4.convert_i32x4_s convert_i32x4_u i32x4.trunc_sat_f64x2_s_zero trunc_sat_f64x2_u_zero",
    "0xfd00fe f64x2.convert_low_i32x4_s convert_low_i32x4_u i8x16.relaxed_swizzle i32x4.relaxed_trunc_f32x4_s relaxed_trunc_f32x4_u",
    "0xfd0103 i32x4.relaxed_trunc_f64x2_s_zero relaxed_trunc_f64x2_u_zero f32x4.relaxed_madd relaxed_nmadd",
    "0xfd0107 f64x2.relaxed_madd relaxed_nmadd i8x16.relaxed_laneselect i16x8.relaxed_laneselect i32x4.relaxed_laneselect",
    "0xfd010c i64x2.relaxed_laneselect f32x4.relaxed_min relaxed_max f64x2.relaxed_min relaxed_max i16x8.relaxed_q15mulr_s relaxed_dot_i8x16_i7x16_s",
    "0xfd0113 i32x4.relaxed_dot_i8x16_i7x16_add_s",
  ],
  zero: ["0x3f memory.size grow", "0xfc000b memory.fill"],
  zeros: ["0xfc000a memory.copy"],
  memory: [
    "0x28 i32.load i64.load f32.load f64.load i32.load8_s load8_u load16_s load16_u i64.load8_s load8_u load16_s load16_u load32_s load32_u",
    "0x36 i32.store i64.store f32.store f64.store i32.store8 store16 i64.store8 store16 store32",
    "0xfd0000 v128.load load8x8_s load8x8_u load16x4_s load16x4_u load32x2_s load32x2_u load8_splat load16_splat load32_splat load64_splat",
    "0xfd000b v128.store",
    "0xfd005c v128.load32_zero load64_zero",
  ],
  lane: [
    "0xfd0015 i8x16.extract_lane_s extract_lane_u replace_lane i16x8.extract_lane_s extract_lane_u replace_lane",
    "0xfd001b i32x4.extract_lane replace_lane i64x2.extract_lane replace_lane f32x4.extract_lane replace_lane",
    "0xfd0021 f64x2.extract_lane replace_lane",
  ],
  "memory-lane": ["0xfd0054 v128.load8_lane load16_lane load32_lane load64_lane store8_lane store16_lane store32_lane store64_lane"],
  atomic: [
    "0xfe0010 i32.atomic.load",
    "0xfe0017 i32.atomic.store",
    "0xfe001e i32.atomic.rmw.add",
    "0xfe0025 i32.atomic.rmw.sub",
    "0xfe0041 i32.atomic.rmw.xchg",
    "0xfe0048 i32.atomic.rmw.cmpxchg",
  ],
} as const;

/** `type.` of a word with a dot, and otherwise of the word before it. */
type TypeOf<Word extends string, Before extends string> = Word extends `${infer Type}.${string}` ? `${Type}.` : Before;
type Named<Word extends string, Before extends string> = Word extends "-"
  ? never
  : Word extends `${string}.${string}`
    ? Word
    : `${Before}${Word}`;
type Words<S extends string, Before extends string = ""> = S extends `${infer First} ${infer Rest}`
  ? Named<First, Before> | Words<Rest, TypeOf<First, Before>>
  : Named<S, Before>;
type Names<Row extends string> = Row extends `0x${string} ${infer Rest}` ? Words<Rest> : never;
type NamesWith<I extends InstructionImmediates> = Names<(typeof kRows)[I][number]>;

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
  Object.entries(kRows).flatMap(([immediates, rows]) => rows.flatMap((row) => factsOf(row, immediates as InstructionImmediates))),
);

/** Returns the instructions of a row, by name. */
function factsOf(row: string, immediates: InstructionImmediates): [string, InstructionFacts][] {
  const [first, ...words] = row.split(" ");
  let type = "";
  return words.flatMap((word, i): [string, InstructionFacts][] => {
    if (word === "-") return [];
    const dot = word.indexOf(".") + 1;
    if (dot > 0) type = word.slice(0, dot);
    const name = (dot > 0 ? word : type + word) as InstructionName;
    return [[name, { name, opcode: Number(first) + i, immediates }]];
  });
}
