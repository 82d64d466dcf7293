/**
 * complex-formulas: the operations on complex numbers as formulas over their parts, for kernels and for StableHLO. They are those of the
 * evaluator (expression/scalars/complex-functions.ts), where the reasons for their forms are; here both sides of a condition are computed.
 */
import { kDown, kFar, kFarAngle, kHuge, kLarge, kNear, kPole, kSmall, kTiny, kUp } from "./complex-limits.ts";
import type { FormulaValue } from "./formula-value.ts";
import type { OpName } from "../tree/op-table.ts";

/** A real and an imaginary part. */
export type Parts = readonly [re: FormulaValue, im: FormulaValue];
/** A formula over the parts of one operand or two; its result has one part if it is not complex. */
export type ComplexFormula = (z: Parts, w: Parts) => Parts | FormulaValue;

const negated = ([a, b]: Parts): Parts => [a.neg(), b.neg()];
const shifted = ([a, b]: Parts, by: number): Parts => [a.add(by), b];
const timesI = ([a, b]: Parts): Parts => [b.neg(), a];
const timesMinusI = ([a, b]: Parts): Parts => [b, a.neg()];
const isZero = ([a, b]: Parts): FormulaValue => a.isZero().and(b.isZero());
const product = ([a, b]: Parts, [c, d]: Parts): Parts => [a.mul(c).sub(b.mul(d)), a.mul(d).add(b.mul(c))];

/** Returns a / b; 0 if b is 0, which a then is, too. */
const ratio = (a: FormulaValue, b: FormulaValue): FormulaValue => b.is("notEqual", 0).select(a.div(b), 0);

/** Smith's method. If d is the larger part of the divisor, the parts change places: (b - ai) / (d - ci) is the same quotient. */
function quotient([a, b]: Parts, [c, d]: Parts): Parts {
  const isWide = c.abs().is("greaterEqual", d.abs());
  const [large, small] = isWide.pick([c, d], [d, c]);
  const [x, y] = isWide.pick([a, b], [b, a]);
  const by = ratio(small, large);
  const scale = small.mul(by).add(large);
  const cross = x.mul(by);
  return [x.add(y.mul(by)).div(scale), isWide.select(y.sub(cross), cross.sub(y)).div(scale)];
}

/** The quotient of complex64 numbers, with one division (divideSingle of the evaluator). */
function singleQuotient([a, b]: Parts, [c, d]: Parts): Parts {
  const by = c.mul(c).add(d.mul(d)).to("reciprocal");
  const [x, y] = [c, d].map((part) => part.to("minimum", kHuge).to("maximum", -kHuge)) as [FormulaValue, FormulaValue];
  const near = x.add(kTiny);
  return [a.mul(near).add(b.mul(y)).mul(by), b.mul(near).sub(a.mul(y)).mul(by)];
}

const reciprocal = (z: Parts): Parts => quotient([z[0].number(1), z[0].number(0)], z);

/** Returns the larger and the smaller magnitude of the parts. */
function ordered([a, b]: Parts): Parts {
  const [x, y] = [a.abs(), b.abs()];
  return x.is("less", y).pick([y, x], [x, y]);
}

/** |z|: the root of the sum of the squares, or, where those may overflow, the larger part times sqrt(1 + ratio^2). Infinite if a part is. */
function modulus(z: Parts): FormulaValue {
  const [a, b] = z;
  const scaled = (): FormulaValue => {
    const [large, small] = ordered(z);
    // Beside a zero the smaller part is a zero or NaN, which stays.
    const by = large.is("notEqual", 0).select(small.div(large), small);
    return large.mul(by.mul(by).add(1).to("sqrt"));
  };
  const size = a.isSingle ? a.mul(a).add(b.mul(b)).to("sqrt") : scaled();
  return a.isInfinite().or(b.isInfinite()).select(Infinity, size);
}

/** Returns a value; where a part is a zero, that zero. */
const besideZero = (part: FormulaValue, value: FormulaValue): FormulaValue => part.isZero().select(part, value);

/** The angle beside a size: 0 where `a` is infinite and `b` not finite. */
const angleBeside = ([a, b]: Parts): FormulaValue => a.isInfinite().select(b.isFinite().select(b, 0), b);

/**
 * Returns parts whose modulus neither overflows nor loses bits: those of complex64 as they are. `correct` applies an operation to what is
 * computed from them, with a number that depends on whether the parts were large, small or neither.
 */
function scaledParts(z: Parts): {
  readonly parts: Parts;
  correct(value: FormulaValue, op: "mul" | "add", large: number, small: number, other: number): FormulaValue;
} {
  const [a, b] = z;
  if (a.isSingle) return { parts: z, correct: (value) => value };
  const [larger] = ordered(z);
  const [isLarge, isSmall] = [larger.is("greater", kLarge), larger.is("less", kSmall)];
  const pick = (large: number, small: number, other: number): FormulaValue => isLarge.select(large, isSmall.select(a.number(small), other));
  const by = pick(kDown, kUp, 1);
  return {
    parts: [a.mul(by), b.mul(by)],
    correct: (value, op, large, small, other) => value.to(op, pick(large, small, other)),
  };
}

