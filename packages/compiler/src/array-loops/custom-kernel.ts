/**
 * custom-kernel: the kernel of a node that carries its record. What it refuses is refused for good: the evaluator computes such a node as a
 * whole, too, and would find the same element after as much work.
 */
import { customCallOf, recordOf } from "@onebuffer/expression/internal";
import type { CustomCall, CustomKernel, CustomRecord } from "@onebuffer/expression/internal";
import { isStatusError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { sharedExtremesKernel } from "@onebuffer/kernels/internal";

/** The kernels for the records of the package of expressions. */
const namedKernels: Readonly<Record<NonNullable<CustomRecord["named"]>, (call: CustomCall) => CustomKernel | null>> = {
  sharedExtremes: sharedExtremesKernel,
};

/** The errors of kernels about elements. */
const refusals = new WeakSet<object>();

/** Returns true if an error is a kernel's refusal of elements. */
export const isRefusal = (error: unknown): boolean => refusals.has(error as object);

/** Returns the kernel; null if the operation has none. */
export function customKernel(tree: ExpressionTree): CustomKernel | null {
  const { named } = recordOf(tree);
  const kernel = named === undefined ? recordOf(tree).kernel(customCallOf(tree)) : namedKernels[named](customCallOf(tree));
  if (kernel === null) return null;
  return (target, operands) => {
    try {
      return kernel(target, operands);
    } catch (error) {
      if (isStatusError(error, "INVALID_ARGUMENT")) refusals.add(error);
      throw error;
    }
  };
}
