// What comes before the compiler in every build: generated source, the removal of what has no source, and files that are copied.
//
// The generator writes only files whose content changes, so generating does not slow down the compiler's incremental build.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeTensorMaps } from "../packages/eigen/tools/generate-tensor-maps.mjs";
import { writeOperations } from "../packages/expression/tools/generate-operations.mjs";
import { copyAssets } from "./assets.mjs";
import { removeStaleOutputs } from "./stale-outputs.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Writes generated source, removes outputs without a source, and copies assets. */
export async function prepareBuild() {
  writeTensorMaps();
  await writeOperations();
  removeStaleOutputs(root);
  for (const name of readdirSync(join(root, "packages")))
    copyAssets(join(root, "packages", name, "src"), join(root, "packages", name, "dist/src"));
}
