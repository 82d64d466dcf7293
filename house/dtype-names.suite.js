// A new dtype is a row of the table of dtypes: the names of dtypes stand in few other source files, so that few must be changed.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dtypeRows } from "@onebuffer/base/internal";
import { pythonFiles, root, sourceFiles } from "./source-files.mjs";

/** The most files with the name of a dtype: the table, its codec, the list of codecs, XlaDevice's program in Python, and two for quirks. */
const kMostFiles = 6;

/** The classes whose dtypes no operation computes with. The names of the others are in the code that computes. */
const kStored = ["smallFloat", "smallInt", "smallUint", "qint", "quint"];

const files = [
  ...sourceFiles().filter(({ generated }) => !generated),
  ...pythonFiles().map((path) => ({ path, text: readFileSync(join(root, path), "utf8") })),
];
/** Source without comments; the names of `toInt4` and files such as `int4.ts` are not the dtype's. */
const code = files.map(({ path, text }) => ({ path, text: text.replace(/\/\*[\s\S]*?\*\/|^\s*(\/\/|#).*$/gm, "") }));
const stored = Object.keys(dtypeRows).filter((dtype) => kStored.includes(dtypeRows[dtype].class));

test("the table has dtypes of each of these classes", () => {
  expect(new Set(stored.map((dtype) => dtypeRows[dtype].class))).toEqual(new Set(kStored));
});

test.each(stored)(`%s is named in at most ${kMostFiles} source files`, (dtype) => {
  const name = new RegExp(`(?<![\\w./-])${dtype}(?![\\w-]|\\.ts)`);
  const found = code.filter(({ text }) => name.test(text)).map(({ path }) => path);
  expect(found).toContain("packages/base/src/types/dtype-table.ts");
  expect(found.length <= kMostFiles ? [] : found).toEqual([]);
});

test(`a dtype of a name that is nowhere part of another word stands in at most ${kMostFiles} files, comments included`, () => {
  const found = files.filter(({ text }) => text.includes("float4_e2m1fn")).map(({ path }) => path);
  expect(found.length <= kMostFiles ? [] : found).toEqual([]);
});
