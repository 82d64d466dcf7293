/**
 * complex-kernel: kernels of factorizations and solutions of complex64 and complex128. Each matrix of a batch is moved to planes of float64, is
 * computed there by real products, and is rounded once when it is stored.
 */
import type { CustomCall, CustomKernel } from "@onebuffer/expression/internal";
import type { Numbers, Part } from "../decompose/packed-matrices.ts";
import { numbersAt, storeParts } from "../decompose/packed-matrices.ts";
import type { Arithmetic } from "../dense/arithmetic.ts";
import { KernelArithmetic } from "../dense/kernel-arithmetic.ts";

/** Computes the parts of the result of matrix `m` of the batch, of the numbers of the operands. Memory that it takes is released afterwards. */
export type MatrixParts = (by: Arithmetic, m: number, operands: readonly Numbers[]) => readonly Part[];

/** Returns the kernel for batches of `count` matrices; null if the engine refuses the arithmetic. */
export function complexKernel<A extends object>(call: CustomCall<A>, count: number, partsOf: MatrixParts): CustomKernel | null {
  const by = KernelArithmetic.make();
  if (by === null) return null;
  return (target, operands) => {
    const read = operands.map((address, k) => numbersAt(call.inputs[k]!.dtype, address, call.inputs[k]!.dimensions));
    const write = numbersAt(call.dtype, target, call.dimensions);
    // A later matrix may be refused.
    const results = count > 1 ? write.slice() : write;
    let to = 0;
    for (let m = 0; m < count; m++) {
      const mark = by.mark();
      try {
        to = storeParts(by, partsOf(by, m, read), results, to, true);
      } finally {
        by.release(mark);
      }
    }
    if (results !== write) write.set(results);
    return true;
  };
}
