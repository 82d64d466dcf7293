/**
 * Functions of float32 whose kernels compute in float64: here with pairs of floats, or with integers. Their errors are within the kernels'
 * bounds (docs/contributing/accuracy.md).
 *
 *     sin cos tan    x modulo pi/2 from 96 bits of 2/pi, as integers; then the kernels' polynomials
 *     rsqrt          1 / sqrt x, and one step of Newton's method with exact products
 *     pow            2^(y log2 x), with the logarithm as a pair
 *     remainders     of integers, eight bits of the quotient at a time: exact
 *
 * `keep` stands around every sum whose rounding error is computed.
 */

/** The text of each function by its name. A function comes after those that it calls. */
export const kFloatFunctions = {
  two_sum: `fn two_sum(a: f32, b: f32) -> vec2<f32> {
  let s = keep(a + b);
  let p = keep(s - a);
  return vec2<f32>(s, keep(keep(a - keep(s - p)) + keep(b - p)));
}`,
  upper_half: "fn upper_half(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u); }",
  two_product: `fn two_product(a: f32, b: f32) -> vec2<f32> {
  let p = keep(a * b);
  let a1 = upper_half(a);
  let a0 = keep(a - a1);
  let b1 = upper_half(b);
  let b0 = keep(b - b1);
  return vec2<f32>(p, keep(keep(keep(keep(a1 * b1) - p) + keep(a1 * b0)) + keep(a0 * b1)) + a0 * b0);
}`,
  multiply_high: `fn multiply_high(a: u32, b: u32) -> u32 {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);
}`,
  two_over_pi: `fn two_over_pi(place: i32) -> u32 {
  var words = array<u32, 9>(0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u);
  let word = place >> 5u;
  let shift = u32(place & 31);
  return (words[word] << shift) | ((words[word + 1] >> 1u) >> (31u - shift));
}`,
  // Returns n modulo 4 and r in two parts of |x| = n pi/2 + r. The product with 2/pi has 62 bits behind the point.
  reduce_angle: `fn reduce_angle(x: f32) -> vec3<f32> {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  if (bits <= 0x3f490fdau) { return vec3<f32>(0.0f, abs(x), 0.0f); }
  let place = i32(bits >> 23u) - 120;
  let m = (bits & 0x7fffffu) | 0x800000u;
  let middle = m * two_over_pi(place + 32);
  var low = middle + multiply_high(m, two_over_pi(place + 64));
  var high = m * two_over_pi(place) + multiply_high(m, two_over_pi(place + 32)) + select(0u, 1u, low < middle);
  let n = (high + 0x20000000u) >> 30u;
  high -= n << 30u;
  let negative = high >= 0x80000000u;
  if (negative) {
    low = ~low + 1u;
    high = ~high + select(0u, 1u, low == 0u);
  }
  var zeros = countLeadingZeros(high);
  var top = 0u;
  if (high == 0u) {
    top = low << countLeadingZeros(low);
    zeros += countLeadingZeros(low);
  } else {
    top = (high << zeros) | ((low >> 1u) >> (31u - zeros));
  }
  var r = multiply_high(top, 0xc90fdaa2u);
  if (r < 0x80000000u) {
    r = (r << 1u) | ((top * 0xc90fdaa2u) >> 31u);
    zeros++;
  }
  let upper = (r >> 8u) + ((r >> 7u) & 1u);
  let scale = bitcast<f32>((106u - zeros) << 23u) * select(1.0f, -1.0f, negative);
  return vec3<f32>(f32(n & 3u), f32(upper) * scale, f32(bitcast<i32>(r - (upper << 8u))) * scale * 0x1p-8f);
}`,
  sine_of: `fn sine_of(r: vec3<f32>) -> vec2<f32> {
  let z = r.y * r.y;
  let rest = ((-0.00019517234f * z + 0.008332178f) * z - 0.16666655f) * (z * r.y);
  return vec2<f32>(r.y, rest + (r.z - z * 0.5f * r.z));
}`,
  cosine_of: `fn cosine_of(r: vec3<f32>) -> vec2<f32> {
  let z = r.y * r.y;
  let head = keep(1.0f - z * 0.5f);
  let lost = keep(keep(1.0f - head) - z * 0.5f);
  let rest = ((0.000024433082f * z - 0.0013887315f) * z + 0.041666646f) * (z * z);
  return vec2<f32>(head, lost + (rest - r.y * r.z));
}`,
  not_finite: "fn not_finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) == 0x7f800000u; }",
  f_nan: "fn f_nan() -> f32 { return bitcast<f32>(0x7fc00000u | zero); }",
  f_sin: `fn f_sin(x: f32) -> f32 {
  if (not_finite(x)) { return f_nan(); }
  let bits = bitcast<u32>(x);
  if ((bits & 0x7fffffffu) < 0x39000000u) { return x; }
  let r = reduce_angle(x);
  let n = u32(r.x);
  var parts = sine_of(r);
  if ((n & 1u) == 1u) { parts = cosine_of(r); }
  return bitcast<f32>(bitcast<u32>(parts.x + parts.y) ^ ((n & 2u) << 30u) ^ (bits & 0x80000000u));
}`,
  f_cos: `fn f_cos(x: f32) -> f32 {
  if (not_finite(x)) { return f_nan(); }
  let r = reduce_angle(x);
  let n = u32(r.x);
  var parts = cosine_of(r);
  if ((n & 1u) == 1u) { parts = sine_of(r); }
  return bitcast<f32>(bitcast<u32>(parts.x + parts.y) ^ (((n + 1u) & 2u) << 30u));
}`,
  f_tan: `fn f_tan(x: f32) -> f32 {
  if (not_finite(x)) { return f_nan(); }
  let bits = bitcast<u32>(x);
  if ((bits & 0x7fffffffu) < 0x39000000u) { return x; }
  let r = reduce_angle(x);
  var a = sine_of(r);
  var b = cosine_of(r);
  let odd = u32(r.x) & 1u;
  if (odd == 1u) {
    let other = a;
    a = b;
    b = other;
  }
  let top = keep(a.x + a.y);
  let bottom = keep(b.x + b.y);
  let first = top / bottom;
  let product = two_product(first, bottom);
  let lost = keep(keep(keep(top - product.x) - product.y) + keep(keep(a.x - top) + a.y)) - first * keep(keep(b.x - bottom) + b.y);
  return bitcast<f32>(bitcast<u32>(first + lost / bottom) ^ (odd << 31u) ^ (bits & 0x80000000u));
}`,
  // Returns the mantissa of a positive finite number, from 1 to 2, and its exponent. Denormals are read from their bits.
  mantissa_of: `fn mantissa_of(x: f32) -> vec2<f32> {
  let bits = bitcast<u32>(x);
  let denormal = bits < 0x800000u;
  let own = select(bits, bitcast<u32>(f32(bits)), denormal);
  let exponent = i32(own >> 23u) - select(127, 276, denormal);
  return vec2<f32>(bitcast<f32>((own & 0x7fffffu) | 0x3f800000u), f32(exponent));
}`,
  f_rsqrt: `fn f_rsqrt(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  if (is_nan(x)) { return x; }
  if ((bits & 0x7fffffffu) == 0u) { return bitcast<f32>(bits | 0x7f800000u | zero); }
  if (bits >= 0x80000000u) { return f_nan(); }
  if (bits == 0x7f800000u) { return 0.0f; }
  let parts = mantissa_of(x);
  let exponent = i32(parts.y);
  let m = parts.x * select(1.0f, 2.0f, (exponent & 1) == 1);
  let y = 1.0f / sqrt(m);
  let square = two_product(y, y);
  let product = two_product(m, square.x);
  let error = keep(keep(1.0f - product.x) - product.y) - m * square.y;
  return keep(y + y * 0.5f * error) * bitcast<f32>(u32(127 - (exponent >> 1u)) << 23u);
}`,
  // Returns log2 of a positive finite number in two parts: log((1 + s) / (1 - s)) = 2 (s + s^3 / 3 + s^5 / 5 + ...).
  log2_parts: `fn log2_parts(a: f32) -> vec2<f32> {
  let parts = mantissa_of(a);
  let large = parts.x > 1.4142135f;
  let f = parts.x * select(1.0f, 0.5f, large) - 1.0f;
  let d = two_sum(2.0f, f);
  let s = keep(f / d.x);
  let p = two_product(s, d.x);
  let s1 = keep(keep(keep(f - p.x) - p.y) - s * d.y) / d.x;
  let z = two_product(s, s);
  let z1 = z.y + 2.0f * s * s1;
  let third = two_product(z.x, 0.33333334f);
  let third1 = third.y + z1 * 0.33333334f - z.x * 9.934108e-9f;
  let cube = two_product(s, third.x);
  let cube1 = cube.y + s * third1 + s1 * third.x;
  let more = s * z.x * z.x * ((((0.07692308f * z.x + 0.09090909f) * z.x + 0.11111111f) * z.x + 0.14285715f) * z.x + 0.2f);
  let head = two_sum(s, cube.x);
  let half = two_sum(head.x, head.y + (s1 + cube1 + more));
  let scaled = two_product(half.x, 2.88539f);
  let rest = scaled.y + half.x * 3.851926e-8f + half.y * 2.88539f;
  let sum = two_sum(parts.y + select(0.0f, 1.0f, large), scaled.x);
  return two_sum(sum.x, sum.y + rest);
}`,
  power_of: `fn power_of(a: f32, y: f32) -> f32 {
  let log = log2_parts(a);
  let by = clamp(y, -0x1p40f, 0x1p40f);
  let product = two_product(log.x, by);
  if (product.x >= 200.0f) { return bitcast<f32>(0x7f800000u | zero); }
  if (product.x <= -200.0f) { return 0.0f; }
  let n = round(product.x);
  let r = keep(keep(product.x - n) + (product.y + log.y * by));
  let tail = (((0.000015252734f * r + 0.00015403530f) * r + 0.0013333558f) * r + 0.009618129f) * r + 0.05550411f;
  let power = keep(1.0f + r * ((tail * r + 0.2402265f) * r + 0.6931472f));
  let first = i32(n) >> 1u;
  return power * bitcast<f32>(u32(127 + first) << 23u) * bitcast<f32>(u32(127 + i32(n) - first) << 23u);
}`,
  f_pow: `fn f_pow(x: f32, y: f32) -> f32 {
  let bits = bitcast<u32>(x);
  let size = bits & 0x7fffffffu;
  let by = bitcast<u32>(y) & 0x7fffffffu;
  if (by == 0u || bits == 0x3f800000u) { return 1.0f; }
  if (is_nan(x) || is_nan(y)) { return f_nan(); }
  let whole = by == 0x7f800000u || (by >= 0x3f800000u && y == trunc(y));
  let odd = whole && by != 0x7f800000u && y * 0.5f != trunc(y * 0.5f);
  let negative = bits >= 0x80000000u;
  if (negative && size != 0u && size != 0x7f800000u && !whole) { return f_nan(); }
  var magnitude = 0.0f;
  if (size == 0u || size == 0x7f800000u || by == 0x7f800000u) {
    if (size == 0x3f800000u) { magnitude = 1.0f; }
    else if ((size > 0x3f800000u) != (y < 0.0f)) { magnitude = bitcast<f32>(0x7f800000u | zero); }
  } else {
    magnitude = power_of(bitcast<f32>(size), y);
  }
  return bitcast<f32>(bitcast<u32>(magnitude) | select(0u, 0x80000000u, negative && odd));
}`,
  f_rem: `fn f_rem(x: f32, y: f32) -> f32 {
  let bits = bitcast<u32>(x);
  let a = bits & 0x7fffffffu;
  let b = bitcast<u32>(y) & 0x7fffffffu;
  if (a >= 0x7f800000u || b > 0x7f800000u || b == 0u) { return f_nan(); }
  if (a < b) { return x; }
  let exponent = max(1u, b >> 23u);
  let divisor = (b & 0x7fffffu) | select(0u, 0x800000u, b >= 0x800000u);
  var left = max(1u, a >> 23u) - exponent;
  var r = ((a & 0x7fffffu) | select(0u, 0x800000u, a >= 0x800000u)) % divisor;
  while (left > 0u) {
    let step = min(left, 8u);
    r = (r << step) % divisor;
    left -= step;
  }
  let sign = bits & 0x80000000u;
  if (r == 0u) { return bitcast<f32>(sign); }
  let shift = countLeadingZeros(r) - 8u;
  if (exponent > shift) { return bitcast<f32>(((r << shift) & 0x7fffffu) | ((exponent - shift) << 23u) | sign); }
  return bitcast<f32>((r << (exponent - 1u)) | sign);
}`,
  f_mod: `fn f_mod(x: f32, y: f32) -> f32 {
  let r = f_rem(x, y);
  let bits = bitcast<u32>(r);
  if ((bits & 0x7fffffffu) == 0u || is_nan(r) || ((bits ^ bitcast<u32>(y)) < 0x80000000u)) { return r; }
  return keep(r + y);
}`,
} as const;
