/**
 * The table of lowerings: which operations of the op table have a form in StableHLO, and which function writes it. An operation without an
 * entry is UNIMPLEMENTED, so an operation that is added to the op table needs nothing here until it has one.
 */
import type { DType } from "@onebuffer/base";
import type { OpName } from "@onebuffer/eigen";
import { opNames, opTable } from "@onebuffer/eigen";
import { extremes, formulas, isConstant, isMap, placeOps } from "@onebuffer/expression/internal";
import type { OpNameOf } from "@onebuffer/expression/internal";
import { cast } from "./casts.ts";
import { customCall } from "./custom-calls.ts";
import * as elementwise from "./elementwise.ts";
import { iota, linspace } from "./generators.ts";
import { gather, scatter } from "./indexing.ts";
import type { Lowering } from "./lowering.ts";
import * as movements from "./movements.ts";
import { argsort, nthElements, sort } from "./orderings.ts";
import { matMul } from "./products.ts";
import { randomNormal, randomUniform, randomUniformInt } from "./random-numbers.ts";
import * as reductions from "./reductions.ts";

const { comparison, formulaOfTwo, same, shift, unary } = elementwise;

/** The functions of one operand that are in the tables of floats, integers or complex numbers. */
const functions = (opNames("unary") as OpNameOf<"unary">[]).filter((op) =>
  opTable[op].dtypes.some((dtype) => elementwise.hasForm(op, dtype)),
);

/** The lowerings by operation; maps and constants are written by the module. */
export const loweringTable: Readonly<Partial<Record<OpName, Lowering>>> = {
  ...Object.fromEntries(functions.map((op) => [op, unary(op)])),
  ...Object.fromEntries(opNames("binary").flatMap((op) => (formulas[op] === undefined ? [] : [[op, formulaOfTwo(op)]]))),
  conj: elementwise.conjugate,
  real: elementwise.realPart,
  imag: elementwise.imaginaryPart,
  isNan: elementwise.isNan,
  isInf: elementwise.isInf,
  isFinite: elementwise.isFinite,
  logicalNot: elementwise.logicalNot,
  cast,
  add: elementwise.addition,
  sub: elementwise.subtraction,
  mul: elementwise.multiplication,
  div: elementwise.division,
  floorDiv: elementwise.floorDivision,
  mod: elementwise.modulo,
  truncateMod: elementwise.truncatedModulo,
  pow: elementwise.exponentiation,
  atan2: elementwise.arcTangent,
  minimum: same("minimum"),
  maximum: same("maximum"),
  squaredDifference: elementwise.squaredDifference,
  equal: comparison("EQ"),
  notEqual: comparison("NE"),
  less: comparison("LT"),
  lessEqual: comparison("LE"),
  greater: comparison("GT"),
  greaterEqual: comparison("GE"),
  logicalAnd: same("and"),
  logicalOr: same("or"),
  logicalXor: same("xor"),
  bitwiseAnd: same("and"),
  bitwiseOr: same("or"),
  bitwiseXor: same("xor"),
  leftShift: shift(true),
  rightShift: shift(false),
  select: elementwise.selection,
  reshape: movements.reshape,
  shuffle: movements.shuffle,
  slice: movements.slice,
  chip: movements.chip,
  reverse: movements.reverse,
  broadcast: movements.broadcast,
  extractPatches: movements.extractPatches,
  concatenate: movements.concatenate,
  gather,
  scatter,
  ...Object.fromEntries(opNames("reduction").map((op) => [op, placeOps.has(op) ? reductions.extremePlace : reductions.reduction])),
  ...Object.fromEntries(opNames("scan").map((op) => [op, extremes[op] === undefined ? reductions.scan : reductions.extremeScan])),
  scaledCumsum: reductions.scaledCumsum,
  markedCumsum: reductions.markedCumsum,
  matMul,
  sort,
  argsort,
  nthElements,
  iota,
  linspace,
  randomUniform,
  randomNormal,
  randomUniformInt,
  customCall,
};

const asFunctions: ReadonlySet<OpName> = new Set(functions);

/** Returns true if an operation of the op table has a form in StableHLO for a dtype that it accepts. */
export function isSupported(op: OpName, dtype: DType): boolean {
  if (isMap({ op }) || isConstant({ op })) return true;
  if (asFunctions.has(op)) return elementwise.hasForm(op as OpNameOf<"unary">, dtype);
  return loweringTable[op] !== undefined;
}

/** Returns what has no form in StableHLO: a line per operation with the dtypes, `erf: float32 float64`. */
export function unsupportedOperations(): string[] {
  return opNames().flatMap((op) => {
    const missing = opTable[op].dtypes.filter((dtype) => !isSupported(op, dtype));
    return missing.length === 0 ? [] : [`${op}: ${missing.join(" ")}`];
  });
}
