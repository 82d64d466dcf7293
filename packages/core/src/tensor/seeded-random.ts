/**
 * A small seeded generator of uniform numbers for Tensor.random: xoshiro128** of Blackman and Vigna, seeded by splitmix32.
 *
 * The same seed gives the same numbers on every machine. It is not cryptographically secure.
 */

/** Returns a generator of 32-bit numbers (splitmix32) that spreads a seed over all bits. */
function splitmix32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
}

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by));
}

/** Returns a function that returns uniform numbers in [0, 1) with 53 random bits each. */
export function seededRandom(seed: number): () => number {
  // Every bit of a seed beyond 32 bits, or of a fraction, counts: its parts are mixed by XOR.
  const mix = splitmix32(Math.floor(seed) ^ Math.floor(seed / 2 ** 32) ^ Math.floor((seed % 1) * 2 ** 32));
  let a = mix();
  let b = mix();
  let c = mix();
  let d = mix();
  const next32 = (): number => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result;
  };
  return () => ((next32() >>> 5) * 67108864 + (next32() >>> 6)) / 9007199254740992;
}
