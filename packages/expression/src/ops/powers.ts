/** powers: squares, roots, reciprocals and any other powers. */
import type { GradientFunctions, GradientValue } from "../tree/gradient-rule.ts";
import type { ElementFormula, Gradients, OpRecords, References, ScalarContext } from "./op-record.ts";
import * as complex from "../scalars/complex-functions.ts";

type Powers = {
  readonly square: readonly ["unary", "numbers"];
  readonly reciprocal: readonly ["unary", "floats, complex"];
  readonly sqrt: readonly ["unary", "floats, complex"];
  readonly rsqrt: readonly ["unary", "floats, complex"];
  readonly cbrt: readonly ["unary", "floats"];
  readonly pow: readonly ["binary", "numbers"];
};

/** The records of squares, roots, reciprocals and any other powers. */
export const powers: OpRecords<Powers> = {
  square: {
    class: "unary",
    dtypes: "numbers",
    result: "same",
    cost: "light",
    raises: false,
    comment: "x * x.",
    accuracy: "rounded",
    edgeCases: "",
    exactOnComplex: true,
    inexact: "square",
    domain: "all",
    tensorflow: "square",
    numpy: { exact: "lambda x: x * x", wide: "lambda x: x * x" },
    units: null,
    xla: null,
  },
  reciprocal: {
    class: "unary",
    dtypes: "floats, complex",
    result: "same",
    cost: "slow",
    raises: false,
    comment: "1 / x, correctly rounded. For floats and complex numbers.",
    accuracy: "rounded",
    edgeCases: "±0 gives ±Infinity",
    exactOnComplex: true,
    inexact: "pole",
    domain: "all",
    tensorflow: "math.reciprocal",
    numpy: { exact: "by_float32(lambda x: x.dtype.type(1) / x)", wide: "lambda x: 1 / x" },
    units: null,
    xla: null,
  },
  sqrt: {
    class: "unary",
    dtypes: "floats, complex",
    result: "same",
    cost: "slow",
    raises: false,
    comment: "The square root, correctly rounded; NaN for negative x.",
    accuracy: "rounded",
    edgeCases: "numbers below 0 give NaN, -0 gives -0",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: { low: 0, high: 100 },
    tensorflow: "sqrt",
    numpy: { exact: "by_float32(np.sqrt)", wide: "np.sqrt" },
    units: null,
    xla: null,
  },
  rsqrt: {
    class: "unary",
    dtypes: "floats, complex",
    result: "same",
    cost: "function",
    raises: false,
    comment: "1 / sqrt(x), within 1 ulp.",
    accuracy: [1, 2],
    edgeCases: "±0 gives ±Infinity, numbers below 0 give NaN",
    exactOnComplex: false,
    inexact: "pole",
    domain: { low: 0, high: 100 },
    tensorflow: "math.rsqrt",
    numpy: { exact: null, wide: "lambda x: 1 / np.sqrt(x)" },
    units: null,
    xla: [2, 2],
  },
  cbrt: {
    class: "unary",
    dtypes: "floats",
    result: "same",
    cost: "function",
    raises: false,
    comment: "The cube root, within 2 ulp; that of a negative number is negative (NumPy's `cbrt`).",
    accuracy: [2, 2],
    edgeCases: "-0 gives -0, numbers below 0 have a root",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: null,
    numpy: { exact: null, wide: "np.cbrt" },
    units: null,
    xla: [5, 5],
  },
  pow: {
    class: "binary",
    dtypes: "numbers",
    result: "same",
    cost: "function",
    raises: true,
    comment: "x^y, within 3 ulp; the plain exponent 2 makes it `square`. `assign` throws INVALID_ARGUMENT for a negative integer exponent.",
    accuracy: [3, 2],
    edgeCases:
      "x^0 and 1^y are 1, for NaN too; a negative base with a fractional exponent gives NaN; integers throw INVALID_ARGUMENT for negative exponents",
    exactOnComplex: false,
    inexact: "power",
    domain: "exponent",
    tensorflow: "pow",
    numpy: { exact: "lambda x, y: np.power(x, y) if is_integer(x) else None", wide: "np.power" },
    units: null,
    xla: [4, 3, 80],
  },
};

