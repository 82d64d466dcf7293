// Plots of factors: a bar for each row of a table from 1× to its factor, to the right if ours is faster, on a logarithmic scale.
import { text } from "./plot-text.mjs";

const kBar = 12;
const kStep = 19;
const kTop = 44;
const kLabel = 230;
const kWidth = 440;
/** Room for what stands behind the longest bar. */
const kRest = 230;
/** The powers of ten at both ends of the scale; longer bars are cut there and say so. */
const [kFirst, kLast] = [-1, 2];

/** A cell that ends with a factor: "tfjs-wasm 4.48 us (2.64×)". */
const kCell = /^(.*)\(([\d.]+)×\)$/;

/** True for a factor whose bar would leave the scale. */
const isCut = (factor) => factor > 10 ** kLast || factor < 10 ** kFirst;

const placeOf = (factor) => {
  const power = Math.min(kLast, Math.max(kFirst, Math.log10(factor)));
  return kLabel + ((power - kFirst) / (kLast - kFirst)) * kWidth;
};

/** Returns a column's bars: the name of the row, the factor, and what the factor is relative to. */
function barsOf(rows, column) {
  return rows.flatMap((row) => {
    const [, beside, factor] = kCell.exec(row[column] ?? "") ?? [];
    return factor === undefined ? [] : [{ name: row[0], factor: Number(factor), beside: beside.trim() }];
  });
}

function svgOf(title, bars) {
  const height = kTop + bars.length * kStep + 4;
  const scale = Array.from({ length: kLast - kFirst + 1 }, (_, k) => 10 ** (kFirst + k)).map(
    (factor) =>
      `<line x1="${placeOf(factor)}" x2="${placeOf(factor)}" y1="${kTop - 8}" y2="${height}"${factor === 1 ? ' class="level"' : ""}/>
<text x="${placeOf(factor)}" y="${kTop - 12}" text-anchor="middle">${factor}×</text>`,
  );
  const rows = bars.map(({ name, factor, beside }, i) => {
    const y = kTop + i * kStep;
    const [from, to] = [placeOf(Math.min(1, factor)), placeOf(Math.max(1, factor))];
    return `<text x="${kLabel - 8}" y="${y + kBar - 2}" text-anchor="end">${text(name.slice(0, 34))}</text>
<rect x="${from.toFixed(1)}" y="${y}" width="${Math.max(1, to - from).toFixed(1)}" height="${kBar}" class="${factor >= 1 ? "ours" : "other"}"/>
<text x="${(to + 6).toFixed(1)}" y="${y + kBar - 2}">${factor}×${isCut(factor) ? ", bar cut," : ""} ${text(beside)}</text>`;
  });
  return `<figure class="plot" tabindex="0"><svg viewBox="0 0 ${kLabel + kWidth + kRest} ${height}" role="img" aria-label="${text(title)}">
<text x="${kLabel}" y="14" class="title">${text(title)}</text>
${scale.join("\n")}
${rows.join("\n")}
</svg></figure>`;
}

/** Returns the plots of a table's columns whose cells end with a factor. */
export function factorPlots([header, ...rows]) {
  return (header ?? []).flatMap((name, column) => {
    const bars = barsOf(rows, column);
    return bars.length < 2 ? [] : [svgOf(`${name}: its time divided by ours`, bars)];
  });
}
