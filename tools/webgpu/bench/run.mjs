// `node tools/webgpu/bench/run.mjs`: times of WebGpuDevice as ratios to those of jax-js and tfjs-backend-webgpu, which it installs into
// this folder once. On a software adapter, which is all that is here, they compare the work that libraries give to a GPU; they say nothing
// about the speed of one. `--check` takes one sample of each. Where there is no adapter, it prints "skipped: why".
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import "../../build.mjs";
import { nodeWith } from "../environments.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));
const { skipped, command, env } = nodeWith(`${folder}bench.mjs`, folder);
if (skipped !== undefined) process.stdout.write(`skipped: ${skipped}\n`);
else {
  const { status } = spawnSync(command, [`${folder}bench.mjs`, ...process.argv.slice(2)], { env, stdio: "inherit" });
  process.exitCode = status ?? 1;
}
