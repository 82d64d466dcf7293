// Builds the workspace: generates source, deletes files in the `dist` folders whose source no longer exists, runs `tsc -b`, copies the
// files that modules find beside themselves.
//
// The generator writes only files whose content changes, so generating does not slow down the compiler's incremental build.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeTensorMaps } from "../packages/eigen/tools/generate-tensor-maps.mjs";
import { writeOperations } from "../packages/expression/tools/generate-operations.mjs";
import { copyAssets } from "./assets.mjs";
import { removeStaleOutputs } from "./stale-outputs.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

writeTensorMaps();
await writeOperations();
removeStaleOutputs(root);
for (const name of readdirSync(join(root, "packages")))
  copyAssets(join(root, "packages", name, "src"), join(root, "packages", name, "dist/src"));
const compiler = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
// With one checker a package takes a tenth less processor time, because types that files share are checked once; packages that do not
// depend on each other are built at the same time.
// The compiler is a Go program, whose collector runs each time the heap has doubled: with heaps five times as large as what is alive, a
// build takes a tenth to a quarter less processor time, and up to 1.6 GB. Near the limit the collector runs more often.
const collector = { GOGC: "400", GOMEMLIMIT: "2GiB" };
process.exitCode =
  spawnSync(process.execPath, [compiler, "-b", "--checkers", "1", "--builders", "4"], {
    cwd: root,
    stdio: "inherit",
    env: { ...collector, ...process.env },
  }).status ?? 1;
