// Builds the workspace: generates source, removes what no source makes any more from the `dist` folders, runs `tsc -b`.
//
// The generator writes only files that differ, so the compiler's incremental build stays as fast as without it.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { writeTensorMaps } from "../packages/eigen/tools/generate-tensor-maps.mjs";
import { removeStaleOutputs } from "./stale-outputs.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

writeTensorMaps();
removeStaleOutputs(root);
const compiler = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
process.exitCode = spawnSync(process.execPath, [compiler, "-b"], { cwd: root, stdio: "inherit" }).status ?? 1;
