/**
 * custom-kernel: the kernel of a node that carries its record. What it refuses is refused for good: the evaluator computes such a node as a
 * whole, too, and would find the same element after as much work.
 */
import { customCallOf, recordOf } from "@onebuffer/expression/internal";
import type { CustomKernel } from "@onebuffer/expression/internal";
import { isStatusError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";

/** The errors of kernels about elements. */
const refusals = new WeakSet<object>();

/** Returns true if an error is a kernel's refusal of elements. */
export const isRefusal = (error: unknown): boolean => refusals.has(error as object);

/** Returns the kernel; null if the operation has none. */
export function customKernel(tree: ExpressionTree): CustomKernel | null {
  const kernel = recordOf(tree).kernel(customCallOf(tree));
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
