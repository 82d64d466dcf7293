// When sweeps are due (src/lifetime/sweep-policy.ts): the marks that follow from the host's memory and from what is held, in each mode.
import { afterEach, describe, expect, test } from "@jest/globals";
import { keeperRecords } from "../../src/lifetime/lifetime-net.ts";
import { kKeeperMark, kSweepMark, kSweeps, kWatchedUnits, lifetimeStats } from "../../src/lifetime/lifetime-stats.ts";
import { heapLimit, machineMemory } from "../../src/lifetime/machine-memory.ts";
import { setNetGrowth, sweepIfDue } from "../../src/lifetime/sweep-policy.ts";
import { canSweep, collectGarbage, enableSweep, sweepForgotten } from "../../src/lifetime/sweep.ts";
import { currentBallast, updateBallast } from "../../src/lifetime/ballast.ts";

/** 96 MiB in units of 256 bytes: below, no sweep is due. */
const kFirst = 393_216;
const kFirstKeepers = 131_072;

afterEach(() => setNetGrowth(true, 1));

/** Returns how many sweeps ran and what the marks are when some units are held. */
function marksAt(units: number): { sweeps: number; units: number; keepers: number } {
  const held = lifetimeStats[kWatchedUnits]!;
  const before = lifetimeStats[kSweeps]!;
  lifetimeStats[kWatchedUnits] = units;
  try {
    sweepIfDue();
  } finally {
    lifetimeStats[kWatchedUnits] = held;
  }
  return { sweeps: lifetimeStats[kSweeps]! - before, units: lifetimeStats[kSweepMark]!, keepers: lifetimeStats[kKeeperMark]! };
}

describe("the policy of sweeps", () => {
  test("by default a sweep is due at a quarter of the memory, then at a quarter more than is held", () => {
    setNetGrowth(true, undefined);
    const [units, keepers] = [machineMemory() / 4 / 256, heapLimit() / 4 / 320];
    expect(marksAt(kFirst)).toEqual({ sweeps: 0, units: kFirst, keepers: kFirstKeepers });
    expect(marksAt(kFirst + 1)).toEqual({ sweeps: 0, units, keepers });
    expect(marksAt(units)).toEqual({ sweeps: 0, units, keepers });
    expect(marksAt(units + 4)).toEqual({ sweeps: 1, units: (units + 4) * 1.25, keepers });
    // What is held has fallen: the next sweep is not due later than at first.
    expect(marksAt((units + 4) * 1.25)).toEqual({ sweeps: 0, units: (units + 4) * 1.25, keepers });
  });

  test("records of Keepers make one due as well", () => {
    setNetGrowth(true, undefined);
    lifetimeStats[kSweepMark] = -1;
    const units = machineMemory() / 4 / 256;
    expect(marksAt(0)).toEqual({ sweeps: 0, units, keepers: heapLimit() / 4 / 320 });
    lifetimeStats[kSweepMark] = -1;
    expect(marksAt(0)).toMatchObject({ sweeps: 1, units });
    expect(keeperRecords()).toBeLessThan(kFirstKeepers);
  });

  test("eager sweeps are due when twice as much is held", () => {
    setNetGrowth("eager", undefined);
    expect(marksAt(kFirst)).toMatchObject({ sweeps: 0, units: kFirst });
    expect(marksAt(kFirst + 1)).toEqual({ sweeps: 1, units: 2 * (kFirst + 1), keepers: Infinity });
    expect(marksAt(2 * kFirst + 2)).toMatchObject({ sweeps: 0 });
    // A mode that is set again begins anew, one that is left undefined stays.
    setNetGrowth(undefined, undefined);
    expect(lifetimeStats[kSweepMark]).toBe(2 * (kFirst + 1));
    setNetGrowth("eager", undefined);
    expect([lifetimeStats[kSweepMark], lifetimeStats[kKeeperMark]]).toEqual([kFirst, kFirstKeepers]);
  });

  test("none is due, nor possible, once they are switched off", () => {
    setNetGrowth(false, undefined);
    expect(canSweep()).toBe(false);
    expect(marksAt(2 ** 40)).toEqual({ sweeps: 0, units: Infinity, keepers: Infinity });
    expect(sweepForgotten()).toBe(0);
    expect(marksAt(0).sweeps).toBe(0);
    setNetGrowth(true, undefined);
    expect(canSweep()).toBe(true);
    enableSweep(false);
    expect(canSweep()).toBe(false);
    // The garbage collector itself can be run all the same.
    expect(collectGarbage()).toBe(true);
  });

  test("the ballast is scaled with the sweeps left as they are", () => {
    setNetGrowth("eager", undefined);
    marksAt(kFirst + 1);
    setNetGrowth(undefined, 0);
    updateBallast(0);
    updateBallast(2 ** 26);
    expect([currentBallast(), lifetimeStats[kSweepMark]]).toEqual([null, 2 * (kFirst + 1)]);
    setNetGrowth(undefined, 0.5);
    updateBallast(2 ** 27);
    expect(currentBallast()!.byteLength).toBe(2 ** 25);
    updateBallast(0);
  });
});
