/**
 * signal-kernels: the kernels of nodes of transforms and filters, as one object, so that a page can load them after it has begun
 * (later-kernels.ts).
 */
import type { CustomCall, CustomKernel } from "@onebuffer/expression/internal";
import { hasFftFunctions } from "../fft/fft-module.ts";
import type { AxisAttributes, LengthAttributes } from "./call-sizes.ts";
import { firKernel, sosKernel } from "./filter-calls.ts";
import { lineKernel, realKernel } from "./transform-calls.ts";

/** The kernels. Each function returns null if the engine refuses kernels, or for sizes that have none. */
export interface SignalKernels {
  /** Transforms of complex lines along an axis. */
  lines(call: CustomCall<AxisAttributes>, isInverse: boolean): CustomKernel | null;
  /** Spectra of real rows, or real rows of spectra. */
  real(call: CustomCall<LengthAttributes>, isForward: boolean): CustomKernel | null;
  fir(call: CustomCall): CustomKernel | null;
  sos(call: CustomCall): CustomKernel | null;
}

/** The kernels of this copy of the package. */
export const signalKernels: SignalKernels = {
  lines: (call, isInverse) => (hasFftFunctions() ? lineKernel(call, isInverse) : null),
  real: (call, isForward) => (hasFftFunctions() ? realKernel(call, isForward) : null),
  fir: (call) => (hasFftFunctions() ? firKernel(call) : null),
  sos: (call) => (hasFftFunctions() ? sosKernel(call) : null),
};
