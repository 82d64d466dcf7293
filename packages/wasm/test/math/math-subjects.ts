// The data of the math tests: the error bounds of each function, the arguments at which errors are measured, and values that must be exact.
import type { BinaryMathName, UnaryMathName } from "../../src/math/math-table.ts";

/** The bound of the error of each function in units of the last place, for f32 and f64. */
export const bounds: Readonly<Record<UnaryMathName | BinaryMathName, readonly [number, number]>> = {
  exp: [1, 1],
  exp2: [1, 1],
  expm1: [2, 2],
  log: [1, 1],
  log2: [1, 1],
  log10: [1, 1],
  log1p: [1, 1],
  sin: [2, 2],
  cos: [2, 2],
  tan: [2, 2],
  asin: [2, 2],
  acos: [2, 2],
  atan: [2, 2],
  sinh: [2, 2],
  cosh: [2, 2],
  tanh: [2, 2],
  sigmoid: [2, 2],
  erf: [2, 2],
  rsqrt: [1, 2],
  pow: [3, 2],
  atan2: [2, 2],
};

/** A random number generator with a seed, so that every run measures the same arguments. */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 1;
  }

  /** Returns an integer below 2^32. */
  word(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return this.#state >>> 0;
  }

  /** Returns a number in [0, 1) with 53 random bits. */
  unit(): number {
    return (this.word() * 2 ** 21 + (this.word() >>> 11)) * 2 ** -53;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** Returns a number of either sign whose magnitude is from 2^low to 2^high, with evenly distributed exponents. */
  scaled(low: number, high: number): number {
    return (1 + this.unit()) * 2 ** Math.floor(this.between(low, high)) * (this.word() & 1 ? -1 : 1);
  }
}

const either = (draw: Draw, a: () => number, b: () => number): number => (draw.word() & 1 ? a() : b());

/** Draws f64 arguments that show errors: from the range in which the function is not constant, and where digits cancel. */
export const drawF64: Readonly<Record<UnaryMathName, (draw: Draw) => number>> = {
  exp: (d) =>
    either(
      d,
      () => d.between(-745, 709.7),
      () => d.scaled(-40, 4),
    ),
  exp2: (d) =>
    either(
      d,
      () => d.between(-1074, 1023.9),
      () => d.scaled(-40, 4),
    ),
  expm1: (d) =>
    either(
      d,
      () => d.between(-3, 3),
      () => d.scaled(-60, 9),
    ),
  log: (d) =>
    Math.abs(
      either(
        d,
        () => d.scaled(-3, 3),
        () => d.scaled(-1073, 1023),
      ),
    ),
  log2: (d) =>
    Math.abs(
      either(
        d,
        () => d.scaled(-3, 3),
        () => d.scaled(-1073, 1023),
      ),
    ),
  log10: (d) =>
    Math.abs(
      either(
        d,
        () => d.scaled(-3, 3),
        () => d.scaled(-1073, 1023),
      ),
    ),
  log1p: (d) =>
    either(
      d,
      () => d.between(-0.9999, 2),
      () => Math.abs(d.scaled(-80, 1000)),
    ),
  sin: drawAngle,
  cos: drawAngle,
  tan: drawAngle,
  asin: (d) =>
    either(
      d,
      () => d.between(-1, 1),
      () => 1 - 2 ** d.between(-52, 0),
    ),
  acos: (d) =>
    either(
      d,
      () => d.between(-1, 1),
      () => 1 - 2 ** d.between(-52, 0),
    ),
  atan: (d) =>
    either(
      d,
      () => d.scaled(-3, 3),
      () => d.scaled(-30, 60),
    ),
  sinh: (d) =>
    either(
      d,
      () => d.between(-710.4, 710.4),
      () => d.scaled(-40, 4),
    ),
  cosh: (d) =>
    either(
      d,
      () => d.between(-710.4, 710.4),
      () => d.scaled(-40, 4),
    ),
  tanh: (d) => d.scaled(-40, 5),
  sigmoid: (d) =>
    either(
      d,
      () => d.between(-745, 745),
      () => d.scaled(-40, 5),
    ),
  erf: (d) => d.scaled(-30, 3),
  rsqrt: (d) => Math.abs(d.scaled(-1073, 1023)),
};

/** Draws numbers of any size, and doubles next to multiples of pi/2. */
function drawAngle(d: Draw): number {
  const way = d.word() & 3;
  if (way === 0) return d.between(-10, 10);
  if (way === 1) return d.scaled(-30, 1023);
  return way === 2 ? Math.round(d.between(-1e5, 1e5)) * (Math.PI / 2) : d.scaled(-30, 25);
}

