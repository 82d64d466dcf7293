// The epochs of ballast (src/lifetime/ballast.ts): how much there is, and at which watched bytes the next epoch is due.
import { afterEach, expect, test } from "@jest/globals";
import { currentBallast, setBallastRatio, updateBallast } from "../../src/lifetime/ballast.ts";
import { kLowerMark, kUpperMark, lifetimeStats } from "../../src/lifetime/lifetime-stats.ts";

const MiB = 1048576;

/** Returns the bytes of the ballast at some watched bytes, and the marks, all in MiB. */
function epochAt(bytes: number): [ballast: number | null, lower: number, upper: number] {
  updateBallast(bytes);
  const ballast = currentBallast();
  const [lower, upper] = [kLowerMark, kUpperMark].map((mark) => (lifetimeStats[mark]! * 256) / MiB) as [number, number];
  return [ballast === null ? null : ballast.byteLength / MiB, lower, upper];
}

afterEach(() => {
  setBallastRatio(1);
  updateBallast(0);
});

test("an epoch has a ballast as large as the growth, at least 64 MiB and at most 1 GiB", () => {
  updateBallast(0);
  expect(epochAt(32 * MiB)).toEqual([64, 0, 64]);
  expect(epochAt(128 * MiB)).toEqual([96, 96, 160]);
  expect(epochAt(1024 * MiB)).toEqual([896, 768, 1280]);
  expect(epochAt(2560 * MiB)).toEqual([1024, 1920, 3200]);
  expect(epochAt(2561 * MiB)).toEqual([64, 2561 * 0.75, 2561 * 1.25]);
});

test("there is none once the watched bytes have fallen or stayed", () => {
  updateBallast(512 * MiB);
  expect(epochAt(256 * MiB)).toEqual([null, 192, 320]);
  expect(epochAt(256 * MiB)).toEqual([null, 192, 320]);
  expect(epochAt(257 * MiB)[0]).toBe(64);
});

test("it is scaled, to nothing as well", () => {
  updateBallast(0);
  setBallastRatio(0.25);
  expect(epochAt(32 * MiB)[0]).toBe(16);
  expect(epochAt(160 * MiB)[0]).toBe(32);
  // What the current epoch has stays, unless there shall be none.
  setBallastRatio(2);
  expect(currentBallast()!.byteLength).toBe(32 * MiB);
  expect(epochAt(260 * MiB)[0]).toBe(200);
  setBallastRatio(0);
  expect(currentBallast()).toBe(null);
  expect(epochAt(600 * MiB)[0]).toBe(null);
  // A byte is the least.
  setBallastRatio(1 / (64 * MiB));
  expect(epochAt(632 * MiB)[0]).toBe(1 / MiB);
  setBallastRatio(0.9 / (64 * MiB));
  expect(epochAt(664 * MiB)[0]).toBe(null);
});
