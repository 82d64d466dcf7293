// The lists that the runner reads (exceptions.json, later.json, mutants.json), the marks of cases, and the form of vector files.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { Args } from "../src/args.ts";
import { CaseScope } from "../src/case-scope.ts";
import { applyMutant, readMutants } from "../src/mutant.ts";
import { operations } from "../src/operations.ts";
import { runVectors } from "../src/run-vectors.ts";
import { kMaxExceptions, SkipList } from "../src/skip-list.ts";
import type { Exception } from "../src/skip-list.ts";
import { parseVectors, toCase } from "../src/vector.ts";
import type { VectorCase } from "../src/vector.ts";

const workspace = new URL("../../", import.meta.url);
const readList = <T>(name: string): T[] => JSON.parse(readFileSync(new URL(name, workspace), "utf8")) as T[];
const parse = (id: string, text: string, expected: string): VectorCase =>
  toCase({ id, op: "slice.parse", args: { text }, expect: { debug: expected } }, "test");

test("there are at most ten exceptions, each with a reason", () => {
  const exceptions = readList<Exception>("exceptions.json");
  expect(exceptions.length).toBeLessThanOrEqual(10);
  expect(kMaxExceptions).toBe(10);
  expect(exceptions.filter(({ reason }) => (reason ?? "") === "")).toEqual([]);
  const eleven = Array.from({ length: 11 }, (_, index) => ({ id: `x/${index}`, reason: "no" }));
  expect(() => new SkipList(eleven, [])).toThrow(/11/);
});

test("no implemented operation is in later.json", () => {
  const skipList = SkipList.read(workspace);
  const both = Object.keys(operations).filter(
    (op) => skipList.reasonFor({ id: "x", op, args: {}, expect: null, error: undefined }) !== undefined,
  );
  expect(both).toEqual([]);
});

test("exceptions and operations of later.json are skipped with their reason; all other cases run", () => {
  const exceptions = [
    { id: "x/1", reason: "one case" },
    { op: "slice.parse", args: { text: "1,2" }, reason: "one form" },
  ];
  const skipList = new SkipList(exceptions, [{ op: "bfc.*", reason: "memory" }]);
  const vectors = [
    parse("x/1", "-", "wrong"),
    parse("x/2", "1,2", "wrong"),
    parse("x/3", "-", "-"),
    parse("x/4", "-", "wrong"),
    toCase({ id: "x/5", op: "bfc.bin_num", args: { bytes: 1 }, expect: 0 }, "test"),
  ];
  const { passed, failed, skipped } = runVectors(vectors, operations, skipList);
  expect(passed).toBe(1);
  expect(failed).toEqual([{ id: "x/4", text: 'debug: got "-" want "wrong"' }]);
  expect(skipped).toEqual([
    { id: "x/1", text: "on purpose: one case" },
    { id: "x/2", text: "on purpose: one form" },
    { id: "x/5", text: "later: memory" },
  ]);
});

test("there are ten mutants, each of which changes one line that occurs once in its file", () => {
  const mutants = readMutants(workspace);
  expect(mutants.length).toBe(10);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(10);
  for (const mutant of mutants) {
    const source = readFileSync(new URL(`../${mutant.file}`, workspace), "utf8");
    expect(applyMutant(mutant, source)).not.toBe(source);
    expect(mutant.breaks).not.toBe("");
  }
});

test("refuses a mutant whose text is missing, ambiguous or longer than a line", () => {
  const mutant = { name: "m", file: "f", find: "a", replace: "b", breaks: "" };
  expect(applyMutant(mutant, "xay")).toBe("xby");
  expect(() => applyMutant(mutant, "xay a")).toThrow(/2 times/);
  expect(() => applyMutant(mutant, "xy")).toThrow(/0 times/);
  expect(() => applyMutant({ ...mutant, find: "a\n" }, "a\n")).toThrow(/one-line/);
});

