/**
 * Integer arithmetic by our rules: it wraps around, division by 0 is an error, shift counts are clamped, powers take every exponent.
 *
 * Signed products are written as unsigned ones. XLA takes x * x of a signed integer for not negative, although it wraps around, and then
 * drops a lower bound of 0; it does the same for abs, which is written as a choice.
 */
import type { Builder, Value } from "../text/builder.ts";
import type { ElementType } from "../text/tensor-type.ts";
import { bitsOf, isUnsignedType, typeText } from "../text/tensor-type.ts";
import type { Site } from "./lowering.ts";

/** Returns the unsigned element type of the width of an integer type. */
export function unsignedOf(element: ElementType): ElementType {
  return isUnsignedType(element) ? element : (`u${element}` as ElementType);
}

/** x * y, wrapped around. */
export function integerProduct(b: Builder, x: Value, y: Value): Value {
  const wide = unsignedOf(x.type.element);
  return b.bitcast(b.multiply(b.bitcast(x, wide), b.bitcast(y, wide)), x.type.element);
}

/** |x|; the lowest integer stays. */
export function integerAbs(b: Builder, x: Value): Value {
  return isUnsignedType(x.type.element) ? x : b.select(b.compare("LT", x, b.like(x, 0)), integerNegative(b, x), x);
}

/** -x, wrapped around. */
export function integerNegative(b: Builder, x: Value): Value {
  return b.subtract(b.like(x, 0), x);
}

/** -1, 0 or 1. */
export function integerSign(b: Builder, x: Value): Value {
  const isPositive = b.convert(b.compare("GT", x, b.like(x, 0)), x.type.element);
  if (isUnsignedType(x.type.element)) return isPositive;
  return b.subtract(isPositive, b.convert(b.compare("LT", x, b.like(x, 0)), x.type.element));
}

/** Returns `y` with 1 in place of 0, and reports the zeros. The quotient is then x and the remainder 0. */
function divisor({ b, report }: Site, y: Value): Value {
  if (y.splat !== undefined && y.splat !== 0 && y.splat !== 0n) return y;
  const isZero = b.compare("EQ", y, b.like(y, 0));
  report("divisionByZero", isZero);
  return b.select(isZero, b.like(y, 1), y);
}

/** The quotient, truncated towards 0. */
export function truncatedQuotient(site: Site, x: Value, y: Value): Value {
  return site.b.divide(x, divisor(site, y));
}

/** The remainder of the truncated quotient, with x's sign. */
export function truncatedRemainder(site: Site, x: Value, y: Value): Value {
  return site.b.same("stablehlo.remainder", x, divisor(site, y));
}

/** Returns where a remainder that is not 0 and the divisor have different signs. */
function isMixed(b: Builder, remainder: Value, y: Value): Value {
  const zero = b.like(y, 0);
  const signs = b.xor(b.compare("LT", remainder, zero), b.compare("LT", y, zero));
  return b.and(b.compare("NE", remainder, zero), signs);
}

/** The quotient, rounded towards -Infinity. */
export function floorQuotient(site: Site, x: Value, y: Value): Value {
  const { b } = site;
  const quotient = truncatedQuotient(site, x, y);
  if (isUnsignedType(x.type.element)) return quotient;
  const below = b.subtract(quotient, b.like(quotient, 1));
  return b.select(isMixed(b, truncatedRemainder(site, x, y), y), below, quotient);
}

/** The remainder of the floor quotient, with y's sign. */
export function floorRemainder(site: Site, x: Value, y: Value): Value {
  const { b } = site;
  const remainder = truncatedRemainder(site, x, y);
  return isUnsignedType(x.type.element) ? remainder : b.select(isMixed(b, remainder, y), b.add(remainder, y), remainder);
}

/** Returns a shift by a count that is clamped to [0, bits - 1]. */
export function shifted(b: Builder, x: Value, y: Value, isLeft: boolean): Value {
  const { element } = x.type;
  const isSigned = !isUnsignedType(element);
  const low = isSigned ? b.maximum(y, b.like(y, 0)) : y;
  const count = b.minimum(low, b.like(y, bitsOf(element) - 1));
  return b.same(
    isLeft ? "stablehlo.shift_left" : isSigned ? "stablehlo.shift_right_arithmetic" : "stablehlo.shift_right_logical",
    x,
    count,
  );
}

/** x^y by repeated squaring, wrapped around; a loop of as many steps as the largest exponent has bits. Negative exponents are reported. */
export function integerPower({ b, report }: Site, x: Value, y: Value): Value {
  const signed = !isUnsignedType(x.type.element);
  const isNegative = signed ? b.compare("LT", y, b.like(y, 0)) : null;
  if (isNegative !== null) report("negativePower", isNegative);
  const wide = unsignedOf(x.type.element);
  const base = b.bitcast(x, wide);
  const exponent = b.bitcast(isNegative === null ? y : b.select(isNegative, b.like(y, 0), y), wide);
  const type = base.type;
  const isLeft = b.region([type, type, type], (inner, [, , left]) => {
    const some = inner.compare("NE", left as Value, inner.like(left as Value, 0));
    const start = inner.constant("i1", [], false);
    const axes = type.dims.map((_, d) => d);
    return axes.length === 0 ? [some] : inner.reduce([some], [start], axes, (last, [p, q]) => [last.or(p as Value, q as Value)]);
  });
  const step = b.region([type, type, type], (inner, [power, square, left]) => {
    const one = inner.like(base, 1);
    const isOdd = inner.compare("NE", inner.and(left as Value, one), inner.like(base, 0));
    const next = inner.select(isOdd, inner.multiply(power as Value, square as Value), power as Value);
    return [next, inner.multiply(square as Value, square as Value), inner.same("stablehlo.shift_right_logical", left as Value, one)];
  });
  const regions = `${isLeft.slice(0, -1)}, ${step.slice(1)}`;
  const types = [type, type, type];
  const operands = [b.like(base, 1), base, exponent];
  const list = types.map(typeText).join(", ");
  const text = `"stablehlo.while"(${operands.map(({ name }) => name).join(", ")}) ${regions} : (${list}) -> (${list})`;
  return b.bitcast(b.defineAll("power", text, types)[0] as Value, x.type.element);
}
