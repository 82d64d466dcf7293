// Plots of the figures in tables: a bar for each row of a column of numbers, or of factors (factor-plots.mjs).
import { factorPlots } from "./factor-plots.mjs";
import { text } from "./plot-text.mjs";

/** The pages whose tables are drawn, and the column that has our figure. */
const kPlotted = new Set(["docs/contributing/benchmarks.md", "docs/contributing/sizes.md", "examples/README.md"]);

const kBar = 14;
const kWidth = 560;
const kLabel = 210;

/** Returns HTML as text; `text` makes HTML of it again. */
const plainText = (html) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .trim();

/** Returns the cells of each row of an HTML table, as text. */
const cellsOf = (table) =>
  [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row]) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell]) => plainText(cell)),
  );

/** Returns the bars of a table whose first column has names and whose other columns have numbers; null for another table. */
function barsOf([header, ...rows]) {
  if (header === undefined || rows.length < 2) return null;
  const columns = header.map((_, c) => c).filter((c) => c > 0 && rows.filter((row) => /^[\d.,]+$/.test(row[c] ?? "")).length >= 2);
  if (columns.length === 0) return null;
  return columns.slice(0, 3).map((c) => ({
    title: header[c],
    bars: rows.flatMap((row) => {
      const value = Number((row[c] ?? "").replaceAll(",", ""));
      return row[c] !== "" && Number.isFinite(value) && value > 0 ? [{ name: row[0], value, isOurs: /onebuffer/.test(row[0]) }] : [];
    }),
  }));
}

/** Returns a plot as SVG with the figures in text, so that it can be read without seeing the bars. */
function svgOf({ title, bars }) {
  const most = Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ name, value, isOurs }, i) => {
    const y = 26 + i * (kBar + 8);
    const width = Math.max(1, (value / most) * kWidth);
    return `<text x="${kLabel - 8}" y="${y + kBar - 3}" text-anchor="end">${text(name.slice(0, 34))}</text>
<rect x="${kLabel}" y="${y}" width="${width.toFixed(1)}" height="${kBar}" class="${isOurs ? "ours" : "other"}"/>
<text x="${kLabel + width + 6}" y="${y + kBar - 3}">${value}</text>`;
  });
  const height = 32 + bars.length * (kBar + 8);
  return `<figure class="plot" tabindex="0"><svg viewBox="0 0 ${kLabel + kWidth + 90} ${height}" role="img" aria-label="${text(title)}">
<text x="${kLabel}" y="14" class="title">${text(title)}</text>
${rows.join("\n")}
</svg></figure>`;
}

/** Returns the HTML of a page with a plot below each table of figures; plots of factors are above theirs, which are long. */
export function withPlots(path, html) {
  if (!kPlotted.has(path)) return html;
  return html.replace(/<div class="table"[^>]*><table>[\s\S]*?<\/table><\/div>/g, (table) => {
    const cells = cellsOf(table);
    const plots = barsOf(cells) ?? [];
    const below = plots.filter(({ bars }) => bars.length > 1).map(svgOf);
    return [...factorPlots(cells), table, ...below].join("\n");
  });
}
