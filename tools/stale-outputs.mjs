// Finds and removes compiled files whose source is gone. The compiler leaves them in `dist`, where a test that was moved would run
// twice. Finds and removes generated source of rooms that are gone, which would not compile.
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

/** Returns the folders directly in a package's `src` that hold only generated files: a room that moved leaves them, because git ignores them. */
export function staleRooms(root) {
  return readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name, "src"))
    .filter((source) => existsSync(source))
    .flatMap((source) => readdirSync(source).map((room) => join(source, room)))
    .filter((room) => !room.endsWith(".ts") && !room.endsWith("generated"))
    .filter((room) => {
      const files = readdirSync(room, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      return files.every(({ parentPath, path }) => (parentPath ?? path).endsWith("generated"));
    });
}

/** Removes the files that staleOutputs returns, and the folders that staleRooms returns. */
export function removeStaleOutputs(root) {
  for (const path of [...staleOutputs(root), ...staleRooms(root)]) rmSync(path, { force: true, recursive: true });
}
