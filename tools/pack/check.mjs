// `node tools/pack/check.mjs`: installs the tarball that `npm run pack` made in an empty folder and does with it what people do: runs it
// in Node, Deno, Bun and browsers, compiles against it, bundles it. `--all` does more of the slow ones; words choose checks by
// name. The tools come from the registry, once; what needs them is skipped with a message where there is none.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BUNDLER_CHECKS } from "./checks/bundlers.mjs";
import { installed, installTools, Skip } from "./checks/context.mjs";
import { DECLARATION_CHECKS } from "./checks/declarations.mjs";
import { EXAMPLE_CHECKS } from "./checks/examples.mjs";
import { HOVER_CHECKS } from "./checks/hovers.mjs";
import { INSTALL_CHECKS } from "./checks/install.mjs";
import { PAGE_PROGRAM_CHECKS } from "./checks/page-programs.mjs";
import { PAGE_CHECKS } from "./checks/pages.mjs";
import { RUNTIME_CHECKS } from "./checks/runtimes.mjs";
import { SOURCE_MAP_CHECKS } from "./checks/source-maps.mjs";

const CHECKS = {
  ...INSTALL_CHECKS,
  ...EXAMPLE_CHECKS,
  ...SOURCE_MAP_CHECKS,
  ...DECLARATION_CHECKS,
  ...HOVER_CHECKS,
  ...BUNDLER_CHECKS,
  ...RUNTIME_CHECKS,
  ...PAGE_CHECKS,
  ...PAGE_PROGRAM_CHECKS,
};

const build = fileURLToPath(new URL("../../build", import.meta.url));
const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));

/** The youngest tarball in `build/`. */
function tarballPath() {
  const names = existsSync(build) ? readdirSync(build).filter((name) => name.endsWith(".tgz")) : [];
  if (names.length === 0) throw new Error("there is no tarball: `npm run pack` makes it");
  const age = (name) => -statSync(join(build, name)).mtimeMs;
  return join(build, names.sort((a, b) => age(a) - age(b))[0]);
}

const context = installed(tarballPath(), { all: process.argv.includes("--all"), hasTools: installTools() });
const failed = [];
try {
  for (const [name, check] of Object.entries(CHECKS)) {
    if (words.length > 0 && !words.some((word) => name.toLowerCase().includes(word.toLowerCase()))) continue;
    const start = performance.now();
    let verdict;
    try {
      verdict = `ok ${(await check(context)) ?? ""}`;
    } catch (error) {
      verdict = error instanceof Skip ? `skipped: ${error.message}` : `FAILED\n${error?.stack ?? error}`;
      if (!(error instanceof Skip)) failed.push(name);
    }
    process.stdout.write(`${name} (${((performance.now() - start) / 1000).toFixed(1)} s): ${verdict.trim()}\n`);
  }
} finally {
  context.remove();
}
process.stdout.write(failed.length === 0 ? "the package installs and runs\n" : `FAILED: ${failed.join("; ")}\n`);
// Servers of bundlers may keep timers of their own.
process.exit(failed.length === 0 ? 0 : 1);
