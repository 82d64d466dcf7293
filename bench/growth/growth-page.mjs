// What `npm run bench -- --growth` prints last, and with `--write` puts into docs/contributing: the table of times by size in benchmarks.md, and
// the plot growth.svg.
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { cellsOf } from "../measured.mjs";
import { duration } from "../report.mjs";
import { writeBetween } from "../write-between.mjs";
import { growthName, kGrowth } from "./growth-data.mjs";
import { growthPlot } from "./growth-plot.mjs";

const page = fileURLToPath(new URL("../../docs/contributing/benchmarks.md", import.meta.url));
const plot = fileURLToPath(new URL("../../docs/contributing/growth.svg", import.meta.url));

/** Ours and the machine's limits, and the libraries in JavaScript that have one of the kinds. */
export const kGrowthLibraries = {
  own: ["ours", "stream", "peak"],
  peers: ["tfjs-cpu", "tfjs-wasm", "numpy-ts", "jax-js", "pffft-wasm", "kissfft-wasm", "fft-js"],
};

/** A library that takes longer than this for a size is not asked for larger ones, in nanoseconds. */
const kPatience = 50e6;

/**
 * Returns the least time of a library for a workload in nanoseconds; undefined if it was not measured. What other programs do on the machine only
 * makes times longer, and a limit must not be longer than what it limits.
 */
function timeOf(measured, name, library) {
  const samples = measured.get(name)?.get(library)?.samples;
  return samples === undefined ? undefined : Math.min(...samples);
}

/** Returns true if a library has taken too long for the next smaller size of a kind, or was left out there. */
export function isTooSlow(library, { kind, size }, measured) {
  const { sizes } = kGrowth[kind];
  return sizes.some((smaller) => smaller < size && timeOf(measured, growthName(kind, smaller), library) > kPatience);
}

/** Returns the times of all libraries for a workload, as rows of `cellsOf`. */
const rowsOf = (measured, name) =>
  [...kGrowthLibraries.own, ...kGrowthLibraries.peers].flatMap((library) => {
    const ns = timeOf(measured, name, library);
    return ns === undefined ? [] : [{ library, ns, shown: duration(ns) }];
  });

/** Returns the lines of the table and of what it was measured on. */
function linesOf(measured) {
  const [{ model } = { model: "unknown" }] = cpus();
  const lines = [
    `Node ${process.versions.node} on ${cpus().length} × ${model.trim()}; the least times of interleaved rounds, on one thread. A factor is the other's time divided by ours.`,
    "",
    "| work | size | onebuffer | memory alone | arithmetic alone | fastest other in JavaScript |",
    "|---|---:|---:|---:|---:|---:|",
  ];
  for (const [kind, { sizes, sizeText }] of Object.entries(kGrowth)) {
    for (const size of sizes) {
      const rows = rowsOf(measured, growthName(kind, size));
      const [ours, peer] = cellsOf(rows);
      const limit = (library) => rows.find((row) => row.library === library)?.shown ?? "";
      lines.push(`| ${kind} | ${size.toLocaleString("en")} ${sizeText} | ${ours} | ${limit("stream")} | ${limit("peak")} | ${peer} |`);
    }
  }
  return lines;
}

/** Returns the text of the table. */
export const growthText = (measured) => linesOf(measured).join("\n");

/** Writes the table into the page, and the plot. */
export function writeGrowth(measured) {
  writeBetween(page, "growth", linesOf(measured));
  const panels = Object.entries(kGrowth).map(([kind, { text, sizes, sizeText }]) => ({
    title: `${kind}: ${text}`,
    sizeText,
    sizes,
    series: [...kGrowthLibraries.own, ...kGrowthLibraries.peers].map((library) => ({
      library,
      points: sizes.flatMap((size) => {
        const ns = timeOf(measured, growthName(kind, size), library);
        return ns === undefined ? [] : [{ size, ns }];
      }),
    })),
  }));
  writeFileSync(plot, growthPlot(panels));
}
