// Writes the rows of elementwise operations in docs/expressions.md from their records, and those of docs/xla.md with the units of XLA's
// functions. Run `node packages/eigen/tools/operation-rows.mjs` after a change of a record. house/expressions-page.suite.js and
// house/xla-page.suite.js check that the rows are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { operationRecords } from "./generate-operations.mjs";

const page = (name) => fileURLToPath(new URL(`../../../docs/${name}.md`, import.meta.url));
const { records } = await operationRecords();
/** The units of random numbers, which have no record. */
const kRandomNormal = [6, 8];
const results = { same: "the same", bool: "bool", real: "its real part's" };

/** Returns rows of a table: neighbors with the same cells share one. */
function rowsOf(entries) {
  const rows = [];
  for (const [name, cells] of entries) {
    if (rows.at(-1)?.cells === cells) rows.at(-1).names.push(name);
    else rows.push({ names: [name], cells });
  }
  return rows.map(({ names, cells }) => `| ${names.map((name) => `\`${name}\``).join(" ")} | ${cells} |`).join("\n");
}

function accuracyOf({ accuracy }) {
  if (typeof accuracy === "string") return accuracy;
  const [single, double, least] = accuracy;
  const near = least === undefined ? [] : [`of ${least} near zeros`];
  const notes = [...(single === double ? [] : [`float64 ${double}`]), ...near];
  return `${single} ulp${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

/** Returns the rows of the operations of a class, for docs/expressions.md. */
function operationRows(opClass) {
  const entries = Object.entries(records).filter(([, record]) => record.class === opClass);
  return rowsOf(
    entries.map(([name, each]) => [name, `${each.dtypes} | ${results[each.result]} | ${accuracyOf(each)} | ${each.edgeCases}`.trimEnd()]),
  );
}

/** Returns the rows of XLA's functions, for docs/xla.md: those with the fewest units first. */
function unitRows(others) {
  const entries = [...Object.entries(records).flatMap(([name, { xla }]) => (xla === null ? [] : [[name, xla]])), ...others];
  entries.sort(([, [a, b]], [, [c, d]]) => a - c || b - d);
  return rowsOf(entries.map(([name, units]) => [name, units.join(" | ")]));
}

/** Returns the text of docs/expressions.md with the rows of the records. Rows of operations without a record follow them. */
export function expressionsPage(text) {
  return ["unary", "binary"].reduce((whole, opClass) => {
    const title = opClass === "unary" ? "### One operand" : "### Two operands";
    const start = whole.indexOf("|---|\n", whole.indexOf(title)) + "|---|\n".length;
    const end = whole.indexOf("\n\n", start);
    const others = whole
      .slice(start, end)
      .split("\n")
      .filter((row) => !/^\| `(\w+)`/.test(row) || records[/^\| `(\w+)`/.exec(row)[1]] === undefined);
    return whole.slice(0, start) + [operationRows(opClass), ...others].join("\n") + whole.slice(end);
  }, text);
}

/** Returns the text of docs/xla.md with the units of the records. */
export function xlaPage(text) {
  const head = "| function | float32 | float64 |\n|---|---|---|\n";
  const start = text.indexOf(head) + head.length;
  return text.slice(0, start) + unitRows([["randomNormal", kRandomNormal]]) + text.slice(text.indexOf("\n\n", start));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, render] of [
    ["expressions", expressionsPage],
    ["xla", xlaPage],
  ])
    writeFileSync(page(name), render(readFileSync(page(name), "utf8")));
}
