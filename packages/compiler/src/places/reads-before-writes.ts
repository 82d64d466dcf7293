/**
 * reads-before-writes: checks a kept plan against the addresses that it is to run on: no operand may be read after a result has been written
 * over it (in XLA, what the buffer assignment proves for all runs is checked for each set of addresses here).
 *
 *     program 0   writes result 0      bytes 0 .. 64
 *     program 1   reads a map          bytes 32 .. 96      refused, unless it has bytes between those of result 0 (interleaved)
 *
 * The results are sorted by address, so that an access is compared only with those that it overlaps. The lists are kept, and addresses
 * that a plan has run on last are not checked again (kept-plan.ts).
 */

import { interleaved } from "@onebuffer/storage/internal";
import type { ByteAccess } from "@onebuffer/storage/internal";
import { connected } from "./overlaps.ts";

/** An access of a program, of which the base is -1 for the first result, -2 for the second, and so on. */
export interface CheckedAccess extends ByteAccess {
  readonly base: number;
  readonly low: number;
  readonly end: number;
  readonly mayBeTarget: boolean;
}

/** A plan with its addresses. */
export interface CheckedPlan {
  readonly programs: readonly { readonly calls: readonly { readonly nest: { readonly accesses: readonly CheckedAccess[] } }[] }[];
  readonly numResults: number;
  /** The last program that may leave elements to the evaluator, which then computes everything again; -1 if there is none. */
  readonly lastRefusal: number;
  /** For each map the last result that reads it, if results are written as if one after the other; otherwise null. */
  readonly lastReaders: readonly number[] | null;
}

/** Results that are connected by bytes in common: their bytes, the first program that touches one, and the first of the results. */
interface Group {
  readonly low: number;
  readonly end: number;
  readonly first: number;
  /** The number of the first result; that of the only one if `isOne`. */
  readonly result: number;
  readonly isOne: boolean;
}

/** Where a result is, and the programs that touch it. */
interface Touched {
  readonly result: number;
  low: number;
  end: number;
  first: number;
  last: number;
}

/** Returns true if every operand is read before its bytes are written, and results that share bytes are written in their order. */
export function readsBeforeWrites(plan: CheckedPlan): boolean {
  const groups = plan.numResults === 1 ? onlyGroup(plan) : groupsOf(plan);
  if (groups === null) return false;
  for (let p = 0; p < plan.programs.length; p++) {
    const { calls } = plan.programs[p]!;
    for (let c = 0; c < calls.length; c++) if (!readBefore(calls[c]!.nest.accesses, p, groups, plan)) return false;
  }
  return true;
}

/**
 * Returns the group of the only result, as groupsOf does. Nearly every assignment has one result, and a program that gives it another address
 * at each step comes here at each step: without a list of its own, and before the engine has compiled anything.
 */
function onlyGroup({ programs }: CheckedPlan): readonly Group[] {
  let low = Infinity;
  let end = -Infinity;
  let first = -1;
  for (let p = 0; p < programs.length; p++) {
    const { calls } = programs[p]!;
    for (let c = 0; c < calls.length; c++) {
      const { accesses } = calls[c]!.nest;
      for (let a = 0; a < accesses.length; a++) {
        const access = accesses[a]!;
        if (access.base >= 0) continue;
        low = Math.min(low, access.start + access.low);
        end = Math.max(end, access.start + access.end);
        if (first < 0) first = p;
      }
    }
  }
  return [{ low, end, first, result: 0, isOne: true }];
}

/** Returns the groups of results by address; null if results that share bytes are not written in their order. */
function groupsOf({ programs, numResults }: CheckedPlan): readonly Group[] | null {
  const touched = Array.from(
    { length: numResults },
    (_, result): Touched => ({ result, low: Infinity, end: -Infinity, first: -1, last: -1 }),
  );
  for (const [p, { calls }] of programs.entries()) {
    for (const { base, start, low, end } of calls.flatMap(({ nest }) => nest.accesses)) {
      if (base >= 0) continue;
      const result = touched[-1 - base]!;
      result.low = Math.min(result.low, start + low);
      result.end = Math.max(result.end, start + end);
      if (result.first < 0) result.first = p;
      result.last = p;
    }
  }
  const groups = connected(touched).map((group) => group.sort((a, b) => a.result - b.result));
  if (!groups.every((group) => group.every(({ first }, k) => k === 0 || group[k - 1]!.last < first))) return null;
  return groups.map((group) => ({
    low: group.reduce((least, { low }) => Math.min(least, low), Infinity),
    end: group.reduce((most, { end }) => Math.max(most, end), -Infinity),
    // They are in the order in which they are written.
    first: group[0]!.first,
    result: group[0]!.result,
    isOne: group.length === 1,
  }));
}

/** Returns true if program p may read all operands of a call, of which the first access is the target. */
function readBefore(accesses: readonly CheckedAccess[], p: number, groups: readonly Group[], plan: CheckedPlan): boolean {
  for (let a = 0; a < accesses.length; a++) {
    const access = accesses[a]!;
    if (access.base >= 0 && !isBefore(access, accesses[0]!, p, groups, plan)) return false;
  }
  return true;
}

/** Returns true if program p may read an operand: no result is written there before, or the program's own, element for element. */
function isBefore(access: CheckedAccess, target: CheckedAccess, p: number, groups: readonly Group[], plan: CheckedPlan): boolean {
  const from = access.start + access.low;
  const to = access.start + access.end;
  for (let g = firstBeyond(groups, from); g < groups.length && groups[g]!.low < to; g++) {
    const { first, result, isOne } = groups[g]!;
    const isOwn = isOne && first === p && target.base === -1 - result && access.mayBeTarget && access.start === target.start;
    const isLate = (first <= p && !isOwn) || first <= plan.lastRefusal || (plan.lastReaders?.[access.base] ?? -1) > result;
    if (isLate && !(isOne && isBeside(access, result, plan))) return false;
  }
  return true;
}

/** Returns true if an access is interleaved with all accesses of a result. It is asked of results that overlap no other. */
const isBeside = (access: CheckedAccess, result: number, { programs }: CheckedPlan): boolean =>
  programs.every(({ calls }) =>
    calls.every(({ nest }) => nest.accesses.every((stored) => stored.base !== -1 - result || interleaved(stored, access))),
  );

/** Returns the index of the first group that ends beyond an address. */
function firstBeyond(groups: readonly Group[], address: number): number {
  let low = 0;
  let high = groups.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (groups[middle]!.end > address) high = middle;
    else low = middle + 1;
  }
  return low;
}
