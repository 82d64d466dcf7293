// The table of codes in docs/dtypes.md has each code of the type StatusCode, once.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./source-files.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");

test("docs/dtypes.md has a row for each code", () => {
  const [, union] = /export type StatusCode =\n([^;]*);/.exec(read("packages/base/src/status/status-error.ts"));
  const codes = [...union.matchAll(/"([A-Z_]+)"/g)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(8);
  const [, errors] = read("docs/dtypes.md").split("## Errors");
  const rows = [...errors.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
  expect(rows.sort()).toEqual(codes.sort());
});
