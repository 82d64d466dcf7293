/** Where the runner's program is: beside this module, also in the package that people install. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NotFoundError } from "@onebuffer/base";

/** Returns the path of xla_runner.py. Throws NOT_FOUND if a bundler has left it or xla_protocol.py, which it imports, behind. */
export function runnerPath(): string {
  const path = fileURLToPath(new URL("./xla_runner.py", import.meta.url));
  for (const file of [path, join(dirname(path), "xla_protocol.py")])
    if (!existsSync(file))
      throw new NotFoundError(`XlaDevice: ${file} is missing: a bundler must copy xla_runner.py and xla_protocol.py beside its output`);
  return path;
}
