// `node examples/times.mjs` runs each program and its NumPy twin (python3, or the one in PYTHON) in turn, fifteen times, and prints the table
// of README.md: the least of the times that they measure around their computation. `--write` puts it there, and
// its figures into the README.md of the repository.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { updateReadme } from "../tools/readme-figures.mjs";

const kRounds = 15;
const kWarmRuns = 10;
const kNames = ["k-means", "digits-network", "pca-digits", "heat-equation", "image-pipeline", "sensor-ring", "polynomial-regression"];

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const run = (program, args) =>
  execFileSync(program, args, { encoding: "utf8", env: { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" } });

/** In a process of its own: the program's first run, and the fastest of some more. */
const measured = (name) => {
  const code = `const print = console.log; console.log = () => {};
    const { result, run } = await import(${JSON.stringify(new URL(`${name}/${name}.js`, import.meta.url).href)});
    print(JSON.stringify([result.ms, Math.min(...Array.from({ length: ${kWarmRuns} }, () => run().ms))]));`;
  return JSON.parse(run(process.execPath, ["--input-type=module", "-e", code]));
};

const rows = kNames.map((name) => {
  const [numpy, first, warm] = [[], [], []];
  for (let round = 0; round < kRounds; round++) {
    numpy.push(Number.parseFloat(run(process.env.PYTHON ?? "python3", [pathOf(`${name}/${name}_numpy.py`)])));
    const [once, again] = measured(name);
    first.push(once);
    warm.push(again);
  }
  return `| ${name} | ${Math.min(...numpy).toFixed(1)} | ${Math.min(...first).toFixed(1)} | ${Math.min(...warm).toFixed(1)} |`;
});
const table = ["| ms | NumPy | onebuffer, first run | onebuffer, later runs |", "|---|---|---|---|", ...rows].join("\n");

console.log(table);
if (process.argv.includes("--write")) {
  const page = new URL("README.md", import.meta.url);
  const [start, end] = ["<!-- times -->", "<!-- end of times -->"];
  const text = readFileSync(page, "utf8");
  writeFileSync(page, text.slice(0, text.indexOf(start) + start.length) + `\n\n${table}\n\n` + text.slice(text.indexOf(end)));
  updateReadme();
}
