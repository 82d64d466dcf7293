// What a call costs: `await out.device(xla).assign(tree)` with operands and target on the device, beside the same compiled function called
// inside Python.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { tensorMap } from "@onebuffer/eigen";
import { toStableHLO } from "@onebuffer/stablehlo";
import { assert, withDevice } from "./checks.mjs";

/** The most microseconds that a call may take beyond Python's. */
const kMostOverhead = 60;
const kRounds = 400;
const kCalls = 25;

/** Returns the least microseconds per call of many rounds: other programs use the machine, too. */
async function leastTime(call) {
  let least = Infinity;
  for (let round = 0; round < kRounds; round++) {
    const started = process.hrtime.bigint();
    for (let k = 0; k < kCalls; k++) await call();
    least = Math.min(least, Number(process.hrtime.bigint() - started) / kCalls / 1000);
  }
  return least;
}

/** Returns the microseconds of the same function called in Python. */
function pythonTime(python, text) {
  const program = fileURLToPath(new URL("./python_calls.py", import.meta.url));
  const { status, stdout, stderr } = spawnSync(python, [program, String(kRounds), String(kCalls)], { input: text, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
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
};
