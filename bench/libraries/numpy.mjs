// NumPy of the machine's Python. ONEBUFFER_BENCH_PYTHON names another interpreter than python3.
import { casesOfPython } from "./python-side.mjs";

const python = process.env.ONEBUFFER_BENCH_PYTHON ?? "python3";
export const cases = casesOfPython("NumPy", python, "numpy_side.py", { OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1" });