/** Draws arguments of pow, with x > 0 and a result within the range, or of atan2. */
export function drawPair(name: BinaryMathName, d: Draw, maxExponent: number): readonly [number, number] {
  if (name === "atan2") {
    const y = d.scaled(-20, 20);
    return [
      y,
      either(
        d,
        () => y * d.between(-3, 3),
        () => d.scaled(-20, 20),
      ),
    ];
  }
  const x = d.word() & 1 ? d.between(0, 3) + 1e-3 : Math.abs(d.scaled(-maxExponent, maxExponent));
  return [x, d.between(-1, 1) * Math.min(1000, maxExponent / (Math.abs(Math.log2(x)) + 1e-6))];
}

/** M and e of the floats M 2^e that are nearest to a multiple of pi/2, found by continued fractions. Almost all of their bits cancel. */
export const nearQuarterTurns: Readonly<Record<"f32x4" | "f64x2", readonly (readonly [number, number])[]>> = {
  f32x4: [
    [16367173, 72],
    [10741887, 11],
    [16367173, 73],
    [10741887, 12],
    [16367173, 74],
    [10057457, 62],
    [11617958, 17],
    [9012376, 53],
    [10741887, 13],
    [14173733, 88],
    [10695401, 2],
    [14015064, 66],
    [16367173, 75],
    [10057457, 63],
    [8895696, 34],
    [11617958, 18],
  ],
  f64x2: [
    [6381956970095103, 797],
    [6411027962775774, -47],
    [6381956970095103, 798],
    [6411027962775774, -46],
    [7763785107565477, -29],
    [5916243447979695, 79],
    [6381956970095103, 799],
    [8444920710073313, 939],
    [6411027962775774, -45],
    [5850965514341686, 525],
    [8160885118204141, 808],
    [8360820580228475, 628],
    [8583082635084172, 145],
    [7763785107565477, -28],
    [7958046405119485, 243],
    [5916243447979695, 80],
    [6808218460873451, 562],
    [7636753411044619, 201],
    [6381956970095103, 800],
    [8444920710073313, 940],
    [6366906923947931, 194],
    [6411027962775774, -44],
    [5850965514341686, 526],
    [6617649673795284, 15],
    [6411027962775774, -43],
    [6411027962775774, -42],
    [6411027962775774, -41],
    [5520028710995367, -34],
  ],
};

const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

/** Values that must be exact in f32 and f64, as [x, f(x)]. A NaN argument gives NaN for every function. */
export const specials: Readonly<Record<UnaryMathName, readonly (readonly [number, number])[]>> = {
  exp: [
    [0, 1],
    [-0, 1],
    [inf, inf],
    [-inf, 0],
    [800, inf],
    [-800, 0],
    [1e-30, 1],
  ],
  exp2: [
    [0, 1],
    [10, 1024],
    [-126, 2 ** -126],
    [-140, 2 ** -140],
    [-149, 2 ** -149],
    [inf, inf],
    [-inf, 0],
    [2000, inf],
    [-2000, 0],
  ],
  expm1: [
    [0, 0],
    [-0, -0],
    [inf, inf],
    [-inf, -1],
    [800, inf],
    [-800, -1],
    [2 ** -100, 2 ** -100],
    [-(2 ** -149), -(2 ** -149)],
  ],
  log: [
    [1, 0],
    [0, -inf],
    [-0, -inf],
    [inf, inf],
    [-1, nan],
    [-inf, nan],
    [-(2 ** -140), nan],
  ],
  log2: [
    [1, 0],
    [8, 3],
    [0.25, -2],
    [2 ** -126, -126],
    [2 ** -140, -140],
    [2 ** 100, 100],
    [0, -inf],
    [inf, inf],
    [-1, nan],
  ],
  log10: [
    [1, 0],
    [10, 1],
    [1000, 3],
    [0, -inf],
    [inf, inf],
    [-1, nan],
  ],
  log1p: [
    [0, 0],
    [-0, -0],
    [-1, -inf],
    [inf, inf],
    [-2, nan],
    [-inf, nan],
    [2 ** -100, 2 ** -100],
    [-(2 ** -149), -(2 ** -149)],
  ],
  sin: [
    [0, 0],
    [-0, -0],
    [inf, nan],
    [-inf, nan],
    [2 ** -100, 2 ** -100],
    [-(2 ** -149), -(2 ** -149)],
  ],
  cos: [
    [0, 1],
    [-0, 1],
    [inf, nan],
    [-inf, nan],
    [2 ** -100, 1],
  ],
  tan: [
    [0, 0],
    [-0, -0],
    [inf, nan],
    [-inf, nan],
    [2 ** -100, 2 ** -100],
    [-(2 ** -149), -(2 ** -149)],
  ],
  asin: [
    [0, 0],
    [-0, -0],
    [1.5, nan],
    [-1.5, nan],
    [inf, nan],
    [2 ** -100, 2 ** -100],
    [-(2 ** -149), -(2 ** -149)],
  ],
  acos: [
    [1, 0],
    [1.5, nan],
    [-1.5, nan],
    [-inf, nan],
  ],
  atan: [
    [0, 0],
    [-0, -0],
    [2 ** -100, 2 ** -100],
    [-(2 ** -149), -(2 ** -149)],
  ],
  sinh: [
    [0, 0],
    [-0, -0],
    [inf, inf],
    [-inf, -inf],
    [800, inf],
    [-800, -inf],
    [2 ** -100, 2 ** -100],
    [-(2 ** -149), -(2 ** -149)],
  ],
  cosh: [
    [0, 1],
    [-0, 1],
    [inf, inf],
    [-inf, inf],
    [800, inf],
    [2 ** -100, 1],
  ],
  tanh: [
    [0, 0],
    [-0, -0],
    [inf, 1],
    [-inf, -1],
    [800, 1],
    [-800, -1],
    [2 ** -100, 2 ** -100],
    [-(2 ** -149), -(2 ** -149)],
  ],
  sigmoid: [
    [0, 0.5],
    [-0, 0.5],
    [inf, 1],
    [-inf, 0],
    [800, 1],
    [-800, 0],
  ],
  erf: [
    [0, 0],
    [-0, -0],
    [inf, 1],
    [-inf, -1],
    [7, 1],
    [-7, -1],
  ],
  rsqrt: [
    [4, 0.5],
    [2 ** -100, 2 ** 50],
    [0, inf],
    [-0, -inf],
    [inf, 0],
    [-1, nan],
    [-inf, nan],
  ],
};

