/**
 * lane-remainders: remainders of floats, exactly (C's fmod, Python's %; Eigen calls the scalar functions).
 *
 *     rest = x - trunc(x / y) * y
 *
 * in float64, where the product is known exactly: of float32 because it has few enough bits, of float64 because it is taken
 * in two parts. The rounded quotient may be one too large; then the rest has the other sign and is mended. Quotients of too
 * many bits are left to the evaluator: their lanes are suspect.
 */
import { narrowFloats, widenFloats } from "./lane-numbers.ts";
import type { Lanes } from "./lanes.ts";
import { zipLanes } from "./lanes.ts";
import type { Vector } from "./vector.ts";

/** Quotients below this have products with a float32 that a float64 holds. */
const kSingleQuotient = 2 ** 29;
/** The same for both parts of a float64. */
const kDoubleQuotient = 2 ** 26;
/** The bits of a float64 without the lower 27 of its fraction. */
const kUpperBits = -(1n << 27n);
const kSign = -(2n ** 63n);

/** The remainder with the sign of x (`truncateMod`) or that of y (`mod`); `suspect` gets the mask of what it is not right for. */
export function floatRemainders(suspect: (mask: Lanes) => void, op: "mod" | "truncateMod", x: Lanes, y: Lanes): Lanes {
  const isSingle = x.vectors[0]!.kind === "f32x4";
  const [a, b] = isSingle ? [widenFloats(x), widenFloats(y)] : [x, y];
  suspect(zipLanes([a, b], (p, q) => tooLarge(p, q, isSingle ? kSingleQuotient : kDoubleQuotient)));
  const rests = zipLanes([a, b], (p, q) => {
    const rest = truncated(p, q, isSingle);
    return op === "mod" ? floored(rest, q) : rest;
  });
  return isSingle ? narrowFloats(rests) : rests;
}

/** Whether a quotient has too many bits. What divides by zero, or infinity, is NaN and no question. */
function tooLarge(x: Vector, y: Vector, limit: number): Vector {
  return x.div(y).abs().ge(limit).and(y.ne(0)).and(x.abs().lt(Infinity));
}

/** x - trunc(x / y) * y with the sign of x, zeros too; x itself where y is infinite. */
function truncated(x: Vector, y: Vector, isSingle: boolean): Vector {
  const quotient = x.div(y).trunc();
  const rest = isSingle ? x.sub(quotient.mul(y)) : restOfDoubles(x, y, quotient);
  const sign = x.as("i64x2").and(kSign);
  const signed = y.abs().or(sign);
  // A rest on the other side of zero is one divisor short.
  const mended = oppositeSigns(rest, x).select(rest.add(signed), rest);
  const own = mended.abs().or(sign);
  return y.abs().eq(Infinity).and(x.abs().lt(Infinity)).select(x, own);
}

/** Whether signs differ and the rest is not zero. */
function oppositeSigns(rest: Vector, x: Vector): Vector {
  return rest.xor(x).as("i64x2").lt(0n).and(rest.ne(0));
}

/** The rest, the product taken in two parts: what rounding takes from it is subtracted, too. */
function restOfDoubles(x: Vector, y: Vector, quotient: Vector): Vector {
  const upper = y.and(kUpperBits);
  const lower = y.sub(upper);
  const product = quotient.mul(y);
  const lost = quotient.mul(upper).sub(product).add(quotient.mul(lower));
  return x.sub(product).sub(lost);
}

/** The remainder that has the divisor's sign. */
function floored(rest: Vector, y: Vector): Vector {
  return oppositeSigns(rest, y).select(rest.add(y), rest);
}
