import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Returns what to run instead of a built program or package, a URL: the one file that tools/test-programs.mjs made of it and of all that it
 * imports, which loads in a quarter of the time; the program itself if there is none.
 */
export function builtProgram(program: URL): URL {
  const folder = process.env["ONEBUFFER_TEST_PROGRAMS"];
  if (folder === undefined) return program;
  const path = join(folder, relative(root, fileURLToPath(program)));
  return existsSync(path) ? pathToFileURL(path) : program;
}
