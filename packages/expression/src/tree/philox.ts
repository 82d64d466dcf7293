/**
 * Philox 4x32-10, the counter-based random generator of Salmon et al. (tsl/lib/random/philox_random.h). It maps each 128-bit counter,
 * under a 64-bit key, to four 32-bit words.
 *
 * The words depend only on key and counter, so elements can be generated in any order and on any thread.
 */

const kMultiplierA = 0xd2511f53;
const kMultiplierB = 0xcd9e8d57;
const kWeylA = 0x9e3779b9;
const kWeylB = 0xbb67ae85;
const kRounds = 10;

/** Returns the high 32 bits of the product of two unsigned words. */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = aLow * bHigh + (middle & 0xffff);
  return (aHigh * bHigh + (middle >>> 16) + Math.floor(carry / 65536)) >>> 0;
}

/** Writes the four unsigned words for a counter under a key to `out`. */
export function philox(
  key: readonly [number, number],
  counter: readonly [number, number, number, number],
  out: [number, number, number, number],
): void {
  let [c0, c1, c2, c3] = counter;
  let [k0, k1] = key;
  for (let round = 0; round < kRounds; round++) {
    const lowA = Math.imul(kMultiplierA, c0) >>> 0;
    const highA = multiplyHigh(kMultiplierA, c0);
    const lowB = Math.imul(kMultiplierB, c2) >>> 0;
    const highB = multiplyHigh(kMultiplierB, c2);
    c0 = (highB ^ c1 ^ k0) >>> 0;
    c1 = lowB;
    c2 = (highA ^ c3 ^ k1) >>> 0;
    c3 = lowA;
    k0 = (k0 + kWeylA) >>> 0;
    k1 = (k1 + kWeylB) >>> 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/** Returns a counter advanced by `steps`, a non-negative integer below 2^53. */
export function skipped([c0, c1, c2, c3]: readonly [number, number, number, number], steps: number): [number, number, number, number] {
  const sum0 = c0 + (steps % 2 ** 32);
  const sum1 = c1 + Math.floor(steps / 2 ** 32) + (sum0 >= 2 ** 32 ? 1 : 0);
  const sum2 = c2 + (sum1 >= 2 ** 32 ? 1 : 0);
  const sum3 = c3 + (sum2 >= 2 ** 32 ? 1 : 0);
  return [sum0 % 2 ** 32, sum1 % 2 ** 32, sum2 % 2 ** 32, sum3 % 2 ** 32];
}
