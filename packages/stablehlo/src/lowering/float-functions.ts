/**
 * The elementwise functions of floats, f32 or f64, within the bounds of docs/xla.md.
 *
 * XLA rewrites pairs of float operations as if numbers were exact: a / b / c becomes a / (b * c), exp(a) * exp(b) becomes exp(a + b),
 * log(exp(a)) becomes a. Where an operand was made by an operation of such a pair, it is held (Builder.held), so that each is computed by
 * itself. Where chlo's functions lose digits they are composed here: sinh, cosh, log1p, asin and acos.
 */
import type { OpNameOf } from "@onebuffer/expression/internal";
import type { Builder, Value } from "../text/builder.ts";

/** Writes a function of one float. */
export type FloatUnary = (b: Builder, x: Value) => Value;

const hlo =
  (op: string): FloatUnary =>
  (b, x) =>
    b.same(`stablehlo.${op}`, x);

/** Operations that XLA takes together with the operation that reads their result. */
const powers: ReadonlySet<string> = new Set(["exponential", "sqrt", "power", "divide"]);
const scales: ReadonlySet<string> = new Set(["multiply", "divide"]);
const shifts: ReadonlySet<string> = new Set(["add", "subtract"]);

/** Returns true if a value was made by one of some operations. */
const isOf = (x: Value, origins: ReadonlySet<string>): boolean => x.origin !== undefined && origins.has(x.origin);

/** Returns `x`, held if it was made by one of some operations. */
const heldIf = (b: Builder, x: Value, origins: ReadonlySet<string>): Value => (isOf(x, origins) ? b.held(x) : x);

/** x / y, rounded once. XLA multiplies by the reciprocal of a divisor that it knows to be broadcast, so such a divisor is hidden. */
export function quotient(b: Builder, x: Value, y: Value, isBroadcast: boolean): Value {
  return b.divide(heldIf(b, x, scales), isBroadcast ? b.opaque(y) : heldIf(b, y, powers));
}

/** x + y. XLA drops an addend of 0, which changes the sign of -0, and adds constants to each other first. */
export function sum(b: Builder, x: Value, y: Value): Value {
  if (y.splat === 0 && !Object.is(y.splat, -0)) return b.select(b.compare("EQ", x, y), y, x);
  if (x.splat === 0 && !Object.is(x.splat, -0)) return b.select(b.compare("EQ", y, x), x, y);
  return b.add(beside(b, x, y, shifts), beside(b, y, x, shifts));
}

/** x * y. */
export function productOf(b: Builder, x: Value, y: Value): Value {
  const isPair = isOf(x, powers) && isOf(y, powers);
  return b.multiply(isPair ? b.held(x) : beside(b, x, y, scales), beside(b, y, x, scales));
}

/** x - y. */
export function difference(b: Builder, x: Value, y: Value): Value {
  return b.subtract(beside(b, x, y, shifts), beside(b, y, x, shifts));
}

/** Returns `x`, held if it has a constant or broadcast operand's company and was made by an operation of the same kind. */
function beside(b: Builder, x: Value, other: Value, origins: ReadonlySet<string>): Value {
  return other.isSpread === true ? heldIf(b, x, origins) : x;
}

const exp: FloatUnary = (b, x) => b.same("stablehlo.exponential", heldIf(b, x, new Set(["log"])));
const log: FloatUnary = (b, x) => b.same("stablehlo.log", heldIf(b, x, powers));
const sqrt: FloatUnary = (b, x) => b.same("stablehlo.sqrt", heldIf(b, x, new Set([...powers, "multiply"])));
const expm1: FloatUnary = hlo("exponential_minus_one");

/** log(1 + x) = log(u) x / (u - 1) with u = 1 + x rounded (Kahan). XLA's own loses seven bits for float64. */
function log1p(b: Builder, x: Value): Value {
  const u = sum(b, x, b.like(x, 1));
  const off = difference(b, u, b.like(x, 1));
  const isWhole = b.or(b.compare("EQ", off, b.like(x, 0)), b.compare("EQ", u, b.like(x, Infinity)));
  const scaled = productOf(b, log(b, u), quotient(b, x, off, false));
  return b.select(isWhole, x, scaled);
}

/** Arguments from which e^x may overflow although sinh and cosh do not; there e^(x/2) is squared. */
const kLarge = { f32: 80, f64: 700 } as const;

/** Returns the halves of e^|x| as two factors: e^(|x|/2) / 2 and e^(|x|/2), each finite. */
function halfOfPower(b: Builder, size: Value): Value {
  const root = exp(b, b.multiply(size, b.like(size, 0.5)));
  return productOf(b, b.multiply(root, b.like(root, 0.5)), root);
}

