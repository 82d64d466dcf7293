// The bench: compares every workload with other libraries; one long-lived process per library, interleaved rounds, medians.
//
//   npm run bench                 everything; exit 1 on a checksum mismatch, a missed target or a peer that is not installed
//   npm run bench -- --ours       only our own rows (no peers needed)
//   npm run bench -- --check      only that each of our rows runs: hardly warmed up, no targets; exit 1 if one fails
//   npm run bench -- --quick      the workloads of docs/benchmarks.md in less than two minutes, beside the figures of that page; no targets
//   npm run bench -- --growth     how times grow over five sizes, beside the machine's limits; --write puts them into docs/contributing
//   npm run bench -- --rounds 9   more rounds;  -- --only "at|set"  only workloads whose name contains "at" or "set"
//
// Ratios are time(peer) / time(ours): above 1 we are faster. Checksums of all libraries are compared per workload. Rows whose targets are a few
// hundredths of another program's time are measured in many short turns, of which the least counts: other programs only make samples larger.
import { existsSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Library } from "./library.mjs";
import { kGrowthWorkloads } from "./growth/growth-data.mjs";
import { growthText, isTooSlow, kGrowthLibraries, writeGrowth } from "./growth/growth-page.mjs";
import { kOwn, kPeers, kWorkloads } from "./workloads.mjs";
import { kMeasured } from "./measured.mjs";
import { quickText } from "./quick.mjs";
import { duration, median, table } from "./report.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const args = process.argv.slice(2);
const flag = (name) => args.includes(`--${name}`);
const option = (name, fallback) => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : fallback);
const isCheck = flag("check");
const isQuick = flag("quick");
const isGrowth = flag("growth");
const isOursOnly = isCheck || flag("ours");
if (isCheck) process.env["ONEBUFFER_BENCH_CHECK"] = "1";
const rounds = Number(option("rounds", isCheck ? "1" : isQuick || isGrowth ? "3" : "5"));
const milliseconds = Number(option("ms", isCheck ? "1" : isQuick ? "20" : isGrowth ? "40" : "60"));
const only = option("only", "").split("|");
const isChosen = ({ name }) => (isQuick ? kMeasured.some(([measured]) => measured === name) : only.some((part) => name.includes(part)));

function installPeers() {
  if (existsSync(`${here}node_modules/.package-lock.json`)) return;
  process.stderr.write("Installing the bench's peers (once)...\n");
  const done = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: here,
    stdio: ["ignore", 2, 2],
  });
  if (done.status !== 0) process.stderr.write("The peers could not be installed; their rows say absent.\n");
}

/**
 * Runs one round; a library that fails is tried once more in a new process. numpy-ts addresses its memory with signed 32-bit offsets and
 * gives little of it back, so after some workloads it has grown past 2 GiB and fails until its process begins anew.
 */
async function answerOf(library, workload, withChecksum) {
  const time = turnsOf(workload) > rounds ? Math.min(milliseconds, kTurnMilliseconds) : milliseconds;
  const answer = await library.run(workload.name, time, withChecksum);
  if (!answer.failed) return answer;
  library.stop();
  return library.run(workload.name, time, withChecksum);
}

/** How long a turn of a workload with many is. */
const kTurnMilliseconds = 25;

/** Returns how often the libraries are measured in turn. */
const turnsOf = ({ turns = 0 }) => (isCheck || isQuick ? rounds : Math.max(rounds, turns));

/** Returns the time of samples: their median, or the least of many turns. */
const timeOf = (workload, samples) => (turnsOf(workload) > rounds ? Math.min(...samples) : median(samples));

/** Samples of one workload: library name -> { samples, checksum } | { absent } | { failed } | { none }. */
async function measure(workload, libraries) {
  const results = new Map();
  const turns = turnsOf(workload);
  for (let turn = 0; turn < turns; turn++) {
    for (const library of libraries) {
      const previous = results.get(library.name);
      if (previous?.none || previous?.absent || previous?.failed) continue;
      const answer = await answerOf(library, workload, turn === turns - 1);
      if (answer.samples === undefined) results.set(library.name, answer);
      else
        results.set(library.name, {
          samples: [...(previous?.samples ?? []), ...answer.samples],
          checksum: answer.checksum,
          note: answer.note,
        });
    }
  }
  return results;
}

/**
 * Like `measure`, but once for each library, in a fresh process that has done nothing else. The process that runs already knows whether the
 * library has the workload: a fresh one takes a second to load the library.
 */
