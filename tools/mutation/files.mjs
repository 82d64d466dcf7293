// The compiled modules and test files of the packages, as paths relative to the root with forward slashes.
import { readdirSync } from "node:fs";
import { join } from "node:path";

const below = (root, folder) =>
  readdirSync(join(root, "packages")).flatMap((name) => {
    try {
      const names = readdirSync(join(root, "packages", name, folder), { recursive: true });
      return names.map((path) => `packages/${name}/${folder}/${path.replaceAll("\\", "/")}`).sort();
    } catch {
      return []; // A package without such a folder.
    }
  });

/** Returns the paths of all compiled modules. */
export const outputs = (root) => below(root, "dist/src").filter((path) => path.endsWith(".js"));

/** Returns the paths of all compiled test files. */
export const testPaths = (root) => below(root, "dist/test").filter((path) => path.endsWith(".test.js"));
