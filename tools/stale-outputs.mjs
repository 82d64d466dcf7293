// What the compiler wrote for sources that are gone: it leaves such files in `dist`, where a test that moved would run twice.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The endings of what the compiler writes for one source file. */
const OUTPUT = /\.(?:d\.ts|js)(?:\.map)?$/;

/** The folders that have a `dist`: `dist/src` is compiled from `src`, `dist/test` from `test`. */
function builtFolders(root) {
  const folders = [...readdirSync(join(root, "packages")).map((name) => join(root, "packages", name)), join(root, "conformance")];
  return folders.flatMap((folder) => ["src", "test"].map((part) => ({ source: join(folder, part), built: join(folder, "dist", part) })));
}

/** The files below the `dist` folders of a workspace whose source is not there. */
export function staleOutputs(root) {
  return builtFolders(root)
    .filter(({ built }) => existsSync(built))
    .flatMap(({ source, built }) =>
      readdirSync(built, { recursive: true })
        .filter((name) => OUTPUT.test(name) && !existsSync(join(source, name.replace(OUTPUT, ".ts"))))
        .map((name) => join(built, name)),
    );
}

/** Removes them. */
export function removeStaleOutputs(root) {
  for (const path of staleOutputs(root)) rmSync(path, { force: true });
}
