/**
 * lane-remainders: remainders of floats, exactly (C's fmod, Python's %; Eigen calls the scalar functions).
 *
 *     rest = x - trunc(x / y) * y
 *
 * in float64, where the product is known exactly: of float32 because it has few enough bits, of float64 because it is taken
 * in two parts. The rounded quotient may be one too large; then the rest has the other sign and is mended. Where the quotient
 * has too many bits, or its product could be infinite, a function is called for the lanes of that vector (remainder-function).
 */
import type { Callable, Vector } from "@onebuffer/wasm/internal";
import { narrowFloats, widenFloats } from "./lane-numbers.ts";
import type { Lanes } from "../plan/lanes.ts";
import { zipLanes } from "../plan/lanes.ts";
import { sizeFrom } from "@onebuffer/wasm/internal";

/** Quotients below this power of two have products with a float32 that a float64 holds. */
const kSingleQuotient = 29;
/** The same for both parts of a float64. */
const kDoubleQuotient = 26;
/** From this power of two on the product of a quotient that is one too large may be infinite. */
const kLargeDouble = 1023;
/** The bits of a float64 without the lower 27 of its fraction. */
const kUpperBits = -(1n << 27n);
const kSign = -(2n ** 63n);

/** The remainder with the sign of x (`truncateMod`) or that of y (`mod`). `remainder` is the function for any two doubles. */
export function floatRemainders(remainder: Callable, op: "mod" | "truncateMod", x: Lanes, y: Lanes): Lanes {
  const isSingle = x.vectors[0]!.kind === "f32x4";
  const [a, b] = isSingle ? [widenFloats(x), widenFloats(y)] : [x, y];
  const rests = zipLanes([a, b], (p, q) => {
    const rest = remainderOf(remainder, p, q, isSingle);
    return op === "mod" ? floored(rest, q) : rest;
  });
  return isSingle ? narrowFloats(rests) : rests;
}

/** The remainder of doubles, or of float32 made doubles: by the function where the product is not known exactly. */
function remainderOf(remainder: Callable, x: Vector, y: Vector, isSingle: boolean): Vector {
  const { source } = x;
  const ordinary = truncated(x, y, isSingle);
  const quotient = x.div(y);
  // Of float32 a group is twice as many vectors: keeping them until a guard has been tested takes longer than a branch for each.
  if (!isSingle) {
    const rare = [sizeFrom(quotient, kDoubleQuotient), sizeFrom(x, kLargeDouble)];
    if (rare.map(({ value, limit }) => source.guard(value, limit)).every(Boolean)) return ordinary;
  }
  const isLong = quotient.abs().ge(2 ** (isSingle ? kSingleQuotient : kDoubleQuotient));
  const isRare = isSingle ? isLong : isLong.or(x.abs().ge(2 ** kLargeDouble));
  return source.when(isRare, ordinary, () => {
    // Division by zero and infinite dividends give NaN, and a dividend smaller than y is its own remainder: `ordinary` has those.
    const isExact = quotient.abs().ge(1).and(y.ne(0)).and(x.abs().lt(Infinity));
    return isRare.and(isExact).select(source.calls(remainder, x, y), ordinary);
  });
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
