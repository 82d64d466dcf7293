// What a call costs: `await out.device(xla).assign(tree)` with operands and target on the device, beside the same compiled function called
// inside Python; and the step of a softmax regression beside JAX's own.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { tensorMap, updateTogether } from "@onebuffer/eigen";
import { gradients } from "@onebuffer/gradients";
import { toStableHLO } from "@onebuffer/stablehlo";
import { assert, numbers, withDevice } from "./checks.mjs";

/** The most microseconds that a call may take beyond Python's. */
const kMostOverhead = 60;
const kRounds = 400;
const kCalls = 25;
/** The rows of a step, and how many times JAX's own call it may take at most. Beside other programs of the machine; alone 2 is wanted. */
const kStepRows = [128, 300, 1797];
const kMostOfJax = 3;
const kStepRounds = 40;

/** Returns the least microseconds per call of many rounds: other programs use the machine, too. */
async function leastTime(call, rounds = kRounds) {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const started = process.hrtime.bigint();
    for (let k = 0; k < kCalls; k++) await call();
    least = Math.min(least, Number(process.hrtime.bigint() - started) / kCalls / 1000);
  }
  return least;
}

/** Returns the number that a program of this folder prints. */
function pythonNumber(python, name, args, input = "") {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const { status, stdout, stderr } = spawnSync(python, [program, ...args.map(String)], { input, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** Returns the microseconds of the same function called in Python. */
const pythonTime = (python, text) => pythonNumber(python, "./python_calls.py", [kRounds, kCalls], text);

/** Returns the step of a softmax regression with 64 features and 10 classes, everything on the device. */
async function softmaxStep(xla, rows) {
  const put = (seed, dims) => xla.put(tensorMap("float32", numbers(seed)(dims.reduce((a, b) => a * b, 1)), dims));
  const [x, y, w, b] = [await put(1, [rows, 64]), await put(2, [rows, 10]), await put(3, [64, 10]), await put(4, [10])];
  const loss = x.matMul(w).add(b).logSoftmax().mul(y).sum().div(-rows);
  const [forW, forB] = gradients(loss, [w, b]);
  const step = [
    [w, w.sub(forW.mul(0.1))],
    [b, b.sub(forB.mul(0.1))],
  ]; // prettier-ignore
  return () => updateTogether(step, xla);
}

export const callChecks = {
  "a call with operands on the device": (python) =>
    withDevice({ python, devices: 1 }, async (xla) => {
      const a = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [4]);
      const [x, y, out] = [await xla.put(a), await xla.put(a), await xla.put(a)];
      const tree = x.add(y).mul(x);
      const { text } = toStableHLO([tree], { locations: false });
      let [inside, kept, written] = [Infinity, Infinity, Infinity];
      // Alternating: the load of the machine changes.
      for (let turn = 0; turn < 3; turn++) {
        kept = Math.min(kept, await leastTime(() => out.device(xla).assign(tree)));
        written = Math.min(written, await leastTime(() => out.device(xla).assign(x.add(y).mul(x))));
        inside = Math.min(inside, pythonTime(python, text));
      }
      const shown = `${kept.toFixed(1)} us, ${written.toFixed(1)} us with the expression written anew, ${inside.toFixed(1)} us inside Python`;
      assert(Math.max(kept, written) - inside <= kMostOverhead, `${shown}: more than ${kMostOverhead} us over Python`);
      return `${shown}: ${(Math.max(kept, written) - inside).toFixed(1)} us over it`;
    }),

  "the step of a softmax regression beside JAX's own": (python) =>
    withDevice({ python, devices: 1 }, async (xla) => {
      const shown = [];
      for (const rows of kStepRows) {
        const step = await softmaxStep(xla, rows);
        let [ours, own] = [Infinity, Infinity];
        // Alternating, as above.
        for (let turn = 0; turn < 3; turn++) {
          ours = Math.min(ours, await leastTime(step, kStepRounds));
          own = Math.min(own, pythonNumber(python, "./python_step.py", [rows, kStepRounds, kCalls]));
        }
        shown.push(`${rows} rows ${ours.toFixed(0)} us of ${own.toFixed(0)}, ${(ours / own).toFixed(2)} times`);
        assert(ours <= kMostOfJax * own, `${shown.at(-1)}: more than ${kMostOfJax} times`);
      }
      return shown.join("; ");
    }),
};
