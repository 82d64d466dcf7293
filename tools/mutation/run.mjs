// `npm run mutation`: measures the tests by mistakes. StrykerJS's instrumenter makes mutants of compiled modules, a sample of them is activated
// one at a time, and the tests that reach a mutant run until one fails. Prints a line `PACKAGE score NN` per package and the mutants that no test
// killed; fails if the score of a package, of at least 100 mutants, is below 85. docs/contributing/mutation.md describes the options.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { coverageOf, kQuickMilliseconds, runsOf } from "./coverage.mjs";
import { outputs, testPaths } from "./files.mjs";
import { optionsOf } from "./options.mjs";
import { eachOf, Worker } from "./pool.mjs";
import { sampled } from "./sample.mjs";
import { isMutable, kSubjects, sourceOf } from "./subjects.mjs";
import { explainedBy, mergeSurvivors, parseSurvivors, scoreOf, survivorsText } from "./survivors.mjs";
import { trialsBy } from "./trial.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const list = join(here, "survivors.json");
const print = (line) => process.stdout.write(`${line}\n`);

/** The least score of a package, and of how many mutants: a smaller sample is no verdict. */
const kLeastScore = 85;
const kVerdictMutants = 100;

/** What a test file may take in the dry run at most, in milliseconds. */
const kDryMilliseconds = 180_000;

function installInstrumenter() {
  if (existsSync(`${here}node_modules/.package-lock.json`)) return;
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = spawnSync("npm", args, { cwd: here, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

/** Returns the source files that differ from a commit, or null if there is no such commit, as in a clone without history. */
function changedSince(base) {
  const { status, stdout } = spawnSync("git", ["diff", "--name-only", base, "--", "packages"], { cwd: root, encoding: "utf8" });
  return status === 0 ? new Set(stdout.trim().split("\n")) : null;
}

/** Runs the test files of a subject without a mutant, until `isOver()`. Returns what they cover. */
async function dryRun(name, workers, isOver) {
  const paths = testPaths(root).filter((path) => kSubjects[name].tests.test(path));
  const run = async (worker, path) => {
    const message = { path: join(root, path), mutant: null, tests: null };
    const answer = await worker.run({ ...message, loading: "new" }, kDryMilliseconds);
    const quick = answer.results?.filter(({ isFailed, milliseconds }) => !isFailed && milliseconds < kQuickMilliseconds);
    const again = quick === undefined ? {} : await worker.run({ ...message, tests: quick, loading: "any" }, kDryMilliseconds);
    return { path, answer, again };
  };
  const answers = await eachOf(paths, workers, run, isOver);
  return answers.flatMap(({ path, answer, again }) => {
    const why = answer.ended !== undefined ? `its ${answer.ended} ended` : answer.error;
    if (why !== null) print(`${name}: left out, because it does not run over instrumented modules: ${path}: ${why}`);
    for (const { name: test } of answer.results?.filter(({ isFailed }) => isFailed) ?? [])
      print(`${name}: left out, because it fails over instrumented modules: ${test}`);
    return why === null ? [coverageOf(join(root, path), answer, again)] : [];
  });
}

/** Runs the tests that can kill a mutant of a subject until one fails. Returns the mutant with `isKilled` and what `by`. */
async function tryMutant(name, trialsOf, mutant, files) {
  const { runs, isAll } = runsOf(mutant.id, files, kSubjects[name].isKept);
  for (const run of runs) {
    const by = await trialsOf(run.path).try(mutant.id, run);
    if (by !== null) return { ...mutant, isKilled: true, by };
  }
  return { ...mutant, isKilled: false, by: runs.length === 0 ? "reached by no test" : isAll ? "survived" : "survived the quickest tests" };
}

/** Tries a sample of the mutants of some modules, none if the dry run was not over in time. Returns those that were tried, and the number of all. */
async function measure(name, modules, { mutants: count, seed, jobs }, isOver) {
  const { mutantsOf } = await import("./mutants.mjs");
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "onebuffer-mutation-"));
  const workers = Array.from({ length: jobs }, () => new Worker(folder));
  try {
    const mutants = await mutantsOf(name, root, modules, folder);
    const files = await dryRun(name, workers, isOver);
    const dry = performance.now() - started;
    const trials = new Map(workers.map((worker) => [worker, trialsBy(worker)]));
    const run = (worker, mutant) => tryMutant(name, trials.get(worker), mutant, files);
    const tried = await eachOf(sampled(mutants, count, seed), workers, run, isOver);
    return { all: mutants.length, tried, dry, milliseconds: performance.now() - started };
  } finally {
    for (const worker of workers) worker.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Prints the line of a package, and its survivors. Returns a short text of the score, and whether it is too low. */
function report(name, { all, tried, dry, milliseconds }, isExplained) {
  const { killed, explained, survived, score } = scoreOf(tried, isExplained);
  for (const mutant of tried.filter((each) => !each.isKilled && !isExplained(each)))
    print(`${mutant.by}: ${mutant.file}:${mutant.line} ${mutant.mutator}: ${mutant.original} → ${mutant.replacement}`);
  const ended = tried.filter(({ by }) => by === "time").length;
  print(
    `${name} score ${score} (${killed} killed, ${ended} of them by time; ${survived} survived, ${explained} more explained; ${tried.length} of ${all} mutants tried in ${Math.round(milliseconds / 1000)} s, of which the dry run took ${Math.round(dry / 1000)})`,
  );
  return { text: `${name} ${score} (${tried.length})`, isTooLow: score < kLeastScore && tried.length >= kVerdictMutants };
}

/** Returns the subjects that were asked for and have modules to change, as pairs of a name and its modules. */
function modulesOf({ packages }, changed) {
  const isIn = (name, path) => kSubjects[name].sources.test(path) && isMutable(path) && (changed?.has(sourceOf(path)) ?? true);
  return packages.map((name) => [name, outputs(root).filter((path) => isIn(name, path))]).filter(([, modules]) => modules.length > 0);
}

async function main() {
  const options = optionsOf(process.argv.slice(2), Object.keys(kSubjects), availableParallelism());
  const changed = options.changed === null ? null : changedSince(options.changed);
  if (options.changed !== null && changed === null) return print(`skipped: there is no commit ${options.changed} here`);
  const subjects = modulesOf(options, changed);
  if (subjects.length === 0) return print(`no measured file differs from ${options.changed}`);
  installInstrumenter();
  const end = performance.now() + 1000 * options.seconds;
  const scores = [];
  for (const [k, [name, modules]] of subjects.entries()) {
    if (performance.now() >= end) {
      print(`${name}: no time was left`);
      continue;
    }
    // Each package has its share of the time that is left.
    const share = (end - performance.now()) / (subjects.length - k);
    const stop = performance.now() + share;
    const measured = await measure(name, modules, options, () => performance.now() > stop);
    const entries = parseSurvivors(readFileSync(list, "utf8"));
    if (measured.tried.length === 0) print(`${name}: no mutant was tried, of ${measured.all}`);
    else scores.push(report(name, measured, explainedBy(entries)));
    const linesOf = (file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8").split("\n") : null);
    if (options.write) writeFileSync(list, survivorsText(mergeSurvivors(entries, measured.tried, linesOf)));
  }
  if (scores.length > 1) print(`scores (of how many mutants): ${scores.map(({ text }) => text).join(", ")}`);
  if (scores.some(({ isTooLow }) => isTooLow)) process.exitCode = 1;
}

await main();
