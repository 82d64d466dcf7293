/**
 * net-growth: what is done about it as the net watches more and more, or less again (no counterpart in TensorFlow).
 *
 *     watched    ....... 32 MiB ....... 64 MiB ....... 96 MiB .......
 *                        ballast         ballast        sweep
 *
 * Ballast follows every 32 MiB, or quarter. A sweep, where there are sweeps, comes when as much has been added as was live after the last
 * one, and not below 96 MiB: a synchronous loop that drops its tensors stays near that, and a program that really holds
 * gigabytes pays for a handful of them. A falling amount lowers only the ballast's mark: where a sweep will be due was decided by
 * what was in use once, pages that are resident anyway.
 */
import { ballastMarks, followNet, setBallastRatio } from "./ballast.ts";
import { feltUnits, kFelt, kLowerMark, kNetUnit, kUpperMark, netFigures } from "./net-figures.ts";
import { canSweep, enableSweep, sweepForgotten } from "./sweep.ts";

// The module's own, to be folded into its code: an imported constant is loaded at every use.
const FELT = kFelt;
const UPPER = kUpperMark;
const LOWER = kLowerMark;

/** No sweep is due below this. */
const kFirstSweepBytes = 96 * 1048576;

let sweepMark = kFirstSweepBytes;
setMarks();

/** To be called before a watched allocation of `numBytes`: does what is due. Two comparisons where nothing is. */
export function feelAllocation(numBytes: number): void {
  const felt = netFigures[FELT]!;
  if (felt + numBytes * (1 / 256) > netFigures[UPPER]! || felt < netFigures[LOWER]!) follow(numBytes);
}

/** Switches sweeps, scales the ballast; from the next allocation on. */
export function setNetGrowth(sweep: boolean | undefined, ballastRatio: number | undefined): void {
  if (sweep !== undefined) {
    enableSweep(sweep);
    sweepMark = kFirstSweepBytes;
  }
  if (ballastRatio !== undefined) setBallastRatio(ballastRatio);
  setMarks();
}

function follow(numBytes: number): void {
  const units = feltUnits(numBytes);
  if ((netFigures[FELT]! + units) * kNetUnit > sweepMark) {
    if (canSweep()) {
      sweepForgotten();
      sweepMark = Math.max(kFirstSweepBytes, 2 * (netFigures[FELT]! + units) * kNetUnit);
    } else sweepMark = Infinity;
  }
  followNet((netFigures[FELT]! + units) * kNetUnit);
  setMarks();
}

/** Puts into the figures when `follow` is next to be called. */
function setMarks(): void {
  const [lower, upper] = ballastMarks();
  netFigures[LOWER] = lower / kNetUnit;
  netFigures[UPPER] = Math.min(upper, sweepMark) / kNetUnit;
}
