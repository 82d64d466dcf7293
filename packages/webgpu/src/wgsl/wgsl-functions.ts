/**
 * Functions of WGSL that shaders contain when they use them. They hold what WGSL leaves to the implementation: NaN is tested on its bits,
 * zeros of both signs are ordered, and casts of floats saturate.
 */

import { kFloatFunctions } from "./float-functions.ts";
import { kLongFunctions } from "./long-functions.ts";
import { kRandomFunctions } from "./random-functions.ts";

/** The text of each function by its name. A function comes after those that it calls. */
const kBasicFunctions = {
  // Compilers turn (x + c) - c into x: an OR with a zero that they do not know stops that.
  keep: "fn keep(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) | zero); }",
  is_nan: "fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }",
  f_min: `fn f_min(a: f32, b: f32) -> f32 {
  if (is_nan(a)) { return a; }
  if (is_nan(b)) { return b; }
  if (a == b) { return bitcast<f32>(bitcast<u32>(a) | bitcast<u32>(b)); }
  return select(b, a, a < b);
}`,
  f_max: `fn f_max(a: f32, b: f32) -> f32 {
  if (is_nan(a)) { return a; }
  if (is_nan(b)) { return b; }
  if (a == b) { return bitcast<f32>(bitcast<u32>(a) & bitcast<u32>(b)); }
  return select(b, a, a > b);
}`,
  f_sqrt: `fn f_sqrt(x: f32) -> f32 {
  if (is_nan(x) || x == 0.0f || bitcast<u32>(x) == 0x7f800000u) { return x; }
  if (x < 0.0f) { return bitcast<f32>(0x7fc00000u | zero); }
  return sqrt(x);
}`,
  f_trunc: `fn f_trunc(x: f32) -> i32 {
  if (is_nan(x)) { return 0; }
  if (x >= 2147483648.0f) { return 2147483647; }
  if (x <= -2147483648.0f) { return -2147483647 - 1; }
  return i32(x);
}`,
  f_trunc_u: `fn f_trunc_u(x: f32) -> u32 {
  if (is_nan(x) || x <= 0.0f) { return 0u; }
  if (x >= 4294967296.0f) { return 0xffffffffu; }
  return u32(x);
}`,
  // Adapters may round numbers from 2^31 on twice: half of them is a signed word, whose last bit is set if the lost one is.
  word_to_float: `fn word_to_float(x: u32) -> f32 {
  if (x < 0x80000000u) { return f32(bitcast<i32>(x)); }
  return f32(bitcast<i32>((x >> 1u) | (x & 1u))) * 2.0f;
}`,
  half_to_float: `fn half_to_float(h: u32) -> f32 {
  let sign = (h & 0x8000u) << 16u;
  let m = h & 0x7fffu;
  if (m < 0x400u) { return bitcast<f32>(bitcast<u32>(f32(m) * 0x1p-24f) | sign); }
  if (m >= 0x7c00u) { return bitcast<f32>(((m << 13u) | 0x7f800000u) | sign | zero); }
  return bitcast<f32>(((m << 13u) + 0x38000000u) | sign);
}`,
  float_to_half: `fn float_to_half(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let sign = (bits >> 16u) & 0x8000u;
  let m = bits & 0x7fffffffu;
  if (m > 0x7f800000u) { return 0x7e00u | sign; }
  if (m >= 0x477ff000u) { return 0x7c00u | sign; }
  if (m < 0x38800000u) { return u32(round(bitcast<f32>(m) * 0x1p24f)) | sign; }
  return ((m - 0x38000000u + 0xfffu + ((m >> 13u) & 1u)) >> 13u) | sign;
}`,
  float_to_bfloat16: `fn float_to_bfloat16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) { return 0x7fc0u; }
  return (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
}`,
} as const;

/** The names of the functions. */
export type WgslFunction =
  | keyof typeof kBasicFunctions
  | keyof typeof kFloatFunctions
  | keyof typeof kLongFunctions
  | keyof typeof kRandomFunctions;

const kFunctions: Readonly<Record<WgslFunction, string>> = {
  ...kBasicFunctions,
  ...kFloatFunctions,
  ...kLongFunctions,
  ...kRandomFunctions,
};
const kNames = Object.keys(kFunctions) as readonly WgslFunction[];

/** Returns the text of functions and of those that they call, in an order in which each is known before it is called. */
export function functionTexts(names: ReadonlySet<WgslFunction>): string[] {
  const wanted = new Set(names);
  for (const name of kNames.toReversed()) {
    if (!wanted.has(name)) continue;
    for (const other of kNames) if (other !== name && kFunctions[name].includes(`${other}(`)) wanted.add(other);
  }
  return kNames.filter((name) => wanted.has(name)).map((name) => kFunctions[name]);
}
