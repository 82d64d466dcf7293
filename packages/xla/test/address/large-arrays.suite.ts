// Sizes at which addresses are found in another way: axes with a long period, and more elements than are compared one by one.
import { expect, test } from "@jest/globals";
import { parseShape } from "@onebuffer/xla";
import { Addressing } from "../../src/address/addressing.ts";
import { AxisOffsets } from "../../src/address/axis-offsets.ts";
import { reshapeSharesCells, transposeSharesCells } from "../../src/address/same-cells.ts";

const addressing = (text: string): Addressing => new Addressing(parseShape(text), "test");

test("offsets of an axis: of all its indices, of a period, or none if both are longer than a table", () => {
  for (const [size, tile, length] of [
    [65_536, 70_000, 65_536],
    [65_537, 65_536, 65_536],
    [65_537, 128, 128],
    [65_538, 65_537, null],
  ] as const) {
    const each = addressing(`u8[${size}]{0:T(${tile})}`);
    const offsets = AxisOffsets.of(each, 0);
    expect([size, tile, offsets?.table.length ?? null]).toEqual([size, tile, length]);
    if (offsets !== null) for (const i of [0, 1, 127, 128, 65_535, size - 1]) expect(offsets.at(i)).toBe(each.cellOf([i]));
  }
});

test("elements of tiles that combine dimensions are compared one by one, up to 2^22 of them", () => {
  const [few, many] = ["u8[64,64]{1,0:T(*,128)}", "u8[2049,2048]{1,0:T(*,128)}"].map(addressing) as [Addressing, Addressing];
  expect([reshapeSharesCells(few, few), reshapeSharesCells(many, many)]).toEqual([true, false]);
  expect([transposeSharesCells(few, few, [0, 1]), transposeSharesCells(many, many, [0, 1])]).toEqual([true, false]);
});

test("elements of tiles that do not fit each other are compared one by one, up to 2^22 of them", () => {
  const pairs = (rows: number): [Addressing, Addressing] => [addressing(`u8[${rows}]{0:T(6)}`), addressing(`u8[${rows}]{0:T(4)}`)];
  expect([96, 2 ** 22 + 1].map((rows) => reshapeSharesCells(...pairs(rows)))).toEqual([true, false]);
});
