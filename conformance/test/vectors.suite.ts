// Runs the committed vectors, one test per file. A failing case is listed with the result it got and the one it wanted.
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

test.each(files)("%s: every case passes", (file) => {
  const vectors = readVectors(fileURLToPath(new URL(`vectors/${file}`, workspace)));
  const { passed, failed, skipped } = runVectors(vectors, operations, skipList);
  expect(failed.map(({ id, text }) => `${id}: ${text}`)).toEqual([]);
  expect(passed + skipped.length).toBe(vectors.length);
});

test("the ids of all cases are unique, and there are more than 1000", () => {
  const ids = files.flatMap((file) => readVectors(fileURLToPath(new URL(`vectors/${file}`, workspace))).map(({ id }) => id));
  expect(ids.length).toBeGreaterThan(1000);
  expect(new Set(ids).size).toBe(ids.length);
});

test("no case is skipped: there are no exceptions or later operations, and the unchecked cases pass", () => {
  const vectors = files.flatMap((file) => readVectors(fileURLToPath(new URL(`vectors/${file}`, workspace))));
  const { passed, skipped } = runVectors(vectors, operations, skipList);
  expect([passed, skipped]).toEqual([vectors.length, []]);
  expect(vectors.filter(({ unchecked }) => unchecked === true).length).toBe(7);
  expect(vectors.filter(({ tfDefect }) => tfDefect === true).length).toBeGreaterThan(0);
});
