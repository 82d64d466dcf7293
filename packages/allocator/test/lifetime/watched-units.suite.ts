// What a buffer counts for in the lifetime net: its bytes in units of 256, rounded up, and two units for its objects.
import { expect, test } from "@jest/globals";
import { watchedUnits } from "../../src/lifetime/lifetime-stats.ts";

test("a buffer counts for its bytes and its objects, a huge one for 128 GiB", () => {
  const sizes = [0, 1, 256, 257, 2 ** 30, 2 ** 37, 2 ** 53];
  expect(sizes.map(watchedUnits)).toEqual([2, 3, 3, 4, 2 ** 22 + 2, 2 ** 29, 2 ** 29]);
});
