// Compares the table of names in docs/coming-from.md with the code: every member and function that it names exists.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as onebuffer from "onebuffer";
import { root } from "./source-files.mjs";

const { Tensor } = onebuffer;
const page = readFileSync(join(root, "docs/coming-from.md"), "utf8");
const table = page.slice(page.indexOf("More names that people search for"), page.indexOf("## For TensorFlow readers"));
const rows = table.match(/^\| `.*$/gm);
/** The names on the right: `t.name`, `m.name.name`, `name(…)` or a name alone. */
const named = rows.flatMap((row) =>
  [
    ...row
      .split(" | ")
      .slice(1)
      .join(" | ")
      .matchAll(/`([^`]+)`/g),
  ].map(([, text]) => text),
);

test("every name of the table exists", () => {
  expect(named.length).toBeGreaterThan(40);
  const t = Tensor.from([
    [1, 2],
    [3, 4],
  ]);
  const objects = { t, m: t.matrix(), e: t.matrix().add(1), Tensor };
  const missing = [];
  for (const text of named) {
    for (const [, object, name, next] of text.matchAll(/\b(t|m|e|Tensor)\.(\w+)(?:\.(\w+))?/g)) {
      if (!(name in objects[object])) missing.push(text);
      if (next !== undefined && typeof objects[object][name] === "object" && !(next in objects[object][name])) missing.push(text);
    }
    const [, called] = /^(\w+)(?:\(|$)/.exec(text) ?? [];
    if (called !== undefined && !["length"].includes(called) && !(called in onebuffer)) missing.push(text);
  }
  t.dispose();
  expect(missing).toEqual([]);
});
