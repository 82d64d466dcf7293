// Writes the rows of operations in docs/expressions.md and docs/gradients.md from their records, and those of docs/xla.md with the units of
// XLA's functions. Run `node packages/expression/tools/operation-rows.mjs` after a change of a record. house/expressions-page.suite.js,
// house/gradients-page.suite.js and house/xla-page.suite.js check that the rows are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { operationRecords } from "./generate-operations.mjs";
import { gradientLines, kComposedLines } from "./gradient-lines.mjs";

const page = (name) => fileURLToPath(new URL(`../../../docs/${name}.md`, import.meta.url));
const { records, whole } = await operationRecords();
const lines = await gradientLines(records, whole);

/** The tables of docs/expressions.md, each with the classes of its operations. */
const kTables = {
  "### Without operands": ["leaf", "generator", "random"],
  "### One operand": ["unary"],
  "### Two operands": ["binary"],
  "### Choice and movement": ["ternary", "movement"],
  "### Over axes": ["reduction", "scan", "contraction", "ordering"],
};

const results = { same: "the same", second: "of the second", bool: "bool", uint8: "uint8", real: "its real part's", asked: "as asked" };

/** Returns the words for the dtype of an operation's result. Places are int64 or int32, as the class has it. */
function resultOf({ class: opClass, gives, result }) {
  if (gives === "place") return opClass === "reduction" ? "int64, or int32 if asked" : "int32";
  return opClass === "leaf" ? "as it lies" : results[result];
}

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

/** Returns the rows of the operations of some classes, for docs/expressions.md. */
function operationRows(classes) {
  const entries = Object.entries({ ...records, ...whole }).filter(([, record]) => classes.includes(record.class));
  return rowsOf(
    entries.map(([name, each]) => [name, `${each.dtypes} | ${resultOf(each)} | ${accuracyOf(each)} | ${each.edgeCases}`.trimEnd()]),
  );
}

/** Returns the rows of XLA's functions, for docs/xla.md: those with the fewest units first. */
function unitRows() {
  const entries = Object.entries({ ...records, ...whole }).flatMap(([name, { xla = null }]) =>
    xla === null ? [] : [[name, xla.slice(0, 2)]],
  );
  entries.sort(([, [a, b]], [, [c, d]]) => a - c || b - d);
  return rowsOf(entries.map(([name, units]) => [name, units.join(" | ")]));
}

/** Returns the text of docs/expressions.md with the rows of the records. */
export function expressionsPage(text) {
  return Object.entries(kTables).reduce((page, [title, classes]) => {
    const start = page.indexOf("|---|\n", page.indexOf(title)) + "|---|\n".length;
    return page.slice(0, start) + operationRows(classes) + page.slice(page.indexOf("\n\n", start));
  }, text);
}

/** Returns a page with the rows of the table below a head. */
function withRows(text, head, rows) {
  const start = text.indexOf(head) + head.length;
  return text.slice(0, start) + rows + text.slice(text.indexOf("\n\n", start));
}

/** Returns the text of docs/gradients.md with the rules of the records. */
export function gradientsPage(text) {
  const rows = rowsOf(Object.entries(lines).filter(([, line]) => line !== "none"));
  const composed = rowsOf(Object.entries(kComposedLines));
  return withRows(
    withRows(text, "| operation | gradient |\n|---|---|\n", rows),
    "| composed operation | gradient |\n|---|---|\n",
    composed,
  );
}

/** Returns the text of docs/xla.md with the units of the records. */
export function xlaPage(text) {
  return withRows(text, "| function | float32 | float64 |\n|---|---|---|\n", unitRows());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, render] of [
    ["expressions", expressionsPage],
    ["gradients", gradientsPage],
    ["xla", xlaPage],
  ])
    writeFileSync(page(name), render(readFileSync(page(name), "utf8")));
}
