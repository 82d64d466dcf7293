// Compares docs/expressions.md with the op table: every operation with its dtypes, result and accuracy, every method of an
// expression, and the list of operations without kernels, so that it cannot grow unnoticed.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { opNames, opTable } from "onebuffer/eigen";
import { fallbackTable, tableOnPage, wordsOf } from "../packages/eigen/tools/fallbacks.mjs";
import { operationRecords } from "../packages/expression/tools/generate-operations.mjs";
import { expressionsPage } from "../packages/expression/tools/operation-rows.mjs";
import { root } from "./source-files.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");
const page = read("docs/expressions.md");

/** Returns the rows, as lists of cells, of all tables with these columns. */
function rowsUnder(text, ...columns) {
  const rows = [];
  let inside = false;
  for (const line of text.split("\n")) {
    const cells = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (cells.length === 0) inside = false;
    else if (cells.join() === columns.join()) inside = true;
    else if (inside && !cells.every((cell) => /^-+$/.test(cell))) rows.push(cells);
  }
  return rows;
}

const namesIn = (cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name);
const operations = rowsUnder(page, "operation", "dtypes", "result", "accuracy", "edge cases").flatMap(([names, ...cells]) =>
  namesIn(names).map((name) => [name, ...cells]),
);
const composites = rowsUnder(page, "operation", "what it is").flatMap(([names]) => namesIn(names));

test("the page has every operation of the table, once, and no other", () => {
  expect(operations.map(([name]) => name).sort()).toEqual(opNames().sort());
});

test("the rows of elementwise operations are those of their records (`node packages/expression/tools/operation-rows.mjs` writes them)", () => {
  expect(expressionsPage(page)).toBe(page);
  expect(expressionsPage(page.replace("| `log1p` | floats", "| `log1p` | reals"))).toBe(page);
});

test("the page explains the words for groups of dtypes", () => {
  for (const word of ["floats", "integers", "reals", "complex", "numbers", "narrow", "quantized", "any"])
    expect(page).toContain(`**${word}**`);
});

const results = { same: "the same", second: "of the second", bool: "bool", uint8: "uint8", real: "its real part's" };

test.each(operations)("%s: dtypes and result are those of the table", (name, dtypes, result) => {
  const spec = opTable[name];
  expect({ name, dtypes }).toEqual({ name, dtypes: wordsOf(spec.dtypes) });
  expect({ name, result }).toEqual({ name, result: results[spec.result] ?? expect.stringMatching(/^as asked$|^as it lies$|^int/) });
});

const measured = new Map(
  rowsUnder(
    read("docs/contributing/accuracy.md"),
    "function",
    "f32 bound",
    "f32",
    "relaxed",
    "at",
    "nearest float",
    "f64 bound",
    "f64",
    "relaxed",
  ).map(([name, f32, , , , , f64]) => [name, f32 === f64 ? `${f32} ulp` : `${f32} ulp (float64 ${f64})`]),
);

test("bounds are those of docs/contributing/accuracy.md", () => {
  expect(measured.size).toBeGreaterThan(20);
  const stated = new Map(operations.map(([name, , , accuracy]) => [name, accuracy]));
  for (const [name, bound] of measured) expect({ name, bound: stated.get(name) }).toEqual({ name, bound });
});

test.each(operations)("%s: an accuracy is stated", (name, _dtypes, _result, accuracy) => {
  expect({ name, accuracy }).toEqual({ name, accuracy: expect.stringMatching(/^exact$|^rounded$|^see below$|^\d ulp/) });
});

test("every method of an expression is an operation or a composite on the page", () => {
  const sources = ["generated/operation-signatures", "tree/method-texts", "tree/expression"].map((name) =>
    read(`packages/expression/src/${name}.ts`),
  );
  const interfaces = ["ElementwiseSignatures {", "OperationTexts {", "MovementTexts {", "Operations extends", "Expression<"];
  const methods = interfaces.flatMap((name) => {
    const text = sources.find((each) => each.includes(`export interface ${name}`));
    const start = text.indexOf(`export interface ${name}`);
    const body = text.slice(start, text.indexOf("\n}\n", start));
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)(?:<|\(|:)/gm)].map(([, method]) => method);
  });
  expect(methods.length).toBeGreaterThan(100);
  const known = new Set([...composites, ...operations.map(([name]) => name)]);
  expect(methods.filter((name) => !known.has(name))).toEqual([]);
});

const { whole } = await operationRecords();

