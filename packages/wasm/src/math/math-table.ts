/**
 * math-table: the functions of one and two floats by the names that expressions call them.
 *
 * Each takes vectors of f32x4 or f64x2 and answers one of the same kind; it is written for both in its own file, where its
 * accuracy and its special values stand.
 */
import type { Vector } from "../vector/vector.ts";
import { erf } from "./erf.ts";
import { exp, exp2, expm1 } from "./exp.ts";
import { cosh, sigmoid, sinh, tanh } from "./hyperbolic.ts";
import { acos, asin, atan, atan2 } from "./inverse-trigonometric.ts";
import { log, log1p, log2, log10 } from "./log.ts";
import { pow } from "./pow.ts";
import { rsqrt } from "./rsqrt.ts";
import { cos, sin, tan } from "./trigonometric.ts";

/** Functions of one float. */
export type UnaryMathName =
  | "exp"
  | "exp2"
  | "expm1"
  | "log"
  | "log2"
  | "log10"
  | "log1p"
  | "sin"
  | "cos"
  | "tan"
  | "asin"
  | "acos"
  | "atan"
  | "sinh"
  | "cosh"
  | "tanh"
  | "sigmoid"
  | "erf"
  | "rsqrt";

/** Functions of two floats; atan2 takes y before x. */
export type BinaryMathName = "pow" | "atan2";

/** By name: the code that a function is. */
export const unaryMath: Readonly<Record<UnaryMathName, (x: Vector) => Vector>> = {
  exp: (x) => exp(x),
  exp2,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  sigmoid,
  erf,
  rsqrt,
};

/** By name: the code that a function of two is. */
export const binaryMath: Readonly<Record<BinaryMathName, (x: Vector, y: Vector) => Vector>> = { pow, atan2 };
