/**
 * Functions of random numbers: Philox 4x32-10, and 2 pi times a fraction.
 */

/** The text of each function by its name. */
export const kRandomFunctions = {
  // The words of the counter that is `steps` behind `start`.
  philox: `fn philox(key: vec2<u32>, start: vec4<u32>, steps: u32) -> vec4<u32> {
  var c = start;
  c.x += steps;
  if (c.x < steps) {
    c.y += 1u;
    if (c.y == 0u) {
      c.z += 1u;
      if (c.z == 0u) { c.w += 1u; }
    }
  }
  var k = key;
  for (var round = 0; round < 10; round++) {
    let a = multiply_high(0xd2511f53u, c.x);
    let b = multiply_high(0xcd9e8d57u, c.z);
    c = vec4<u32>(b ^ c.y ^ k.x, 0xcd9e8d57u * c.z, a ^ c.w ^ k.y, 0xd2511f53u * c.x);
    k += vec2<u32>(0x9e3779b9u, 0xbb67ae85u);
  }
  return c;
}`,
  turns: `fn turns(x: f32) -> f32 {
  let p = two_product(6.28125f, x);
  let q = two_product(0x1.fb5444p-10f, x);
  return keep(p.x + keep(p.y + q.x));
}`,
} as const;
