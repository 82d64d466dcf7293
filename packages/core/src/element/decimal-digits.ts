/**
 * Decimal digits of binary floating-point numbers, exactly (the Dragon4 algorithm of Steele and White, which
 * NumPy prints with, and the correct rounding that C's printf does).
 *
 * A float of any of the small formats is `mantissa * 2^exponent`; JavaScript reads all of them as exact doubles, so a
 * format is told by two numbers: how many bits its mantissa has and how small its last bit can be. The
 * arithmetic is done in bigints: exact, with no table and no special case, and meant for printing, not for bulk.
 */

/** A binary floating-point format: the width of its mantissa and the exponent of its smallest unit. */
export interface FloatFormat {
  /** Bits of the mantissa, the hidden one included: 24 for float32. */
  readonly bits: number;
  /** Exponent of the last bit of a subnormal: -149 for float32. */
  readonly minExponent: number;
  /** Digits that survive a round trip from decimal text (C's FLT_DIG): 6 for float32. */
  readonly digits: number;
}

/** Decimal digits `d` and exponent `e` of a positive number: d[0].d[1]d[2]… * 10^e. */
export interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** IEEE binary32. */
export const kFloat32: FloatFormat = { bits: 24, minExponent: -149, digits: 6 };
/** IEEE binary64. */
export const kFloat64: FloatFormat = { bits: 53, minExponent: -1074, digits: 15 };
/** IEEE binary16. */
export const kFloat16: FloatFormat = { bits: 11, minExponent: -24, digits: 3 };

const scratch = new DataView(new ArrayBuffer(8));

/** The exponent of the leading bit of a finite, positive double. */
function leadingBit(x: number): number {
  scratch.setFloat64(0, x);
  const biased = (scratch.getUint32(0) >>> 20) & 0x7ff;
  if (biased !== 0) return biased - 1023;
  // A subnormal double: scale it into the normal range first.
  return leadingBit(x * 2 ** 64) - 64;
}

/** `x = mantissa * 2^exponent` in the format's own units, rounded if the format does not hold x; x is finite and positive. */
function decompose(x: number, format: FloatFormat): { mantissa: bigint; exponent: number } {
  const exponent = Math.max(leadingBit(x) - (format.bits - 1), format.minExponent);
  // Two exact steps, because 2^-exponent itself can exceed the largest double.
  const half = Math.trunc(-exponent / 2);
  return { mantissa: BigInt(Math.round(x * 2 ** half * 2 ** (-exponent - half))), exponent };
}

/** The number of decimal digits of a positive bigint ratio's integer part, less one: floor(log10(n / d)). */
function floorLog10(n: bigint, d: bigint, x: number): number {
  let guess = Math.floor(Math.log10(x));
  // log10 of a double can be off by one next to a power of ten; the bigints decide.
  if (guess >= 0 ? n < d * 10n ** BigInt(guess) : n * 10n ** BigInt(-guess) < d) guess -= 1;
  const next = guess + 1;
  if (next >= 0 ? n >= d * 10n ** BigInt(next) : n * 10n ** BigInt(-next) >= d) guess = next;
  return guess;
}

/** Adds one to the last digit; a carry out of the first makes the number one digit longer, which moves the exponent. */
function roundUp(digits: string, exponent: number): Decimal {
  let at = digits.length - 1;
  while (at >= 0 && digits.charCodeAt(at) === 57) at -= 1;
  if (at < 0) return { digits: "1" + "0".repeat(digits.length - 1), exponent: exponent + 1 };
  const bumped = String.fromCharCode(digits.charCodeAt(at) + 1);
  return { digits: digits.slice(0, at) + bumped + "0".repeat(digits.length - 1 - at), exponent };
}

/**
 * The shortest digits that tell `x` from its neighbours in `format`, cut off (with correct rounding, ties to even) or
 * continued exactly when the caller asks for at most or at least so many.
 *
 * @param x a finite, positive number that `format` holds exactly
 * @param maxPlaces the exponent of the last digit allowed: -8 for eight places after the point; `undefined`: no limit.
 *   With `scientific` it counts places after the first digit instead, as `minPlaces` does.
 */
export function shortestDigits(
  x: number,
  format: FloatFormat,
  limits?: { readonly maxPlaces?: number; readonly minPlaces?: number; readonly scientific?: boolean },
): Decimal {
  const { mantissa, exponent } = decompose(x, format);
  const even = (mantissa & 1n) === 0n;
  // Below a power of two the neighbour is nearer: the lower margin is half the upper one.
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
 * Exactly `count` significant digits of a positive finite double, correctly rounded, ties to even, as C's `%.*e`
 * gives them. (`Number.prototype.toPrecision` rounds ties up.)
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
 * Tells whether reading the decimal back, in `format` and correctly rounded, gives exactly the positive finite `x`.
 */
export function readsBackAs(decimal: Decimal, x: number, format: FloatFormat): boolean {
  const { mantissa, exponent } = decompose(x, format);
  const unequal = mantissa === 1n << BigInt(format.bits - 1) && exponent > format.minExponent;
  const power = decimal.exponent - (decimal.digits.length - 1);
  // Everything in quarters of the format's unit, over one common denominator.
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
