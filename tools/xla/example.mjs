// The example of docs/cluster.md: the digits network on eight devices.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { equal, near } from "./checks.mjs";

const path = (name) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

export const exampleChecks = {
  "the digits network, on this thread, a pool and eight devices": (python) => {
    const run = spawnSync(process.execPath, [path("digits-devices/digits-devices.js"), "--all", "--json"], {
      encoding: "utf8",
      env: { ...process.env, ONEBUFFER_XLA_PYTHON: python },
    });
    if (run.status !== 0) throw new Error(run.stdout + run.stderr);
    const results = JSON.parse(run.stdout.trim().split("\n").at(-1));
    const expected = JSON.parse(readFileSync(path("digits-devices/expected.json"), "utf8"));
    for (const { device, losses, right } of results) {
      equal(right, expected.right, `the digits read right by ${device}`);
      near(losses, expected.losses, 1e-5, `the losses of ${device}`);
    }
    equal(results.length, 3, "the number of devices");
    return results.map(({ device, ms }) => `${device} ${ms.toFixed(0)} ms`).join(", ");
  },
};
