/**
 * unit-roots: the complex numbers exp(-2 pi i k / n), correctly rounded to float64 (twiddle factors).
 *
 * The angle is reduced to an octant in integers. Within the octant it is the sum of two angles of tables of about sqrt(n) entries, whose
 * sines and cosines are pairs of doubles with about 100 correct bits, computed by their series. The product of two entries is rounded once.
 *
 *     pi / 4 * r / n = coarse[r / step] + fine[r % step]
 */

/** The upper and the lower half of pi / 4 as a pair of doubles. */
const kQuarterPi = [0.7853981633974483, 3.061616997868383e-17] as const;
/** 2^27 + 1: multiplying by it divides a double into two halves of 26 bits. */
const kSplitter = 134217729;
/** Terms of the series for an angle of at most pi / 4: the first one that is left out is below 2^-106. */
const kTerms = 27;

/** A sum or product as its rounded value and its error. */
interface Pair {
  high: number;
  low: number;
}

/** Sets `to` to the rounded product of two doubles, and its error. */
function multiplyDoubles(to: Pair, a: number, b: number): void {
  const high = a * b;
  const aTop = kSplitter * a - (kSplitter * a - a);
  const bTop = kSplitter * b - (kSplitter * b - b);
  const [aRest, bRest] = [a - aTop, b - bTop];
  to.low = aRest * bRest - (high - aTop * bTop - aRest * bTop - aTop * bRest);
  to.high = high;
}

/** Sets `to` to the product of two pairs. `to` may be one of them. */
function multiplyPairs(to: Pair, a: Pair, b: Pair): void {
  const cross = a.high * b.low + a.low * b.high;
  multiplyDoubles(to, a.high, b.high);
  setSum(to, to.high, to.low + cross);
}

/** Sets `to` to the sum of a double and a smaller one. */
function setSum(to: Pair, large: number, small: number): void {
  const high = large + small;
  to.low = small - (high - large);
  to.high = high;
}

/** Adds pair `b` to `to`. */
function addPair(to: Pair, b: Pair): void {
  const high = to.high + b.high;
  const from = high - to.high;
  const error = to.high - (high - from) + (b.high - from);
  setSum(to, high, error + to.low + b.low);
}

/** Divides a pair by an integer. */
function dividePair(to: Pair, by: number): void {
  const quotient = to.high / by;
  const product: Pair = { high: 0, low: 0 };
  multiplyDoubles(product, quotient, by);
  setSum(to, quotient, (to.high - product.high - product.low + to.low) / by);
}

/** Cosines and sines of multiples of an angle, four doubles each: the cosine's pair, then the sine's. */
function tableOf(count: number, numerator: number, denominator: number): Float64Array {
  const table = new Float64Array(4 * count);
  for (let k = 0; k < count; k++) {
    const angle: Pair = { high: kQuarterPi[0], low: kQuarterPi[1] };
    multiplyPairs(angle, angle, { high: k * numerator, low: 0 });
    dividePair(angle, denominator);
    const sums = [
      { high: 1, low: 0 },
      { high: 0, low: 0 },
    ] as const;
    const term: Pair = { high: 1, low: 0 };
    for (let power = 1; power < kTerms && term.high !== 0; power++) {
      multiplyPairs(term, term, angle);
      dividePair(term, power % 2 === 0 ? -power : power);
      addPair(sums[(power % 2) as 0 | 1], term);
    }
    table.set([sums[0].high, sums[0].low, sums[1].high, sums[1].low], 4 * k);
  }
  return table;
}

/** The n-th roots of unity. `set(k)` computes one, which `re` and `im` then hold. */
export class UnitRoots {
  readonly order: number;
  re: number = 1;
  im: number = 0;
  readonly #step: number;
  readonly #fine: Float64Array;
  readonly #coarse: Float64Array;
  readonly #first: Pair = { high: 0, low: 0 };
  readonly #second: Pair = { high: 0, low: 0 };

  constructor(order: number) {
    this.order = order;
    this.#step = Math.ceil(Math.sqrt(order));
    this.#fine = tableOf(this.#step, 1, order);
    this.#coarse = tableOf(Math.floor(order / this.#step) + 1, this.#step, order);
  }

  /** Sets `re` and `im` to exp(-2 pi i k / n), for an integer k from 0 to below 2^50. */
  set(k: number): void {
    const { order } = this;
    const eighths = 8 * (k % order);
    const octant = Math.floor(eighths / order);
    const within = eighths - octant * order;
    const place = octant % 2 === 0 ? within : order - within;
    const coarse = Math.floor(place / this.#step);
    const [a, b] = [4 * coarse, 4 * (place - coarse * this.#step)];
    const cos = this.#product(a, b, a + 2, b + 2, -1);
    const sin = this.#product(a, b + 2, a + 2, b, 1);
    const swaps = ((octant + 1) & 2) !== 0;
    const [x, y] = swaps ? [sin, cos] : [cos, sin];
    this.re = octant >= 2 && octant < 6 ? -x : x;
    this.im = octant < 4 ? -y : y;
  }

  /** Returns coarse[a] fine[b] + sign coarse[c] fine[d], rounded once. */
  #product(a: number, b: number, c: number, d: number, sign: number): number {
    const [first, second, coarse, fine] = [this.#first, this.#second, this.#coarse, this.#fine];
    multiplyDoubles(first, coarse[a]!, fine[b]!);
    multiplyDoubles(second, sign * coarse[c]!, fine[d]!);
    const lower = coarse[a]! * fine[b + 1]! + coarse[a + 1]! * fine[b]! + sign * (coarse[c]! * fine[d + 1]! + coarse[c + 1]! * fine[d]!);
    const high = first.high + second.high;
    const from = high - first.high;
    const error = first.high - (high - from) + (second.high - from);
    return high + (error + first.low + second.low + lower);
  }
}
