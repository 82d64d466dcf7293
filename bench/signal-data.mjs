// The data of the Fourier transforms: complex64 numbers of adjacent floats, or real ones, by the name of the workload.
import { floats } from "./data.mjs";
import { kGrowingTransforms } from "./growth/growth-data.mjs";

/** The sizes of each workload; the transform is along the last axis, or along both. */
export const kTransforms = {
  "fft 1024": [1024],
  "fft 65536": [65536],
  "fft 2^20": [2 ** 20],
  "fft 1009": [1009],
  "fft 65537": [65537],
  "fft2d 512": [512, 512],
  "rfft 1024": [1024],
  "rfft 65536": [65536],
  "fft 1000 rows of 1024": [1000, 1024],
};

/** The sizes of the transforms of both benches. */
export const kAllTransforms = { ...kTransforms, ...kGrowingTransforms };

/** True for the names of transforms of one row of a power of two. */
export const isPowerOfTwo = (name) => ["fft 1024", "fft 65536", "fft 2^20"].includes(name) || name in kGrowingTransforms;

export const isReal = (name) => name.startsWith("rfft");
export const sizeOf = (name) => kAllTransforms[name].reduce((a, b) => a * b);
/** Returns the numbers of a workload: complex ones as their parts. */
export const signalOf = (name) => floats(sizeOf(name) * (isReal(name) ? 1 : 2), 1);

/** Returns the mean of the parts of a result. */
export const meanOf = (parts) => parts.reduce((sum, part) => sum + part, 0) / parts.length;
