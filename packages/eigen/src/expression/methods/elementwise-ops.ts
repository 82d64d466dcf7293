/**
 * elementwise-ops: what making a node of a unary or binary operation needs to know of it, worked out once (the op table has it in
 * words).
 *
 * Making a node takes less time than looking a string up in three maps. So the methods hand these records on, and a dtype that is
 * accepted is one bit. What is not accepted here, or has no kernels, is looked up in the op table, which has the errors.
 */
import type { OpName, OpNameOf } from "../tree/op-table.ts";
import { opTable } from "../tree/op-table.ts";
import { codedDTypes, operationCode } from "../tree/node-code.ts";

/** One operation. */
export interface ElementwiseOp<N extends OpName> {
  readonly name: N;
  /** Its code but for the dtype. */
  readonly code: number;
  /** A bit for each accepted dtype, by number. */
  readonly accepts: number;
  /** Whether truth values come out, and not the operands' dtype. */
  readonly isBool: boolean;
}

function op<N extends OpName>(name: N): ElementwiseOp<N> {
  const { dtypes, result } = opTable[name];
  let accepts = 0;
  for (const dtype of dtypes) if (codedDTypes.includes(dtype)) accepts |= 1 << codedDTypes.indexOf(dtype);
  return { name, code: operationCode(name, false), accepts, isBool: result === "bool" };
}

/** The operations. An object literal: an engine folds what it reads from one into its code. */
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
