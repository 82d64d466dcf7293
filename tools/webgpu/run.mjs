// `npm run webgpu`: WebGpuDevice on real implementations of WebGPU: every operation and dtype against the evaluator's bounds, bits against Node's
// kernels, random trees, the same bits twice, leaks, loss, memory.
//
//   npm run webgpu                     everything
//   npm run webgpu -- operations       some parts
//   npm run webgpu -- --trees 2000     so many random trees
//   npm run webgpu -- operations --op exp,add
//
// Node computes through the npm package `webgpu`, which is installed once into this folder, on SwiftShader, the software adapter that chromium
// brings; ONEBUFFER_VULKAN_ICD names another driver's file. Where one of them is missing, it prints "skipped: why" and exits with 0, or with 1
// under ONEBUFFER_REQUIRE_WEBGPU=1. The last line is "N passed, N failed, N skipped".
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const kChromium = ["/usr/lib/chromium", "/usr/lib/chromium-browser", "/opt/google/chrome"];

/** Returns the environment of a process that has an adapter, or the reason why there is none. */
function environment() {
  const home = kChromium.find((path) => existsSync(`${path}/vk_swiftshader_icd.json`));
  const driver = process.env.ONEBUFFER_VULKAN_ICD ?? (home === undefined ? undefined : `${home}/vk_swiftshader_icd.json`);
  if (driver === undefined) return { skipped: "no SwiftShader here: install chromium, or name a Vulkan driver in ONEBUFFER_VULKAN_ICD" };
  if (!existsSync(`${folder}node_modules/webgpu`)) {
    const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const done = spawnSync("npm", args, { cwd: folder, encoding: "utf8", shell: process.platform === "win32" });
    if (done.status !== 0) return { skipped: `the npm package webgpu cannot be installed: ${done.stderr.trim().split("\n").at(-1)}` };
  }
  // Chromium has a Vulkan loader of its own beside the driver.
  const libraries = [process.env.LD_LIBRARY_PATH, home].filter(Boolean).join(":");
  return {
    env: { ...process.env, VK_ICD_FILENAMES: driver, LD_LIBRARY_PATH: libraries, XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR ?? "/tmp" },
  };
}

const { env, skipped } = environment();
if (skipped !== undefined) {
  process.stdout.write(`skipped: ${skipped}\n0 passed, 0 failed, 1 skipped\n`);
  process.exit(process.env.ONEBUFFER_REQUIRE_WEBGPU === "1" ? 1 : 0);
}
const { status } = spawnSync(process.execPath, [`${folder}node.mjs`, ...process.argv.slice(2)], { env, stdio: "inherit" });
process.exit(status ?? 1);
