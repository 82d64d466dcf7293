// The engines: how each is started, and how the suite runs in it. "jest" runs Jest itself, "harness" each test file in a process of its own
// under the harness, "browser" pages with a bundle of the tests that need nothing of Node.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed, kBrowsers } from "../browser/launch.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Installs the engines and the bundler in this folder, once. False where no registry can be reached. */
export function installEngines() {
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  return existsSync(join(here, "node_modules/.package-lock.json")) || spawnSync("npm", args, { cwd: here, stdio: "ignore" }).status === 0;
}

/** The first of the paths that is a program which runs here. */
const firstProgram = (paths) => paths.find((path) => spawnSync(path, ["--version"], { stdio: "ignore" }).status === 0);

/** The paths at which the packages of Deno and Bun may have their program. */
function programPaths(scope, name) {
  const folder = join(here, "node_modules", scope);
  const platforms = existsSync(folder) ? readdirSync(folder).filter((each) => each.includes(process.platform)) : [];
  return platforms.flatMap((each) => [join(folder, each, "bin", name), join(folder, each, name)]);
}

const nodeEngine = (major) => ({
  name: `Node ${major}`,
  way: "jest",
  command: () => firstProgram([join(here, `node_modules/node-${major}/bin/node`)]),
  args: [],
});

const browserEngines = kBrowsers.flatMap(({ name, commands, args }) =>
  [true, false].map((isolated) => ({
    name: `${name === "chromium" ? "Chromium" : "Firefox"}, ${isolated ? "isolated" : "not isolated"}`,
    way: "browser",
    command: () => installed(commands),
    args,
    isolated,
  })),
);

export const kEngines = [
  ...[20, 22, 24, 26].map(nodeEngine),
  {
    name: "Deno",
    way: "harness",
    command: () => firstProgram(programPaths("@deno", "deno")),
    args: ["run", "--allow-all", "--cached-only", "--node-modules-dir=manual", "--no-lock"],
    env: { DENO_NO_UPDATE_CHECK: "1" },
  },
  { name: "Bun", way: "harness", command: () => firstProgram(programPaths("@oven", "bun")), args: ["run"] },
  ...browserEngines,
];

/** What an engine says its version is, in short. */
export function versionOf(command) {
  const said = spawnSync(command, ["--version"], { encoding: "utf8" }).stdout ?? "";
  return /\d+\.\d+[\w.]*/.exec(said)?.[0] ?? "unknown";
}
