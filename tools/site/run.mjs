// `npm run build:site`: the site as static files in `out/site`: the first page, all pages of docs/, the benchmarks with their plots, the API
// reference, the explorer and the course. It works from any path of any static host and requests nothing from elsewhere.
//
//   npm run build:site               everything
//   npm run build:site -- --pages    the pages alone, with the reference and the explorer that were built before
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a command; ends this process if it fails. */
function run(command, args, cwd = root) {
  const done = spawnSync(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

const { dependencies } = JSON.parse(readFileSync(`${here}package.json`, "utf8"));
if (!Object.keys(dependencies).every((name) => existsSync(`${here}node_modules/${name}`)))
  run("npm", ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], here);
if (!process.argv.includes("--pages")) {
  run(process.execPath, [join(root, "tools/reference/run.mjs")]);
  run(process.execPath, [join(root, "tools/explorer/build.mjs")]);
}
const { buildSite } = await import("./build-site.mjs");
const { brokenLinks } = await import("./check-links.mjs");
const out = join(root, "out/site");
const pages = await buildSite(root, out);
const faults = brokenLinks(out);
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`${pages} pages, ${faults.length} faults: ${join("out", "site", "index.html")}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
