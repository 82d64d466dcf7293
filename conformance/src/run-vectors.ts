/**
 * Runs cases and counts them: passed, failed, skipped.
 *
 * Each case runs by itself: its handles are disposed afterwards and no buffer may be left behind, so a leak in a
 * package is a failure of the case that shows it.
 */
import { liveBuffers } from "@onebuffer/allocator";
import { Args } from "./args.ts";
import { CaseScope } from "./case-scope.ts";
import { judge, showThrown } from "./judge.ts";
import type { Outcome } from "./judge.ts";
import type { Operation, Operations } from "./operation.ts";
import type { SkipList } from "./skip-list.ts";
import type { VectorCase } from "./vector.ts";

/** A case and why it failed or was skipped. */
export interface Remark {
  readonly id: string;
  readonly text: string;
}

/** What became of the cases. */
export interface Tally {
  readonly passed: number;
  readonly failed: readonly Remark[];
  readonly skipped: readonly Remark[];
}

/** Calls the operation and judges what it did, inside the case's scope. */
function callAndJudge(vector: VectorCase, operation: Operation, scope: CaseScope): string | null {
  let outcome: Outcome;
  try {
    outcome = { value: operation.run(new Args(vector.args, operation.args, vector.op), scope) };
  } catch (thrown) {
    outcome = { thrown };
  }
  return judge(vector, outcome, operation.answer, scope.left);
}

/** Gives everything back; null when that went well. */
function closeScope(scope: CaseScope): string | null {
  try {
    scope.close();
    return null;
  } catch (thrown) {
    return `got ${showThrown(thrown)} at the end of the case want no error`;
  }
}

/** Runs one case: null when it passed, otherwise the words for its failure line. */
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

/** Runs all cases in their order. */
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
