// `node bench/page.mjs NODE20.txt NODE24.txt`: writes the tables of docs/contributing/benchmarks.md from the output of two runs of
// `npm run bench`, one on each version of Node, and that of docs/benchmarks.md from the first. `node bench/page.mjs --changes BEFORE.txt
// NOW.txt` writes its table of what a change has changed, from a run of the commit before it and a run of the change.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cellsOf, kMeasured } from "./measured.mjs";
import { writeBetween } from "./write-between.mjs";

const page = fileURLToPath(new URL("../docs/contributing/benchmarks.md", import.meta.url));
const userPage = fileURLToPath(new URL("../docs/benchmarks.md", import.meta.url));
const kUnits = { ns: 1, us: 1e3, ms: 1e6 };

/**
 * Returns `{ name, text, rows, targets }` of each workload that a run has printed. A row has the library, its figure as printed, and its time
 * in ns; a ratio counts as 0 ns.
 */
function workloadsOf(output) {
  const blocks = output.split("\n\n").slice(1);
  return blocks.flatMap((block) => {
    const [head, ...lines] = block.trim().split("\n");
    const [, name, text] = /^(.+?): (.+)$/.exec(head) ?? [];
    const rows = [];
    const targets = [];
    for (const line of lines) {
      const [label, figure, ratio] = line.trim().split(/\s{2,}/);
      if (label.startsWith("target:")) targets.push({ text: label.slice(8), met: figure === "met", figure: ratio ?? "" });
      const [, number, unit] = /^([\d.]+) (ns|us|ms)$/.exec(figure ?? "") ?? [];
      if (number !== undefined) rows.push({ library: label, shown: figure, ns: Number(number) * kUnits[unit] });
      // A ratio of two of our own times.
      else if (/^[\d.]+x$/.test(figure ?? "")) rows.push({ library: label, shown: figure.replace("x", "×"), ns: 0 });
    }
    return name === undefined || rows.every(({ library }) => library !== "ours") ? [] : [{ name, text, rows, targets }];
  });
}

/** Returns the cells of one run, the last of which lists the targets that it missed. */
function cellsOfRun({ rows, targets } = { rows: [], targets: [] }) {
  const missed = targets.filter(({ met }) => !met).map(({ text, figure }) => `${text}: ${figure}`);
  return [...cellsOf(rows), missed.join("; ")];
}

const linesOf = (path) => readFileSync(path, "utf8");
const versionOf = (output) => /^node v(\S+?),/m.exec(output)?.[1] ?? "?";

/** Writes the table for users: a few workloads in words, our time, the fastest library in JavaScript, and NumPy. */
function writeMeasured(output) {
  const runs = new Map(workloadsOf(output).map((workload) => [workload.name, workload]));
  const lines = ["| | onebuffer | fastest other in JavaScript | NumPy |", "|---|---:|---:|---:|"];
  for (const [name, words] of kMeasured) lines.push(`| ${[words, ...cellsOfRun(runs.get(name)).slice(0, 3)].join(" | ")} |`);
  writeBetween(userPage, "measured", lines);
}

/** Writes the table of two versions of Node. */
function writeVersions(first, second) {
  const other = new Map(workloadsOf(second).map((workload) => [workload.name, workload]));
  const versions = [first, second].map(versionOf);
  const lines = [
    `Node ${versions[0]} and Node ${versions[1]}; medians of interleaved rounds. A factor is the other's time divided by ours: above 1 we are faster.`,
    "",
    `| workload | onebuffer | fastest peer | NumPy | target missed | onebuffer, Node ${versions[1].split(".")[0]} | fastest peer there |`,
    "|---|---:|---:|---:|---|---:|---:|",
  ];
  for (const workload of workloadsOf(first)) {
    const [ours, peer, numpy, missed] = cellsOfRun(workload);
    const [later, laterPeer] = cellsOfRun(other.get(workload.name));
    lines.push(`| ${workload.name} | ${ours} | ${peer} | ${numpy} | ${missed} | ${later} | ${laterPeer} |`);
  }
  writeBetween(page, "bench", lines);
  writeMeasured(first);
}

/** Writes the table of two versions of onebuffer. */
function writeChanges(before, now) {
  const former = new Map(workloadsOf(before).map((workload) => [workload.name, cellsOfRun(workload)[0]]));
  const lines = [
    `Node ${versionOf(now)}; medians of interleaved rounds. A factor is the other's time divided by ours.`,
    "",
    "| workload | before | now | fastest peer | NumPy | target | missed by |",
    "|---|---:|---:|---:|---:|---|---|",
  ];
  for (const workload of workloadsOf(now)) {
    const [ours, peer, numpy] = cellsOfRun(workload);
    const missed = workload.targets.filter(({ met }) => !met).map(({ figure }) => figure);
    const targets = workload.targets.map(({ text }) => text).join("; ");
    lines.push(
      `| ${workload.name} | ${former.get(workload.name) ?? ""} | ${ours} | ${peer} | ${numpy} | ${targets} | ${missed.join("; ")} |`,
    );
  }
  writeBetween(page, "changes", lines);
}

const [option, ...paths] = process.argv.slice(2);
if (option === "--changes" && paths.length === 2) writeChanges(...paths.map(linesOf));
else if (option !== undefined && paths.length === 1) writeVersions(linesOf(option), linesOf(paths[0]));
else throw new Error("usage: node bench/page.mjs NODE20.txt NODE24.txt, or node bench/page.mjs --changes BEFORE.txt NOW.txt");
