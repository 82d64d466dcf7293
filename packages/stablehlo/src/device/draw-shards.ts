/** Shards as a picture of text: which device has which part of an array. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkArray, checkInteger, checkObject, shownValue } from "@onebuffer/base/internal";
import type { XlaShard } from "./xla-map.ts";

/** The most parts along one dimension that are drawn. */
const kMostParts = 32;

/** Checks a shard that a caller gives. */
function checkShard(shard: XlaShard): void {
  checkObject(shard, "a shard");
  checkInteger(shard.device, "the number of a device", 0);
  checkArray(shard.offsets, "the offsets of a shard");
  checkArray(shard.sizes, "the sizes of a shard");
  if (shard.offsets.length !== shard.sizes.length)
    throw new InvalidArgumentError(`drawShards: a shard has ${shard.offsets.length} offsets and ${shard.sizes.length} sizes`);
  for (const offset of shard.offsets) checkInteger(offset, "an offset of a shard", 0);
  for (const size of shard.sizes) checkInteger(size, "a size of a shard", 0);
}

/** Returns the places at which the shards begin in a dimension, as texts by offset: `0..3`. */
function partsOf(shards: readonly XlaShard[], dimension: number): Map<number, string> {
  const parts = new Map<number, string>();
  for (const { offsets, sizes } of shards) {
    const [offset, size] = [offsets[dimension] ?? 0, sizes[dimension] ?? 1];
    parts.set(offset, size === 1 ? String(offset) : `${offset}..${offset + size - 1}`);
  }
  return new Map([...parts].sort(([a], [b]) => a - b).slice(0, kMostParts));
}

/**
 * Returns a picture of shards, which `XlaMap.shards` gives: the parts of dimension 0 from top to bottom, those of the next divided dimension from
 * left to right, and in each cell the numbers of the devices that have it. Copies nothing of the array. Throws INVALID_ARGUMENT for other
 * values.
 *
 * @example
 * const shards = [0, 1, 2, 3].map((device) => ({ device, offsets: [4 * (device >> 1), 2 * (device & 1)], sizes: [4, 2] }));
 * drawShards(shards).split("\n"); // => ["       0..1  2..3", " 0..3     0     1", " 4..7     2     3"]
 */
export function drawShards(shards: readonly XlaShard[]): string {
  checkArray(shards, "shards");
  for (const shard of shards) checkShard(shard);
  const rank = shards[0]?.sizes.length ?? 0;
  const other = shards.find(({ sizes }) => sizes.length !== rank);
  if (other !== undefined)
    throw new InvalidArgumentError(`drawShards: shards of ${rank} and of ${other.sizes.length} dimensions: ${shownValue(other)}`);
  const across = Array.from({ length: Math.max(0, rank - 1) }, (_, k) => k + 1).find((k) => partsOf(shards, k).size > 1) ?? 1;
  const [rows, columns] = [partsOf(shards, 0), partsOf(shards, across)];
  const devicesAt = (row: number, column: number): string =>
    shards
      .filter(({ offsets }) => (offsets[0] ?? 0) === row && (offsets[across] ?? 0) === column)
      .map(({ device }) => device)
      .join(",");
  const head = ["", ...(rank < 2 ? [...columns].map(() => "") : columns.values())];
  const lines = [...rows].map(([row, name]) => [rank === 0 ? "" : name, ...[...columns.keys()].map((column) => devicesAt(row, column))]);
  const all = rank < 2 ? lines : [head, ...lines];
  const widths = head.map((_, k) => Math.max(...all.map((cells) => (cells[k] ?? "").length)));
  return all.map((cells) => cells.map((cell, k) => cell.padStart((widths[k] ?? 0) + (k === 0 ? 1 : 2))).join("")).join("\n");
}
