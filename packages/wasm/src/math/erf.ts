/**
 * erf: the error function (tf.math.erf; Eigen's perf).
 *
 *     |x| <= 1.15         x + x E(x^2)
 *     |x| >  1.15, f32    1 - 1 / G(|x|)^8,  G = erfc^(-1/8)
 *     |x| >  1.15, f64    1 - e^(-x^2) G(t),  t = (|x| - 2) / (|x| + 2),  G = erfc e^(x^2)
 *
 * Relative errors of erfc count in erf with the factor erfc / erf, about a ninth here, so f32 can use three squarings instead of an
 * exponential.
 */
import type { Vector } from "../vector/vector.ts";
import { expInRange } from "./exp.ts";
import type { ByFormat } from "./float-format.ts";
import { constantLike, horner, pick, signOf } from "./float-format.ts";

/** Coefficients of erf x / x - 1 in x^2. */
const kNear: ByFormat<readonly number[]> = {
  f32x4: [-0.000008444105, 0.00010806502, -0.000841626, 0.0052160737, -0.026863575, 0.11283749, -0.37612635, 0.12837917],
  f64x2: [
    -3.654058378826589e-12, 8.291806882507878e-11, -1.2030444495154911e-9, 1.4767187262149507e-8, -1.636157208974571e-7,
    1.646179218393515e-6, -1.4925633180797712e-5, 0.00012055332342069376, -0.0008548327007255529, 0.005223977625176304,
    -0.026866170645105086, 0.11283791670954992, -0.3761263890318375, 0.1283791670955126,
  ],
};

/** Coefficients for f32 of erfc(x)^(-1/8) in x, for f64 of erfc(x) e^(x^2) in t. */
const kFar: ByFormat<readonly number[]> = {
  f32x4: [0.00065995415, -0.0054501737, 0.025345733, -0.05479304, 0.11054375, 0.01264763, 0.17931044, 0.9918458],
  f64x2: [
    1.2035911590895128e-6, 3.653391650352102e-6, 1.370379589922853e-6, -1.3954843491567853e-5, -2.757768692312281e-5, 2.752478215943664e-5,
    0.00017436110654134968, 4.35556289017931e-5, -0.0009819770276674497, -0.0008471432517245572, 0.006997461739273302,
    0.0037328924043420076, -0.07897858101573307, 0.24165819424246637, -0.4271858474139584, 0.25539567631050575,
  ],
};

/** The |x| at which the second formula takes over from the first. */
const kMeeting = 1.15;

/** The x from which erf of f64 is 1. f32 needs no such end, because its polynomial keeps growing. */
const kEnd = 6;

/** Returns erfc x for x >= kMeeting. */
function erfcFar(x: Vector): Vector {
  if (x.kind === "f64x2") {
    const a = x.pmin(kEnd);
    return expInRange(a.mul(a).neg()).mul(horner(a.sub(2).div(a.add(2)), kFar.f64x2));
  }
  const root = horner(x, kFar.f32x4);
  const square = root.mul(root);
  const fourth = square.mul(square);
  return constantLike(x, 1).div(fourth.mul(fourth));
}

/** Returns erf x. f32 <= 2 ulp, f64 <= 2 ulp; erf(-0) is -0, +-1 at the infinities. */
export function erf(x: Vector): Vector {
  const a = x.abs();
  const near = horner(a.mul(a), pick(x, kNear)).madd(a, a);
  const far = constantLike(x, 1).sub(erfcFar(a));
  // NaN is not greater than kMeeting, so the polynomial is selected, which gives NaN.
  return a.gt(kMeeting).select(far, near).or(signOf(x));
}