/** Throws INVALID_ARGUMENT if the exponent is negative, even for x = 1 and -1, as TensorFlow does. */
function checkExponent(x: number | bigint, y: number | bigint, at: ScalarContext): void {
  if (y < 0) at.refuse(`Integers to negative integer powers are not allowed: ${x} to the power of ${y}`);
}

/** Returns x^y modulo 2^32, by squaring. */
function integerPower(x: number, y: number, at: ScalarContext): number {
  checkExponent(x, y, at);
  let power = 1;
  let square = x;
  for (let rest = y; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = Math.imul(power, square);
    square = Math.imul(square, square);
  }
  return power;
}

/** Returns x^y by squaring, wrapped at every step because the exponent may have 64 bits. */
function bigPower(x: bigint, y: bigint, at: ScalarContext): bigint {
  checkExponent(x, y, at);
  let power = 1n;
  let square = x;
  for (let rest = y; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) power = at.wrap(power * square);
    square = at.wrap(square * square);
  }
  return power;
}

/** What the evaluator computes for squares, roots, reciprocals and any other powers. */
export const powerReferences: References<Powers> = {
  square: {
    float: (x) => x * x,
    integer: (x) => Math.imul(x, x),
    big: (x) => x * x,
    complex: (x, at) => complex.product(x, x, at),
  },
  reciprocal: {
    float: (x) => 1 / x,
    complex: (x) => complex.divide([1, 0], x),
  },
  sqrt: {
    float: Math.sqrt,
    complex: complex.sqrt,
  },
  rsqrt: {
    float: (x) => 1 / Math.sqrt(x),
    complex: (x) => complex.divide([1, 0], complex.sqrt(x)),
  },
  cbrt: {
    float: Math.cbrt,
  },
  pow: {
    float: (x, y) => (x === 1 || (x === -1 && (y === Infinity || y === -Infinity)) ? 1 : x ** y),
    integer: integerPower,
    big: bigPower,
    complex: complex.pow,
  },
};

/** The powers in steps of others. */
export const powerFormulas: { readonly cbrt: ElementFormula } = {
  // A third of the logarithm gives a root with half of the digits or more, and a step of Newton's method all of them.
  cbrt: (x) => {
    const size = x.abs();
    const near = size
      .to("log2")
      .mul(1 / 3)
      .to("exp2");
    const root = near.sub(near.sub(size.div(near.mul(near))).mul(1 / 3));
    return near.isZero().or(near.isInfinite()).select(x, x.is("less", 0).select(root.neg(), root));
  },
};

/** The gradients of powers and roots. */
export const powerGradients: Gradients<Powers> = {
  square: ({ g, x, at: { conjugate } }) => g.mul(conjugate(x.add(x))),
  reciprocal: ({ g, y, at: { conjugate } }) => g.mul(conjugate(y.square())).neg(),
  sqrt: ({ g, y, at: { conjugate } }) => g.mul(0.5).div(conjugate(y)),
  rsqrt: ({ g, y, at: { conjugate } }) => g.mul(conjugate(y.square().mul(y).mul(-0.5))),
  cbrt: ({ g, y }) => g.div(y.square().mul(3)),
  pow: ({ g, x, z, y, at }) => [() => g.mul(at.conjugate(slopeOfPower(x, z, at))), () => g.mul(at.conjugate(y.mul(logOfBase(x, at))))],
};

/** Returns z x^(z - 1), which is 0 where z is 0. */
function slopeOfPower(x: GradientValue, z: GradientValue, at: GradientFunctions): GradientValue {
  const exponent = at.realConstant(z);
  if (exponent === 2) return x.mul(2);
  if (exponent !== null && exponent !== 0) return x.pow(exponent - 1).mul(z);
  const isZero = z.equal(0);
  return at.select(isZero, 0, z.mul(x.pow(at.select(isZero, 1, z.sub(1)))));
}

/** Returns log(x), and 0 where there is none. */
function logOfBase(x: GradientValue, at: GradientFunctions): GradientValue {
  const hasLog = at.isComplex(x) ? x.notEqual(0) : x.greater(0);
  return at.select(hasLog, at.select(hasLog, x, 1).log(), 0);
}
