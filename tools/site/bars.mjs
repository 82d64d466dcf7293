// Measured times as bars: a group for each row of the table in docs/benchmarks.md, a bar for each library.
import { text } from "./plot-text.mjs";

const kUnits = { ns: 1, us: 1e3, ms: 1e6 };
/** The length of the longest bar. */
const kWidth = 100;
/** Bars of more than this many times ours are cut, and say so. */
const kMost = 8;

/** Returns a cell such as `numpy-ts 2.13 ms (2.72×)` as `{ library, shown, ns }`, null for an empty one. `header` names the others. */
function barOf(cell, header) {
  const [, library, number, unit] = /^(?:(\S.*?) )?([\d.]+) (ns|us|ms)(?: \(.*\))?$/.exec(cell) ?? [];
  return number === undefined ? null : { library: library ?? header, shown: `${number} ${unit}`, ns: Number(number) * kUnits[unit] };
}

const cellsOf = (line) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Returns the rows of the table after a mark of a page: `{ name, bars: [{ library, shown, ns }] }`. */
export function measuredRows(markdown, mark) {
  const table = markdown.slice(markdown.indexOf(`<!-- ${mark} -->`), markdown.indexOf(`<!-- end of ${mark} -->`));
  const [header, , ...rows] = table
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map(cellsOf);
  return rows.map(([name, ...cells]) => ({ name, bars: cells.map((cell, i) => barOf(cell, header[i + 1])).filter((bar) => bar !== null) }));
}

function groupOf({ name, bars }) {
  const [ours] = bars;
  const longest = Math.min(kMost, Math.max(...bars.map(({ ns }) => ns / ours.ns)));
  const rows = bars.map(({ library, shown, ns }, i) => {
    const factor = ns / ours.ns;
    const width = (Math.min(factor, kMost) / longest) * kWidth;
    const note = i === 0 ? shown : `${shown}, ${factor.toFixed(factor < 10 ? 1 : 0)}×${factor > kMost ? ", bar cut" : ""}`;
    return `<tr><th scope="row">${text(library)}</th><td><svg viewBox="0 0 ${kWidth} 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.max(0.5, width).toFixed(1)}" height="10" class="${i === 0 ? "ours" : "other"}"/></svg></td><td>${text(note)}</td></tr>`;
  });
  return `<figure class="plot bars"><table><caption>${text(name)}</caption>${rows.join("\n")}</table></figure>`;
}

/** Returns the bars of rows as HTML. Shorter is faster. */
export const barsOf = (rows) =>
  `<div class="bar-groups">${rows
    .filter(({ bars }) => bars.length > 1)
    .map(groupOf)
    .join("\n")}</div>`;
