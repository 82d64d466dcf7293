/**
 * complex-formulas: the operations on complex numbers as formulas over their parts. They are those of the evaluator
 * (evaluator/complex-functions.ts), where the reasons for their forms are; here both sides of a condition are computed.
 */
import { kHuge, kTiny } from "../../evaluator/complex-functions.ts";
import type { OpName } from "../../expression/tree/op-table.ts";
import type { PartValue } from "./part-value.ts";

/** A real and an imaginary part. */
export type Parts = readonly [re: PartValue, im: PartValue];
type Formula = (z: Parts, w: Parts) => Parts | PartValue;

const negated = ([a, b]: Parts): Parts => [a.neg(), b.neg()];
const shifted = ([a, b]: Parts, by: number): Parts => [a.add(by), b];
const timesI = ([a, b]: Parts): Parts => [b.neg(), a];
const timesMinusI = ([a, b]: Parts): Parts => [b, a.neg()];
const isZero = ([a, b]: Parts): PartValue => a.is("equal", 0).and(b.is("equal", 0));
const product = ([a, b]: Parts, [c, d]: Parts): Parts => [a.mul(c).sub(b.mul(d)), a.mul(d).add(b.mul(c))];

/** Returns a / b; 0 if b is 0, which a then is, too. */
const ratio = (a: PartValue, b: PartValue): PartValue => b.is("notEqual", 0).select(a.div(b), 0);

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
  const [x, y] = [c, d].map((part) => part.to("minimum", kHuge).to("maximum", -kHuge)) as [PartValue, PartValue];
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
function modulus(z: Parts): PartValue {
  const [a, b] = z;
  const scaled = (): PartValue => {
    const [large, small] = ordered(z);
    const by = ratio(small, large);
    return large.mul(by.mul(by).add(1).to("sqrt"));
  };
  const size = a.isSingle ? a.mul(a).add(b.mul(b)).to("sqrt") : scaled();
  const isInfinite = a.abs().is("equal", Infinity).or(b.abs().is("equal", Infinity));
  return isInfinite.select(a.number(Infinity), size);
}

function exp([a, b]: Parts): Parts {
  const size = a.to("exp");
  return b.is("equal", 0).pick([size, b], [size.mul(b.to("cos")), size.mul(b.to("sin"))]);
}

function expm1([a, b]: Parts): Parts {
  const half = b.mul(0.5).to("sin");
  const real = a.to("expm1").mul(b.to("cos")).sub(half.mul(2).mul(half));
  return [real, b.is("equal", 0).select(b, a.to("exp").mul(b.to("sin")))];
}

function log(z: Parts): Parts {
  const size = modulus(z);
  const [more, less] = ordered(z);
  const near = more.sub(1).mul(more.add(1)).add(less.mul(less)).to("log1p").mul(0.5);
  const isNear = size.is("greater", 0.5).and(size.is("less", 2));
  return [isNear.select(near, size.to("log")), z[1].to("atan2", z[0])];
}

function log1p([a, b]: Parts): Parts {
  const isSmall = a.abs().is("less", 0.5).and(b.abs().is("less", 0.5));
  const small = a.mul(a.add(2)).add(b.mul(b)).to("log1p").mul(0.5);
  const next = shifted([a, b], 1);
  return [isSmall.select(small, modulus(next).to("log")), b.to("atan2", next[0])];
}

/** A number that is not negative, with the sign of another one; NaN counts as positive. 1 / -0 is -Infinity. */
function withSign(size: PartValue, like: PartValue): PartValue {
  const side = like.is("equal", 0).select(like.number(1).div(like), like);
  return side.is("less", 0).select(size.neg(), size);
}

function sqrt(z: Parts): Parts {
  const [a, b] = z;
  const size = modulus(z).add(a.abs()).mul(0.5).to("sqrt");
  const other = b.abs().div(size.mul(2));
  const [real, imaginary] = a.is("greaterEqual", 0).pick([size, other], [other, size]);
  return isZero(z).pick([a.number(0), b], [real, withSign(imaginary, b)]);
}

const sinh = ([a, b]: Parts): Parts => [a.to("sinh").mul(b.to("cos")), a.to("cosh").mul(b.to("sin"))];
const cosh = ([a, b]: Parts): Parts => [a.to("cosh").mul(b.to("cos")), a.to("sinh").mul(b.to("sin"))];

/** Kahan's form; for |a| > 22 the limit. */
function tanh([a, b]: Parts): Parts {
  const [t, s] = [b.to("tan"), a.to("sinh")];
  const sec2 = t.mul(t).add(1);
  const below = sec2.mul(s).mul(s).add(1);
  const near: Parts = [sec2.mul(s.mul(s).add(1).to("sqrt")).mul(s).div(below), t.div(below)];
  const size = a.abs();
  const far: Parts = [a.to("sign"), b.to("sin").mul(4).mul(b.to("cos")).mul(size.mul(-2).to("exp"))];
  return size.is("greater", 22).pick(far, near);
}

/** asinh of a real number. Beyond 2^28 it is log(2|x|): the square would overflow. */
function asinh(x: PartValue): PartValue {
  const size = x.abs();
  const square = size.mul(size);
  const near = size.add(square.div(square.add(1).to("sqrt").add(1))).to("log1p");
  return withSign(size.is("greater", 2 ** 28).select(size.to("log").add(Math.LN2), near), x);
}

function asin(z: Parts): Parts {
  const [[p, q], [r, s]] = [sqrt(shifted(negated(z), 1)), sqrt(shifted(z, 1))];
  return [z[0].to("atan2", p.mul(r).sub(q.mul(s))), asinh(p.mul(s).sub(q.mul(r)))];
}

function acos(z: Parts): Parts {
  const [[p, q], [r, s]] = [sqrt(shifted(negated(z), 1)), sqrt(shifted(z, 1))];
  return [p.to("atan2", r).mul(2), asinh(r.mul(q).sub(s.mul(p)))];
}

function atan(z: Parts): Parts {
  const [[a, b], [c, d]] = [log1p(timesI(z)), log1p(timesMinusI(z))];
  return [b.sub(d).mul(0.5), c.sub(a).mul(0.5)];
}

/** e^(w log z); 1 if w is 0, otherwise 0 if z is 0. */
function pow(z: Parts, w: Parts): Parts {
  const [zero, one] = [z[0].number(0), z[0].number(1)];
  return isZero(w).pick([one, zero], isZero(z).pick([zero, zero], exp(product(w, log(z)))));
}

function sign(z: Parts): Parts {
  const size = modulus(z);
  const zero = size.number(0);
  return size.is("equal", 0).pick([zero, zero], [z[0].div(size), z[1].div(size)]);
}

function squaredDifference([a, b]: Parts, [c, d]: Parts): Parts {
  const [x, y] = [a.sub(c), b.sub(d)];
  return [x.mul(x).add(y.mul(y)), a.number(0)];
}

/** The formulas: from the parts of one operand or two to parts, or to one value if the result is not complex. */
export const complexFormulas: Readonly<Partial<Record<OpName, Formula>>> = {
  neg: negated,
  conj: ([a, b]: Parts): Parts => [a, b.neg()],
  real: ([a]: Parts): PartValue => a,
  imag: ([, b]: Parts): PartValue => b,
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
  equal: ([a, b]: Parts, [c, d]: Parts): PartValue => a.is("equal", c).and(b.is("equal", d)),
  notEqual: ([a, b]: Parts, [c, d]: Parts): PartValue => a.is("notEqual", c).or(b.is("notEqual", d)),
};
