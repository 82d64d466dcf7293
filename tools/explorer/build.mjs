// `npm run explorer`: builds the explorer as static files in apps/explorer/dist. Checks its types first.
import "../build.mjs";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { app, installExplorer } from "./install.mjs";

const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

installExplorer();
if (!process.exitCode) {
  const typed = spawnSync(process.execPath, [compiler, "-p", app], { stdio: "inherit" });
  process.exitCode = typed.status ?? 1;
}
if (!process.exitCode) {
  const built = spawnSync(process.execPath, [`${app}node_modules/vite/bin/vite.js`, "build", app], { cwd: app, stdio: "inherit" });
  process.exitCode = built.status ?? 1;
}
