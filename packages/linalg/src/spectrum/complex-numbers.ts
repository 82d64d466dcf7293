/** complex-numbers: functions of single complex numbers, as real and imaginary parts. */

/** Numbers above this are divided by 4 before a division: a sum of two of them could be infinite. */
const kLarge = 2 ** 1021;

/** Returns (a + i b) / (c + i d). No sum overflows where the quotient does not. */
export function quotient(a: number, b: number, c: number, d: number): [re: number, im: number] {
  const isLarge = Math.max(Math.abs(a), Math.abs(b), Math.abs(c), Math.abs(d)) > kLarge;
  return isLarge ? smithQuotient(a / 4, b / 4, c / 4, d / 4) : smithQuotient(a, b, c, d);
}

/** Returns (a + i b) / (c + i d) by Smith's method, which squares nothing. */
function smithQuotient(a: number, b: number, c: number, d: number): [re: number, im: number] {
  if (Math.abs(c) >= Math.abs(d)) {
    const ratio = d / c;
    const scale = c + d * ratio;
    return [(a + b * ratio) / scale, (b - a * ratio) / scale];
  }
  const ratio = c / d;
  const scale = c * ratio + d;
  return [(a * ratio + b) / scale, (b * ratio - a) / scale];
}

/** Returns the square root with a positive real part; of a negative real number the one with a positive imaginary part. */
export function squareRoot(re: number, im: number): [re: number, im: number] {
  const root = Math.sqrt((Math.hypot(re, im) + Math.abs(re)) / 2);
  if (root === 0) return [0, 0];
  const other = im / (2 * root);
  return re >= 0 ? [root, other] : [Math.abs(other), im < 0 ? -root : root];
}

/** Returns the logarithm with an imaginary part in (-pi, pi]. Near 1 the real part is exact in its last digits. */
export function logarithm(re: number, im: number): [re: number, im: number] {
  const square = re * re + im * im;
  const size = square > 0.5 && square < 2 ? Math.log1p((re - 1) * (re + 1) + im * im) / 2 : Math.log(Math.hypot(re, im));
  return [size, Math.atan2(im === 0 ? 0 : im, re)];
}

/** Returns exp(re + i im) - 1 without cancellation near 0. */
export function exponentialLessOne(re: number, im: number): [re: number, im: number] {
  const half = Math.sin(im / 2);
  return [Math.expm1(re) * Math.cos(im) - 2 * half * half, Math.exp(re) * Math.sin(im)];
}
