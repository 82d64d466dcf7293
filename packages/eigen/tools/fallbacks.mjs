// Writes the list of what kernels do not have, test/data/kernel-fallbacks.txt, and the table of it in docs/expressions.md:
// `node packages/eigen/tools/fallbacks.mjs`, after `npm run build`, when kernels have learnt something. Tests hold both to it:
// kernel-agreement.test.ts the list, house/expressions-page.test.js the page, in the same words for groups of dtypes.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { kernelFallbacks, opTable } from "@onebuffer/eigen";

const list = new URL("../test/data/kernel-fallbacks.txt", import.meta.url);
const page = fileURLToPath(new URL("../../../docs/expressions.md", import.meta.url));
const without = (list, ...others) => list.filter((dtype) => !others.flat().includes(dtype));
const { dtypes: any } = opTable.map;
const { dtypes: numbers } = opTable.add;
const { dtypes: reals } = opTable.minimum;
const { dtypes: castable } = opTable.cast;

/** The words of the page, the widest first: each group is given by an operation that accepts just that. */
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

/** Dtypes in as few words as there are: `floats, int32`. */
export function wordsOf(dtypes) {
  let rest = [...dtypes];
  const words = [];
  for (const [word, group] of groups) {
    if (!group.every((dtype) => rest.includes(dtype))) continue;
    words.push(word);
    rest = without(rest, group);
  }
  return [...words, ...rest].join(", ");
}

/** The fall-backs as a table: operations that lack the same dtypes in one row. */
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

/** The table that stands on the page. */
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