test("an unchecked case runs; a wrong result counts as skipped and is printed; with unchecked: false it fails", () => {
  const letters = (id: string, expected: unknown, unchecked: boolean): VectorCase =>
    toCase({ id, op: "dimensionLetters", args: { rank: 2 }, expect: expected as never, unchecked, era: "2018" }, "test");
  const right = operations["dimensionLetters"]?.run(new Args({ rank: 2 }, ["rank"], "test"), new CaseScope());
  const vectors = [letters("x/1", 9, true), letters("x/2", 9, false), letters("x/3", right, true)];
  const { passed, failed, skipped } = runVectors(vectors, operations, new SkipList([], []));
  expect([passed, failed.map(({ id }) => id), skipped.map(({ id }) => id)]).toEqual([1, ["x/2"], ["x/1"]]);
  expect(skipped[0]?.text).toMatch(/^unchecked: .* got .* want 9$/);
});

test("a tf_defect case passes if the operation keeps the values; an operation that does not report that fails", () => {
  const minusZeros = { dtype: "DT_FLOAT", tensor_shape: { dim: [64] }, float_val_repeat: ["-0", 64] };
  const args = { proto: minusZeros, min_num_elements: 64, min_compression_ratio: 2 };
  const wrong = { compressed: true, num_values: 0, after_wire: "0801120412020840" };
  const defect = toCase({ id: "x/1", op: "proto.compress", args, expect: wrong, tf_defect: true }, "test");
  const plain = toCase({ id: "x/2", op: "proto.compress", args, expect: wrong }, "test");
  const other = toCase({ id: "x/3", op: "slice.parse", args: { text: "-" }, expect: {}, tf_defect: true }, "test");
  const { passed, failed } = runVectors([defect, plain, other], operations, new SkipList([], []));
  expect([passed, failed.map(({ id }) => id)]).toEqual([1, ["x/2", "x/3"]]);
});

test.each([
  ["InvalidArgument", "INVALID_ARGUMENT"],
  ["ParseError", "INVALID_ARGUMENT"],
  ["Fatal", "CHECK"],
])("an error of kind %s means %s", (kind, code) => {
  expect(toCase({ id: "x/1", op: "o", args: {}, error: { kind, contains: "of 3" } }, "test").error).toEqual({ code, contains: "of 3" });
});

test("a file is an array of cases, or an object with an array `cases`", () => {
  const text = '{"id":"x/1","op":"o","args":{},"expect":null}';
  expect(parseVectors(`[${text}]`, "f")).toEqual(parseVectors(`{"cases":[${text}]}`, "f"));
  expect(parseVectors(`[${text}]`, "f")[0]).toEqual({ id: "x/1", op: "o", args: {}, expect: null, error: undefined });
});

test.each(["{", "7", "{}"])("%s is not a vector file", (text) => {
  expect(() => parseVectors(text, "f")).toThrow(/^f: /);
});

test.each<[string, string]>([
  ["7", "f[0]"],
  ['{"op":"slice.parse","args":{"text":"-"},"expect":{}}', "f[0]"],
  ['{"id":"x","args":{"text":"-"},"expect":{}}', "x"],
  ['{"id":"x","op":"slice.parse","args":[],"expect":{}}', "x"],
  ['{"id":"x","op":"slice.parse","args":{"text":"-"}}', "x"],
  ['{"id":"x","op":"slice.parse","args":{"text":"1"},"error":{"contains":""}}', "x"],
  ['{"id":"x","op":"slice.parse","args":{"text":"1"},"error":{"kind":"Odd","contains":""}}', "x"],
])("the malformed case %s fails and the next one runs", (text, id) => {
  const good = '{"id":"y","op":"slice.parse","args":{"text":"-"},"expect":{"rank":1}}';
  const { passed, failed } = runVectors(parseVectors(`[${text},${good}]`, "f"), operations, new SkipList([], []));
  expect(failed.map((remark) => [remark.id, remark.text.startsWith("got a malformed case")])).toEqual([[id, true]]);
  expect(passed).toBe(1);
});