/** Returns the methods of reductions and scans: name, parameter names, doc comment. */
function recordedCalls() {
  const source = read("packages/expression/src/elementwise/generated/operation-methods.ts");
  return [...source.matchAll(/^ {2}(\w+)\((.+)\): this/gm)].flatMap(([, name, parameters]) =>
    whole[name] === undefined ? [] : [[name, [...parameters.matchAll(/(\w+)\??:/g)].map(([, each]) => each), whole[name].comment]],
  );
}

/** Returns the methods of expressions that take an axis, axes or options: name, parameter names, doc comment. */
function callsWithDefaults() {
  const texts = read("packages/expression/src/tree/method-texts.ts");
  const comments = [...texts.matchAll(/ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}readonly (\w+): true;/g)];
  const source = read("packages/expression/src/tree/expression.ts");
  const written = comments.flatMap(([, comment, name]) => {
    const [signature] = new RegExp(`\\n {2}(?:readonly )?${name}[<(:][\\s\\S]*?;\\n(?= {2}\\w|\\})`).exec(source);
    const own = [...signature.matchAll(/[(,]\s*(?:\.\.\.)?(\w+)\??:/g)].map(([, each]) => each).filter((each) => each !== "this");
    const names = signature.includes(": Reduce") ? ["axes", "options"] : own;
    const takes = names.some((each) =>
      /^(axis|axes|options|keepDims|descending|k|dims|permutation|epsilon|alpha|approximate|mode)$/.test(each),
    );
    return takes ? [[name, names, comment]] : [];
  });
  return [...recordedCalls(), ...written];
}

test.each(callsWithDefaults())(
  "%s: its arguments and their defaults stand on the page in order, and its comment has them",
  (name, names, comment) => {
    const call = new RegExp("`" + name + "\\(([^`]*)\\)`").exec(page.slice(page.indexOf("## The operations")))?.[1] ?? "";
    const shown = call
      .replace(/^\[.*?\]|\{[^}]*\}$/g, "options")
      .split(", ")
      .map((each) => each.replace(/^\.\.\./, "").split(" ")[0]);
    expect({ name, shown }).toEqual({ name, shown: names });
    if (/^ax[ie]s$/.test(names.find((each) => each.startsWith("ax")) ?? "")) expect(comment).toMatch(/default|unless/);
  },
);

test("the tables cover the calls with defaults", () => {
  const covered = callsWithDefaults().map(([name]) => name);
  for (const name of ["sum", "argmax", "cumsum", "gather", "scatter", "softmax", "matMul", "topK", "pad", "roll", "moments"])
    expect(covered).toContain(name);
});

/** Returns `[name, parameter, default]` of each default in the signature of a function that users call. */
function functionDefaults() {
  const files = ["generators", "joining", "meshgrid", "stateless-random"].map((name) => `expression/src/methods/${name}`);
  return [...files, "eigen/src/boolean-mask"].flatMap((file) => {
    const source = read(`packages/${file}.ts`);
    return [...source.matchAll(/^export function (\w+)[\s\S]*?\): [A-Z]/gm)].flatMap(([signature, name]) =>
      [...signature.matchAll(/(\w+): [^=,()]+ = (-?\w+|"\w+")/g)].map(([, parameter, value]) => [name, parameter, value]),
    );
  });
}

test.each(functionDefaults())("%s: the default of %s, %s, stands on the page", (name, parameter, value) => {
  const calls = [...page.matchAll(new RegExp("`" + name + "\\(([^`]*)\\)`", "g"))].map(([, args]) => args);
  expect({ name, calls }).toEqual({ name, calls: expect.arrayContaining([expect.stringContaining(`${parameter} = ${value}`)]) });
});

test("the functions with defaults are found", () => {
  const found = functionDefaults().map(([name, parameter]) => `${name} ${parameter}`);
  for (const each of ["iota axis", "concatenate axis", "stack axis", "booleanMask axis", "meshgrid indexing"])
    expect(found).toContain(each);
});

test("the defaults of the options of random numbers stand on the page", () => {
  const source = read("packages/expression/src/methods/stateless-random.ts");
  expect(source).toContain('[mean = 0, stddev = 1] = randomOptions(op, ["mean", "stddev"]');
  expect(page).toContain("`statelessNormal(dtype, dims, seed, { mean = 0, stddev = 1 })`");
});

test("the page has the current list of fallbacks (`node packages/eigen/tools/fallbacks.mjs` prints it)", () => {
  expect(tableOnPage(page)).toBe(fallbackTable());
});
