/**
 * elementwise-ops: precomputed facts about the unary and binary operations, for making their nodes fast.
 *
 * Making a node takes less time than three look-ups of a string in a map. The methods therefore pass these records, in which an accepted
 * dtype is one bit. A dtype that is not accepted, or has no kernels, takes the slow path through the op table, which throws the errors.
 */
import type { OpName, OpNameOf } from "../tree/op-table.ts";
import { opTable } from "../tree/op-table.ts";
import { codedDTypes, operationCode } from "../tree/node-code.ts";

/** The facts about one operation. */
export interface ElementwiseOp<N extends OpName> {
  readonly name: N;
  /** Its node code without the dtype's number: see tree/node-code.ts. */
  readonly code: number;
  /** Bit n is set if the dtype with number n is accepted. */
  readonly accepts: number;
  /** True if the result is bool; otherwise it has the operands' dtype. */
  readonly isBool: boolean;
}

function op<N extends OpName>(name: N): ElementwiseOp<N> {
  const { dtypes, result } = opTable[name];
  let accepts = 0;
  for (const dtype of dtypes) if (codedDTypes.includes(dtype)) accepts |= 1 << codedDTypes.indexOf(dtype);
  return { name, code: operationCode(name, false), accepts, isBool: result === "bool" };
}

/** The operations. This is an object literal because engines fold reads of its properties into compiled code. */
export const elementwiseOps: { readonly [N in Exclude<OpNameOf<"unary" | "binary">, "cast">]: ElementwiseOp<N> } = {
  neg: op("neg"),
  abs: op("abs"),
  sign: op("sign"),
  square: op("square"),
  reciprocal: op("reciprocal"),
  sqrt: op("sqrt"),
  rsqrt: op("rsqrt"),
  exp: op("exp"),
  exp2: op("exp2"),
  expm1: op("expm1"),
  log: op("log"),
  log2: op("log2"),
  log10: op("log10"),
  log1p: op("log1p"),
  sin: op("sin"),
  cos: op("cos"),
  tan: op("tan"),
  asin: op("asin"),
  acos: op("acos"),
  atan: op("atan"),
  sinh: op("sinh"),
  cosh: op("cosh"),
  tanh: op("tanh"),
  sigmoid: op("sigmoid"),
  erf: op("erf"),
  floor: op("floor"),
  ceil: op("ceil"),
  round: op("round"),
  isNan: op("isNan"),
  isInf: op("isInf"),
  isFinite: op("isFinite"),
  logicalNot: op("logicalNot"),
  invert: op("invert"),
  conj: op("conj"),
  real: op("real"),
  imag: op("imag"),

  add: op("add"),
  sub: op("sub"),
  mul: op("mul"),
  div: op("div"),
  floorDiv: op("floorDiv"),
  mod: op("mod"),
  truncateMod: op("truncateMod"),
  pow: op("pow"),
  atan2: op("atan2"),
  minimum: op("minimum"),
  maximum: op("maximum"),
  squaredDifference: op("squaredDifference"),
  equal: op("equal"),
  notEqual: op("notEqual"),
  less: op("less"),
  lessEqual: op("lessEqual"),
  greater: op("greater"),
  greaterEqual: op("greaterEqual"),
  logicalAnd: op("logicalAnd"),
  logicalOr: op("logicalOr"),
  logicalXor: op("logicalXor"),
  bitwiseAnd: op("bitwiseAnd"),
  bitwiseOr: op("bitwiseOr"),
  bitwiseXor: op("bitwiseXor"),
  leftShift: op("leftShift"),
  rightShift: op("rightShift"),
};
