// Compares docs/words.md with the code: every member and function that the page names exists.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as onebuffer from "onebuffer";
import { root } from "./source-files.mjs";

const { Tensor } = onebuffer;
const rows = readFileSync(join(root, "docs/words.md"), "utf8").match(/^\| `.*$/gm);
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

test("every name on the page of words exists", () => {
  expect(named.length).toBeGreaterThan(50);
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
