// Installs the packages of apps/explorer once: Vite, Preact, axe-core, and puppeteer-core, which drives the installed browsers.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the explorer. */
export const app = fileURLToPath(new URL("../../apps/explorer/", import.meta.url));

/** Installs what is missing. Ends the process if that fails. */
export function installExplorer() {
  if (existsSync(`${app}node_modules/.package-lock.json`)) return;
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = spawnSync("npm", args, { cwd: app, stdio: "inherit", shell: process.platform === "win32" });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
