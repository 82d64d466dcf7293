// What `npm run bench -- --quick` prints last: the figures of this machine beside those of docs/benchmarks.md. Times differ between
// machines; the factors, each library's time divided by onebuffer's, should be alike.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { cellsOf, kMeasured } from "./measured.mjs";
import { duration, median, table } from "./report.mjs";

const page = new URL("../docs/benchmarks.md", import.meta.url);

/** Returns the cells of the page's table by the words of their workload: our time, the fastest peer's, NumPy's. */
function cellsOfPage() {
  const text = readFileSync(page, "utf8");
  const rows = text.slice(text.indexOf("<!-- measured -->"), text.indexOf("<!-- end of measured -->")).split("\n");
  return new Map(
    rows
      .filter((row) => row.startsWith("| ") && !row.startsWith("| |"))
      .map((row) =>
        row
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
      .map(([words, ...cells]) => [words, cells]),
  );
}

/** Returns the same cells of one workload from what was measured: library name -> { samples }. */
function cellsOfResults(results) {
  const measured = [...results].filter(([, { samples }]) => samples !== undefined);
  return cellsOf(
    measured.map(([library, { samples }]) => {
      const ns = median(samples);
      return { library, ns, shown: duration(ns) };
    }),
  );
}

/** Returns the text of the table. `measured` has the results of each workload by its name. */
export function quickText(measured) {
  const there = cellsOfPage();
  const rows = kMeasured.flatMap(([name, words]) => {
    const results = measured.get(name);
    if (results === undefined) return [];
    return [
      [words, ...cellsOfResults(results)],
      ["", ...(there.get(words) ?? ["", "", ""])],
    ];
  });
  const [{ model } = { model: "unknown" }] = cpus();
  return [
    `This machine (${model.trim()}, node ${process.version}), and below each row the machine of docs/benchmarks.md.`,
    "In parentheses the other's time divided by onebuffer's: above 1 onebuffer is faster.",
    table([["", "onebuffer", "fastest in JavaScript", "NumPy"], ...rows]),
  ].join("\n");
}