function exp(z: Parts): Parts {
  const [a, b] = z;
  const [size, angle] = [a.to("exp"), angleBeside(z)];
  return b.isZero().pick([size, b], [size.mul(angle.to("cos")), size.mul(angle.to("sin"))]);
}

function expm1(z: Parts): Parts {
  const [a, b] = z;
  const angle = angleBeside(z);
  const half = angle.mul(0.5).to("sin");
  const real = a.to("expm1").mul(angle.to("cos")).sub(half.mul(2).mul(half));
  return [real, besideZero(b, a.to("exp").mul(angle.to("sin")))];
}

/** |z|, or that of z scaled, and a function that corrects its logarithm. */
function scaledModulus(z: Parts): { readonly size: FormulaValue; readonly shift: (value: FormulaValue) => FormulaValue } {
  const { parts, correct } = scaledParts(z);
  return { size: modulus(parts), shift: (value) => correct(value, "add", 100 * Math.LN2, -100 * Math.LN2, 0) };
}

function log(z: Parts): Parts {
  const { size, shift } = scaledModulus(z);
  const [more, less] = ordered(z);
  const near = more.sub(1).mul(more.add(1)).add(less.mul(less)).to("log1p").mul(0.5);
  const isNear = size.is("greater", 0.5).and(size.is("less", 2));
  return [isNear.select(near, shift(size.to("log"))), z[1].to("atan2", z[0])];
}

function log1p([a, b]: Parts): Parts {
  const isSmall = a.abs().is("less", 0.5).and(b.abs().is("less", 0.5));
  const small = a.mul(a.add(2)).add(b.mul(b)).to("log1p").mul(0.5);
  const next = shifted([a, b], 1);
  return [isSmall.select(small, modulus(next).to("log")), b.to("atan2", next[0])];
}

/** A number that is not negative, with the sign of another one; NaN counts as positive. 1 / -0 is -Infinity. */
function withSign(size: FormulaValue, like: FormulaValue): FormulaValue {
  const side = like.isZero().select(like.number(1).div(like), like);
  return side.is("less", 0).select(size.neg(), size);
}

function sqrt(z: Parts): Parts {
  const [a, b] = z;
  const { parts, correct } = scaledParts(z);
  const [x, y] = parts;
  const half = modulus([x, y]).add(x.abs()).mul(0.5).to("sqrt");
  const quotient = y.abs().div(half.mul(2));
  const [size, other] = [half, quotient].map((value) => correct(value, "mul", 2 ** 50, 2 ** -50, 1)) as unknown as Parts;
  const [real, imaginary] = a.is("greaterEqual", 0).pick([size, other], [other, size]);
  const [re, im] = isZero(z).pick([0, b], [real, withSign(imaginary, b)]);
  return b.isInfinite().pick([b.abs(), b], [re, im]);
}

function sinh(z: Parts): Parts {
  const [a, b] = z;
  const angle = angleBeside(z);
  const real = a.to("sinh").mul(angle.to("cos"));
  const imaginary = a.to("cosh").mul(angle.to("sin"));
  return [a.isZero().select(b.isFinite().select(real, a), real), besideZero(b, imaginary)];
}

function cosh(z: Parts): Parts {
  const [a, b] = z;
  const angle = angleBeside(z);
  const size = a.to("sinh");
  const product = size.mul(angle.to("sin"));
  const besideReal = b.isZero().select(size.isFinite().select(product, a.is("less", 0).select(b.neg(), b)), product);
  return [a.to("cosh").mul(angle.to("cos")), a.isZero().select(b.isFinite().select(besideReal, 0), besideReal)];
}

/** Kahan's form; for |a| > 22 the limit. */
function tanh(z: Parts): Parts {
  const [a, b] = z;
  const angle = angleBeside(z);
  const [t, s] = [angle.to("tan"), a.to("sinh")];
  const sec2 = t.mul(t).add(1);
  const below = sec2.mul(s).mul(s).add(1);
  const near: Parts = [besideZero(a, sec2.mul(s.mul(s).add(1).to("sqrt")).mul(s).div(below)), besideZero(b, t.div(below))];
  const size = a.abs();
  const far: Parts = [a.to("sign").add(angle.sub(angle)), angle.to("sin").mul(4).mul(angle.to("cos")).mul(size.mul(-2).to("exp"))];
  return size.is("greater", 22).pick(far, near);
}

/** asinh of a real number. Beyond 2^28 it is log(2|x|): the square would overflow. */
function asinh(x: FormulaValue): FormulaValue {
  const size = x.abs();
  const square = size.mul(size);
  const near = size.add(square.div(square.add(1).to("sqrt").add(1))).to("log1p");
  return withSign(size.is("greater", 2 ** 28).select(size.to("log").add(Math.LN2), near), x);
}

/** True where a part is larger than a number. */
const exceeds = ([a, b]: Parts, limit: number): FormulaValue => a.abs().is("greater", limit).or(b.abs().is("greater", limit));
/** True where both parts are so small that asin z is z. */
const isNearZero = ([a, b]: Parts): FormulaValue => a.abs().is("less", kNear).and(b.abs().is("less", kNear));

