// `node tools/readme-figures.mjs`: puts the figures of README.md's table there, from the pages that its rows link to. The tools that
// write these pages run it; house/readme.suite.js checks that it has been run.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Returns the cells of a Markdown table's row. */
const cellsOf = (line) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Returns the cells of the row of a page that begins with a name. */
function rowOf(page, name) {
  const line = page.split("\n").find((each) => cellsOf(each)[0] === name);
  if (line === undefined) throw new Error(`no row begins with ${name}`);
  return cellsOf(line);
}

const kPeers = { "TensorFlow.js": "tfjs-core and tfjs-backend-cpu", "jax-js": "all of @jax-js/jax", "numpy-ts": "all of numpy-ts" };
const kLoaded = { "TensorFlow.js": "tfjs-core and tfjs-backend-cpu, by `require`", "jax-js": "@jax-js/jax", "numpy-ts": "numpy-ts" };

/** Returns a figure as a whole number. */
const rounded = (cell) => Math.round(Number(cell));

/** Returns the times of other libraries as text: `TensorFlow.js 31, jax-js 19`. */
const otherTimes = (page) =>
  Object.entries(kLoaded)
    .map(([shown, name]) => `${shown} ${rounded(rowOf(page, name)[1])}`)
    .join(", ");

/** Returns the sizes of other libraries as text: `TensorFlow.js 116, jax-js 85 + 20`. */
const otherSizes = (page) =>
  Object.entries(kPeers)
    .map(([shown, name]) => `${shown} ${shownSize(rowOf(page, name))}`)
    .join(", ");

/** Returns what a row of the table of bundles says of the files that load at once, and later. */
function shownSize([, , atOnce, , later]) {
  return later === "" ? `${rounded(atOnce)}` : `${rounded(atOnce)} + ${rounded(later)}`;
}

function sizeRows(page) {
  const bundle = shownSize(rowOf(page, "`import { Tensor }` of onebuffer"));
  const load = rounded(rowOf(page, "onebuffer")[1]);
  return [
    ["kB, at once + later", bundle, otherSizes(page), "[sizes]"],
    ["loading in Node", `${load} ms`, otherTimes(page), "[sizes]"],
  ];
}

function timeRows(page) {
  const row = (shown, name) => {
    const [, numpy, , later] = rowOf(page, name);
    return [shown, `${later} ms`, `NumPy ${numpy}`, "[examples]"];
  };
  return [
    row("heat equation: 2,000 steps, 256 x 256", "heat-equation"),
    row("moving means of a sensor, many small steps", "sensor-ring"),
    row("k-means of 1,797 digits", "k-means"),
  ];
}

function accuracyRows(page) {
  const names = ["exp", "sin", "tanh"];
  const errors = names.map((name) => rowOf(page, name)[2]);
  return [[`error of float32 ${names.join(", ")}, in ulp`, errors.join(", "), "", "[accuracy]"]];
}

/** Returns README.md with its figures taken from the pages. `read` returns the text of a page by its path. */
export function withFigures(readme, read) {
  const rows = [
    ...sizeRows(read("docs/contributing/sizes.md")),
    ...timeRows(read("examples/README.md")),
    ...accuracyRows(read("docs/contributing/accuracy.md")),
  ];
  const head = "| | onebuffer | others | page |\n|---|---|---|---|\n";
  const start = readme.indexOf(head);
  if (start < 0) throw new Error("README.md has no table of figures");
  const end = readme.indexOf("\n\n", start);
  return (
    readme.slice(0, start) + head + rows.map((cells) => `| ${cells.join(" | ")} |`.replace("|  |", "| |")).join("\n") + readme.slice(end)
  );
}

/** Rewrites README.md with the figures of the pages. */
export function updateReadme() {
  const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  writeFileSync(new URL("../README.md", import.meta.url), withFigures(read("README.md"), read));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) updateReadme();
