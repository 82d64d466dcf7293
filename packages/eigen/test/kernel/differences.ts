// What tests of kernels compare: an expression computed by kernels and by the evaluator, or two lists of elements.
import { assignByReference } from "@onebuffer/eigen/internal";
import { arenaMap, elementsOf } from "./kernel-subjects.ts";

/** The trees of these tests are built from tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/**
 * Returns the first element at which two lists of equal length differ, or null. NaN equals itself, zeros have signs. Comparing numbers one by
 * one takes a tenth of the time of comparing lists.
 */
export function listDifference(found: readonly unknown[], wanted: readonly unknown[]): string | null {
  if (found.length !== wanted.length) return `${found.length} elements, not ${wanted.length}`;
  const at = found.findIndex((value, k) => !Object.is(value, wanted[k]));
  return at < 0 ? null : `element ${at} is ${found[at]}, not ${wanted[at]}`;
}

/** Computes an expression of reals by kernels, into `out`, and by the evaluator. Returns the first element at which they differ, or null. */
export function difference(expr: Any, out: Any = arenaMap(expr.dtype, expr.dimensions)): string | null {
  const wanted = arenaMap(expr.dtype, expr.dimensions) as Any;
  assignByReference(wanted, expr);
  out.assign(expr);
  return listDifference(elementsOf(out), elementsOf(wanted));
}
