// The public names: what the face and each sub-path export, values and types. A changed list is accepted with `-u`.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pageExamples, sourceExamples } from "../tools/examples.mjs";
import { exportsOf, publicNames, publicPaths } from "../tools/public-names.mjs";
import { publicModules } from "./entry-modules.js";
import { packageNames, root } from "./source-files.mjs";

const lists = new Map(publicPaths.map((path) => [path, exportsOf(path)]));
const face = [...lists.get("onebuffer").keys()];

test("the loaded modules are those of all paths", () => {
  expect([...publicModules.keys()]).toEqual(publicPaths);
});

test.each(publicPaths)("%s: its names are the listed ones", (path) => {
  const names = [...lists.get(path)];
  expect(names.flatMap(([name, kind]) => (kind === "value" ? [name] : []))).toEqual(Object.keys(publicModules.get(path)).sort());
  expect(names.map(([name, kind]) => (kind === "type" ? `${name} (type)` : name))).toMatchSnapshot();
});

test("the face has about 110 names, each of them on a sub-path, too", () => {
  expect(face.length).toBeGreaterThan(100);
  expect(face.length).toBeLessThanOrEqual(115);
  const others = publicPaths.filter((path) => path !== "onebuffer");
  expect(face.filter((name) => !others.some((path) => lists.get(path).has(name)))).toEqual([]);
});

test("every name of a package's index is on a path", () => {
  const places = publicNames();
  const names = packageNames.filter((name) => name !== "onebuffer").flatMap((name) => [...exportsOf(`@onebuffer/${name}`).keys()]);
  expect(names.filter((name) => !places.has(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(400);
});

test("a name is the same object on every path that exports it", () => {
  const places = publicNames();
  const different = publicPaths.flatMap((path) =>
    Object.entries(publicModules.get(path)).flatMap(([name, value]) =>
      publicModules.get(places.get(name).path)[name] === value ? [] : [`${path}: ${name}`],
    ),
  );
  expect(different).toEqual([]);
});

test("of what packages export for each other, only onebuffer/debug exports anything", () => {
  const plumbing = packageNames.flatMap((name) => [...exportsOf(`@onebuffer/${name}/internal`).keys()]);
  const shown = publicPaths.flatMap((path) =>
    plumbing.filter((name) => path !== "onebuffer/debug" && lists.get(path).has(name)).map((name) => `${path}: ${name}`),
  );
  expect(shown).toEqual([]);
  expect(plumbing.length).toBeGreaterThan(50);
});

test("the wrong calls cover every path", () => {
  const text = readFileSync(join(root, "packages/onebuffer/test/wrong-calls/everything.ts"), "utf8");
  expect(publicPaths.filter((path) => !text.includes(`export * from "${path}";`))).toEqual([]);
});

test("every name of the face is used in an example of a page or doc comment", () => {
  const examples = [...[...sourceExamples().values()].flat().map(({ code }) => code), ...[...pageExamples().values()].flat()];
  // An import, a comment, a text or a member of the same name is no use.
  const code = examples.join("\n").replace(/^import .*$|\/\/.*$|"[^"\n]*"/gm, "");
  expect(face.filter((name) => !new RegExp(`(?<![\\w$.])${name}(?![\\w$:?])`).test(code))).toEqual([]);
});
