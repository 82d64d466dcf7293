/**
 * net-growth: when to look for forgotten tensors in the middle of a job (no counterpart in TensorFlow).
 *
 * A sweep, where there are sweeps, is due when as much has been added as was live after the last one, and not below 96 MiB: a
 * synchronous loop that drops its tensors stays near that, and a program that really holds gigabytes pays for a handful of
 * them. What is about to be allocated does not count, for it cannot have been forgotten. A falling amount does not bring the next
 * sweep nearer: the pages are resident anyway.
 */
import { setBallastRatio } from "./ballast.ts";
import { kFelt, kNetUnit, kSweepMark, netFigures } from "./net-figures.ts";
import { canSweep, enableSweep, sweepForgotten } from "./sweep.ts";

// The module's own, to be folded into its code: an imported constant is loaded at every use.
const FELT = kFelt;
const SWEEP_MARK = kSweepMark;

/** No sweep is due below so many units: 96 MiB. */
const kFirstSweep = (96 * 1048576) / kNetUnit;

netFigures[SWEEP_MARK] = kFirstSweep;

/** To be called before every watched allocation: sweeps when that is due. */
export function sweepIfDue(): void {
  if (netFigures[FELT]! > netFigures[SWEEP_MARK]!) sweepNow();
}

/** Switches sweeps, scales the ballast. */
export function setNetGrowth(sweep: boolean | undefined, ballastRatio: number | undefined): void {
  if (sweep !== undefined) {
    enableSweep(sweep);
    netFigures[SWEEP_MARK] = kFirstSweep;
  }
  if (ballastRatio !== undefined) setBallastRatio(ballastRatio);
}

function sweepNow(): void {
  sweepForgotten();
  netFigures[SWEEP_MARK] = canSweep() ? Math.max(kFirstSweep, 2 * netFigures[FELT]!) : Infinity;
}
