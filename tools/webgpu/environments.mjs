// Where the checks run: Node, Chromium, Deno and Firefox, each with the software adapter that it can use.
//
//     Node, Chromium     SwiftShader, which Debian's chromium brings
//     Deno, Firefox      lavapipe, of Debian's mesa-vulkan-drivers
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed, kBrowsers } from "../browser/launch.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));
const kChromium = ["/usr/lib/chromium", "/usr/lib/chromium-browser", "/opt/google/chrome"];
const kDrivers = "/usr/share/vulkan/icd.d";
/** The preferences without which Firefox refuses software adapters, and those of a camera that shows a picture of its own. */
const kPreferences = [
  "dom.webgpu.enabled",
  "gfx.webgpu.ignore-blocklist",
  "gfx.webgpu.force-enabled",
  "media.navigator.streams.fake",
  "media.navigator.permission.disabled",
];
/** The flags by which Chromium has such a camera. */
const kCamera = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"];
/** The flags with which Chromium computes by SwiftShader. The last two do the same for what it draws: canvases of WebGPU are empty otherwise. */
export const kSwiftShader = [
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
  "--use-angle=swiftshader",
];

const chromiumHome = () => kChromium.find((path) => existsSync(`${path}/vk_swiftshader_icd.json`));

/** Returns the file of the Vulkan driver lavapipe, or undefined. */
function lavapipe() {
  const name = (existsSync(kDrivers) ? readdirSync(kDrivers) : []).find((file) => file.startsWith("lvp_icd"));
  return name === undefined ? undefined : join(kDrivers, name);
}

/** Returns the environment variables of a process with a Vulkan driver. Chromium has a Vulkan loader of its own beside its driver. */
function withDriver(driver) {
  return {
    ...process.env,
    VK_ICD_FILENAMES: driver,
    LD_LIBRARY_PATH: [process.env.LD_LIBRARY_PATH, chromiumHome()].filter(Boolean).join(":"),
    XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR ?? "/tmp",
  };
}

/** Installs the packages of a folder once. Returns the reason if that fails, else null. */
function installFailure(cwd = folder) {
  if (existsSync(`${cwd}node_modules/.package-lock.json`)) return null;
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = spawnSync("npm", args, { cwd, encoding: "utf8", shell: process.platform === "win32" });
  return done.status === 0 ? null : `the packages of ${cwd} cannot be installed: ${done.stderr.trim().split("\n").at(-1)}`;
}

/** Returns how Node runs a program with an adapter, after the packages of a folder are installed, or `{ skipped }`. */
export function nodeWith(program, cwd) {
  const home = chromiumHome();
  const driver = process.env.ONEBUFFER_VULKAN_ICD ?? (home === undefined ? undefined : `${home}/vk_swiftshader_icd.json`);
  if (driver === undefined) return { skipped: "no SwiftShader here: install chromium, or name a Vulkan driver in ONEBUFFER_VULKAN_ICD" };
  const failure = installFailure(cwd);
  if (failure !== null) return { skipped: failure };
  return { command: process.execPath, args: (_, url) => [program, url], env: withDriver(driver), isRuntime: true };
}

const node = () => nodeWith(`${folder}node.mjs`, folder);

function deno() {
  const driver = process.env.ONEBUFFER_VULKAN_ICD ?? lavapipe();
  if (driver === undefined) return { skipped: "no lavapipe here: install mesa-vulkan-drivers" };
  const failure = installFailure();
  if (failure !== null) return { skipped: failure };
  const scope = `${folder}node_modules/@deno`;
  const programs = (existsSync(scope) ? readdirSync(scope) : []).map((name) => join(scope, name, "deno"));
  const command = installed([...programs, "deno"]);
  if (command === undefined) return { skipped: "the npm package deno has no program for this platform" };
  const args = (_, url) => ["run", "--allow-all", "--unstable-webgpu", "--node-modules-dir=manual", `${folder}deno.mjs`, url];
  return { command, args, env: { ...withDriver(driver), DENO_NO_UPDATE_CHECK: "1" }, isRuntime: true };
}

function chromium() {
  const { commands, args } = kBrowsers.find(({ name }) => name === "chromium");
  const command = installed(commands);
  if (command === undefined) return { skipped: "Chromium is not installed" };
  return {
    command,
    args: (profile, url) => [...kSwiftShader, ...kCamera, ...args(profile, url).filter((flag) => flag !== "--disable-gpu")],
  };
}

function firefox() {
  const { commands, args } = kBrowsers.find(({ name }) => name === "firefox");
  const command = installed(commands);
  if (command === undefined) return { skipped: "Firefox is not installed" };
  if (lavapipe() === undefined) return { skipped: "no lavapipe here: install mesa-vulkan-drivers" };
  return {
    command,
    args: (profile, url) => {
      writeFileSync(join(profile, "user.js"), kPreferences.map((name) => `user_pref("${name}", true);\n`).join(""));
      return args(profile, url);
    },
  };
}

/**
 * The environments. `find` returns how one is started, or `{ skipped }` with the reason. Where `isRequired`, skipping it fails under
 * ONEBUFFER_REQUIRE_WEBGPU=1. `trees` is how many random trees are computed there, and of `every` so many cases of operations one is.
 */
export const kEnvironments = {
  node: { find: node, isRequired: true, trees: 60, every: 23 },
  chromium: { find: chromium, isRequired: true, trees: 40, every: 61 },
  deno: { find: deno, isRequired: false, trees: 60, every: 23 },
  firefox: { find: firefox, isRequired: false, trees: 40, every: 127 },
};
