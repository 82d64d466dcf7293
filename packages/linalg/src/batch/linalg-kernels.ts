/** linalg-kernels: what nodes need of the kernels, as one object, so that a page can load the kernels after it has begun (later-kernels.ts). */
import type { CustomCall, CustomKernel } from "@onebuffer/expression/internal";
import type { Arithmetic } from "../dense/arithmetic.ts";
import { KernelArithmetic } from "../dense/kernel-arithmetic.ts";
import type { ScratchSource } from "../dense/kernel-arithmetic.ts";
import type { Triangle } from "../reference/triangle-reference.ts";
import type { CholeskyAttributes } from "./cholesky-attributes.ts";
import { choleskyKernel } from "./cholesky-batch.ts";
import type { LuAttributes, LuSolveAttributes } from "./lu-attributes.ts";
import { luKernel } from "./lu-batch.ts";
import { luSolveKernel } from "./lu-solve-batch.ts";
import { triangularKernel } from "./triangular-batch.ts";

/** The kernels. Each function returns null if the engine refuses what it needs. */
export interface LinalgKernels {
  /** Returns the arithmetic of decompositions over the linear memory, with scratch memory from a source, or from the stack of what runs at once. */
  arithmetic(scratch?: ScratchSource): Arithmetic | null;
  cholesky(call: CustomCall<CholeskyAttributes>): CustomKernel | null;
  lu(call: CustomCall<LuAttributes>): CustomKernel | null;
  luSolve(call: CustomCall<LuSolveAttributes>): CustomKernel | null;
  triangularSolve(call: CustomCall<Triangle>): CustomKernel | null;
}

/** The kernels of this copy of the package. */
export const linalgKernels: LinalgKernels = {
  arithmetic: (scratch) => KernelArithmetic.make(scratch),
  cholesky: choleskyKernel,
  lu: luKernel,
  luSolve: luSolveKernel,
  triangularSolve: triangularKernel,
};
