/** lu-batch: the kernel of LU factorizations of a batch. */
import type { CustomCall, CustomKernel } from "@onebuffer/expression/internal";
import { isComplexDType } from "@onebuffer/expression/internal";
import { takeScratch, withScratch } from "@onebuffer/kernels/internal";
import type { Part } from "../decompose/packed-matrices.ts";
import { loadMatrix } from "../decompose/packed-matrices.ts";
import { complexKernel } from "../kernels/complex-kernel.ts";
import { factorComplexLu } from "../kernels/complex-lu.ts";
import { denseKernels } from "../kernels/dense-kernels.ts";
import { elementsAt, kernelDType } from "../dense/lane-words.ts";
import { luFactorizer, orderOf } from "../kernels/lu-kernel.ts";
import { smallKernels } from "../kernels/small-kernels.ts";
import type { LuAttributes } from "./lu-attributes.ts";
import { singularError } from "./lu-attributes.ts";
import { matrixSizes } from "./matrix-sizes.ts";

/** Returns the kernel for complex numbers. */
function complexFactors(call: CustomCall<LuAttributes>): CustomKernel | null {
  const { singular } = call.attributes;
  const { count, rows: n } = matrixSizes(call.inputs[0]!.dimensions);
  return complexKernel(call, count, (by, m, [numbers]) => {
    const a = loadMatrix(by, { numbers: numbers!, first: 2 * m * n * n, rows: n, columns: n, isComplex: true }, false, 1);
    const { order, sign, bad } = factorComplexLu(by, n, a, singular === "keep");
    if (bad >= 0 && singular === "error") throw singularError(call, m, bad, by.memory[a.at + bad * (a.ld + 1)]!);
    const isLost = bad >= 0 && singular === "nan";
    const factors: Part = isLost ? { values: new Float64Array(n * n).fill(NaN) } : { matrix: a, rows: n, columns: n };
    return [factors, { values: Float64Array.of(...order, sign) }];
  });
}

/** Returns the kernel; null if the engine refuses it. */
export function luKernel(call: CustomCall<LuAttributes>): CustomKernel | null {
  if (isComplexDType(call.dtype)) return complexFactors(call);
  const { inputs, attributes } = call;
  const dtype = kernelDType(call.dtype);
  const kernels = dtype === null ? null : denseKernels(dtype);
  const { count, rows: n } = matrixSizes(inputs[0]!.dimensions);
  const factor = kernels === null ? null : luFactorizer(dtype!, kernels, n);
  if (factor === null) return null;
  const { size } = kernels!.words;
  const [matrixBytes, cells] = [n * n * size, n * n + n + 1];
  const keep = attributes.singular === "keep";
  const small = smallKernels(dtype!, n, count);
  return (target, [from]) => {
    for (let m = 0; m < count; m++) {
      // Groups of small matrices at once; a group with a singular one, and what is no whole group, one by one.
      const groups = small === null || m % small.lanes !== 0 ? 0 : Math.floor((count - m) / small.lanes);
      if (groups > 0) m += small!.lanes * small!.lu(from! + m * matrixBytes, target + m * cells * size, groups);
      if (m >= count) break;
      const at = target + m * cells * size;
      withScratch(() => {
        const pivots = takeScratch(4 * n);
        if (n > 0) kernels!["copy"]!(from! + m * matrixBytes, 0, at, 0, 1, matrixBytes);
        const bad = n === 0 ? -1 : factor(at, pivots, keep);
        const packed = elementsAt(dtype!, at, cells);
        if (bad >= 0 && attributes.singular === "error") throw singularError(call, m, bad, packed[bad * n + bad]!);
        if (bad >= 0 && attributes.singular === "nan") packed.fill(NaN, 0, n * n);
        const { order, sign } = orderOf(pivots, bad >= 0 && !keep ? 0 : n);
        for (let i = 0; i < n; i++) packed[n * n + i] = order[i] ?? i;
        packed[n * n + n] = sign;
      });
    }
    return true;
  };
}
