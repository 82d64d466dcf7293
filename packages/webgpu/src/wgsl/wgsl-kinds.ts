/**
 * The lanes of kernels as types of WGSL: one invocation computes one lane.
 *
 *     f32x4                  f32                 i8x16 i16x8 i32x4     i32, sign-extended
 *     i64x2 u64x2 f64x2      vec2<u32>           u8x16 u16x8 u32x4     u32, zero-extended
 *
 * A vector of 64 bits is a pair of words, the lower one first. Of f64x2 only the bits are moved.
 */
import type { VectorKind } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";

/** The types of values in shaders. */
export type WgslType = "f32" | "i32" | "u32" | "vec2<u32>";

/** Returns the type in which lanes of a kind are computed. */
export function typeOf(kind: VectorKind): WgslType {
  if (laneBytes[kind] === 8) return "vec2<u32>";
  if (kind === "f32x4") return "f32";
  return kind.startsWith("u") ? "u32" : "i32";
}

/** Returns an expression of one type as one of another type of the same bits. */
export function bitcast(text: string, from: WgslType, to: WgslType): string {
  return from === to ? text : `bitcast<${to}>(${text})`;
}

/** Returns the lowest bits of a word, extended to the word of a kind with lanes of 8 or 16 bits; the word itself for other kinds. */
export function wrapped(text: string, kind: VectorKind): string {
  const bits = laneBytes[kind] * 8;
  if (bits >= 32) return text;
  return kind.startsWith("u") ? `(${text} & ${2 ** bits - 1}u)` : `extractBits(${text}, 0u, ${bits}u)`;
}

/** Returns the bits of lanes of one kind as lanes of another kind of the same width. */
export function reinterpreted(text: string, from: VectorKind, to: VectorKind): string {
  if (from === to) return text;
  const cast = bitcast(text, typeOf(from), typeOf(to));
  return laneBytes[to] < 4 ? wrapped(cast, to) : cast;
}
