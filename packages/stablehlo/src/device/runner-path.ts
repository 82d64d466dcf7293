/** Where the runner's program is: beside this module, also in the package that people install. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { NotFoundError } from "@onebuffer/base";

/** Returns the path of xla_runner.py. Throws NOT_FOUND if a bundler has left it behind. */
export function runnerPath(): string {
  const path = fileURLToPath(new URL("./xla_runner.py", import.meta.url));
  if (!existsSync(path))
    throw new NotFoundError(`XlaDevice: its runner is not at ${path}: a bundler must copy xla_runner.py beside its output`);
  return path;
}
