/**
 * math-table: the math functions of one and two floats, by the names of the expression operations.
 *
 * Each takes vectors of f32x4 or f64x2 and returns one of the same kind. The file of each function documents its accuracy and its special
 * values.
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

/** The names of the functions of one float. */
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

/** The names of the functions of two floats. atan2 takes y before x. */
export type BinaryMathName = "pow" | "atan2";

/** The functions of one float by name. */
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

/** The functions of two floats by name. */
export const binaryMath: Readonly<Record<BinaryMathName, (x: Vector, y: Vector) => Vector>> = { pow, atan2 };
