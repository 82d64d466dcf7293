// Runs the committed vectors, one test per file. A failing case is listed with the result it got and the one it wanted.
import { expect, test } from "@jest/globals";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { operations } from "../src/operations.ts";
import { runVectors } from "../src/run-vectors.ts";
import { SkipList } from "../src/skip-list.ts";
import { readVectors } from "../src/vector.ts";
import type { VectorCase } from "../src/vector.ts";

const workspace = new URL("../../", import.meta.url);
const skipList = SkipList.read(workspace);
const files = readdirSync(new URL("vectors/", workspace)).sort();

interface Run extends ReturnType<typeof runVectors> {
  readonly vectors: readonly VectorCase[];
}
const runs = new Map<string, Run>();

/** Returns the cases of a file and what became of them. Each file is run once for all tests. */
function runOf(file: string): Run {
  let run = runs.get(file);
  if (run === undefined) {
    const vectors = readVectors(fileURLToPath(new URL(`vectors/${file}`, workspace)));
    runs.set(file, (run = { vectors, ...runVectors(vectors, operations, skipList) }));
  }
  return run;
}

test.each(files)("%s: every case passes", (file) => {
  const { vectors, passed, failed, skipped } = runOf(file);
  expect(failed.map(({ id, text }) => `${id}: ${text}`)).toEqual([]);
  expect(passed + skipped.length).toBe(vectors.length);
});

test("the ids of all cases are unique, and there are more than 1000", () => {
  const ids = files.flatMap((file) => runOf(file).vectors.map(({ id }) => id));
  expect(ids.length).toBeGreaterThan(1000);
  expect(new Set(ids).size).toBe(ids.length);
});

test("no case is skipped: there are no exceptions or later operations, and the unchecked cases pass", () => {
  const vectors = files.flatMap((file) => runOf(file).vectors);
  const passed = files.reduce((sum, file) => sum + runOf(file).passed, 0);
  expect([passed, files.flatMap((file) => runOf(file).skipped)]).toEqual([vectors.length, []]);
  expect(vectors.filter(({ unchecked }) => unchecked === true).length).toBe(7);
  expect(vectors.filter(({ tfDefect }) => tfDefect === true).length).toBeGreaterThan(0);
});
