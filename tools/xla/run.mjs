// `npm run xla`: XlaDevice with real JAX on this machine's processor: results of sharded programs, gradients, the traps of PJRT, faults,
// the cost of a call, two processes, the speed of transfers, the example.
//
//   npm run xla                   everything
//   npm run xla -- traps calls    some parts
//
// ONEBUFFER_XLA_PYTHON names a Python with JAX. Otherwise one of PATH is taken, or JAX is installed once with pip into the user's cache
// folder. If that is not possible, it prints "skipped: why" and exits with 0, or with 1 under ONEBUFFER_REQUIRE_XLA=1.
import { pythonWithJax } from "../interop/python-env.mjs";
import { callChecks } from "./calls.mjs";
import { exampleChecks } from "./example.mjs";
import { faultChecks } from "./faults.mjs";
import { gradientChecks } from "./gradients.mjs";
import { processChecks } from "./processes.mjs";
import { resultChecks } from "./results.mjs";
import { speedChecks } from "./speed.mjs";
import { trapChecks } from "./traps.mjs";

const kParts = {
  results: resultChecks,
  gradients: gradientChecks,
  traps: trapChecks,
  faults: faultChecks,
  calls: callChecks,
  processes: processChecks,
  speed: speedChecks,
  example: exampleChecks,
};

/** Seconds after which a check has failed. */
const kCheckSeconds = 90;

const write = (text) => process.stdout.write(text);
const words = process.argv.slice(2);
const unknown = words.filter((word) => !(word in kParts));
if (unknown.length > 0) throw new Error(`there is no part ${unknown.join(", ")}; the parts are ${Object.keys(kParts).join(", ")}`);

/** Runs a check; returns true if it passed. */
async function passes(name, check) {
  const started = performance.now();
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${kCheckSeconds} s`)), kCheckSeconds * 1000);
  });
  try {
    const note = await Promise.race([check(), late]);
    write(`ok      ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)${note === undefined ? "" : `: ${note}`}\n`);
    return true;
  } catch (error) {
    write(`FAILED  ${name}\n${error?.stack ?? error}\n`);
    return false;
  } finally {
    clearTimeout(timer);
  }
}

async function main() {
  const { python, skipped } = await pythonWithJax((text) => process.stderr.write(`${text}\n`), 600_000);
  if (skipped !== undefined) {
    write(`skipped: ${skipped}\n`);
    return process.env.ONEBUFFER_REQUIRE_XLA !== "1";
  }
  const started = performance.now();
  let [passed, failed] = [0, 0];
  for (const [part, checks] of Object.entries(kParts)) {
    if (words.length > 0 && !words.includes(part)) continue;
    write(`\n${part}\n`);
    for (const [name, check] of Object.entries(checks)) {
      if (await passes(name, () => check(python))) passed++;
      else failed++;
    }
  }
  write(`\nxla: ${passed} passed, ${failed} failed, ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  return failed === 0;
}

// A check that was late may have left something that runs.
process.exit((await main()) ? 0 : 1);
