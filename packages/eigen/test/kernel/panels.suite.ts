// Panels: which function packs which lines, and from where. The packing functions here only note how they are called.
import { expect, test } from "@jest/globals";
import type { GebpKernel, Packing } from "@onebuffer/kernels/src/products/gebp-kernel";
import { Panels, tablesAt } from "@onebuffer/kernels/src/products/panels";

const kPerPanel = 4;
const kDepth = 5;
/** Three runs of ten adjacent lines. */
const kLines = { sizes: [3, 10], strides: [1000, 4] };

/** A call: the function, the offset of each line, the target, and the table that the offsets were read from. */
interface Call {
  readonly name: string;
  readonly offsets: readonly number[];
  readonly to: number;
  readonly table: number;
}

let memory: Int32Array<ArrayBuffer>;
let calls: Call[];

const offsetsAt = (table: number, panels: number): number[] => [...memory.subarray(table / 4, table / 4 + panels * kPerPanel)];

/** Returns panels with new memory, whose functions have not been called yet. */
function panelsOf(): Panels {
  [memory, calls] = [new Int32Array(256), []];
  const packing = Object.fromEntries(
    ["along", "across", "any"].map((name) => [
      name,
      (_from: number, table: number, to: number, count: number): number =>
        calls.push({ name, offsets: offsetsAt(table, count), to, table }),
    ]),
  ) as unknown as Packing;
  const kernel = { shape: { itemBytes: 4 }, sourceBytes: 4, perElement: 1 } as GebpKernel;
  return new Panels(kernel, packing, kPerPanel, kLines, { sizes: [kDepth], strides: [40] });
}

/** Returns the offsets of lines, the last of which fills up the last panel. */
function offsetsOf(first: number, count: number): number[] {
  const lines = Array.from({ length: Math.ceil(count / kPerPanel) * kPerPanel }, (_, n) => first + Math.min(n, count - 1));
  return lines.map((line) => Math.floor(line / 10) * 1000 + (line % 10) * 4);
}

test("panels of adjacent lines are packed along them, all that follow one another in one call", () => {
  const panels = panelsOf();
  panels.moveTo(4096, memory, 8);
  panels.pack(0, 8, 21, 0, kDepth);
  const offsets = offsetsOf(8, 21);
  // Lines 12 to 19 and 20 to 27 are adjacent. The first panel has the end of a run, and the last one is filled up.
  const groups = [["any", 0, 1], ["along", 1, 5], ["any", 5, 6]] as const; // biome-ignore format: one line
  expect(calls.map(({ name, offsets: each, to }) => [name, each, to])).toEqual(
    groups.map(([name, from, to]) => [name, offsets.slice(from * kPerPanel, to * kPerPanel), 4096 + from * kDepth * kPerPanel * 4]),
  );
});

test("the tables of all blocks are kept: their calls may be made later", () => {
  const panels = panelsOf();
  panels.moveTo(0, memory, 0, true);
  for (const first of [0, 8, 0]) panels.pack(0, first, 8, 0, kDepth);
  const lines = calls.flatMap(({ table, offsets }) => offsetsAt(table, offsets.length / kPerPanel));
  expect(lines).toEqual([0, 8, 0].flatMap((first) => offsetsOf(first, 8)));
  // A block that is packed again, for the next k, has the table that it had.
  expect(calls.at(-1)!.table).toBe(calls[0]!.table);
});

test("a block with another last line is described again", () => {
  const panels = panelsOf();
  panels.moveTo(0, memory, 0);
  for (const count of [2, 3, 2]) panels.pack(0, 4, count, 0, kDepth);
  expect(calls.map(({ offsets }) => offsets)).toEqual([2, 3, 2].map((count) => offsetsOf(4, count)));
});

test("memory for tables that is new has the lines written again", () => {
  const panels = panelsOf();
  panels.moveTo(0, memory, 0);
  panels.pack(0, 1, 8, 0, kDepth);
  panels.moveTo(0, memory, 64);
  panels.pack(0, 1, 8, 0, kDepth);
  expect(calls.map(({ offsets }) => offsets)).toEqual([offsetsOf(1, 8), offsetsOf(1, 8)]);
});

test("the first panel is packed along its lines if they are adjacent, also alone", () => {
  const panels = panelsOf();
  panels.moveTo(4096, memory, 8);
  panels.pack(0, 10, 4, 0, kDepth);
  expect(calls.map(({ name }) => name)).toEqual(["along"]);
  panels.pack(0, 14, 12, 0, kDepth);
  expect(calls.slice(1).map(({ name, offsets }) => [name, offsets.length / kPerPanel])).toEqual([
    ["along", 1],
    ["any", 1],
    ["along", 1],
  ]);
});

test("tables at one address are as long as they are asked for", () => {
  const lengths = [8, 16, 16, 4].map((length) => tablesAt(1024, length).length);
  expect(lengths).toEqual([8, 16, 16, 4]);
  expect(tablesAt(2048, 4).byteOffset).toBe(2048);
});
