// Shards as a picture of text.
import { expect, test } from "@jest/globals";
import { drawShards } from "@onebuffer/stablehlo/node";
import { expectCode } from "../expect-code.ts";

const shard = (device: number, offsets: readonly number[], sizes: readonly number[]) => ({ device, offsets, sizes });

test("rows and columns that are divided are drawn as a grid", () => {
  const shards = [shard(0, [0, 0], [4, 2]), shard(1, [0, 2], [4, 2]), shard(12, [4, 0], [4, 2]), shard(3, [4, 2], [4, 2])];
  expect(drawShards(shards).split("\n")).toEqual(["       0..1  2..3", " 0..3     0     1", " 4..7    12     3"]);
});

test("a part that several devices have names all of them", () => {
  expect(drawShards([shard(0, [0], [2]), shard(1, [0], [2]), shard(2, [2], [1])]).split("\n")).toEqual([" 0..1  0,1", "    2    2"]);
});

test("the next divided dimension goes from left to right", () => {
  expect(drawShards([shard(0, [0, 0, 0], [1, 5, 2]), shard(1, [0, 0, 2], [1, 5, 2])]).split("\n")).toEqual([
    "    0..1  2..3",
    " 0     0     1",
  ]);
});

test("scalars, and no shards", () => {
  expect([drawShards([shard(0, [], []), shard(1, [], [])]), drawShards([])]).toEqual(["   0,1", ""]);
});

test("wrong values are refused", () => {
  for (const wrong of [null, [null], [shard(-1, [0], [1])], [shard(0, [0], [1, 2])], [shard(0, [0], [1]), shard(1, [], [])]])
    expectCode(() => drawShards(wrong as never), "INVALID_ARGUMENT");
});
