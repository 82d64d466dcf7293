// Operands for the checks of expressions: tensors encoded by their bits, including the special values of operations, the same in
// every run.
import { dataTypeOf, dtypeSize } from "@onebuffer/base";
import { tensorMap } from "@onebuffer/eigen";
import { arraySlots, typedArrayConstructor } from "@onebuffer/base";
import { kMask, hexOf } from "./samples.mjs";

const count = (dims) => dims.reduce((a, b) => a * b, 1);

/** A generator of 32 random bits at a time (xorshift). */
export class Dice {
  #state;

  constructor(seed) {
    this.#state = (Math.imul(seed, 2654435761) ^ 0x9e3779b9) | 1;
  }

  next() {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return this.#state >>> 0;
  }

  below(n) {
    return this.next() % n;
  }

  unit() {
    return this.next() / 2 ** 32;
  }
}

export const isFloat = (dtype) => /^b?float(16|32|64)$/.test(dtype);
export const isComplex = (dtype) => dtype.startsWith("complex");
export const isInteger = (dtype) => /^u?int(8|16|32|64)$/.test(dtype);

/** Special floats: range ends, ties, both signs, and values on both sides of the limits of exp and log. */
const kSpecialFloats = [
  0,
  -0,
  1,
  -1,
  NaN,
  Infinity,
  -Infinity,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  1e-45,
  -1e-40,
  1.17549435e-38,
  88.7,
  -87.4,
  -103.9,
  3.4e38,
  65504,
  1e-310,
  709.7,
];

function integerEnds(dtype) {
  const bits = dtypeSize(dtype) * 8;
  const signed = dtype.startsWith("int");
  const low = signed ? -(2n ** BigInt(bits - 1)) : 0n;
  const high = signed ? 2n ** BigInt(bits - 1) - 1n : 2n ** BigInt(bits) - 1n;
  return [low, high];
}

/** Returns an integer as an element of the dtype: a bigint or a number. */
const asElement = (dtype, value) => (dtype.endsWith("64") ? value : Number(value));

function anyInteger(dtype, dice, { low, high }) {
  const [least, most] = integerEnds(dtype);
  const from = low === undefined || BigInt(low) < least ? least : BigInt(low);
  const to = high === undefined || BigInt(high) > most ? most : BigInt(high);
  const wide = (BigInt(dice.next()) << 32n) | BigInt(dice.next());
  return asElement(dtype, from + (wide % (to - from + 1n)));
}

function specialIntegers(dtype) {
  const [low, high] = integerEnds(dtype);
  return [0n, 1n, 2n, low, high, high - 1n, low + 1n].map((value) => asElement(dtype, value));
}

/** Returns a float in the given range, or one of any size. */
function anyFloat(dice, { low = -9, high = 9, wild = false }) {
  if (wild && dice.below(4) === 0) return (dice.below(2) ? 1 : -1) * (1 + dice.unit()) * 2 ** (dice.below(260) - 130);
  const value = low + dice.unit() * (high - low);
  return dice.below(4) === 0 ? value / 64 : value;
}

/** Returns elements: `specials` puts special values first, `low` and `high` bound the others, `whole` rounds floats. */
export function values(dtype, n, dice, options = {}) {
  const { specials = false, whole = false } = options;
  if (dtype === "bool") return Array.from({ length: n }, () => dice.below(2) === 1);
  if (isComplex(dtype)) return Array.from({ length: n }, () => [anyFloat(dice, options), anyFloat(dice, options)]);
  const first = !specials ? [] : isInteger(dtype) ? specialIntegers(dtype) : kSpecialFloats;
  return Array.from({ length: n }, (_, i) => {
    if (i < first.length) return first[i];
    if (isInteger(dtype)) return anyInteger(dtype, dice, options);
    const value = anyFloat(dice, options);
    return whole ? Math.round(value) : value;
  });
}

/** Returns an encoded tensor with the given values. */
export function encodedValues(dtype, dims, list) {
  const map = tensorMap(dtype, new (typedArrayConstructor(dtype))(list.length * arraySlots(dtype)), [list.length]);
  map.copyFrom(list);
  return { dtype: dataTypeOf(dtype), dims, content: hexOf(map.data) };
}

/** Returns an encoded tensor with random values. */
export const encodedTensor = (dtype, dims, dice, options) => encodedValues(dtype, dims, values(dtype, count(dims), dice, options));

/**
 * Returns an encoded tensor with random bits, for operations that only move elements. NaNs are avoided, because they may lose their
 * payload.
 */
export function encodedBits(dtype, dims, dice) {
  const size = dtypeSize(dtype);
  const bytes = Uint8Array.from({ length: count(dims) * size }, () => dice.below(256));
  const mask = kMask[dtype];
  if (mask !== undefined) for (let i = 0; i < bytes.length; i++) bytes[i] &= mask;
  // The exponent of floats is never all ones; float8 dtypes encode NaN differently.
  if (/^float8/.test(dtype)) for (let i = 0; i < bytes.length; i++) bytes[i] = 1 + (bytes[i] & 0x3f);
  else if (isFloat(dtype) || isComplex(dtype)) {
    const part = isComplex(dtype) ? size / 2 : size;
    for (let i = part - 1; i < bytes.length; i += part) bytes[i] &= 0xbf;
  }
  return { dtype: dataTypeOf(dtype), dims, content: hexOf(bytes) };
}

/** Returns all pairs of special values, as two encoded tensors. */
export function specialPairs(dtype) {
  const list = isInteger(dtype) ? specialIntegers(dtype) : kSpecialFloats;
  const pairs = list.flatMap((a) => list.map((b) => [a, b]));
  return [0, 1].map((k) =>
    encodedValues(
      dtype,
      [pairs.length],
      pairs.map((pair) => pair[k]),
    ),
  );
}
