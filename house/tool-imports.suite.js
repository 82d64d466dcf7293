// The scripts under tools/, bench/ and examples/ are not compiled, so nothing else notices when a name they import has moved.
import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./source-files.mjs";

/** An import of names from the workspace: `import { a, b as c } from "…"`. */
const kImport = /^import \{([^}]*)\} from "(@?onebuffer[^"]*|[^"]*\/packages\/[^"]*\.js)";/gm;

const kListed = ["ls-files", "-co", "--exclude-standard", "tools/*.mjs", "bench/*.mjs", "examples/*.mjs"];
const scripts = execFileSync("git", kListed, { cwd: root, encoding: "utf8" }).trim().split("\n");

/** The imports of one script: the specifier as Node resolves it, and the names. */
function importsOf(path) {
  return [...readFileSync(join(root, path), "utf8").matchAll(kImport)].map(([, names, specifier]) => ({
    specifier: specifier.startsWith("/")
      ? pathToFileURL(join(root, specifier)).href // a page of the browser checks, whose server has the repository as its root
      : specifier.startsWith(".")
        ? new URL(specifier, pathToFileURL(join(root, path))).href
        : specifier,
    names: names.split(",").flatMap((name) => /^\s*(\w+)/.exec(name)?.[1] ?? []),
  }));
}

test("every name that a script imports from the workspace is exported", async () => {
  const missing = [];
  let count = 0;
  for (const path of scripts) {
    for (const { specifier, names } of importsOf(path)) {
      const module = await import(specifier);
      count += names.length;
      missing.push(...names.filter((name) => !(name in module)).map((name) => `${path}: ${name} of ${specifier}`));
    }
  }
  expect(missing).toEqual([]);
  expect(count).toBeGreaterThan(50);
});
