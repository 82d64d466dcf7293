/**
 * Converts binary floating-point numbers to decimal digits, exactly: the Dragon4 algorithm of Steele and White, with which
 * NumPy prints, and the correctly rounded digits of C's printf.
 *
 * A float is `mantissa * 2^exponent`, and every value of the smaller formats is also an exact double. So a format is described by the
 * number of bits of its mantissa and the exponent of its smallest unit. The arithmetic uses bigints: it is exact and needs no
 * tables or special cases, but it is slow, meant for printing single values.
 */

/** A binary floating-point format: the width of its mantissa and the exponent of its smallest unit. */
export interface FloatFormat {
  /** The number of bits of the mantissa, including the hidden bit: 24 for float32. */
  readonly bits: number;
  /** The exponent of the last bit of a subnormal: -149 for float32. */
  readonly minExponent: number;
  /** The number of decimal digits that survive a round trip through the format (C's FLT_DIG): 6 for float32. */
  readonly digits: number;
}

/** The decimal digits `d` and the exponent `e` of a positive number d[0].d[1]d[2]… * 10^e. */
export interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** IEEE binary32. */
export const kFloat32: FloatFormat = { bits: 24, minExponent: -149, digits: 6 };
/** IEEE binary64. */
export const kFloat64: FloatFormat = { bits: 53, minExponent: -1074, digits: 15 };

const scratch = new DataView(new ArrayBuffer(8));

/** Returns the exponent of the leading bit of a finite, positive double. */
function leadingBit(x: number): number {
  scratch.setFloat64(0, x);
  const biased = (scratch.getUint32(0) >>> 20) & 0x7ff;
  if (biased !== 0) return biased - 1023;
  // A subnormal double: scale it into the normal range first.
  return leadingBit(x * 2 ** 64) - 64;
}

/**
 * Returns the mantissa and exponent of `x = mantissa * 2^exponent` in units of the format, rounded if the format cannot hold x
 * exactly. x is finite and positive.
 */
function decompose(x: number, format: FloatFormat): { mantissa: bigint; exponent: number } {
  const exponent = Math.max(leadingBit(x) - (format.bits - 1), format.minExponent);
  // Two exact steps, because 2^-exponent itself can exceed the largest double.
  const half = Math.trunc(-exponent / 2);
  return { mantissa: BigInt(Math.round(x * 2 ** half * 2 ** (-exponent - half))), exponent };
}

/** Returns floor(log10(n / d)) for the positive ratio n / d, given the same value as the double `x`. */
function floorLog10(n: bigint, d: bigint, x: number): number {
  let guess = Math.floor(Math.log10(x));
  // Next to a power of ten Math.log10 can be off by one, so the guess is checked with exact bigints.
  if (guess >= 0 ? n < d * 10n ** BigInt(guess) : n * 10n ** BigInt(-guess) < d) guess -= 1;
  const next = guess + 1;
  if (next >= 0 ? n >= d * 10n ** BigInt(next) : n * 10n ** BigInt(-next) >= d) guess = next;
  return guess;
}

/** Adds one to the last digit. A carry out of the first digit increases the exponent by one. */
function roundUp(digits: string, exponent: number): Decimal {
  let at = digits.length - 1;
  while (at >= 0 && digits.charCodeAt(at) === 57) at -= 1;
  if (at < 0) return { digits: "1" + "0".repeat(digits.length - 1), exponent: exponent + 1 };
  const bumped = String.fromCharCode(digits.charCodeAt(at) + 1);
  return { digits: digits.slice(0, at) + bumped + "0".repeat(digits.length - 1 - at), exponent };
}

/**
 * Returns the shortest digits that distinguish `x` from its neighbors in `format`. With `maxPlaces` the digits are cut off there,
 * correctly rounded with ties to even; with `minPlaces` they are continued exactly up to there.
 *
 * @param x a finite, positive number that `format` holds exactly
 * @param limits `maxPlaces` and `minPlaces` are the largest and smallest number of digits after the decimal point, by default
 *   unlimited. With `scientific` they count the digits after the first digit instead.
 */
