// Finds and removes compiled files whose source is gone. The compiler leaves them in `dist`, where a test that was moved would run
// twice.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The file name endings that the compiler writes for one source file. */
const kOutput = /\.(?:d\.ts|js)(?:\.map)?$/;

/** Returns the pairs of a source folder and its built folder: `dist/src` is compiled from `src`, `dist/test` from `test`. */
function builtFolders(root) {
  const folders = [...readdirSync(join(root, "packages")).map((name) => join(root, "packages", name)), join(root, "conformance")];
  return folders.flatMap((folder) => ["src", "test"].map((part) => ({ source: join(folder, part), built: join(folder, "dist", part) })));
}

/** Returns the files below a workspace's `dist` folders whose source does not exist. */
export function staleOutputs(root) {
  return builtFolders(root)
    .filter(({ built }) => existsSync(built))
    .flatMap(({ source, built }) =>
      readdirSync(built, { recursive: true })
        .filter((name) => kOutput.test(name) && !existsSync(join(source, name.replace(kOutput, ".ts"))))
        .map((name) => join(built, name)),
    );
}

/** Removes the files that staleOutputs returns. */
export function removeStaleOutputs(root) {
  for (const path of staleOutputs(root)) rmSync(path, { force: true });
}
