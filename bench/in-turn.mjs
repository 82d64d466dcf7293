// Compares our rows of the bench with those of another clone of the repository, which has been built, in turn:
//
//     node bench/in-turn.mjs ../before                        all times that both have, but for first uses
//     node bench/in-turn.mjs ../before --only "add|sort"      those whose names contain "add" or "sort"
//     node bench/in-turn.mjs ../before --rounds 21 --ms 15    more and shorter turns
//
// Each tree has a process of its own, which lives for all workloads. A row is slower if its least time and the median of its turns' medians are,
// both by more than a twentieth. Such rows are measured again, with three times the turns and in new processes; exit 1 if some still are.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Library } from "./library.mjs";
import { duration, median } from "./report.mjs";
import { kWorkloads } from "./workloads.mjs";

const args = process.argv.slice(2);
const option = (name, fallback) => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : fallback);
const tree = resolve(args[0] ?? "");
const only = option("only", "").split("|");
const rounds = Number(option("rounds", "9"));
const milliseconds = Number(option("ms", "20"));
const kSlower = 1.05;

if (args.length === 0 || !existsSync(`${tree}/bench/library.mjs`)) {
  process.stderr.write("usage: node bench/in-turn.mjs TREE, another clone of the repository that has been built\n");
  process.exit(1);
}

const ofBefore = (file) => import(pathToFileURL(`${tree}/bench/${file}`).href);
const { Library: LibraryBefore } = await ofBefore("library.mjs");
const namesBefore = new Set((await ofBefore("workloads.mjs")).kWorkloads.map(({ name }) => name));

/** Measures a workload in both trees in turn. Returns the samples of each turn, those of before first; null if one of them has no such row. */
async function turnsOf(workload, libraries, count) {
  const turns = [[], []];
  for (let turn = 0; turn < count; turn++) {
    for (const k of turn % 2 === 0 ? [0, 1] : [1, 0]) {
      const { samples } = await libraries[k].run(workload.name, milliseconds, turn === count - 1);
      if (samples === undefined) {
        // Its process may have ended; the next workload begins a new one.
        libraries[k].stop();
        return null;
      }
      turns[k].push(samples);
    }
  }
  return turns;
}

/** Measures workloads and writes a line for each. Returns those that are slower, and how many were measured. */
async function compare(workloads, count) {
  const libraries = [new LibraryBefore("ours"), new Library("ours")];
  const slower = [];
  let measured = 0;
  for (const workload of workloads) {
    const turns = await turnsOf(workload, libraries, count);
    if (turns === null) continue;
    const [before, now] = turns.map((each) => Math.min(...each.flat()));
    const [usual, usualNow] = turns.map((each) => median(each.map(median)));
    const isSlower = now > kSlower * before && usualNow > kSlower * usual;
    if (isSlower) slower.push(workload);
    measured++;
    const times = `${duration(before)} -> ${duration(now)}`;
    const factors = `least ${(now / before).toFixed(2)}, median ${(usualNow / usual).toFixed(2)}`;
    process.stdout.write(`${workload.name.padEnd(40)} ${times.padEnd(26)} ${factors}${isSlower ? "  slower" : ""}\n`);
  }
  for (const library of libraries) library.stop();
  return { slower, measured };
}

// Rows with a unit are sizes and ratios.
const isTime = ({ afresh, unit }) => !afresh && unit === undefined;
const chosen = kWorkloads.filter((each) => isTime(each) && namesBefore.has(each.name) && only.some((part) => each.name.includes(part)));
const first = await compare(chosen, rounds);
if (first.slower.length > 0) process.stdout.write("\nonce more, with three times the turns\n");
const { slower } = await compare(first.slower, 3 * rounds);
process.stdout.write(`\n${first.measured} rows, ${slower.length} of them slower by more than 5 %${slower.length > 0 ? ": " : ""}`);
process.stdout.write(`${slower.map(({ name }) => name).join(", ")}\n`);
process.exitCode = slower.length > 0 ? 1 : 0;