/** asinh of the size of `near`, or far from zero of |z|, where asinh z is log 2z; with the sign of `like` there. */
function depthOf(z: Parts, isFar: FormulaValue, near: FormulaValue, like: FormulaValue): FormulaValue {
  const { size, shift } = scaledModulus(z);
  const depth = asinh(isFar.select(size, near.abs()));
  return withSign(isFar.select(shift(depth), depth), isFar.select(like, near));
}

function asin(z: Parts): Parts {
  const [a, b] = z;
  const [[p, q], [r, s]] = [sqrt(shifted(negated(z), 1)), sqrt(shifted(z, 1))];
  const [isFar, isNear] = [exceeds(z, kFar), isNearZero(z)];
  const real = a.to("atan2", isFar.select(b.abs(), p.mul(r).sub(q.mul(s))));
  const imaginary = depthOf(z, isFar, p.mul(s).sub(q.mul(r)), b);
  return [isNear.or(a.isZero()).select(a, real), isNear.select(b, imaginary)];
}

function acos(z: Parts): Parts {
  const [a, b] = z;
  const [[p, q], [r, s]] = [sqrt(shifted(negated(z), 1)), sqrt(shifted(z, 1))];
  const isFar = exceeds(z, kFar);
  const [y, x] = isFar.pick([b.abs(), a], [p, r]);
  const angle = y.to("atan2", x);
  const imaginary = depthOf(z, isFar, r.mul(q).sub(s.mul(p)), b.neg());
  const real = isFar.select(angle, a.isZero().select(Math.PI / 2, angle.mul(2)));
  return [real, isNearZero(z).select(b.neg(), imaginary)];
}

function atan(z: Parts): Parts {
  const [a, b] = z;
  const size = modulus(z);
  const isFar = size.is("greater", kFarAngle);
  const farReal = a.is("equal", a).select(withSign(a.number(Math.PI / 2), a), a);
  const farImaginary = size.isInfinite().select(withSign(b.number(0), b), b.div(size).div(size));
  const side = b.abs();
  const left = side.neg().add(1);
  const distance = modulus([a, left]);
  const depth = side.mul(4).div(distance.mul(distance)).to("log1p").mul(0.25);
  const pole = distance.to("log").neg().add(Math.LN2).mul(0.5);
  const level = distance.is("less", kPole).select(pole, depth);
  const real = a
    .mul(2)
    .to("atan2", left.mul(side.add(1)).sub(a.mul(a)))
    .mul(0.5);
  return isFar.pick([farReal, farImaginary], [real, besideZero(b, withSign(level, b))]);
}

/** e^(w log z); 1 if w is 0. */
function pow(z: Parts, w: Parts): Parts {
  return isZero(w).pick([1, 0], exp(product(w, log(z))));
}

function sign(z: Parts): Parts {
  const isFar = z[0].isInfinite().or(z[1].isInfinite());
  const unit = (part: FormulaValue): FormulaValue => part.isInfinite().select(part.is("less", 0).select(part.number(-1), 1), 0);
  const { parts } = scaledParts(z);
  const [x, y] = isFar.pick([unit(z[0]), unit(z[1])], parts);
  const size = modulus([x, y]);
  return size.isZero().pick([0, 0], [x.div(size), y.div(size)]);
}

function squaredDifference([a, b]: Parts, [c, d]: Parts): Parts {
  const [x, y] = [a.sub(c), b.sub(d)];
  return [x.mul(x).add(y.mul(y)), a.number(0)];
}

/** The formulas: from the parts of one operand or two to parts, or to one value if the result is not complex. */
export const complexFormulas: Readonly<Partial<Record<OpName, ComplexFormula>>> = {
  neg: negated,
  conj: ([a, b]: Parts): Parts => [a, b.neg()],
  real: ([a]: Parts): FormulaValue => a,
  imag: ([, b]: Parts): FormulaValue => b,
  abs: modulus,
  sign,
  square: (z) => product(z, z),
  reciprocal,
  sqrt,
  rsqrt: (z: Parts): Parts => reciprocal(sqrt(z)),
  exp,
  expm1,
  log,
  log1p,
  sin: (z: Parts): Parts => timesMinusI(sinh(timesI(z))),
  cos: (z: Parts): Parts => cosh(timesI(z)),
  tan: (z: Parts): Parts => timesMinusI(tanh(timesI(z))),
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  sigmoid: (z: Parts): Parts => reciprocal(shifted(exp(negated(z)), 1)),
  add: ([a, b]: Parts, [c, d]: Parts): Parts => [a.add(c), b.add(d)],
  sub: ([a, b]: Parts, [c, d]: Parts): Parts => [a.sub(c), b.sub(d)],
  mul: product,
  div: (z, w) => (z[0].isSingle ? singleQuotient : quotient)(z, w),
  pow,
  squaredDifference,
  equal: ([a, b]: Parts, [c, d]: Parts): FormulaValue => a.is("equal", c).and(b.is("equal", d)),
  notEqual: ([a, b]: Parts, [c, d]: Parts): FormulaValue => a.is("notEqual", c).or(b.is("notEqual", d)),
};
