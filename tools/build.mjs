// Builds the workspace: generates source, deletes files in the `dist` folders whose source no longer exists, runs `tsc -b`.
//
// The generator writes only files whose content changes, so generating does not slow down the compiler's incremental build.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { writeTensorMaps } from "../packages/eigen/tools/generate-tensor-maps.mjs";
import { removeStaleOutputs } from "./stale-outputs.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

writeTensorMaps();
removeStaleOutputs(root);
const compiler = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
process.exitCode = spawnSync(process.execPath, [compiler, "-b"], { cwd: root, stdio: "inherit" }).status ?? 1;
