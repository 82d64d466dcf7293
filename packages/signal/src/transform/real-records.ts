/**
 * real-records: the records of transforms between real numbers and the first n / 2 + 1 elements of their spectra along the last axis
 * (TensorFlow's RFFT and IRFFT).
 */
import type { Complex, DType } from "@onebuffer/base";
import { kernelOfPart } from "@onebuffer/eigen/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { filled, joined, makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { CustomRecord, GradientValue } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import type { LengthAttributes } from "../kernels/call-sizes.ts";
import { partsOf } from "../kernels/call-sizes.ts";
import { signalPart } from "../kernels/loaded-kernels.ts";
import { flopsOfLine } from "./complex-record.ts";
import { plainLine, referenceTransform } from "./reference-transform.ts";

/** Returns the number of elements of the spectrum of a real row. */
export const spectrumSize = (length: number): number => Math.floor(length / 2) + 1;

/** Returns the complex dtype whose parts are of a real one. */
export const complexOf = (dtype: DType): "complex64" | "complex128" =>
  dtype === "float32" || dtype === "complex64" ? "complex64" : "complex128";

/** Returns the elements of a spectrum with the interior ones, which stand for two, multiplied by a number. */
function weighted(spectrum: GradientValue, length: number, factor: number): GradientValue {
  const size = spectrumSize(length);
  const parts = partsOf(spectrum.dtype);
  const interior = Math.ceil(length / 2) - 1;
  const weights = joined([filled(parts, 1, [1]), filled(parts, factor, [interior]), filled(parts, 1, [size - 1 - interior])], 0);
  return spectrum.mul(weights.cast(spectrum.dtype));
}

/** Returns the spectrum of real rows of the size of the last axis, at least 2. */
export function spectrumNode(x: ExpressionTree): GradientValue {
  return makeCustomCall(rfftRecord, [x], { length: sizesOf(x).at(-1)! }) as unknown as GradientValue;
}

/** Returns the real rows of `length` elements, at least 2, with these spectra, whose last axis has `length / 2 + 1` elements. */
export function realNode(spectrum: ExpressionTree, length: number): GradientValue {
  return makeCustomCall(irfftRecord, [spectrum], { length }) as unknown as GradientValue;
}

/** The record of spectra of real rows. */
export const rfftRecord: CustomRecord<LengthAttributes> = {
  name: "rfft",
  dtypes: ["float32", "float64"],
  tensorflow: "signal.rfft",
  numpy: "fft.rfft",
  infer: ([x], { length }) => ({ dtype: complexOf(x!.dtype), dimensions: sizesOf(x!).with(-1, spectrumSize(length)) }),
  flops: ({ inputs: [x], attributes: { length } }) => (product(x!.dimensions) / length / 2) * flopsOfLine(length),
  evaluate({ inputs: [x], attributes: { length } }, [read], write) {
    const line = plainLine(length);
    const size = spectrumSize(length);
    for (let row = 0; row < product(x!.dimensions) / length; row++) {
      for (let k = 0; k < length; k++) line.re[k] = read!(row * length + k) as number;
      const { re, im } = referenceTransform(line, -1);
      for (let k = 0; k < size; k++) write(row * size + k, [re[k]!, k === 0 || 2 * k === length ? 0 : im[k]!]);
    }
  },
  kernel: (call) => kernelOfPart(signalPart, (kernels) => kernels.real(call, true)),
  gradient: ({ g, attributes: { length } }) => [realNode(weighted(g, length, 0.5), length).mul(length)],
  stableHLO: ({ dtype, dimensions, attributes: { length } }, [x], b) =>
    b.operation("stablehlo.fft", [x!], `fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: ${length}>`, [
      { dtype, dimensions },
    ])[0]!,
};

/** The record of real rows of spectra, divided by their length. The imaginary parts of element 0 and of element n / 2 are ignored. */
export const irfftRecord: CustomRecord<LengthAttributes> = {
  name: "irfft",
  dtypes: ["complex64", "complex128"],
  tensorflow: "signal.irfft",
  numpy: "fft.irfft",
  infer: ([x], { length }) => ({ dtype: partsOf(x!.dtype), dimensions: sizesOf(x!).with(-1, length) }),
  flops: ({ dimensions, attributes: { length } }) => (product(dimensions) / length / 2) * flopsOfLine(length),
  evaluate({ dimensions, attributes: { length } }, [read], write) {
    const line = plainLine(length);
    const size = spectrumSize(length);
    for (let row = 0; row < product(dimensions) / length; row++) {
      for (let k = 0; k < size; k++) {
        const [re, im] = read!(row * size + k) as Complex;
        const isReal = k === 0 || 2 * k === length;
        [line.re[k], line.im[k]] = [re, isReal ? 0 : im];
        if (!isReal) [line.re[length - k], line.im[length - k]] = [re, -im];
      }
      const { re } = referenceTransform(line, 1);
      for (let k = 0; k < length; k++) write(row * length + k, re[k]! / length);
    }
  },
  kernel: (call) => kernelOfPart(signalPart, (kernels) => kernels.real(call, false)),
  gradient: ({ g, attributes: { length } }) => [weighted(spectrumNode(g), length, 2).mul(1 / length)],
  stableHLO: ({ dtype, dimensions, attributes: { length } }, [x], b) =>
    b.operation("stablehlo.fft", [x!], `fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: ${length}>`, [
      { dtype, dimensions },
    ])[0]!,
};
