// A transformer for Jest that gives a test file the instrumented text of a module, which mutants.mjs has written into the folder that
// ONEBUFFER_MUTATION names.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

function textOf(text, path) {
  const instrumented = join(process.env.ONEBUFFER_MUTATION, relative(root, path));
  return existsSync(instrumented) ? readFileSync(instrumented, "utf8") : text;
}

export default {
  process: (text, path) => ({ code: textOf(text, path) }),
  getCacheKey: (text, path) => createHash("sha256").update(textOf(text, path)).digest("hex"),
};
