// Jest's transformer of test files: a test file becomes its bundle (test-bundles.mjs), if this run has bundles, and stays as it is otherwise.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { kBundlesVariable } from "./test-bundles.mjs";

/** What may be the import of a file beside the bundle: esbuild writes them relative to the bundle. */
const kImport = /(?<=(?:\bfrom |\bimport |\bimport\()")\.{1,2}\/[^"]*(?=")/g;

/** Returns the text of a test file as it runs: its imports are absolute, because the file that Jest names is elsewhere. */
function textOf(source, path, root) {
  const folder = process.env[kBundlesVariable];
  const bundle = folder === undefined ? "" : join(folder, relative(root, path));
  if (!existsSync(bundle)) return source;
  return readFileSync(bundle, "utf8").replace(kImport, (place) => {
    const imported = resolve(dirname(bundle), place);
    return existsSync(imported) ? imported : place;
  });
}

export default {
  process: (source, path, { config }) => ({ code: textOf(source, path, config.rootDir) }),
  /** Jest keeps what a transformer returns, under this key. */
  getCacheKey: (source, path, { config }) =>
    createHash("sha256")
      .update(textOf(source, path, config.rootDir))
      .digest("hex"),
};
