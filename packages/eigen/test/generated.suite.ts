// The map classes in src/generated are what the generator writes today.
import { expect, test } from "@jest/globals";
import { readFileSync, readdirSync } from "node:fs";

test("src/generated is up to date", async () => {
  const generator = (await import(new URL("../../tools/generate-tensor-maps.mjs", import.meta.url).href)) as {
    renderTensorMaps(): Map<string, string>;
  };
  const folder = new URL("../../src/generated/", import.meta.url);
  const rendered = generator.renderTensorMaps();
  expect(readdirSync(folder).sort()).toEqual([...rendered.keys()].sort());
  const outdated = [...rendered].filter(([name, text]) => readFileSync(new URL(name, folder), "utf8") !== text).map(([name]) => name);
  expect(outdated).toEqual([]);
});
