// NumPy of the machine's Python, timed in its own process. It is not a JavaScript library, and its absence is not a problem.
// ONEBUFFER_BENCH_PYTHON names another interpreter than python3.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const python = process.env.ONEBUFFER_BENCH_PYTHON ?? "python3";
const script = fileURLToPath(new URL("numpy_side.py", import.meta.url));
const env = { ...process.env, OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1" };

function ask(...args) {
  const { status, stdout } = spawnSync(python, [script, ...args], { encoding: "utf8", env });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

function caseOf(name, version) {
  let answer;
  return {
    note: `NumPy ${version}`,
    value() {
      answer = ask(name);
      return answer.nanoseconds;
    },
    checksum: () => answer.checksum,
  };
}

const known = ask();
export const cases = known === undefined ? {} : Object.fromEntries(known.cases.map((name) => [name, () => caseOf(name, known.version)]));
