/**
 * Functions of 64-bit integers, which are pairs of words, the lower one first. Those whose names end with _u are of unsigned ones.
 */

/** The text of each function by its name. A function comes after those that it calls. */
export const kLongFunctions = {
  l_add: `fn l_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}`,
  l_sub: `fn l_sub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}`,
  l_mul: `fn l_mul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(a.x * b.x, multiply_high(a.x, b.x) + a.x * b.y + a.y * b.x);
}`,
  l_less: `fn l_less(a: vec2<u32>, b: vec2<u32>) -> bool {
  return select(bitcast<i32>(a.y) < bitcast<i32>(b.y), a.x < b.x, a.y == b.y);
}`,
  l_less_u: `fn l_less_u(a: vec2<u32>, b: vec2<u32>) -> bool {
  return select(a.y < b.y, a.x < b.x, a.y == b.y);
}`,
  // The count of a shift within [0, 63].
  l_count_u: `fn l_count_u(n: vec2<u32>) -> u32 {
  return select(min(n.x, 63u), 63u, n.y != 0u);
}`,
  l_count: `fn l_count(n: vec2<u32>) -> u32 {
  return select(l_count_u(n), 0u, bitcast<i32>(n.y) < 0);
}`,
  l_shl: `fn l_shl(a: vec2<u32>, n: u32) -> vec2<u32> {
  if (n == 0u) { return a; }
  if (n >= 32u) { return vec2<u32>(0u, a.x << (n - 32u)); }
  return vec2<u32>(a.x << n, (a.y << n) | (a.x >> (32u - n)));
}`,
  l_shr: `fn l_shr(a: vec2<u32>, n: u32) -> vec2<u32> {
  let high = bitcast<i32>(a.y);
  if (n == 0u) { return a; }
  if (n >= 32u) { return bitcast<vec2<u32>>(vec2<i32>(high >> (n - 32u), high >> 31u)); }
  return vec2<u32>((a.x >> n) | (a.y << (32u - n)), bitcast<u32>(high >> n));
}`,
  l_shr_u: `fn l_shr_u(a: vec2<u32>, n: u32) -> vec2<u32> {
  if (n == 0u) { return a; }
  if (n >= 32u) { return vec2<u32>(a.y >> (n - 32u), 0u); }
  return vec2<u32>((a.x >> n) | (a.y << (32u - n)), a.y >> n);
}`,
  // A word is rounded once: it has the upper 32 bits of the number, and its last bit is set if any bit below them is.
  l_to_float_u: `fn l_to_float_u(a: vec2<u32>) -> f32 {
  if (a.y == 0u) { return word_to_float(a.x); }
  let zeros = countLeadingZeros(a.y);
  let aligned = l_shl(a, zeros);
  return word_to_float(aligned.y | select(0u, 1u, aligned.x != 0u)) * bitcast<f32>((159u - zeros) << 23u);
}`,
  l_to_float: `fn l_to_float(a: vec2<u32>) -> f32 {
  if (bitcast<i32>(a.y) >= 0) { return l_to_float_u(a); }
  return -l_to_float_u(l_sub(vec2<u32>(), a));
}`,
  // The whole part of a magnitude below 2^64, with the sign of x. NaN and what \`fits\` excludes become 2^63.
  l_from_float: `fn l_from_float(x: f32, fits: bool) -> vec2<u32> {
  if (!fits) { return vec2<u32>(0u, 0x80000000u); }
  let whole = trunc(abs(x));
  let high = floor(whole * 0x1p-32f);
  let pair = vec2<u32>(u32(whole - high * 0x1p32f), u32(high));
  if (x < 0.0f) { return l_sub(vec2<u32>(), pair); }
  return pair;
}`,
} as const;
