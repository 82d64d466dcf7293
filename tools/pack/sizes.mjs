// `npm run sizes`: what the package weighs in a bundle and how long it takes to load, beside its peers in the same run, as the
// tables of docs/contributing/sizes.md (`--write` puts them there, and their figures into README.md). A budget that is exceeded fails the run.
//
// Bundles: see bundle-sizes.mjs. Loading: fresh processes of Node, the libraries in turn, medians.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { updateReadme } from "../readme-figures.mjs";
import { BUNDLES, bundleSizes, kB, overBudget } from "./bundle-sizes.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bench = join(root, "bench");
const page = join(root, "docs/contributing/sizes.md");
const ROUNDS = 15;

/** Runs a command; throws with its output if it fails. */
function run(command, args, cwd) {
  const done = spawnSync(command, args, { cwd, encoding: "utf8", shell: process.platform === "win32" });
  if (done.status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

const npm = (cwd, ...args) => run("npm", [...args, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd);

if (!existsSync(join(bench, "node_modules/.package-lock.json"))) npm(bench, "ci");
const { build } = await import(join(bench, "node_modules/esbuild/lib/main.js"));

/** The peers, bundled in the same way. */
const PEERS = [
  { name: "tfjs-core and tfjs-backend-cpu", code: 'export * from "@tensorflow/tfjs-core"; import "@tensorflow/tfjs-backend-cpu";' },
  { name: "all of @jax-js/jax", code: 'export * from "@jax-js/jax";' },
  { name: "all of numpy-ts", code: 'export * from "numpy-ts";' },
];

/** Libraries as a program loads them; the first expression of ours is timed as well. */
const LOADS = [
  { name: "onebuffer", specifiers: ["onebuffer"], ours: true },
  // By `require`: its files for Node are CommonJS, and an import of them takes several times as long.
  { name: "tfjs-core and tfjs-backend-cpu", specifiers: ["@tensorflow/tfjs-core", "@tensorflow/tfjs-backend-cpu"], required: true },
  { name: "@jax-js/jax", specifiers: ["@jax-js/jax"] },
  { name: "numpy-ts", specifiers: ["numpy-ts"] },
];

/** The most that loading and the first expression may take, in times of tfjs-cpu's loading (34 ms on a quiet machine); the heap in MB. */
const MOST = { load: 2.2, first: 0.15, heap: 5 };

const FIRST_EXPRESSION = `
  const { Tensor, tensorOf } = await import("onebuffer");
  const a = Tensor.from([1, 2, 3, 4]);
  const b = Tensor.from([5, 6, 7, 8]);
  start = performance.now();
  tensorOf(a.vec().mul(b.vec()).add(1));
  times.first = performance.now() - start;`;

const loadProgram = ({ specifiers, ours, required }) => `
  const { createRequire } = await import("node:module");
  const require = createRequire(process.cwd() + "/program.mjs");
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  const times = {};
  let start = performance.now();
  ${specifiers.map((specifier) => `${required ? "require" : "await import"}(${JSON.stringify(specifier)});`).join("\n")}
  times.load = performance.now() - start;
  globalThis.gc();
  times.heap = (process.memoryUsage().heapUsed - before) / 1e6;
  ${ours ? FIRST_EXPRESSION : ""}
  console.log(JSON.stringify(times));
  process.exit(0);`;

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** An app in which the tarball is installed. */
function installedApp() {
  run(process.execPath, [join(root, "tools/pack/run.mjs")], root);
  const [tarball] = readdirSync(join(root, "build")).filter((name) => name.endsWith(".tgz"));
  const app = mkdtempSync(join(tmpdir(), "onebuffer-sizes-"));
  writeFileSync(join(app, "package.json"), '{ "private": true }\n');
  npm(app, "install", "--offline", join(root, "build", tarball));
  return app;
}

/** Medians of ROUNDS fresh processes for each library, taken in turn. */
function loadTimes(app) {
  const samples = LOADS.map(() => ({ load: [], heap: [], first: [] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, each] of LOADS.entries()) {
      const flags = ["--expose-gc", "--no-warnings", "--input-type=module", "-e", loadProgram(each)];
      const times = JSON.parse(
        run(process.execPath, flags, each.ours ? app : bench)
          .trim()
          .split("\n")
          .at(-1),
      );
      for (const [what, value] of Object.entries(times)) samples[i][what].push(value);
    }
  }
  return samples.map(({ load, heap, first }) => ({
    load: median(load),
    heap: median(heap),
    first: first.length > 0 ? median(first) : null,
  }));
}

/** The page with the tables between its marks. */
function withTables(text, tables) {
  const [before, after] = [text.indexOf("<!-- sizes -->"), text.indexOf("<!-- end of sizes -->")];
  if (before < 0 || after < 0) throw new Error("docs/contributing/sizes.md has no marks for the tables");
  return `${text.slice(0, before)}<!-- sizes -->\n${tables}\n${text.slice(after)}`;
}

const app = installedApp();
const over = [];
const lines = [`Measured with Node ${process.versions.node} on ${cpus().length} × ${cpus()[0]?.model}.`, ""];
try {
  lines.push("| bundle | minified, kB | gzipped, kB | budget, kB | later, gzipped, kB |", "|---|---:|---:|---:|---:|");
  for (const program of [...BUNDLES, ...PEERS]) {
    const { name, most } = program;
    const sizes = await bundleSizes(build, program, most === undefined ? bench : app);
    lines.push(
      `| ${name} | ${kB(sizes.minified)} | ${kB(sizes.gz)} | ${most === undefined ? "" : Number(most.toFixed(1))} | ${sizes.later === 0 ? "" : kB(sizes.later)} |`,
    );
    if (most !== undefined) over.push(...overBudget(program, sizes));
  }
  const loads = loadTimes(app);
  const tfjs = loads[1].load;
  lines.push("", "| loading | ms | times tfjs | heap, MB | first expression, ms |", "|---|---:|---:|---:|---:|");
  for (const [i, { load, heap, first }] of loads.entries())
    lines.push(
      `| ${LOADS[i].name}${LOADS[i].required ? ", by `require`" : ""} | ${load.toFixed(1)} | ${(load / tfjs).toFixed(2)} | ${heap.toFixed(1)} | ${first?.toFixed(1) ?? ""} |`,
    );
  const [mine] = loads;
  if (mine.load > MOST.load * tfjs) over.push(`loading takes ${(mine.load / tfjs).toFixed(2)} times tfjs's time, more than ${MOST.load}`);
  if (mine.first > MOST.first * tfjs)
    over.push(`the first expression takes ${(mine.first / tfjs).toFixed(2)} times tfjs's loading, more than ${MOST.first}`);
  if (mine.heap > MOST.heap) over.push(`${mine.heap.toFixed(1)} MB of heap after loading, more than ${MOST.heap}`);
} finally {
  rmSync(app, { recursive: true, force: true });
}
const tables = lines.join("\n");
process.stdout.write(`${tables}\n${over.map((each) => `OVER BUDGET: ${each}\n`).join("")}`);
if (process.argv.includes("--write")) {
  writeFileSync(page, withTables(readFileSync(page, "utf8"), tables));
  updateReadme();
}
process.exitCode = over.length === 0 ? 0 : 1;
