// `npm run test:engines [-- NAMES] [--files PATTERN]`: the built suite in other engines: Node 20, 22, 24 and 26, Deno, Bun, Chromium and Firefox.
// NAMES choose engines by the beginnings of their names. A run of all tests of an engine is kept in results.json, and
// docs/contributing/engines.md is made of the last run of each. Fails for each failed test that known.json does not explain, and for each
// known difference that is no longer seen. The engines come from the registry of packages, once, into this folder; without one the command
// prints "skipped:" and the reason.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { knownDifferences, reasonOf, staleOf } from "./differences.mjs";
import { installEngines, kEngines, versionOf } from "./engines.mjs";
import { pageText } from "./page-text.mjs";
import { runWithJest } from "./run-jest.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const out = join(root, "out/engines");
const kMostShown = 30;

/** The names and the patterns of files of the command line. */
function optionsOf(words) {
  const names = [];
  const patterns = [];
  for (let i = 0; i < words.length; i++) {
    if (words[i] === "--files") patterns.push(words[++i]);
    else names.push(words[i]);
  }
  return { names, patterns };
}

/** Runs the suite in one engine; the harness and the bundle are made when they are first needed, because esbuild is installed by then. */
async function verdictsIn(engine, patterns) {
  if (engine.way === "jest") return runWithJest(engine, patterns);
  if (engine.way === "harness") {
    const { layOut } = await import("./tree.mjs");
    const { runWithHarness } = await import("./run-harness.mjs");
    const tree = join(out, "tree");
    return runWithHarness(engine, { tree, program: await layOut(tree) }, patterns);
  }
  const { browserSubjects } = await import("./browser/subjects.mjs");
  const { bundleTests } = await import("./browser/bundle.mjs");
  const { runInBrowser } = await import("./run-browser.mjs");
  const subjects = browserSubjects(patterns, engine.isolated);
  await bundleTests(subjects, join(out, "pages"));
  return runInBrowser(engine, { subjects, folder: join(out, "pages") });
}

const ofVerdict = (verdicts, wanted) => verdicts.filter(({ verdict }) => verdict === wanted);

/** Runs one engine and judges its verdicts. */
async function judge(engine, { patterns, known }) {
  const begun = performance.now();
  const verdicts = await verdictsIn(engine, patterns);
  const failures = ofVerdict(verdicts, "failed");
  const unexplained = failures.filter((verdict) => reasonOf(known, engine.name, verdict) === undefined);
  const stale = patterns.length > 0 ? [] : staleOf(known, engine.name, failures);
  const seen = known.map((each) => ({
    ...each,
    tests: failures.filter((verdict) => reasonOf(known, engine.name, verdict) === each).length,
  }));
  return {
    name: engine.name,
    version: versionOf(engine.command),
    seconds: (performance.now() - begun) / 1000,
    all: verdicts.length,
    counts: {
      passed: ofVerdict(verdicts, "passed").length,
      known: failures.length - unexplained.length,
      unexplained: unexplained.length + stale.length,
      skipped: ofVerdict(verdicts, "skipped").length,
    },
    known: seen.filter(({ tests }) => tests > 0),
    unexplained,
    stale,
  };
}

function print({ name, version, counts, seconds, unexplained, stale }) {
  process.stdout.write(
    `${name} (${version}): ${counts.passed} passed, ${counts.known} known differences, ${unexplained.length} unexplained failures, ` +
      `${counts.skipped} skipped, in ${Math.round(seconds)} s\n`,
  );
  for (const { file, name: test, detail } of unexplained.slice(0, kMostShown))
    process.stdout.write(`  FAILED ${file}: ${test}\n    ${String(detail).split("\n").slice(0, 8).join("\n    ")}\n`);
  if (unexplained.length > kMostShown) process.stdout.write(`  and ${unexplained.length - kMostShown} more\n`);
  for (const { file, test } of stale) process.stdout.write(`  FAILED: the known difference of ${file} ${test} was not seen\n`);
}

/** Keeps the results, and writes the page of the last results of every engine. */
function writePage(results, missing) {
  const path = join(root, "tools/engines/results.json");
  const kept = JSON.parse(readFileSync(path, "utf8"));
  const machine = `${availableParallelism()} processors (${cpus()[0].model.trim()})`;
  const date = new Date().toISOString().slice(0, 10);
  for (const { name, version, seconds, all, counts, known: seen } of results)
    kept[name] = { version, date, machine, seconds: Math.round(seconds), all, counts, known: seen };
  writeFileSync(path, `${JSON.stringify(kept, null, 1)}\n`);
  const rows = kEngines.flatMap(({ name, way }) => (name in kept ? [{ name, way, ...kept[name] }] : []));
  writeFileSync(join(root, "docs/contributing/engines.md"), pageText(rows, missing));
}

const { names, patterns } = optionsOf(process.argv.slice(2));
if (!installEngines()) {
  process.stdout.write("skipped: no registry was reached, so the engines are missing\n");
  process.exit(0);
}
const known = knownDifferences();
const results = [];
const missing = [];
for (const engine of kEngines) {
  if (names.length > 0 && !names.some((name) => engine.name.startsWith(name))) continue;
  const command = engine.command();
  if (command === undefined) {
    missing.push({ name: engine.name, why: "it is not installed, or has no program for this platform" });
    process.stdout.write(`${engine.name}: not run, ${missing.at(-1).why}\n`);
    continue;
  }
  const result = await judge({ ...engine, command }, { patterns, known });
  print(result);
  results.push(result);
}
if (patterns.length === 0) writePage(results, missing);
const total = (name) => results.reduce((sum, { counts }) => sum + counts[name], 0);
process.stdout.write(`${total("passed")} passed, ${total("unexplained")} failed, ${total("skipped") + total("known")} skipped\n`);
process.exitCode = total("unexplained") === 0 ? 0 : 1;
