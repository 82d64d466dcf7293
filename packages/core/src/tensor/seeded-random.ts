/**
 * A small seeded generator of uniform numbers for Tensor.random: xoshiro128** of Blackman and Vigna, seeded by
 * splitmix32.
 *
 * The same seed gives the same numbers on every machine. Not for secrets.
 */

/** The next state of splitmix32 and its output: spreads a seed over 32 bits. */
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

/**
 * A function giving uniform numbers in [0, 1) with 53 random bits each.
 */
export function seededRandom(seed: number): () => number {
  // A seed beyond 32 bits, or a fraction, still counts whole: its halves are mixed.
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
