/**
 * radices: the lengths that passes of small radices can transform, and the radices of such a length.
 */

/** The prime factors that have a butterfly. A length with another one is transformed by Bluestein's algorithm (bluestein.ts). */
const kPrimes = [2, 3, 5, 7, 11, 13] as const;

/** The cost of a pass of a radix for one element, relative to a pass of radix 4. */
const kCosts: Readonly<Record<number, number>> = { 2: 0.8, 3: 1, 4: 1, 5: 1.6, 7: 2.4, 8: 1.25, 11: 4.5, 13: 5.5 };

/** Returns the radices of passes whose product is a length; null if the length has a prime factor above 13. The list of length 1 is empty. */
export function radicesOf(length: number): readonly number[] | null {
  const radices: number[] = [];
  let left = length;
  let twos = 0;
  for (; left % 2 === 0; left /= 2) twos++;
  // As many passes of radix 8 as leave a power of 4; then at most one pass of radix 2.
  for (; twos % 2 !== 0 && twos >= 3; twos -= 3) radices.push(8);
  for (; twos >= 2; twos -= 2) radices.push(4);
  if (twos === 1) radices.push(2);
  for (const prime of kPrimes.slice(1)) for (; left % prime === 0; left /= prime) radices.push(prime);
  return left === 1 ? radices : null;
}

/** Returns the cost of a transform of a length that has radices, relative to one pass of radix 4 over one element. */
export const costOf = (length: number, radices: readonly number[]): number =>
  length * radices.reduce((sum, radix) => sum + kCosts[radix]!, 0);

/** Returns the length of at least `least` that is a multiple of `unit` and that is transformed fastest. */
export function fastLength(least: number, unit: number): number {
  let best = { length: 0, cost: Infinity };
  const limit = unit * 2 ** Math.ceil(Math.log2(least / unit));
  for (let fives = unit; fives <= limit; fives *= 5) {
    for (let threes = fives; threes <= limit; threes *= 3) {
      let length = threes;
      while (length < least) length *= 2;
      if (length > limit) continue;
      const cost = costOf(length, radicesOf(length)!);
      if (cost < best.cost) best = { length, cost };
    }
  }
  return best.length;
}