async function measureAfresh(workload, libraries) {
  const results = new Map();
  for (const each of libraries) {
    const known = await each.has(workload.name);
    if (known.none || known.absent) {
      results.set(each.name, known);
      continue;
    }
    const library = new Library(each.name, []);
    results.set(each.name, await library.run(workload.name, milliseconds, true));
    library.stop();
  }
  return results;
}

/** Returns a figure with its unit. */
function shown(figure, unit) {
  if (unit === "bytes") return `${figure.toFixed(1)} B`;
  if (unit === "ratio") return `${figure.toFixed(2)}x`;
  return unit === "MiB" ? `${figure.toFixed(0)} MiB` : duration(figure);
}

const sameChecksum = (a, b, tolerance = 1e-6) => Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));

/** Returns the rows of one workload and adds its problems to the list. */
function judge(workload, results, problems) {
  const ours = results.get("ours");
  if (ours.samples === undefined) {
    const why = ours.absent ?? ours.failed;
    if (why) problems.push(`${workload.name}: ours failed: ${why}`);
    return [["ours", "not measured", "", why ?? "needs the packages of bench/package.json"]];
  }
  const mine = timeOf(workload, ours.samples);
  const rows = [];
  for (const [name, result] of results) {
    if (result.absent) {
      rows.push([name, "absent", "", ""]);
      problems.push(`${workload.name}: ${name} is absent (${result.absent})`);
      continue;
    }
    if (result.failed) rows.push([name, "failed", "", result.failed.split("\n", 1)[0]]);
    if (result.none || result.failed) continue;
    const time = timeOf(workload, result.samples);
    const agrees =
      result.checksum === undefined || ours.checksum === undefined || sameChecksum(result.checksum, ours.checksum, workload.tolerance);
    if (!agrees) problems.push(`${workload.name}: checksum of ${name} is ${result.checksum}, ours ${ours.checksum}`);
    rows.push([
      name,
      shown(time, workload.unit),
      name === "ours" ? "1.00" : (time / mine).toFixed(2),
      agrees ? "" : "CHECKSUM DIFFERS",
      result.note ?? "",
    ]);
  }
  for (const target of isCheck || isQuick ? [] : (workload.targets ?? [])) {
    const verdict = target.check({
      mine,
      time: (name) => (results.get(name)?.samples ? timeOf(workload, results.get(name).samples) : undefined),
    });
    rows.push([`target: ${target.text}`, verdict.met ? "met" : "MISSED", verdict.figure, ""]);
    if (!verdict.met) problems.push(`${workload.name}: target missed: ${target.text} (${verdict.figure})`);
  }
  return rows;
}

if (!isOursOnly) installPeers();
const own = isGrowth ? kGrowthLibraries.own : kOwn;
const peers = isGrowth ? kGrowthLibraries.peers : kPeers;
const names = isOursOnly ? own : [...own, ...peers];
const libraries = names.map((name) => new Library(name));
const problems = [];
/** The results of each workload by its name. */
const measured = new Map();
process.stdout.write(
  `node ${process.version}, ${rounds} interleaved rounds of ${milliseconds} ms, medians; ratio = time(library) / time(ours)\n`,
);
for (const workload of isGrowth ? kGrowthWorkloads : kWorkloads) {
  if (!isChosen(workload)) continue;
  const fast = isGrowth ? libraries.filter(({ name }) => !isTooSlow(name, workload, measured)) : libraries;
  const results = workload.afresh ? await measureAfresh(workload, libraries) : await measure(workload, fast);
  measured.set(workload.name, results);
  process.stdout.write(
    `\n${workload.name}: ${workload.text}${turnsOf(workload) > rounds ? `; the least of ${turnsOf(workload)} turns` : ""}\n${table(judge(workload, results, problems))}\n`,
  );
}
for (const library of libraries) library.stop();
if (isQuick) process.stdout.write(`\n${quickText(measured)}\n`);
if (isGrowth) process.stdout.write(`\n${growthText(measured)}\n`);
if (isGrowth && flag("write")) writeGrowth(measured);
const absent = problems.filter((p) => p.includes(" is absent "));
const rest = problems.filter((p) => !p.includes(" is absent "));
if (problems.length > 0) process.stdout.write(`\n${problems.join("\n")}\n`);
process.exitCode = rest.length > 0 || (absent.length > 0 && !isOursOnly && !isQuick) ? 1 : 0;
