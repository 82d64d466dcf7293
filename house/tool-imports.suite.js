// The scripts under tools/, bench/ and examples/ are not compiled, so nothing else notices when a name they import has moved.
import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exportsOf } from "../tools/public-names.mjs";
import { root } from "./source-files.mjs";

/** An import of names from the workspace: `import { a, b as c } from "…"`. */
const kImport = /^import \{([^}]*)\} from "(@?onebuffer[^"]*|[^"]*\/packages\/[^"]*\.js)";/gm;

const kListed = ["ls-files", "-co", "--exclude-standard", "tools/*.mjs", "bench/*.mjs", "examples/*.mjs"];
const scripts = execFileSync("git", kListed, { cwd: root, encoding: "utf8" }).trim().split("\n");

/** What a built file exports by a declaration, and what it lists. */
const kDeclared = /^export (?:async )?(?:function\*?|class|const|let|var) (\w+)/gm;
const kList = /^export \{([^}]*)\}/gm;

/** Returns the last words of the parts of a list: what `a, b as c` exports is a and c. */
const lastWords = (list) => list.split(",").flatMap((part) => /(\w+)\s*$/.exec(part)?.[1] ?? []);

/** Returns the names that a built file exports. They are read from its text: loaded, the files would not be those of the bundle. */
function builtNames(path) {
  const text = readFileSync(path, "utf8");
  return [...[...text.matchAll(kDeclared)].map(([, name]) => name), ...[...text.matchAll(kList)].flatMap(([, list]) => lastWords(list))];
}

/**
 * Returns the names that a specifier in a script exports: a path of a package, a file beside the script, or one of a page, whose server has
 * the repository as its root.
 */
function namesOf(specifier, path) {
  if (specifier.startsWith("/")) return builtNames(join(root, specifier));
  return specifier.startsWith(".") ? builtNames(join(root, path, "..", specifier)) : [...exportsOf(specifier).keys()];
}

test("every name that a script imports from the workspace is exported", () => {
  const missing = [];
  let count = 0;
  for (const path of scripts) {
    for (const [, list, specifier] of readFileSync(join(root, path), "utf8").matchAll(kImport)) {
      const names = list.split(",").flatMap((name) => /^\s*(\w+)/.exec(name)?.[1] ?? []);
      const exported = new Set(namesOf(specifier, path));
      count += names.length;
      missing.push(...names.filter((name) => !exported.has(name)).map((name) => `${path}: ${name} of ${specifier}`));
    }
  }
  expect(missing).toEqual([]);
  expect(count).toBeGreaterThan(50);
});