function isLarge(b: Builder, size: Value): Value {
  return b.compare("GT", size, b.like(size, size.type.element === "f64" ? kLarge.f64 : kLarge.f32));
}

/** (e + e / (e + 1)) / 2 with e = e^|x| - 1, which does not cancel near 0. */
function sinh(b: Builder, x: Value): Value {
  const size = b.same("stablehlo.abs", x);
  const e = expm1(b, size);
  const ratio = quotient(b, e, sum(b, e, b.like(e, 1)), false);
  const near = b.multiply(sum(b, e, ratio), b.like(e, 0.5));
  const value = b.select(isLarge(b, size), halfOfPower(b, size), near);
  return b.select(b.compare("LT", x, b.like(x, 0)), b.negate(value), b.select(b.compare("EQ", x, b.like(x, 0)), x, value));
}

/** (e^|x| + e^-|x|) / 2. */
function cosh(b: Builder, x: Value): Value {
  const size = b.same("stablehlo.abs", x);
  const near = b.multiply(sum(b, exp(b, size), exp(b, b.negate(size))), b.like(x, 0.5));
  return b.select(isLarge(b, size), halfOfPower(b, size), near);
}

/** Returns sqrt((1 - x) (1 + x)); NaN outside [-1, 1]. */
function oppositeLeg(b: Builder, x: Value): Value {
  const one = b.like(x, 1);
  return sqrt(b, productOf(b, difference(b, one, x), sum(b, one, x)));
}

/** The angle of the point (x, y). */
export function angle(b: Builder, y: Value, x: Value): Value {
  return b.same("stablehlo.atan2", y, x);
}

/** 1 / (1 + e^-x). */
function sigmoid(b: Builder, x: Value): Value {
  return quotient(b, b.like(x, 1), sum(b, exp(b, b.negate(x)), b.like(x, 1)), false);
}

/** The logarithm to another base, exact at that base's integer powers: their logarithm is rounded to an integer and raised again. */
function logTo(base: number): FloatUnary {
  return (b, x) => {
    const near = quotient(b, log(b, x), b.like(x, Math.log(base)), true);
    const whole = b.same("stablehlo.round_nearest_even", near);
    const isPower = b.compare("EQ", b.same("stablehlo.power", b.like(x, base), whole), x);
    return b.select(isPower, whole, near);
  };
}

/** x^y: C's pow. */
export function power(b: Builder, x: Value, y: Value): Value {
  return b.same("stablehlo.power", heldIf(b, x, powers), y);
}

/** C's fmod with the sign of y. */
export function floorModulo(b: Builder, x: Value, y: Value): Value {
  const remainder = b.same("stablehlo.remainder", x, y);
  const zero = b.like(x, 0);
  const signs = b.xor(b.compare("LT", remainder, zero), b.compare("LT", y, zero));
  return b.select(b.and(b.compare("NE", remainder, zero), signs), sum(b, remainder, y), remainder);
}

/** The functions of one float whose result is a float. */
export const floatFunctions: Readonly<Partial<Record<OpNameOf<"unary">, FloatUnary>>> = {
  neg: hlo("negate"),
  abs: hlo("abs"),
  // The sign of -0 is 0, StableHLO's is -0.
  sign: (b, x) => b.select(b.compare("EQ", x, b.like(x, 0)), b.like(x, 0), b.same("stablehlo.sign", x)),
  square: (b, x) => productOf(b, x, x),
  reciprocal: (b, x) => quotient(b, b.like(x, 1), x, false),
  sqrt,
  rsqrt: (b, x) => quotient(b, b.like(x, 1), sqrt(b, x), false),
  exp,
  exp2: (b, x) => power(b, b.like(x, 2), x),
  expm1,
  log,
  log2: logTo(2),
  log10: logTo(10),
  log1p,
  sin: hlo("sine"),
  cos: hlo("cosine"),
  tan: hlo("tan"),
  asin: (b, x) => angle(b, x, oppositeLeg(b, x)),
  acos: (b, x) => angle(b, oppositeLeg(b, x), x),
  atan: (b, x) => angle(b, x, b.like(x, 1)),
  sinh,
  cosh,
  tanh: hlo("tanh"),
  sigmoid,
  erf: (b, x) => b.chlo("erf", x),
  floor: hlo("floor"),
  ceil: hlo("ceil"),
  round: hlo("round_nearest_even"),
};
