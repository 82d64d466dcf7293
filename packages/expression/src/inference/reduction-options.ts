/**
 * The options of reductions and scans as methods take them, and the sums that methods refuse: those of 8 and 16-bit integers, which wrap
 * around after a few elements. `wraps: true` asks for TensorFlow's bits. Operations that are composed of sums make them by `reduceFields`,
 * which refuses none.
 */
import { InvalidArgumentError, dtypeSize } from "@onebuffer/base";
import { checkOptions, warnOldForm } from "@onebuffer/base/internal";
import { combinations, meanOps } from "../generated/op-facts.ts";
import type { PlaceReduction } from "../generated/op-facts.ts";
import { checkFlag } from "./axes.ts";
import { shownOperand } from "./broadcast-dims.ts";
import { checkDType } from "./elementwise-inference.ts";
import { argFields, reducedFields, scanFields } from "./reduction-inference.ts";
import type { ReduceName, ScanFlags } from "./reduction-inference.ts";
import { isInteger } from "../tree/dtype-groups.ts";
import type { ExpressionFields, StoredTree } from "../tree/op-attributes.ts";
import type { OpNameOf } from "../tree/op-table.ts";

/** The options of a reduction, or `keepDims` itself, the old form. */
export type ReduceFlags = boolean | { readonly keepDims?: boolean; readonly wraps?: boolean } | undefined;

/** The options of a reduction to places, or the output type itself, the old form. */
export type PlaceFlags = string | { readonly outputType?: string } | undefined;

/** The options of a scan. */
export type ScanCallFlags = (ScanFlags & { readonly wraps?: boolean }) | undefined;

/** Returns true for the sums and products whose results leave the range of small integers. */
function canWrap(op: ReduceName | OpNameOf<"scan">): boolean {
  const combines = combinations[op];
  return (combines === "add" || combines === "mul") && !meanOps.has(op);
}

/** Throws INVALID_ARGUMENT for a sum or a product of 8 or 16-bit integers, unless the caller asks for results that wrap. */
function checkWraps(op: ReduceName | OpNameOf<"scan">, a: StoredTree, wraps: unknown): void {
  if (wraps !== undefined && checkFlag(op, "wraps", wraps)) return;
  if (!isInteger(a.dtype) || dtypeSize(a.dtype) > 2 || !canWrap(op)) return;
  throw new InvalidArgumentError(
    `${op}(${shownOperand(a)}): ${a.dtype} is too small for the results, which wrap around: .cast("int32").${op}(…) is exact to 32 bits, the option { wraps: true } gives TensorFlow's bits`,
  );
}

/** The options by which composed operations keep the dimensions that they reduce. */
export const kKept: ReduceFlags = Object.freeze({ keepDims: true });
const kKeepDims: readonly string[] = ["keepDims"];
const kSumOptions: readonly string[] = ["keepDims", "wraps"];

/** Returns `keepDims` of the options of a method. Throws INVALID_ARGUMENT for other options. */
export function keepDimsOf(op: string, options: ReduceFlags, known: readonly string[] = kKeepDims): boolean {
  if (options === undefined) return false;
  if (options === kKept) return true;
  if (typeof options === "boolean") {
    warnOldForm(`${op}(axes, ${String(options)})`, `${op}(axes, { keepDims: ${String(options)} })`);
    return options;
  }
  checkOptions(op, options, known);
  return checkFlag(op, "keepDims", options.keepDims ?? false);
}

/** Returns the fields of a reduction that a program calls. Throws INVALID_ARGUMENT as `reduceFields` does, and for sums that may wrap. */
export function reduceCall(op: ReduceName, a: StoredTree, axes: unknown, options: ReduceFlags): ExpressionFields {
  checkDType(op, a);
  const keepDims = keepDimsOf(op, options, canWrap(op) ? kSumOptions : kKeepDims);
  checkWraps(op, a, typeof options === "object" ? options.wraps : undefined);
  return reducedFields(op, a, axes, keepDims);
}

/** Returns the fields of a scan that a program calls. Throws INVALID_ARGUMENT as `scanFields` does, and for sums that may wrap. */
export function scanCall(op: OpNameOf<"scan">, a: StoredTree, axis: unknown, options: ScanCallFlags = {}): ExpressionFields {
  checkOptions(op, options, canWrap(op) ? ["exclusive", "reverse", "wraps"] : ["exclusive", "reverse"]);
  checkDType(op, a);
  checkWraps(op, a, options.wraps);
  return scanFields(op, a, axis, options);
}

/** Returns the fields of a reduction to places that a program calls; the options may be the output type itself, the old form. */
export function argCall(op: PlaceReduction, a: StoredTree, axis: unknown, options: PlaceFlags = {}): ExpressionFields {
  if (typeof options === "string") {
    warnOldForm(`${op}(axis, "${options}")`, `${op}(axis, { outputType: "${options}" })`);
    return argFields(op, a, axis, options);
  }
  checkOptions(op, options, ["outputType"]);
  return argFields(op, a, axis, options.outputType ?? "int64");
}
