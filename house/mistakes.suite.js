// The mistakes that tests must find (tools/mistakes): each has its place in the source, and the test file that must find it exists. Whether it
// is found takes minutes: `.ci/nightly` runs that.
import { expect, test } from "@jest/globals";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kMistakes } from "../tools/mistakes/list.mjs";
import { root } from "./source-files.mjs";

test.each(kMistakes.map((mistake) => [mistake.name, mistake]))("%s: has one place, and its tests exist", (_, { file, from, to, tests }) => {
  const places = readFileSync(join(root, file), "utf8").split(from).length - 1;
  expect({ places, differs: from !== to, tests, exists: existsSync(join(root, tests)) }).toEqual({
    places: 1,
    differs: true,
    tests,
    exists: true,
  });
});
