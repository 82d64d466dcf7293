// The build: generated source is not committed, every script builds through tools/build.mjs, and every file in `dist` has a source.
import { afterEach, expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeStaleOutputs, staleOutputs } from "../tools/stale-outputs.mjs";
import { root } from "./source-files.mjs";

test("no generated source is committed", () => {
  const committed = execFileSync("git", ["ls-files", "--", "packages/*/src/**/generated/*", "packages/*/src/generated/*"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(committed).toBe("");
});

test("every script that compiles does so through tools/build.mjs or run-tests.mjs, which generate first", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  // The pack builds by itself, and what measures the pack makes it first.
  const builds = /node tools\/(?:build|run-tests|pack\/run|pack\/sizes|reference\/run|explorer\/build|site\/run)\.mjs/;
  const wrong = Object.entries(scripts).filter(([name, line]) => /\btsc\b/.test(line) || !(name === "lint" || builds.test(line)));
  expect(wrong).toEqual([]);
  expect(readFileSync(join(root, "tools/pack/run.mjs"), "utf8")).toContain("tools/build.mjs");
  expect(readFileSync(join(root, "tools/explorer/build.mjs"), "utf8")).toContain('import "../build.mjs"');
  expect(readFileSync(join(root, "tools/site/run.mjs"), "utf8")).toContain("tools/reference/run.mjs");
  expect(readFileSync(join(root, "tools/pack/sizes.mjs"), "utf8")).toContain("tools/pack/run.mjs");
  expect(readFileSync(join(root, "tools/reference/run.mjs"), "utf8")).toContain("tools/pack/run.mjs");
});

test("every compiled file in dist has a source", () => {
  expect(staleOutputs(root)).toEqual([]);
});

let folder = null;
afterEach(() => {
  if (folder !== null) rmSync(folder, { recursive: true });
  folder = null;
});

test("only the outputs of missing sources are removed", () => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-build-"));
  const write = (path) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  };
  const kept = ["packages/a/src/room/kept.ts", "packages/a/test/kept.test.ts", "conformance/src/kept.ts"];
  const outputs = (source) =>
    [".js", ".js.map", ".d.ts", ".d.ts.map"].map((end) => source.replace(/\/(src|test)\//, "/dist/$1/").replace(/\.ts$/, end));
  const gone = ["packages/a/src/moved.ts", "packages/a/test/old/moved.test.ts", "conformance/test/moved.test.ts"];
  const others = ["packages/a/dist/src.tsbuildinfo", "packages/a/dist/src/data.json"];
  for (const path of [...kept, ...[...kept, ...gone].flatMap(outputs), ...others]) write(path);
  removeStaleOutputs(folder);
  expect([...kept.flatMap(outputs), ...others].filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  expect(gone.flatMap(outputs).filter((path) => existsSync(join(folder, path)))).toEqual([]);
});

test("generated source of a room that is gone is removed; that of a room with files of its own, and of the package, stays", () => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-build-"));
  const write = (path) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  };
  mkdirSync(join(folder, "conformance"));
  const gone = ["packages/a/src/old/generated/x.ts", "packages/a/src/old/room/generated/y.ts"];
  const kept = ["packages/a/src/map/generated/x.ts", "packages/a/src/map/y.ts", "packages/a/src/generated/z.ts", "packages/a/src/index.ts"];
  for (const path of [...gone, ...kept]) write(path);
  removeStaleOutputs(folder);
  expect([...gone, ...kept].filter((path) => existsSync(join(folder, path)))).toEqual(kept);
});
