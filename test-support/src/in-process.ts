import { expect } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { builtProgram } from "./built-program.ts";

/** A package that the code imports, or what it exports for others. */
const kImported = /(?<=\bimport\(")@onebuffer\/(\w+)(?:\/(internal))?(?="\))/g;

/**
 * Runs the code of a module in a new process in the folder `cwd`, which decides how its imports are resolved. Returns the object `report`
 * that the code fills. Fails if the process prints an error or its exit code is not 0.
 */
export function inProcess(cwd: string, code: string): unknown {
  const packages = new URL("../../../packages/", import.meta.url);
  const bundled = code.replace(kImported, (specifier: string, name: string, entry = "index") => {
    const built = new URL(`${name}/dist/src/${entry}.js`, packages);
    const program = builtProgram(built);
    return program === built ? specifier : program.href;
  });
  const input = `const report = {};\n${bundled}\nprocess.stdout.write(JSON.stringify(report));`;
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
