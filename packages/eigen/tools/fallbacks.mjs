// Writes the list of operations and dtypes that kernels do not support, test/data/kernel-fallbacks.txt, and the table of them in
// docs/expressions.md. Run `node packages/eigen/tools/fallbacks.mjs` after `npm run build` when that list changes.
// test/kernel/agreement/operations.suite.ts checks the list, and house/expressions-page.suite.js checks the page, with the words for groups
// of dtypes of this file.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { opTable } from "@onebuffer/eigen";
import { kernelFallbacks } from "@onebuffer/compiler/internal";

const list = new URL("../test/data/kernel-fallbacks.txt", import.meta.url);
const page = fileURLToPath(new URL("../../../docs/expressions.md", import.meta.url));
const without = (list, ...others) => list.filter((dtype) => !others.flat().includes(dtype));
const { dtypes: any } = opTable.map;
const { dtypes: numbers } = opTable.add;
const { dtypes: reals } = opTable.minimum;
const { dtypes: castable } = opTable.cast;

/** The page's words for groups of dtypes, the widest first. Most groups are the dtypes that some operation accepts. */
export const groups = new Map([
  ["any", any],
  ["numbers", numbers],
  ["reals", reals],
  ["floats", opTable.floor.dtypes],
  ["integers", opTable.invert.dtypes],
  ["complex", without(numbers, reals)],
  ["narrow", without(castable, numbers, "bool")],
  ["quantized", without(any, castable)],
]);

/** Returns dtypes in as few words as possible, such as `floats, int32`. */
export function wordsOf(dtypes) {
  let remaining = [...dtypes];
  const words = [];
  for (const [word, group] of groups) {
    if (!group.every((dtype) => remaining.includes(dtype))) continue;
    words.push(word);
    remaining = without(remaining, group);
  }
  return [...words, ...remaining].join(", ");
}

/** Returns the fallbacks as a table. Operations with the same unsupported dtypes share a row. */
export function fallbackTable(lines = kernelFallbacks()) {
  const rows = new Map();
  for (const line of lines) {
    const [op, dtypes] = line.split(": ");
    const words = wordsOf(dtypes.split(" "));
    rows.set(words, [...(rows.get(words) ?? []), `\`${op}\``]);
  }
  return ["| not by kernels | operations |", "|---|---|", ...[...rows].map(([words, ops]) => `| ${words} | ${ops.join(" ")} |`)].join("\n");
}

const markers = /(<!-- fall-backs -->\n)[\s\S]*?(\n<!-- end of fall-backs -->)/;

/** Returns the table in the text of the page. */
export function tableOnPage(text) {
  return markers.exec(text)?.[0].split("\n").slice(1, -1).join("\n").trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(list, `${kernelFallbacks().join("\n")}\n`);
  writeFileSync(
    page,
    readFileSync(page, "utf8").replace(markers, (_, begin, end) => `${begin}\n${fallbackTable()}\n${end}`),
  );
}
