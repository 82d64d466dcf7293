// Reference implementations of the elementary functions, with which the errors of the math functions are measured. Numbers are BigInts in
// units of 2^-kBits, accurate to about a thousand bits. The functions are slow and simple: Taylor series of reduced arguments.

/** The number of bits after the point. Every double is a multiple of 2^-1074, and the least still has a hundred bits after its last one. */
const kBits = 1200n;
const kOne = 1n << kBits;

const multiply = (a: bigint, b: bigint): bigint => (a * b) >> kBits;
const divide = (a: bigint, b: bigint): bigint => (a << kBits) / b;
const magnitude = (a: bigint): bigint => (a < 0n ? -a : a);

const view = new DataView(new ArrayBuffer(8));

/** Returns a finite number in units of 2^-kBits. The conversion is exact. */
export function fixed(x: number): bigint {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const mantissa = (bits & 0xfffffffffffffn) | (exponent === 0n ? 0n : 1n << 52n);
  const value = mantissa << ((exponent === 0n ? 1n : exponent) - 1075n + kBits);
  return x < 0 ? -value : value;
}

function squareRoot(a: bigint): bigint {
  if (a === 0n) return 0n;
  const target = a << kBits;
  let guess = 1n << BigInt((target.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + target / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** Returns atan(1 / n) in units of 2^-bits. */
function atanInverse(n: bigint, bits: bigint): bigint {
  let power = (1n << bits) / n;
  let sum = power;
  for (let k = 3n; power !== 0n; k += 2n) {
    power = -power / (n * n);
    sum += power / k;
  }
  return sum;
}

/** Returns pi in units of 2^-bits. */
const piTo = (bits: bigint): bigint => (16n * atanInverse(5n, bits + 20n) - 4n * atanInverse(239n, bits + 20n)) >> 20n;
const kPi = piTo(kBits);
const kPiLong = piTo(kBits + 1100n);

/** Returns 2 atanh(z) for |z| <= 1/2. */
function logSeries(z: bigint): bigint {
  const square = multiply(z, z);
  let power = 2n * z;
  let sum = power;
  for (let k = 3n; magnitude(power) > 1n; k += 2n) {
    power = multiply(power, square);
    sum += power / k;
  }
  return sum;
}

const kLn2 = logSeries(kOne / 3n);

/** Returns e^a. */
function exp(a: bigint): bigint {
  let n = a / kLn2;
  if (a < 0n) n -= 1n;
  const r = (a - n * kLn2) >> 8n;
  let term = kOne;
  let sum = kOne;
  for (let k = 1n; term !== 0n; k++) {
    term = multiply(term, r) / k;
    sum += term;
  }
  for (let i = 0; i < 8; i++) sum = multiply(sum, sum);
  return n >= 0n ? sum << n : sum >> -n;
}

/** Returns log a for a > 0. */
function log(a: bigint): bigint {
  const e = BigInt(a.toString(2).length - 1) - kBits;
  const m = e >= 0n ? a >> e : a << -e;
  const root = squareRoot(squareRoot(squareRoot(m)));
  return e * kLn2 + (logSeries(divide(root - kOne, root + kOne)) << 3n);
}

/** Returns sin and cos of a number, reduced with a pi that has enough bits for it. */
function sinCos(x: number): readonly [bigint, bigint] {
  const wide = fixed(x) << 1100n;
  const quarter = kPiLong >> 1n;
  let n = wide / quarter;
  let r = (wide - n * quarter) >> 1100n;
  if (r < 0n) {
    r += kPi >> 1n;
    n -= 1n;
  }
  const series = (first: bigint, from: bigint): bigint => {
    let term = first;
    let sum = first;
    for (let k = from; term !== 0n; k += 2n) {
      term = -multiply(multiply(term, r), r) / (k * (k + 1n));
      sum += term;
    }
    return sum;
  };
  const sine = series(r, 2n);
  const cosine = series(kOne, 1n);
  const turn = ((n % 4n) + 4n) % 4n;
  if (turn === 0n) return [sine, cosine];
  if (turn === 1n) return [cosine, -sine];
  return turn === 2n ? [-sine, -cosine] : [-cosine, sine];
}

/** Returns the angle whose tangent is a. */
function atan(a: bigint): bigint {
  if (a < 0n) return -atan(-a);
  if (a > kOne) return (kPi >> 1n) - atan(divide(kOne, a));
  // Halves the angle three times: atan a = 8 atan t.
  let t = a;
  for (let i = 0; i < 3; i++) t = divide(t, kOne + squareRoot(kOne + multiply(t, t)));
  const square = multiply(t, t);
  let power = t;
  let sum = t;
  for (let k = 3n; power !== 0n; k += 2n) {
    power = -multiply(power, square);
    sum += power / k;
    if (magnitude(power) <= 1n) break;
  }
  return sum << 3n;
}

function erf(a: bigint): bigint {
  let term = a;
  let sum = a;
  const square = multiply(a, a);
  for (let k = 1n; magnitude(term) > 1n; k++) {
    term = -multiply(term, square) / k;
    sum += term / (2n * k + 1n);
  }
  return divide(2n * sum, squareRoot(kPi));
}

const asin = (a: bigint): bigint => {
  const rest = kOne - multiply(a, a);
  return rest === 0n ? (a < 0n ? -kPi : kPi) >> 1n : atan(divide(a, squareRoot(rest)));
};

/** The functions of one argument by name. They take numbers and return values in units of 2^-kBits. */
export const exactUnary: Readonly<Record<string, (x: number) => bigint>> = {
  exp: (x) => exp(fixed(x)),
  exp2: (x) => exp(multiply(fixed(x), kLn2)),
  expm1: (x) => exp(fixed(x)) - kOne,
  log: (x) => log(fixed(x)),
  log2: (x) => divide(log(fixed(x)), kLn2),
  log10: (x) => divide(log(fixed(x)), log(10n * kOne)),
  log1p: (x) => log(fixed(x) + kOne),
  sin: (x) => sinCos(x)[0],
  cos: (x) => sinCos(x)[1],
  tan: (x) => divide(...sinCos(x)),
  asin: (x) => asin(fixed(x)),
  acos: (x) => (kPi >> 1n) - asin(fixed(x)),
  atan: (x) => atan(fixed(x)),
  sinh: (x) => (exp(fixed(x)) - exp(-fixed(x))) >> 1n,
  cosh: (x) => (exp(fixed(x)) + exp(-fixed(x))) >> 1n,
  tanh: (x) => {
    const power = exp(2n * fixed(x));
    return divide(power - kOne, power + kOne);
  },
  sigmoid: (x) => divide(kOne, kOne + exp(-fixed(x))),
  erf: (x) => erf(fixed(x)),
  rsqrt: (x) => divide(kOne, squareRoot(fixed(x))),
};

export const exactBinary: Readonly<Record<string, (x: number, y: number) => bigint>> = {
  pow: (x, y) => exp(multiply(fixed(y), log(fixed(x)))),
  atan2: (y, x) => {
    const ratio = atan(divide(fixed(y), fixed(x)));
    return x > 0 ? ratio : y < 0 ? ratio - kPi : ratio + kPi;
  },
};

/** Returns the error of `got` in units of the last place of the exact value (24 or 53 bits, at least the least denormal). */
export function ulps(got: number, exact: bigint, format: "f32x4" | "f64x2"): number {
  const error = magnitude(fixed(got) - exact);
  const top = magnitude(exact).toString(2).length - 1 - Number(kBits);
  const [bits, least] = format === "f32x4" ? [23, -149] : [52, -1074];
  const ulp = Math.max(top - bits, least);
  // The quotient with twenty bits after the point.
  const shift = ulp + Number(kBits) - 20;
  return Number(shift >= 0 ? error >> BigInt(shift) : error << BigInt(-shift)) / 2 ** 20;
}
