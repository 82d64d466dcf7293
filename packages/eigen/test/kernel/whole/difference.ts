// The comparison of an assignment by kernels or plain loops with the plain evaluator, within a tolerance.
import { difference as differenceBy, isSameElement } from "../difference.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Computes an expression both ways. Returns the first difference, or null if there is none. Reals may differ by a part of what is wanted. */
export function difference(expr: Any, out: Any, tolerance: number): string | null {
  const isNear = (x: Any, y: Any): boolean => tolerance > 0 && typeof x === "number" && Math.abs(x - y) <= tolerance * Math.abs(y);
  return differenceBy(expr, out, (x, y) => isSameElement(x, y) || isNear(x, y));
}
