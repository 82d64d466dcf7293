// onebuffer's first uses: each in processes of its own, of which the fastest counts.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const kProcesses = process.env["ONEBUFFER_BENCH_CHECK"] === "1" ? 1 : 7;
const program = fileURLToPath(new URL("../first-use.mjs", import.meta.url));

/** Returns the nanoseconds of a first use. */
function firstUse(name) {
  const times = Array.from({ length: kProcesses }, () => Number(execFileSync(process.execPath, [program, name], { encoding: "utf8" })));
  return Math.min(...times) * 1e6;
}

const row = (title, name) => [title, () => ({ value: () => firstUse(name) })];

export const firstUsesOfOurs = Object.fromEntries([
  ...["map", "reduction", "softmax", "product", "convolution", "random normal"].map((name) => row(`first ${name}`, name)),
  row("game of life first run", "game of life"),
  ...["ring, first pass", "ring, third pass", "ring, warm"].map((name) => row(name, name)),
]);
