// The comparison of an assignment by kernels or plain loops with the plain evaluator.
import { assignByReference } from "@onebuffer/eigen/internal";
import { arenaMap, elementsOf } from "../kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Computes an expression both ways. Returns the first difference, or null if there is none. */
export function difference(expr: Any, out: Any, tolerance: number): string | null {
  const wanted = arenaMap(expr.dtype, expr.dimensions) as Any;
  assignByReference(wanted, expr);
  out.assign(expr);
  const [a, b] = [elementsOf(out), elementsOf(wanted)];
  const near = (x: unknown, y: unknown): boolean =>
    Object.is(x, y) ||
    (Array.isArray(x) && Object.is(x[0], (y as number[])[0]) && Object.is(x[1], (y as number[])[1])) ||
    (tolerance > 0 && typeof x === "number" && Math.abs(x - (y as number)) <= tolerance * Math.abs(y as number));
  const at = a.findIndex((value, k) => !near(value, b[k]));
  return at < 0 ? null : `element ${at} is ${a[at]}, not ${b[at]}`;
}
