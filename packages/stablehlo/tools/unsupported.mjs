// Writes the table of operations and dtypes that toStableHLO cannot express into docs/xla.md. Run `node
// packages/stablehlo/tools/unsupported.mjs` after `npm run build` when it changes; house/xla-page.suite.js compares the page with it.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { unsupportedOperations } from "@onebuffer/stablehlo/internal";
import { wordsOf } from "../../eigen/tools/fallbacks.mjs";

const page = fileURLToPath(new URL("../../../docs/xla.md", import.meta.url));
const markers = /(<!-- unsupported -->\n)[\s\S]*?(\n<!-- end of unsupported -->)/;

/** Returns the table: operations with the same dtypes share a row. */
export function unsupportedTable(lines = unsupportedOperations()) {
  const rows = new Map();
  for (const line of lines) {
    const [op, dtypes] = line.split(": ");
    const words = wordsOf(dtypes.split(" "));
    rows.set(words, [...(rows.get(words) ?? []), `\`${op}\``]);
  }
  if (rows.size === 0) return "None: every operation of the op table can be expressed, for every dtype that it accepts.";
  return ["| not in StableHLO | operations |", "|---|---|", ...[...rows].map(([words, ops]) => `| ${words} | ${ops.join(" ")} |`)].join(
    "\n",
  );
}

/** Returns the table in the text of the page. */
export function tableOnPage(text) {
  return markers.exec(text)?.[0].split("\n").slice(1, -1).join("\n").trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = readFileSync(page, "utf8");
  writeFileSync(
    page,
    text.replace(markers, (_, start, end) => `${start}\n${unsupportedTable()}\n${end}`),
  );
}