export function shortestDigits(
  x: number,
  format: FloatFormat,
  limits?: { readonly maxPlaces?: number; readonly minPlaces?: number; readonly scientific?: boolean },
): Decimal {
  const { mantissa, exponent } = decompose(x, format);
  const even = (mantissa & 1n) === 0n;
  // The neighbor below a power of two is nearer than the one above: the lower margin is half the upper margin.
  const unequal = mantissa === 1n << BigInt(format.bits - 1) && exponent > format.minExponent;
  const extra = unequal ? 2n : 1n;
  let value = (mantissa << extra) << BigInt(Math.max(exponent, 0));
  let scale = (1n << extra) << BigInt(Math.max(-exponent, 0));
  let low = 1n << BigInt(Math.max(exponent, 0));
  let high = unequal ? low * 2n : low;
  const first = floorLog10(value, scale, x);
  if (first >= 0) {
    scale *= 10n ** BigInt(first);
  } else {
    const power = 10n ** BigInt(-first);
    value *= power;
    low *= power;
    high *= power;
  }
  const origin = limits?.scientific === true ? first : 0;
  const lastAllowed = limits?.maxPlaces === undefined ? Number.NEGATIVE_INFINITY : Math.min(origin - limits.maxPlaces, first);
  const lastNeeded = limits?.minPlaces === undefined ? Number.POSITIVE_INFINITY : origin - limits.minPlaces;
  let digits = "";
  for (let place = first; ; place -= 1) {
    const digit = value / scale;
    value -= digit * scale;
    const nearBelow = even ? value <= low : value < low;
    const nearAbove = even ? value + high >= scale : value + high > scale;
    digits += digit.toString();
    if (((nearBelow || nearAbove) && place <= lastNeeded) || place === lastAllowed) {
      let down = nearBelow;
      if (nearBelow === nearAbove) {
        const twice = value * 2n;
        down = twice < scale || (twice === scale && (digit & 1n) === 0n);
      }
      return down ? { digits, exponent: first } : roundUp(digits, first);
    }
    value *= 10n;
    low *= 10n;
    high *= 10n;
  }
}

/**
 * Returns exactly `count` significant digits of a positive finite double, correctly rounded with ties to even, as C's `%.*e`
 * prints. (`Number.prototype.toPrecision` rounds ties up.)
 */
export function exactDigits(x: number, count: number): Decimal {
  const { mantissa, exponent } = decompose(x, kFloat64);
  let n = mantissa << BigInt(Math.max(exponent, 0));
  let d = 1n << BigInt(Math.max(-exponent, 0));
  const first = floorLog10(n, d, x);
  const shift = count - 1 - first;
  if (shift >= 0) n *= 10n ** BigInt(shift);
  else d *= 10n ** BigInt(-shift);
  const quotient = n / d;
  const twice = (n - quotient * d) * 2n;
  const digits = quotient.toString();
  if (twice < d || (twice === d && (quotient & 1n) === 0n)) return { digits, exponent: first };
  return roundUp(digits, first);
}

/**
 * Returns true if parsing the decimal as a number of `format`, correctly rounded, gives exactly the positive finite `x`.
 */
export function readsBackAs(decimal: Decimal, x: number, format: FloatFormat): boolean {
  const { mantissa, exponent } = decompose(x, format);
  const unequal = mantissa === 1n << BigInt(format.bits - 1) && exponent > format.minExponent;
  const power = decimal.exponent - (decimal.digits.length - 1);
  // All values are in quarters of the format's unit, over one common denominator.
  const binaryUp = 1n << BigInt(Math.max(exponent, 0));
  const binaryDown = 1n << BigInt(Math.max(-exponent, 0));
  const decimalUp = 10n ** BigInt(Math.max(power, 0));
  const decimalDown = 10n ** BigInt(Math.max(-power, 0));
  const read = BigInt(decimal.digits) * 4n * decimalUp * binaryDown;
  const exact = mantissa * 4n * binaryUp * decimalDown;
  const unit = binaryUp * decimalDown;
  const below = exact - (unequal ? unit : unit * 2n);
  const above = exact + unit * 2n;
  return (mantissa & 1n) === 0n ? read >= below && read <= above : read > below && read < above;
}
