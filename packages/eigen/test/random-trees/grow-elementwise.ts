// Adds elementwise operations to a random tree.
import type { RawDType } from "@onebuffer/base";
import type { OpName } from "@onebuffer/eigen";
import { opNames, opTable } from "@onebuffer/eigen";
import { records } from "../operation-records.ts";
import { partner } from "./grow-partner.ts";
import type { Growth } from "./growth.ts";
import { accepts, isFloatDType, isIntegerDType } from "./growth.ts";

const unaryNames = opNames("unary").filter((op) => op !== "cast");
const binaryNames = opNames("binary");

/** The percentage of integer divisions whose divisor may be 0, and of integer powers whose exponent may be negative. */
const kUnguarded = 4;

/** Adds a unary operation; null if it could not. */
export function growUnary(g: Growth): number | null {
  const x = g.pick((i) => unaryNames.some((op) => accepts(op, g.dtype(i))));
  if (x === null) return null;
  // Few nodes are complex, so what only those have comes often.
  const names = g.dtype(x).startsWith("complex") && g.dice.below(2) === 0 ? (["conj", "real", "imag", "abs"] as const) : unaryNames;
  return g.apply(g.dice.pick(names.filter((op) => accepts(op, g.dtype(x)))), [x]);
}

const computing = opTable.cast.dtypes.filter((dtype) => opTable.minimum.dtypes.includes(dtype)) as RawDType[];

/** Adds a cast or a saturating cast; null if it could not. */
export function growCast(g: Growth): number | null {
  const x = g.pick((i) => accepts("cast", g.dtype(i)));
  if (x === null) return null;
  const all = opTable.cast.dtypes as readonly RawDType[];
  const target = g.dice.below(8) > 0 ? g.dice.pick([...computing, "float32", "float64", "bool"] as const) : g.dice.pick(all);
  const clips = ![g.dtype(x), target].some((dtype) => dtype === "bool" || dtype.startsWith("complex"));
  return g.apply(clips && g.dice.below(3) === 0 ? "saturateCast" : "cast", [x], [target]);
}

/** Returns a small constant of a dtype. It is not 0 for integers. */
function scalar(g: Growth, dtype: RawDType): unknown {
  if (dtype === "bool") return g.dice.below(2) === 1;
  const value = 1 + g.dice.below(7);
  if (dtype === "int64" || dtype === "uint64") return BigInt(value);
  if (!isFloatDType(dtype)) return value;
  return g.dice.pick([0, -0, value, value / 4, -value / 3, 1 / 3, 1e-3, 1e4]);
}

/** Makes an integer divisor non-zero and an integer exponent 0 to 7, except in kUnguarded percent of all calls. */
function guarded(g: Growth, op: OpName, y: number): number | null {
  const dtype = g.dtype(y);
  if (!isIntegerDType(dtype) || !records[op]?.raises || g.dice.below(100) < kUnguarded) return y;
  const value = (n: number): unknown => (dtype.endsWith("64") ? BigInt(n) : n);
  return records[op]?.domain === "exponent" ? g.apply("bitwiseAnd", [y], [value(7)]) : g.apply("bitwiseOr", [y], [value(1)]);
}

/** Adds a binary operation; null if it could not. */
export function growBinary(g: Growth): number | null {
  const x = g.pick((i) => binaryNames.some((op) => accepts(op, g.dtype(i))));
  if (x === null) return null;
  const dtype = g.dtype(x);
  const op = g.dice.pick(binaryNames.filter((name) => accepts(name, dtype)));
  if (g.dice.below(6) === 0 && !dtype.startsWith("complex")) return g.apply(op, [x], [scalar(g, dtype)]);
  const y = partner(g, dtype, g.dims(x));
  const swapped = g.dice.below(3) === 0;
  const second = guarded(g, op, swapped ? x : y);
  return second === null ? null : g.apply(op, [swapped ? y : x, second]);
}

/** Adds a select; null if it could not. */
export function growSelect(g: Growth): number | null {
  const x = g.pick() as number;
  const dtype = g.dtype(x);
  const dims = g.dims(x);
  const known = g.pick((i) => g.dtype(i) === "bool" && g.goTogether(g.dims(i), dims));
  const compared: OpName = g.dice.pick(["less", "greaterEqual", "equal"]);
  const makes = known === null && accepts(compared, dtype) && g.dice.below(2) === 0;
  const condition = known ?? (makes ? g.apply(compared, [x, partner(g, dtype, dims)]) : g.leaf("bool", dims));
  if (condition === null) return null;
  const y = partner(g, dtype, dims);
  const fits = g.goTogether(g.dims(condition), g.dims(y)) && g.goTogether(g.dims(condition), dims);
  if (!fits) return null;
  return g.apply("select", g.dice.below(2) === 0 ? [condition, x, y] : [condition, y, x]);
}
