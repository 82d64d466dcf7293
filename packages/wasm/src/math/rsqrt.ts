/**
 * rsqrt: 1 / sqrt x (tf.math.rsqrt; Eigen's prsqrt).
 *
 * A correctly rounded square root and division together have an error of up to 1.5 ulp. For f32, one step of Newton's method in f64
 * follows.
 */
import type { Vector } from "../vector/vector.ts";
import { constantLike } from "./float-format.ts";

/** Returns 1 / sqrt x. f32 <= 1 ulp, f64 <= 2 ulp; +-infinity at +-0, 0 at infinity, NaN for negative numbers. */
export function rsqrt(x: Vector): Vector {
  const y = constantLike(x, 1).div(x.sqrt());
  if (x.kind === "f64x2") return y;
  const refine = (wide: Vector, guess: Vector): Vector => {
    const error = constantLike(wide, 1).sub(guess.mul(guess).mul(wide));
    return guess.madd(error.mul(0.5), guess);
  };
  const refined = refine(x.lowToF64(), y.lowToF64()).demote(refine(x.highToF64(), y.highToF64()));
  // If y is 0 or infinite, the step gives NaN.
  return refined.eq(refined).select(refined, y);
}
