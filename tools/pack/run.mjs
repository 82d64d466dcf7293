// `npm run pack`: the one package that people install, `onebuffer-VERSION.tgz` in `build/`, made of all packages of the workspace.
//
//     src/core/…        the sources, once; every source map leads to them
//     esm/core/…        one module per source: for bundlers
//     types/…           the declarations, a file for each entry and those that entries share
//     node/…            a few files with shared chunks: what Node loads, because its start-up time is the number of files
//     browser/…         one minified file, for `<script type="module">`
//     explorer/         the page that `onebuffer explore` serves
//     bin/              the command
//     examples/         the programs, compiled too, and the data that they and the tour read
//
// Specifiers such as `@onebuffer/core` become relative paths, so the package needs nothing else. The last line of the output is the
// path of the tarball. With `--quick` the tarball is 4 % larger and made 20 s sooner.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { notingPack } from "../packed-main.mjs";
import { importDirectly } from "./direct-imports.mjs";
import { ENTRIES } from "./entries.mjs";
import { manifest } from "./manifest.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const build = join(root, "build");
const target = join(build, "package");

/** Runs a command; throws with what it printed if it fails. */
function run(command, args, cwd) {
  const done = spawnSync(command, args, { cwd, encoding: "utf8", shell: process.platform === "win32" });
  if (done.status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${done.stdout}${done.stderr}`);
  return done.stdout.trim();
}

if (!existsSync(`${here}node_modules/rollup-plugin-dts`))
  run("npm", ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], here);
run(process.execPath, [join(root, "tools/build.mjs")], root);
// The command of the clone takes this package as long as the compiler writes nothing else (tools/packed-main.mjs).
const notePack = notingPack(new URL("../../", import.meta.url));
// These need esbuild, which may just have been installed.
const { dropUnreached, layOutModules, loadKernelsLater } = await import("./modules.mjs");
const { bundleForBrowser, bundleForNode } = await import("./bundles.mjs");
const { compressFiles } = await import("./compressed-files.mjs");
const { rollDeclarations } = await import("./declarations.mjs");
const { thinMaps } = await import("./thin-maps.mjs");
const { writeTarball } = await import("./tarball.mjs");

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const { version } = JSON.parse(readFileSync(join(root, "packages/onebuffer/package.json"), "utf8"));
const writeManifest = () => writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest(root, target, version), null, 2)}\n`);
layOutModules(root, target);
// The bundles leave out what no entry uses only if the package says which modules do something when they are loaded: without it, the file
// that Node loads for `onebuffer` brings all readers of files.
writeManifest();
importDirectly(join(target, "esm"), ["onebuffer/index.js"]);
await bundleForNode(target);
await bundleForBrowser(target);
// What follows is for bundlers only.
importDirectly(join(target, "esm"));
loadKernelsLater(target);
dropUnreached(target, Object.values(ENTRIES));
await rollDeclarations(target);
// The page that `onebuffer explore` serves, without what the site's pages load.
run(process.execPath, [join(root, "tools/explorer/build.mjs")], root);
cpSync(join(root, "apps/explorer/dist"), join(target, "explorer"), {
  recursive: true,
  filter: (path) => !/[\\/](?:mount|course)\.js$/.test(path),
});
compressFiles(join(target, "explorer"));
// After the bundles, whose maps are composed of those of the modules.
for (const folder of ["esm", "node", "browser"]) thinMaps(join(target, folder));
for (const page of ["README.md", "LICENSE", "CHANGELOG.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs"])
  cpSync(join(root, page), join(target, page), { recursive: true });
// Except for the files that are of use only in the repository. The compiled programs import `onebuffer`, which here is this package.
cpSync(join(root, "examples"), join(target, "examples"), {
  recursive: true,
  filter: (path) => !/[\\/](dist|node_modules|__pycache__|times\.mjs|tsconfig\.json|expected\.json)$/.test(path),
});
cpSync(join(here, "NOTICE"), join(target, "NOTICE"));
mkdirSync(join(target, "bin"));
writeFileSync(
  join(target, "bin/onebuffer.js"),
  '#!/usr/bin/env node\n// The `onebuffer` command as npm installs it.\nimport "../node/main.js";\n',
  { mode: 0o755 },
);
writeManifest();
notePack();

const tarball = await writeTarball(target, build, process.argv.includes("--quick"));
process.stdout.write(`${(statSync(tarball).size / 2 ** 20).toFixed(2)} MiB\n${tarball}\n`);
