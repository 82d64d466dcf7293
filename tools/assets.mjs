// Copies the files of a package's sources that modules find beside themselves by `new URL("./name", import.meta.url)`: programs in Python, and
// what these import from their own folder.
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const kAsset = /\.py$/;

/** Returns the paths of the assets below a folder of sources, relative to it. */
export function assetsOf(source) {
  return readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) => kAsset.test(path));
}

/** Copies the assets below `source` to the same places below `target`. */
export function copyAssets(source, target) {
  for (const path of assetsOf(source)) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    copyFileSync(join(source, path), join(target, path));
  }
}
