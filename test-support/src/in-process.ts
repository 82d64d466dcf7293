import { expect } from "@jest/globals";
import { spawnSync } from "node:child_process";

/**
 * Runs the code of a module in a new process in the folder `cwd`, which decides how its imports are resolved. Returns the object `report`
 * that the code fills. Fails if the process prints an error or its exit code is not 0.
 */
export function inProcess(cwd: string, code: string): unknown {
  const input = `const report = {};\n${code}\nprocess.stdout.write(JSON.stringify(report));`;
  const done = spawnSync(process.execPath, ["--input-type=module"], {
    input,
    cwd,
    encoding: "utf8",
    timeout: 60_000,
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  expect([done.stderr, done.status]).toEqual(["", 0]);
  return JSON.parse(done.stdout);
}
