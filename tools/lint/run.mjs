// `npm run lint`: Biome's formatter and linter over the tree. Biome is installed in this folder. `npm run lint -- --write` fixes
// what can be fixed automatically.
import { existsSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const run = (command, args, cwd) => {
  const done = spawnSync(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
  if (done.status !== 0) process.exit(done.status ?? 1);
};

// `install`, not `ci`: a registry may lack the linter's package for another platform, and `ci` then fails.
if (!existsSync(`${here}node_modules/.package-lock.json`))
  run("npm", ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], here);
run(`${here}node_modules/.bin/biome`, ["check", "--error-on-warnings", ...process.argv.slice(2)], root);