/** x, y and x^y as in C. JavaScript differs for 1 and -1 to the power of infinity or NaN. */
export const powSpecials: readonly (readonly [number, number, number])[] = [
  [nan, 0, 1],
  [nan, -0, 1],
  [1, nan, 1],
  [1, inf, 1],
  [1, -inf, 1],
  [-1, inf, 1],
  [-1, -inf, 1],
  [nan, 1, nan],
  [2, nan, nan],
  [0, nan, nan],
  [inf, nan, nan],
  [0, 3, 0],
  [-0, 3, -0],
  [-0, 2, 0],
  [-0, 0.5, 0],
  [0, -3, inf],
  [-0, -3, -inf],
  [-0, -2, inf],
  [-0, -0.5, inf],
  [inf, 2, inf],
  [inf, -2, 0],
  [-inf, 3, -inf],
  [-inf, 2, inf],
  [-inf, -3, -0],
  [-inf, 0.5, inf],
  [-inf, -0.5, 0],
  [inf, 0, 1],
  [0.5, inf, 0],
  [0.5, -inf, inf],
  [2, inf, inf],
  [2, -inf, 0],
  [-0.5, inf, 0],
  [-2, inf, inf],
  [0, inf, 0],
  [0, -inf, inf],
  [inf, inf, inf],
  [-8, 1 / 3, nan],
  [-2, 0.5, nan],
  [-2, 3, -8],
  [-2, 2, 4],
  [-2, -1, -0.5],
  [3, 2, 9],
  [2, -149, 2 ** -149],
  [2 ** -148, 0.5, 2 ** -74],
  [10, 1000, inf],
  [10, -1000, 0],
  [-10, 1001, -inf],
  [-10, -1001, -0],
  [1e-30, 1e30, 0],
  [1 + 2 ** -23, 1e30, inf],
  [5, 1, 5],
  [7, 0, 1],
];

const pi = Math.PI;

/** y, x and atan2(y, x), rounded. */
export const atan2Specials: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [-0, 0, -0],
  [0, -0, pi],
  [-0, -0, -pi],
  [0, 1, 0],
  [-0, 1, -0],
  [0, -1, pi],
  [-0, -1, -pi],
  [1, 0, pi / 2],
  [1, -0, pi / 2],
  [-1, 0, -pi / 2],
  [inf, inf, pi / 4],
  [inf, -inf, (3 * pi) / 4],
  [-inf, inf, -pi / 4],
  [-inf, -inf, (-3 * pi) / 4],
  [inf, 1, pi / 2],
  [1, inf, 0],
  [-1, inf, -0],
  [1, -inf, pi],
  [-1, -inf, -pi],
  [nan, 1, nan],
  [1, nan, nan],
  [nan, inf, nan],
  [inf, nan, nan],
  [0, nan, nan],
  [1, 1, pi / 4],
  [-3, -3, (-3 * pi) / 4],
  [3e38, 3e38, pi / 4],
  [3e38, 1, pi / 2],
  [1e-40, -1e-40, (3 * pi) / 4],
  [1, 3e38, 1 / 3e38],
];
