// The comparison of an assignment by a kernel with the plain evaluator.
import { arraySlots } from "@onebuffer/base";
import { assignByReference } from "@onebuffer/eigen/internal";
import { tensorMap } from "@onebuffer/eigen";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { listDifference } from "../difference.ts";
import { complexDistance, elementsOf } from "../kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Computes an expression both ways. Returns the first difference, or null if there is none. Complex numbers may differ by `ulp`. */
export function difference(expr: Any, out: Any, allowed: (got: number, wanted: number) => boolean, ulp: number = 0): string | null {
  const wanted = tensorMap(expr.dtype, new out.array.constructor(expr.size * arraySlots(expr.dtype)), expr.dimensions) as Any;
  const { runs } = kernelCounts();
  assignByReference(wanted, expr);
  out.assign(expr);
  if (expr.size > 0 && kernelCounts().runs === runs) return "no kernel ran";
  const isNear = (value: Any, other: Any): boolean => {
    if (!Array.isArray(value)) return Object.is(value, other) || (typeof value === "number" && allowed(value, other));
    return complexDistance(value as never, other, expr.dtype) <= ulp;
  };
  return listDifference(elementsOf(out), elementsOf(wanted), isNear);
}
