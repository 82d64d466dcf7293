// Makes the inputs of small-number-fixture.py again: the same numbers by the same rules, so that digests can be compared.

export const kCount = 700_000;

// Local copies: jest looks up a global anew, and slowly, at each use.
const { imul } = Math;
const notANumber = NaN;

/** Random 32-bit words: murmur3's finisher over seed + i. */
function mixed(counter: number): number {
  let h = counter | 0;
  h ^= h >>> 16;
  h = imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Makes doubles of their two words; every NaN becomes JavaScript's NaN. */
function doubles(count: number, high: (i: number) => number, low: (i: number) => number): Float64Array {
  const numbers = new Float64Array(count);
  const words = new DataView(numbers.buffer);
  for (let i = 0; i < count; i++) {
    words.setInt32(8 * i + 4, high(i), true);
    words.setInt32(8 * i, low(i), true);
    const x = numbers[i]!;
    if (x !== x) numbers[i] = notANumber;
  }
  return numbers;
}

export function randomDoubles(): Float64Array {
  return doubles(
    kCount,
    (i) => mixed(1 + i),
    (i) => mixed(1 + kCount + i),
  );
}

export function randomFloats(): Float64Array {
  const floats = new Float32Array(kCount);
  const words = new Int32Array(floats.buffer);
  for (let i = 0; i < kCount; i++) words[i] = mixed(2_000_000 + i);
  return Float64Array.from(floats);
}

/** Random mantissas with exponents from four below the smallest denormal's to three above the largest number's. */
export function rangedDoubles(values: Float64Array): Float64Array {
  const lowest = Math.floor(Math.log2(values[1]!)) - 4;
  const highest = Math.floor(Math.log2(values.at(-1)!)) + 3;
  const word = (k: number, i: number): number => mixed(3_000_000 + k * kCount + i);
  return doubles(
    kCount,
    (i) => (word(0, i) & 0x800fffff) | ((1023 + lowest + ((word(2, i) >>> 0) % (highest - lowest + 1))) << 20),
    (i) => word(1, i),
  );
}

/** The finite values of a decoding table from 0 up, in order. */
export function finiteValues(table: ArrayLike<number>): Float64Array {
  const values = new Set(
    Array.from(table)
      .filter((x) => Number.isFinite(x) && x >= 0)
      .map((x) => x + 0),
  );
  return Float64Array.from(values).sort();
}

/** Every value, every tie between neighbors (and the one above the largest), each with the next double and the next
 * float32 on both sides, of both signs. */
export function borders(values: Float64Array): Float64Array {
  const n = values.length;
  const above = values[n - 1]! + (values[n - 1]! - values[n - 2]!);
  const ties = values.map((x, i) => (x + (values[i + 1] ?? above)) / 2);
  const centres = [...values, ...ties];
  const numbers = [
    ...centres,
    ...centres.map((x) => nextDouble(x, 1)),
    ...centres.map((x) => nextDouble(x, -1)),
    ...centres.map((x) => nextFloat(x, 1)),
    ...centres.map((x) => nextFloat(x, -1)),
  ];
  return Float64Array.from([...numbers, ...numbers.map((x) => -x)]);
}

const bits64 = new BigInt64Array(1);
const asDouble = new Float64Array(bits64.buffer);
const bits32 = new Int32Array(1);
const asFloat = new Float32Array(bits32.buffer);

/** The next double above (1) or below (-1) a number that is not negative. */
export function nextDouble(x: number, step: 1 | -1): number {
  if (x === 0) return step * Number.MIN_VALUE;
  asDouble[0] = x;
  bits64[0] = bits64[0]! + BigInt(step);
  return asDouble[0];
}

/** The next float32 above (1) or below (-1) the float32 nearest to a number that is not negative. */
export function nextFloat(x: number, step: 1 | -1): number {
  asFloat[0] = x;
  if (asFloat[0] === 0) return step * 2 ** -149;
  bits32[0] = bits32[0]! + step;
  return asFloat[0];
}
