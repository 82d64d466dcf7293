/**
 * The elementwise operations on numbers: floats in float64 arithmetic, integers up to 32 bits exactly. The result is then rounded or
 * wrapped to the dtype (values.ts). For float32 this gives the correctly rounded result of + - * / and the square root, because a
 * float64 has more than twice as many significant bits. The other functions are as accurate as the float64 function, then rounded.
 *
 * Where TensorFlow and Math differ, TensorFlow's rule is used: ties round to even, 1^NaN is 1, the sign of -0 is 0, shift counts are
 * clamped to [0, bits - 1].
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError, dtypeSize } from "@onebuffer/base";
import { isFloat } from "../expression/tree/dtype-groups.ts";
import type { OpNameOf } from "../expression/tree/op-table.ts";
import { erf } from "./erf.ts";

/** An operation on one number. */
export type Unary = (x: number) => number;
/** An operation on two numbers. */
export type Binary = (x: number, y: number) => number;

/** Returns the nearest integer, ties to even; -0 stays -0. */
export function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const fraction = x - floor;
  if (fraction < 0.5 || (fraction === 0.5 && floor % 2 === 0)) return floor === 0 && x < 0 ? -0 : floor;
  const up = floor + 1;
  return up === 0 ? -0 : up;
}

/** Returns 1 / (1 + e^-x), or e^x / (1 + e^x) for negative x, where e^-x could overflow. */
function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const power = Math.exp(x);
  return power / (1 + power);
}

const floatUnary: Readonly<Partial<Record<OpNameOf<"unary">, Unary>>> = {
  neg: (x) => -x,
  abs: Math.abs,
  sign: (x) => Math.sign(x) + 0,
  square: (x) => x * x,
  reciprocal: (x) => 1 / x,
  sqrt: Math.sqrt,
  rsqrt: (x) => 1 / Math.sqrt(x),
  exp: Math.exp,
  exp2: (x) => 2 ** x,
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  sigmoid,
  erf,
  floor: Math.floor,
  ceil: Math.ceil,
  round: roundHalfEven,
  isNan: (x) => (x !== x ? 1 : 0),
  isInf: (x) => (x === Infinity || x === -Infinity ? 1 : 0),
  isFinite: (x) => (x - x === 0 ? 1 : 0),
};

const integerUnary: Readonly<Partial<Record<OpNameOf<"unary">, Unary>>> = {
  neg: (x) => 0 - x,
  abs: Math.abs,
  sign: Math.sign,
  square: (x) => Math.imul(x, x),
  round: (x) => x,
  invert: (x) => ~x,
};

/** Returns the unary operation for a dtype, before rounding or wrapping; undefined if there is none. */
export function numberUnary(op: OpNameOf<"unary">, dtype: DType): Unary | undefined {
  if (dtype === "bool") return op === "logicalNot" ? (x) => 1 - x : undefined;
  return isFloat(dtype) ? floatUnary[op] : integerUnary[op];
}

const comparisons: Readonly<Partial<Record<OpNameOf<"binary">, Binary>>> = {
  equal: (x, y) => (x === y ? 1 : 0),
  notEqual: (x, y) => (x === y ? 0 : 1),
  less: (x, y) => (x < y ? 1 : 0),
  lessEqual: (x, y) => (x <= y ? 1 : 0),
  greater: (x, y) => (x > y ? 1 : 0),
  greaterEqual: (x, y) => (x >= y ? 1 : 0),
  minimum: Math.min,
  maximum: Math.max,
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
};

const floatBinary: Readonly<Partial<Record<OpNameOf<"binary">, Binary>>> = {
  ...comparisons,
  mul: (x, y) => x * y,
  div: (x, y) => x / y,
  mod: (x, y) => {
    const remainder = x % y;
    return remainder !== 0 && remainder < 0 !== y < 0 ? remainder + y : remainder;
  },
  truncateMod: (x, y) => x % y,
  pow: (x, y) => (x === 1 || (x === -1 && (y === Infinity || y === -Infinity)) ? 1 : x ** y),
  atan2: Math.atan2,
};

const integerBinary: Readonly<Partial<Record<OpNameOf<"binary">, Binary>>> = {
  ...comparisons,
  mul: Math.imul,
  div: (x, y) => Math.trunc(x / divisor(y)),
  floorDiv: (x, y) => Math.floor(x / divisor(y)),
  mod: (x, y) => {
    const remainder = x % divisor(y);
    return remainder !== 0 && remainder < 0 !== y < 0 ? remainder + y : remainder;
  },
  truncateMod: (x, y) => x % divisor(y),
  squaredDifference: (x, y) => Math.imul(x - y, x - y),
  bitwiseAnd: (x, y) => x & y,
  bitwiseOr: (x, y) => x | y,
  bitwiseXor: (x, y) => x ^ y,
};

const boolBinary: Readonly<Partial<Record<OpNameOf<"binary">, Binary>>> = {
  equal: (x, y) => (x === y ? 1 : 0),
  notEqual: (x, y) => (x === y ? 0 : 1),
  logicalAnd: (x, y) => x & y,
  logicalOr: (x, y) => x | y,
  logicalXor: (x, y) => x ^ y,
};

/** Returns the binary operation for a dtype, before rounding or wrapping; undefined if there is none. `round` rounds to the dtype. */
export function numberBinary(op: OpNameOf<"binary">, dtype: DType, round: Unary): Binary | undefined {
  if (dtype === "bool") return boolBinary[op];
  if (isFloat(dtype)) return floatFunction(op, round);
  const maxShift = dtypeSize(dtype) * 8 - 1;
  const clamped = (y: number): number => (y < 0 ? 0 : y > maxShift ? maxShift : y);
  if (op === "leftShift") return (x, y) => x << clamped(y);
  if (op === "rightShift") return dtype === "uint32" ? (x, y) => x >>> clamped(y) : (x, y) => x >> clamped(y);
  if (op === "pow") return (x, y) => round(integerPower(x, y));
  return integerBinary[op];
}

/** Returns the float operation. floorDiv and squaredDifference round their intermediate result, as TensorFlow's functors do. */
function floatFunction(op: OpNameOf<"binary">, round: Unary): Binary | undefined {
  if (op === "floorDiv") return (x, y) => Math.floor(round(x / y));
  if (op === "squaredDifference") {
    return (x, y) => {
      const difference = round(x - y);
      return difference * difference;
    };
  }
  return floatBinary[op];
}

/** Returns `y`. Throws INVALID_ARGUMENT if it is 0, as TensorFlow does. */
function divisor(y: number): number {
  if (y === 0) throw new InvalidArgumentError("Integer division by zero");
  return y;
}

/** Returns x^y modulo 2^32, by squaring. Throws INVALID_ARGUMENT if y is negative, even for x = 1 and -1, as TensorFlow does. */
function integerPower(x: number, y: number): number {
  if (y < 0) throw new InvalidArgumentError(`Integers to negative integer powers are not allowed: ${x} to the power of ${y}`);
  let power = 1;
  let square = x;
  for (let rest = y; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = Math.imul(power, square);
    square = Math.imul(square, square);
  }
  return power;
}
