/** cholesky-batch: the kernel of Cholesky factors of a batch. */
import type { CustomCall, CustomKernel } from "@onebuffer/expression/internal";
import { isComplexDType } from "@onebuffer/expression/internal";
import { takeScratch, withScratch } from "@onebuffer/kernels/internal";
import { loadMatrix } from "../decompose/packed-matrices.ts";
import { choleskyFactorizer } from "../kernels/cholesky-kernel.ts";
import { factorComplexCholesky } from "../kernels/complex-cholesky.ts";
import { complexKernel } from "../kernels/complex-kernel.ts";
import { denseKernels } from "../kernels/dense-kernels.ts";
import { elementsAt, kernelDType } from "../dense/lane-words.ts";
import { smallKernels } from "../kernels/small-kernels.ts";
import { distantRow } from "../kernels/triangle-kernel.ts";
import type { CholeskyAttributes } from "./cholesky-attributes.ts";
import { indefiniteError, lostElement } from "./cholesky-attributes.ts";
import { matrixSizes } from "./matrix-sizes.ts";

/** Returns the kernel for complex numbers. */
function complexFactors(call: CustomCall<CholeskyAttributes>): CustomKernel | null {
  const { count, rows: n } = matrixSizes(call.dimensions);
  return complexKernel(call, count, (by, m, [numbers]) => {
    const a = loadMatrix(by, { numbers: numbers!, first: 2 * m * n * n, rows: n, columns: n, isComplex: true }, false, 1);
    const bad = factorComplexCholesky(by, n, a);
    if (bad >= 0 && call.attributes.check) throw indefiniteError(call, m, bad);
    return [bad < 0 ? { matrix: a, rows: n, columns: n } : { values: Float64Array.from({ length: n * n }, (_, i) => lostElement(i, n)) }];
  });
}

/** Returns the kernel; null if the engine refuses it. The factors are made in scratch memory, so that an error leaves the target as it was. */
export function choleskyKernel(call: CustomCall<CholeskyAttributes>): CustomKernel | null {
  if (isComplexDType(call.dtype)) return complexFactors(call);
  const dtype = kernelDType(call.dtype);
  const kernels = dtype === null ? null : denseKernels(dtype);
  const { count, rows: n } = matrixSizes(call.dimensions);
  const factor = kernels === null ? null : choleskyFactorizer(dtype!, kernels, n);
  if (factor === null) return null;
  const { size } = kernels!.words;
  const [matrixBytes, rowBytes, madeRow] = [n * n * size, n * size, distantRow(n, size)];
  const small = smallKernels(dtype!, n, count);
  return (target, [from]) => {
    const made = takeScratch(count * n * madeRow);
    for (let m = 0; m < count; m++) {
      // Groups of small matrices at once; a group with one that has no factor, and what is no whole group, one by one.
      const groups = small === null || m % small.lanes !== 0 ? 0 : Math.floor((count - m) / small.lanes);
      if (groups > 0) m += small!.lanes * small!.cholesky(from! + m * matrixBytes, made + m * n * madeRow, groups);
      if (m >= count) break;
      const at = made + m * n * madeRow;
      kernels!["copy"]!(from! + m * matrixBytes, rowBytes, at, madeRow, n, rowBytes);
      const bad = withScratch(() => factor(at));
      if (bad >= 0 && call.attributes.check) throw indefiniteError(call, m, bad);
      if (bad < 0) continue;
      elementsAt(dtype!, at, (n * madeRow) / size).fill(NaN);
      kernels!["clear"]!(at, n, madeRow);
    }
    kernels!["copy"]!(made, madeRow, target, rowBytes, count * n, rowBytes);
    return true;
  };
}
