/**
 * lane-remainders: exact remainders of floats (C's fmod, Python's %; Eigen calls the scalar functions).
 *
 *     remainder = x - trunc(x / y) * y
 *
 * This is computed in float64, where the product is known exactly: for float32 because it has few enough bits, for float64
 * because it is computed in two parts. The rounded quotient may be one too large; then the remainder has the opposite sign and is
 * corrected. If the quotient has too many bits, or its product could be infinite, a function is called for the lanes of that
 * vector (remainder-function.ts).
 */
import type { Callable, Vector } from "@onebuffer/wasm/internal";
import { sizeFrom } from "@onebuffer/wasm/internal";
import { narrowFloats, widenFloats, zipLanes } from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";

/** The exponent of 2 below which the product of a quotient with a float32 fits a float64 exactly. */
const kSingleQuotient = 29;
/** The exponent of 2 below which the products of a quotient with both parts of a float64 are exact. */
const kDoubleQuotient = 26;
/** The exponent of 2 from which on the product of a quotient that is one too large may be infinite. */
const kLargeDouble = 1023;
/** A mask for the bits of a float64 without the lower 27 bits of its fraction. */
const kUpperBits = -(1n << 27n);
const kSign = -(2n ** 63n);

/** Returns the remainder with the sign of x, or of y if it is that of a floored quotient. `remainder` is the function for any two doubles. */
export function floatRemainders(remainder: Callable, isFloored: boolean, x: Lanes, y: Lanes): Lanes {
  const isSingle = x.vectors[0]!.kind === "f32x4";
  const [a, b] = isSingle ? [widenFloats(x), widenFloats(y)] : [x, y];
  const results = zipLanes([a, b], (p, q) => {
    const truncatedResult = remainderOf(remainder, p, q, isSingle);
    return isFloored ? floored(truncatedResult, q) : truncatedResult;
  });
  return isSingle ? narrowFloats(results) : results;
}

/** Returns the remainder of doubles, or of float32 widened to doubles. Calls the function where the product is not known exactly. */
function remainderOf(remainder: Callable, x: Vector, y: Vector, isSingle: boolean): Vector {
  const { source } = x;
  const ordinary = truncated(x, y, isSingle);
  const quotient = x.div(y);
  // float32 has twice as many vectors in a group. Keeping them in registers until a guard is tested takes longer than a branch for each.
  if (!isSingle) {
    const rare = [sizeFrom(quotient, kDoubleQuotient), sizeFrom(x, kLargeDouble)];
    if (rare.map(({ value, limit }) => source.guard(value, limit)).every(Boolean)) return ordinary;
  }
  const isLong = quotient.abs().ge(2 ** (isSingle ? kSingleQuotient : kDoubleQuotient));
  const isRare = isSingle ? isLong : isLong.or(x.abs().ge(2 ** kLargeDouble));
  return source.when(isRare, ordinary, () => {
    // Division by zero and infinite dividends give NaN, and a dividend smaller than y is its own remainder: `ordinary` has those results.
    const isExact = quotient.abs().ge(1).and(y.ne(0)).and(x.abs().lt(Infinity));
    return isRare.and(isExact).select(source.calls(remainder, x, y), ordinary);
  });
}

/** Returns x - trunc(x / y) * y with the sign of x, also for zeros. Returns x itself if y is infinite. */
function truncated(x: Vector, y: Vector, isSingle: boolean): Vector {
  const quotient = x.div(y).trunc();
  const difference = isSingle ? x.sub(quotient.mul(y)) : remainderOfDoubles(x, y, quotient);
  const sign = x.as("i64x2").and(kSign);
  const signed = y.abs().or(sign);
  // A remainder with the opposite sign is corrected by adding one divisor.
  const corrected = oppositeSigns(difference, x).select(difference.add(signed), difference);
  const own = corrected.abs().or(sign);
  return y.abs().eq(Infinity).and(x.abs().lt(Infinity)).select(x, own);
}

/** Returns a mask of the lanes in which the signs differ and the remainder is not zero. */
function oppositeSigns(remainder: Vector, x: Vector): Vector {
  return remainder.xor(x).as("i64x2").lt(0n).and(remainder.ne(0));
}

/** Returns the remainder of doubles. The product is computed in two parts, so that its rounding error is subtracted, too. */
function remainderOfDoubles(x: Vector, y: Vector, quotient: Vector): Vector {
  const upper = y.and(kUpperBits);
  const lower = y.sub(upper);
  const product = quotient.mul(y);
  const lost = quotient.mul(upper).sub(product).add(quotient.mul(lower));
  return x.sub(product).sub(lost);
}

/** Returns the remainder with the divisor's sign. */
function floored(remainder: Vector, y: Vector): Vector {
  return oppositeSigns(remainder, y).select(remainder.add(y), remainder);
}
