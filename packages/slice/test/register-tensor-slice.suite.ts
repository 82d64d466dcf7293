// Tests registerTensorSlice: one set per tensor name.
import { expect, test } from "@jest/globals";
import { TensorShape } from "@onebuffer/shape";
import type { TensorSliceSet } from "@onebuffer/slice";
import { TensorSlice, registerTensorSlice } from "@onebuffer/slice";
import { expectStatus } from "@onebuffer/test-support";

const parse = TensorSlice.parse;
const shape = new TensorShape([4, 5]);

test("makes a set per name on first use and adds to it later", () => {
  const sets = new Map<string, TensorSliceSet>();
  registerTensorSlice("w", shape, "float32", "f0", parse("0,2:-"), sets);
  registerTensorSlice("b", new TensorShape([5]), "int64", "f0", parse("-"), sets);
  registerTensorSlice("w", new TensorShape([4, 5]), "float32", "f1", parse("2,2:-"), sets);
  expect([...sets.keys()]).toEqual(["w", "b"]);
  expect(
    sets
      .get("w")!
      .queryMeta(TensorSlice.full(2))!
      .map(([slice, tag]) => `${tag} ${slice}`),
  ).toEqual(["f0 0,2:-", "f1 2,2:-"]);
  expect([sets.get("b")!.dtype, sets.get("b")!.query(parse("1,2"))]).toEqual(["int64", true]);
});

test("refuses another shape or type; checks the shape first", () => {
  const sets = new Map<string, TensorSliceSet>();
  registerTensorSlice("w", shape, "float32", "f0", parse("0,2:-"), sets);
  const later = parse("2,2:-");
  expectStatus(
    () => registerTensorSlice("w", new TensorShape([4, 6]), "int32", "f1", later, sets),
    "INTERNAL",
    "Incompatible tensor shapes detected for tensor w: existing = [4,5], new = [4,6]",
  );
  expectStatus(
    () => registerTensorSlice("w", shape, "int32", "f1", later, sets),
    "INTERNAL",
    "Incompatible tensor types detected for tensor w: existing = float, new = int32",
  );
  expectStatus(() => registerTensorSlice("w", shape, "float32", "f1", parse("1,1:-"), sets), "INTERNAL", "Overlapping slices");
  expect(sets.get("w")!.slices.size).toBe(1);
});

test("a refused first slice adds no set", () => {
  const sets = new Map<string, TensorSliceSet>();
  expectStatus(() => registerTensorSlice("w", shape, "float32", "f0", parse("0,9:-"), sets), "INTERNAL", "out of bounds");
  expect(sets.size).toBe(0);
});

test("what can only be read, or only be written, is no map of sets", () => {
  for (const half of [{ get: () => undefined }, { set: () => undefined }])
    expectStatus(
      () => registerTensorSlice("w", shape, "float32", "f0", parse("-:-"), half as never),
      "INVALID_ARGUMENT",
      "a Map of TensorSliceSets",
    );
});

test("a map that has something else than sets is refused", () => {
  const sets = new Map([["a", {}]]) as never;
  expectStatus(() => registerTensorSlice("a", shape, "float32", "", parse("-:-"), sets), "INVALID_ARGUMENT", "a TensorSliceSet in the map");
});
