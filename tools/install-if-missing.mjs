// Makes `npm start` and `npm test` work straight after `git clone`: runs `npm ci` once, when
// node_modules is absent or older than the lock file, and is silent otherwise.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const mark = `${root}node_modules/.package-lock.json`;
const lock = `${root}package-lock.json`;

if (!existsSync(mark) || statSync(mark).mtimeMs < statSync(lock).mtimeMs) {
  process.stderr.write("Installing the development packages (once)...\n");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const done = spawnSync(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
