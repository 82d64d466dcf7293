// Tests of tools/generate-tensor-maps.mjs, and of tools/generate-operations.mjs of packages/expression: the generated files are up to date, and an unchanged file is not
// written again.
import { expect, test } from "@jest/globals";
import { readFileSync, readdirSync, statSync, utimesSync } from "node:fs";

interface Generator {
  renderTensorMaps(): Map<string, string>;
  writeTensorMaps(): void;
}

const folder = new URL("../../../src/map/generated/", import.meta.url);
const generator = async (): Promise<Generator> =>
  (await import(new URL("../../../tools/generate-tensor-maps.mjs", import.meta.url).href)) as Generator;

test("src/map/generated is up to date", async () => {
  const rendered = (await generator()).renderTensorMaps();
  expect(readdirSync(folder).sort()).toEqual([...rendered.keys()].sort());
  const outdated = [...rendered].filter(([name, text]) => readFileSync(new URL(name, folder), "utf8") !== text).map(([name]) => name);
  expect(outdated).toEqual([]);
});

test("does not write unchanged files again, so that the compiler does not compile them again", async () => {
  const { writeTensorMaps } = await generator();
  const path = new URL("float32.ts", folder);
  const { atime, mtime } = statSync(path);
  const past = new Date(mtime.getTime() - 60_000);
  utimesSync(path, atime, past);
  writeTensorMaps();
  expect(statSync(path).mtime).toEqual(past);
  utimesSync(path, atime, mtime);
});

test("the files that are derived from the records of operations are up to date", async () => {
  const expression = new URL("../../../../expression/", import.meta.url);
  const path = new URL("tools/generate-operations.mjs", expression).href;
  const { renderOperations } = (await import(path)) as { renderOperations(): Promise<Map<string, string>> };
  const outdated = [...(await renderOperations())].filter(([name, text]) => readFileSync(new URL(name, expression), "utf8") !== text);
  expect(outdated.map(([name]) => name)).toEqual([]);
});
