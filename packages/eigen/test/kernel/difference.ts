// What tests of kernels compare: an expression computed by kernels and by the evaluator, or two lists of elements.
import { assignByReference } from "@onebuffer/eigen/internal";
import { arenaMap, elementsOf } from "./kernel-subjects.ts";

/** The trees of these tests are built from tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Returns true if two elements are the same: NaN equals itself, zeros have signs, and complex numbers are pairs. */
export const isSameElement = (x: Any, y: Any): boolean =>
  Object.is(x, y) || (Array.isArray(x) && Object.is(x[0], y[0]) && Object.is(x[1], y[1]));

/**
 * Returns the first element at which two lists differ, in words, or null; also where their lengths differ. A matcher of Jest takes many times
 * as long for lists of thousands of numbers.
 */
export function listDifference(found: readonly Any[], wanted: readonly Any[], isSame: typeof isSameElement = isSameElement): string | null {
  if (found.length !== wanted.length) return `${found.length} elements, not ${wanted.length}`;
  const at = found.findIndex((value, k) => !isSame(value, wanted[k]));
  return at < 0 ? null : `element ${at} is ${found[at]}, not ${wanted[at]}`;
}

/** Computes an expression by kernels, into `out`, and by the evaluator. Returns the first element at which they differ, or null. */
export function difference(
  expr: Any,
  out: Any = arenaMap(expr.dtype, expr.dimensions),
  isSame: typeof isSameElement = isSameElement,
): string | null {
  const wanted = arenaMap(expr.dtype, expr.dimensions) as Any;
  assignByReference(wanted, expr);
  out.assign(expr);
  return listDifference(elementsOf(out), elementsOf(wanted), isSame);
}
