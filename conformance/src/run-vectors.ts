/**
 * Runs cases and counts those that passed, failed or were skipped.
 *
 * After each case its handles are disposed. If a buffer is still alive then, the case fails, so a leak in a package is a failure.
 */
import { liveBuffers } from "@onebuffer/allocator";
import { Args } from "./args.ts";
import { CaseScope } from "./case-scope.ts";
import { judge, showThrown } from "./judge.ts";
import type { Outcome } from "./judge.ts";
import type { Operation, Operations } from "./operation.ts";
import type { SkipList } from "./skip-list.ts";
import type { VectorCase } from "./vector.ts";

/** The id of a case, and the reason why it failed or was skipped. */
export interface Remark {
  readonly id: string;
  readonly text: string;
}

/** The results of a list of cases. */
export interface Tally {
  readonly passed: number;
  readonly failed: readonly Remark[];
  readonly skipped: readonly Remark[];
}

/** Calls the operation and judges its result or error. Returns null if the case passed, otherwise the text for its failure line. */
function callAndJudge(vector: VectorCase, operation: Operation, scope: CaseScope): string | null {
  let outcome: Outcome;
  try {
    outcome = { value: operation.run(new Args(vector.args, operation.args, vector.op), scope) };
  } catch (thrown) {
    outcome = { thrown };
  }
  return judge(vector, outcome, operation.answer, scope.left);
}

/** Disposes everything the case made. Returns null, or the text for the failure line if that threw. */
function closeScope(scope: CaseScope): string | null {
  try {
    scope.close();
    return null;
  } catch (thrown) {
    return `got ${showThrown(thrown)} at the end of the case want no error`;
  }
}

/** Runs one case. Returns null if it passed, otherwise the text for its failure line. */
export function runCase(vector: VectorCase, operations: Operations): string | null {
  if (vector.problem !== undefined) return `got a malformed case: ${vector.problem}`;
  const operation = Object.hasOwn(operations, vector.op) ? operations[vector.op] : undefined;
  if (operation === undefined) return `got an unknown operation "${vector.op}"`;
  const before = liveBuffers();
  const scope = new CaseScope(vector.era);
  const judged = callAndJudge(vector, operation, scope);
  const closed = closeScope(scope);
  const left = liveBuffers() - before;
  return judged ?? closed ?? (left === 0 ? null : `got ${left} buffers left behind want 0`);
}

/** Runs all cases in order. */
export function runVectors(vectors: readonly VectorCase[], operations: Operations, skipList: SkipList): Tally {
  let passed = 0;
  const failed: Remark[] = [];
  const skipped: Remark[] = [];
  for (const vector of vectors) {
    const reason = skipList.reasonFor(vector);
    if (reason !== undefined) {
      skipped.push({ id: vector.id, text: reason });
      continue;
    }
    const verdict = runCase(vector, operations);
    if (verdict === null) passed++;
    else if (vector.unchecked === true)
      skipped.push({ id: vector.id, text: `unchecked: the vector says that its answer was not computed a second time; ${verdict}` });
    else failed.push({ id: vector.id, text: verdict });
  }
  return { passed, failed, skipped };
}
