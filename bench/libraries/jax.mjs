// JAX on one thread, where a Python has it. ONEBUFFER_XLA_PYTHON names another interpreter than python3.
import { casesOfPython } from "./python-side.mjs";

const python = process.env.ONEBUFFER_XLA_PYTHON ?? "python3";
const flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1";
export const cases = casesOfPython("JAX", python, "jax_side.py", { XLA_FLAGS: flags, JAX_PLATFORMS: "cpu" });
