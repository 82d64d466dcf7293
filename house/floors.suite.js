// The floors and rooms of ARCHITECTURE.md: a package imports only from packages on lower floors, a file only from its own room or
// from rooms that the page lists before it, and there are no import cycles. Type imports count.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { entriesOf, manifestOf, packageNames, resolveRelative, root, sourceFiles } from "./source-files.mjs";

/** Returns a map from package folder to floor, read from the table rows `| 3 | `packages/core` | ... |`. */
function floors() {
  const table = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  return new Map([...table.matchAll(/^\|\s*(\d+)\s*\|\s*`packages\/([\w-]+)`/gm)].map(([, floor, name]) => [name, Number(floor)]));
}

/** Returns a map from package folder to its rooms, lowest first, read from the table rows `| `eigen/geometry` | ... |`. */
function rooms() {
  const table = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const byPackage = new Map();
  for (const [, name, room] of table.matchAll(/^\|\s*`([\w-]+)\/([\w/-]+)`\s*\|/gm)) {
    if (name === "packages") continue;
    if (!byPackage.has(name)) byPackage.set(name, []);
    byPackage.get(name).push(room);
  }
  return byPackage;
}

/** Returns the room of a source file: its folder below src, "" for a file directly in src. */
const roomOf = (path) => dirname(path).split("/").slice(3).join("/");

const files = sourceFiles();
const folderOf = new Map(packageNames.map((name) => [manifestOf(name).name, name]));

test("ARCHITECTURE.md names the floor of every package", () => {
  const known = floors();
  expect(packageNames.filter((name) => !known.has(name))).toEqual([]);
});

test("imports between packages only point downwards", () => {
  const floor = floors();
  const upward = [];
  for (const { path, name, imports } of files) {
    for (const specifier of imports) {
      const target = folderOf.get(packageOf(specifier));
      if (target !== undefined && !(floor.get(target) < floor.get(name))) upward.push(`${path} -> ${specifier}`);
    }
  }
  expect(upward).toEqual([]);
});

test("a package imports what another one exports from its entries; only tests reach its files (`@onebuffer/compiler/src/…`)", () => {
  const deep = files.flatMap(({ path, imports }) =>
    imports.filter((specifier) => /^@onebuffer\/[\w-]+\/src\//.test(specifier)).map((specifier) => `${path} -> ${specifier}`),
  );
  expect(deep).toEqual([]);
});

test("the rooms of ARCHITECTURE.md are exactly the source folders", () => {
  const listed = [...rooms()].flatMap(([name, order]) => order.map((room) => `${name}/${room}`)).sort();
  const found = [...new Set(files.filter(({ path }) => roomOf(path) !== "").map(({ path, name }) => `${name}/${roomOf(path)}`))].sort();
  expect(found).toEqual(listed);
});

test("a file imports only from its own room or a lower one; files directly in src are above all rooms", () => {
  const order = rooms();
  const upward = [];
  for (const { path, name, imports } of files) {
    const heightOf = (room) => (room === "" ? Infinity : (order.get(name) ?? []).indexOf(room));
    for (const target of imports.filter((specifier) => specifier.startsWith(".")).map((specifier) => resolveRelative(path, specifier)))
      if (heightOf(roomOf(target)) > heightOf(roomOf(path))) upward.push(`${path} -> ${target}`);
  }
  expect(upward).toEqual([]);
});

test("no folder holds more than twenty-five files", () => {
  const counts = new Map();
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
});

/** Returns the package of a specifier, which may name a sub-path: `@bufbuild/protobuf/wire`. */
function packageOf(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/**
 * The files that may import `node:`: the command line, the room for files on disk, which `onebuffer/node` exports, and the room for the process
 * that `onebuffer/xla-device` starts.
 */
const kForNode = /^packages\/(?:onebuffer\/src\/(?:main\.ts$|cli\/|files\/)|io\/src\/node\/|stablehlo\/src\/device\/)/;

/** The specifiers that lead to these files. */
const kNodeEntries = ["onebuffer/node", "@onebuffer/io/node", "onebuffer/xla-device", "@onebuffer/stablehlo/node"];

test("imports are relative .ts files of the own package, declared dependencies, or node: in the rooms for Node", () => {
  const wrong = [];
  for (const { path, name, imports } of files) {
    const manifest = manifestOf(name);
    for (const specifier of imports) {
      if (specifier.startsWith(".")) {
        const target = resolveRelative(path, specifier);
        if (!target.startsWith(`packages/${name}/src/`) || !target.endsWith(".ts")) wrong.push(`${path} -> ${specifier}`);
        if (/\/src\/(index|internal)\.ts$/.test(target)) wrong.push(`${path} -> its own index`);
      } else if (specifier.startsWith("node:")) {
        if (!kForNode.test(path)) wrong.push(`${path} -> ${specifier}`);
      } else if (manifest.dependencies?.[packageOf(specifier)] === undefined) wrong.push(`${path} -> ${specifier} (undeclared)`);
    }
  }
  expect(wrong).toEqual([]);
});

test("no file is part of an import cycle", () => {
  const graph = new Map(
    files.map((file) => [file.path, file.imports.filter((s) => s.startsWith(".")).map((s) => resolveRelative(file.path, s))]),
  );
  const done = new Set();
  const cycles = [];
  const visit = (path, trail) => {
    const at = trail.indexOf(path);
    if (at >= 0) return void cycles.push([...trail.slice(at), path].join(" -> "));
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  expect(cycles).toEqual([]);
});

test("nothing reachable from an index or a sub-path imports node:, other than onebuffer/node and onebuffer/xla-device", () => {
  const graph = new Map(files.map((file) => [file.path, file.imports]));
  const reached = new Set();
  const visit = (path) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const specifier of graph.get(path) ?? []) if (specifier.startsWith(".")) visit(resolveRelative(path, specifier));
  };
  for (const [specifier, path] of packageNames.flatMap(entriesOf)) if (!kNodeEntries.includes(specifier)) visit(path);
  const node = [...reached].filter((path) => (graph.get(path) ?? []).some((s) => s.startsWith("node:")));
  expect(node).toEqual([]);
});

test("ARCHITECTURE.md has at most 2,500 words besides the tables of floors and rooms", () => {
  const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const [floors, rooms] = page.match(/(?:^\|.*\n)+/gm);
  const words = page.replace(floors, "").replace(rooms, "").match(/\S+/g);
  expect(words.length).toBeLessThanOrEqual(2500);
});
