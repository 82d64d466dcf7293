// SciPy's Fourier transforms, of the Python that libraries/numpy.mjs names.
import { kTransforms } from "../signal-data.mjs";
import { casesOfPython } from "./python-side.mjs";

const python = process.env.ONEBUFFER_BENCH_PYTHON ?? "python3";
const all = casesOfPython("SciPy with NumPy", python, "numpy_side.py", { ONEBUFFER_BENCH_FFT: "scipy.fft" });
export const cases = Object.fromEntries(Object.entries(all).filter(([name]) => name in kTransforms));
