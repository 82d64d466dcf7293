// Deno and Bun run the program, share a tensor with a worker, and write and read files.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { equal, run, Skip } from "./context.mjs";
import { expected } from "./programs/program.mjs";

/** The program itself: in a package for the platform, or where an install script has moved it to. */
export function programOf(tool, scope, name) {
  const folders = readdirSync(tool(scope)).filter((entry) => entry.includes(process.platform));
  const paths = [
    join(tool(name), `bin/${name}.exe`),
    ...folders.flatMap((each) => [`bin/${name}`, name].map((path) => join(tool(scope), each, path))),
  ];
  const found = paths.find((path) => spawnSync(path, ["--version"], { stdio: "ignore" }).status === 0);
  if (found === undefined) throw new Skip(`${name} has no program for this platform`);
  return found;
}

/** What files.mjs prints. */
export const kFilesPrinted = '[99999,true,1,true,true,3,100,"DATA_LOSS"]';

function runtimeCheck(scope, name, args) {
  return ({ app, tool }) => {
    const command = programOf(tool, scope, name);
    const env = { DENO_DIR: join(app, ".deno"), DENO_NO_UPDATE_CHECK: "1" };
    equal(run(command, [...args, "run-program.mjs"], app, env).trim(), expected, "program.mjs");
    equal(run(command, [...args, "threads.mjs"], app, env).trim(), "[4000,2,0]", "threads.mjs");
    equal(run(command, [...args, "run-pool.mjs"], app, env).trim(), "[3,true]", "run-pool.mjs");
    equal(run(command, [...args, "files.mjs"], app, env).trim(), kFilesPrinted, "files.mjs");
  };
}

export const RUNTIME_CHECKS = {
  Deno: runtimeCheck("@deno", "deno", ["run", "--allow-all", "--cached-only", "--node-modules-dir=manual"]),
  Bun: runtimeCheck("@oven", "bun", ["run"]),
};
