// Calls every export, constructor, method and setter of every sub-path with wrong JavaScript values, and checks that they throw only
// StatusErrors. The calls run in a separate process (wrong-calls/wrong-calls.ts).
import { expect, test } from "@jest/globals";
import { builtProgram } from "@onebuffer/test-support";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

interface Report {
  readonly targets: number;
  readonly calls: number;
  readonly findings: readonly { readonly what: string; readonly count: number; readonly example: string }[];
}

/** `npm run long` gives every wrong value to every call, and makes thousands of times as many mixtures, with another seed each time. */
const isLong = process.env["ONEBUFFER_LONG"] === "1";
const [seed, rounds, step] = isLong ? [Date.now() % 1e6, 200, 1] : [1, 1, 250];

test(`calls with wrong values throw StatusErrors (seed ${seed})`, () => {
  const program = fileURLToPath(builtProgram(new URL("wrong-calls/wrong-calls.js", import.meta.url)));
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    // So few calls of each function are not worth the engine's time to optimize it.
    [...(isLong ? [] : ["--no-opt"]), "--max-old-space-size=2048", program, String(seed), String(rounds), String(step)],
    {
      encoding: "utf8",
      timeout: isLong ? 170_000 : 60_000,
      maxBuffer: 2 ** 26,
    },
  );
  if (status !== 0)
    throw new Error(`the process ended with ${String(status ?? signal)} after ${stderr.trimEnd().split("\n").slice(-12).join("\n")}`);
  const { targets, calls, findings } = JSON.parse(stdout) as Report;
  expect(findings.map(({ what, count, example }) => `${count} x ${what} for ${example}`)).toEqual([]);
  expect(targets).toBeGreaterThan(3500);
  expect(calls).toBeGreaterThan(isLong ? 1_000_000 : 2000);
});
