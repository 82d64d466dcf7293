/** complex-record: the records of transforms of complex numbers along an axis: TensorFlow's FFT and IFFT, along any axis. */
import type { Complex } from "@onebuffer/base";
import { kernelOfPart } from "@onebuffer/eigen/internal";
import { sizesOf } from "@onebuffer/expression/internal";
import type { CustomRecord } from "@onebuffer/expression/internal";
import type { AxisAttributes } from "../kernels/call-sizes.ts";
import { linesOf } from "../kernels/call-sizes.ts";
import { signalPart } from "../kernels/loaded-kernels.ts";
import { complexNode } from "./complex-node.ts";
import { plainLine, referenceTransform } from "./reference-transform.ts";

/** Operations on elements of a transform, as it is counted for comparisons of libraries: 5 n log2 n for a line. */
export const flopsOfLine = (length: number): number => 5 * length * Math.log2(Math.max(2, length));

function recordOf(isInverse: boolean): CustomRecord<AxisAttributes> {
  const name = isInverse ? "ifft" : "fft";
  return {
    name,
    dtypes: ["complex64", "complex128"],
    tensorflow: `signal.${name}`,
    numpy: `fft.${name}`,
    infer: ([x]) => ({ dtype: x!.dtype, dimensions: sizesOf(x!) }),
    flops(call) {
      const { outer, length, inner } = linesOf(call);
      return outer * inner * flopsOfLine(length);
    },
    evaluate(call, [read], write) {
      const { outer, length, inner } = linesOf(call);
      const line = plainLine(length);
      for (let each = 0; each < outer * inner; each++) {
        const first = Math.floor(each / inner) * length * inner + (each % inner);
        for (let k = 0; k < length; k++) [line.re[k], line.im[k]] = read!(first + k * inner) as Complex;
        const { re, im } = referenceTransform(line, isInverse ? 1 : -1);
        const divisor = isInverse ? length : 1;
        for (let k = 0; k < length; k++) write(first + k * inner, [re[k]! / divisor, im[k]! / divisor]);
      }
    },
    kernel: (call) => kernelOfPart(signalPart, (kernels) => kernels.lines(call, isInverse)),
    // The adjoint of the sums with exp(-i a) are those with exp(i a): the inverse transform without its divisor.
    gradient({ g, node, attributes: { axis } }) {
      const length = sizesOf(node)[axis]!;
      return [complexNode(isInverse ? fftRecord : ifftRecord, g, axis).mul(isInverse ? 1 / length : length)];
    },
    stableHLO({ dtype, dimensions, attributes: { axis } }, [x], b) {
      const last = dimensions.length - 1;
      const order = dimensions.map((_, d) => (d === axis ? last : d === last ? axis : d));
      const sizes = order.map((d) => dimensions[d]!);
      const attributes = `fft_type = #stablehlo<fft_type ${name.toUpperCase()}>, fft_length = array<i64: ${sizes[last]}>`;
      const moved = axis === last ? x! : b.transpose(x!, order);
      const result = b.operation("stablehlo.fft", [moved], attributes, [{ dtype, dimensions: sizes }])[0]!;
      return axis === last ? result : b.transpose(result, order);
    },
  };
}

/** The record of the transform whose factors are exp(-2 pi i j k / n). */
export const fftRecord: CustomRecord<AxisAttributes> = recordOf(false);

/** The record of the inverse of `fft`, which is divided by the length. */
export const ifftRecord: CustomRecord<AxisAttributes> = recordOf(true);
