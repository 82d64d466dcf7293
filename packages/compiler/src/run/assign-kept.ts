/**
 * assign-kept: assigns expressions of which a plan is kept, without the checks and objects that planning needs (for XLA: a call of an
 * executable that is in the cache).
 *
 *     out.assign(x.sub(x.mean([0])))      the expression is described by numbers; the plan with these numbers runs on the current addresses
 *
 * A description depends on everything that the checks of an assignment look at, so a plan that is found was checked when it was made.
 */
import { isStatusError } from "@onebuffer/base";
import { dtypeNumberOf, isMap, kCode, kConstantCodes, kOperationCodes } from "@onebuffer/expression/internal";
import type { CodedTree, StoredTree } from "@onebuffer/expression/internal";
import { linearMemory } from "@onebuffer/wasm";
import { sameSizes } from "@onebuffer/storage/internal";
import { releaseScratch, scratchMark } from "@onebuffer/kernels/internal";
import { writtenRoot } from "../plan/fold-root-reshape.ts";
import { startOf } from "../plan/map-address.ts";
import type { DenseMap } from "../plan/map-address.ts";
import { boundPlan } from "./bound-plan.ts";
import { planner } from "./planner.ts";
import { runCalls } from "./run-program.ts";

/**
 * Assigns an expression of the same sizes to a writable map by a kept plan. Returns false if the general path has to compute it; elements
 * of the target may then have been written.
 */
export function assignKept(target: StoredTree, expression: StoredTree): boolean {
  const code = (target as CodedTree)[kCode];
  const treeCode = (expression as CodedTree)[kCode];
  if (!(code >= 0 && code < kConstantCodes) || !linearMemory().isConstructed || dtypeOf(treeCode) !== code) return false;
  if (!sameSizes(target.rawDimensions!, expression.rawDimensions!)) return false;
  const map = target as DenseMap;
  const start = startOf(map, code);
  return start >= 0 ? computeKept(expression, start) : assignOutside(map, code, expression);
}

/** Assigns to a map outside the linear memory: the complete result is computed in the staging region and then copied out. */
function assignOutside(map: DenseMap, code: number, expression: StoredTree): boolean {
  if (map.owner.refs === 0) return false;
  const { staging } = planner;
  try {
    const address = staging.roomFor(map, code);
    const isDone = address >= 0 && computeKept(expression, address);
    if (isDone) staging.copyOut(map, code, address);
    return isDone;
  } finally {
    staging.end();
  }
}

/** Returns the number of the dtype of an operation with this code; -1 for other nodes. */
function dtypeOf(code: number): number {
  return code >= 0 && code < kOperationCodes ? -1 : dtypeNumberOf(code);
}

/**
 * Computes an expression into dense elements of its dtype and sizes at an address of the linear memory by a kept plan. Returns false if
 * there is none or if it cannot run; the elements may then have been written.
 */
export function computeKept(expression: StoredTree, start: number): boolean {
  // The elements are dense, so a last reshape changes nothing. Plans are kept without it.
  const root = writtenRoot(expression);
  const bound = boundPlan(root);
  if (bound === null && isMap(root)) return false;
  const mark = scratchMark();
  try {
    const plan = bound === null ? planner.recall.dense(root, start) : planner.recall.bound(root, bound, start);
    if (plan === null) return false;
    planner.staging.copyIn();
    const { programs } = plan;
    for (let p = 0; p < programs.length; p++) if (!runCalls(programs[p]!)) return false;
    return true;
  } catch (error) {
    // The general path reports the error, or computes without scratch memory. What a pool throws is not for it: parts that workers have
    // left over (INTERNAL), or a target that is lost (DATA_LOSS).
    if (!isStatusError(error) || error.code === "INTERNAL" || error.code === "DATA_LOSS") throw error;
    return false;
  } finally {
    planner.staging.end();
    releaseScratch(mark);
  }
}
