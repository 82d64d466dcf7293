// The committed vectors: one test per file. A failing case is named with what it got and wanted.
import { expect, test } from "@jest/globals";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { operations } from "../src/operations.ts";
import { runVectors } from "../src/run-vectors.ts";
import { SkipList } from "../src/skip-list.ts";
import { readVectors } from "../src/vector.ts";

const workspace = new URL("../../", import.meta.url);
const skipList = SkipList.read(workspace);
const files = readdirSync(new URL("vectors/", workspace)).sort();

test.each(files)("%s: every case that is not of a later issue passes", (file) => {
  const vectors = readVectors(fileURLToPath(new URL(`vectors/${file}`, workspace)));
  const { passed, failed, skipped } = runVectors(vectors, operations, skipList);
  expect(failed.map(({ id, text }) => `${id}: ${text}`)).toEqual([]);
  expect(passed + skipped.length).toBe(vectors.length);
});

test("of xla.json all run but the bytes of messages and the cases that say they are unchecked", () => {
  const vectors = readVectors(fileURLToPath(new URL("vectors/xla.json", workspace)));
  const { skipped } = runVectors(vectors, {}, skipList);
  expect([vectors.length, skipped.length]).toEqual([722, 21]);
  expect(skipped.filter(({ text }) => text.startsWith("unchecked: ")).length).toBe(7);
});

test("the ids of all files are different, so that a failure line names one case", () => {
  const ids = files.flatMap((file) => readVectors(fileURLToPath(new URL(`vectors/${file}`, workspace))).map(({ id }) => id));
  expect(ids.length).toBeGreaterThan(1000);
  expect(new Set(ids).size).toBe(ids.length);
});

test("only operations of later issues, and unchecked cases, are skipped in the committed files", () => {
  const counts = files.map((file) => {
    const vectors = readVectors(fileURLToPath(new URL(`vectors/${file}`, workspace)));
    const { skipped } = runVectors(vectors, {}, skipList);
    return [file, skipped.every(({ text }) => /^(later|unchecked): /.test(text)), skipped.length === vectors.length];
  });
  expect(counts).toEqual([
    ["tf-proto.json", true, true],
    ["tf-shape.json", true, false],
    ["tf-slice.json", true, false],
    ["tf-tensor.json", true, false],
    ["xla.json", true, false],
  ]);
});
