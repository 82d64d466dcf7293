/** transform-calls: the kernels of nodes of transforms, which transform lines and rows in the linear memory. */
import type { CustomCall, CustomKernel } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { keyedLines, transformLines } from "../fft/run-lines.ts";
import { keyedRows, transformReal } from "../fft/run-real-rows.ts";
import type { AxisAttributes, LengthAttributes } from "./call-sizes.ts";
import { linesOf, partsOf } from "./call-sizes.ts";

/** Returns the kernel of transforms of complex lines along an axis. */
export function lineKernel(call: CustomCall<AxisAttributes>, isInverse: boolean): CustomKernel | null {
  const sizes = linesOf(call);
  if (sizes.length < 2 || sizes.outer * sizes.inner === 0) return null;
  const lines = keyedLines({ ...sizes, dtype: partsOf(call.dtype), isInverse });
  return (target, [from]) => {
    transformLines(lines, from!, target);
    return true;
  };
}

/** Returns the kernel of spectra of real rows, or of real rows of spectra. */
export function realKernel(
  { dtype, dimensions, inputs: [x], attributes: { length } }: CustomCall<LengthAttributes>,
  isForward: boolean,
): CustomKernel | null {
  const rows = product(isForward ? x!.dimensions : dimensions) / length;
  if (rows === 0) return null;
  const realRows = keyedRows({ dtype: partsOf(dtype), rows, length, isForward });
  return (target, [from]) => {
    transformReal(realRows, from!, target);
    return true;
  };
}
