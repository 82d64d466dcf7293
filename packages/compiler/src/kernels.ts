/**
 * kernels: what assignments need of the rooms of kernels, as one object, so that a page can load these rooms after it has begun
 * (assign/later-kernels.ts).
 */
import type { Assignment } from "@onebuffer/evaluator/internal";
import { evaluateInto } from "@onebuffer/evaluator/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { mayGoDirectly } from "@onebuffer/expression/internal";
import { linearMemory } from "@onebuffer/wasm";
import type { RawPlaces } from "@onebuffer/storage";
import { assignKept, computeKept } from "./run/assign-kept.ts";
import { boundPlan } from "./run/bound-plan.ts";
import { computeUpdates } from "./run/compute-updates.ts";
import { computeInto, computeTogether, findNonzero } from "./run/dispatch.ts";
import { planner } from "./run/planner.ts";

/** The entrances to the rooms of kernels. */
export interface Kernels {
  /** Assigns an expression by a kernel or plan that exists already. Returns false if the general path has to compute it. */
  assignAsBefore(target: ExpressionTree, tree: ExpressionTree): boolean;
  /** See assignFresh of assign/assign.ts. */
  computeFresh(expression: ExpressionTree, bytes: ArrayBufferLike | null, byteOffset: number, numElements: number): boolean;
  /** See dispatch.ts. */
  computeInto(places: RawPlaces, tree: ExpressionTree): void;
  /** See dispatch.ts. */
  computeTogether(assignments: readonly Assignment[]): boolean;
  /** See compute-updates.ts. Returns false, with nothing done, for an assignment within another one. */
  computeUpdates(assignments: readonly Assignment[]): boolean;
  /** See dispatch.ts. */
  findNonzero(flags: ExpressionTree): Int32Array<ArrayBuffer> | null;
}

// Local copies: engines load an imported constant anew at every use.
const state = planner;
const { fastPath } = planner;

function assignAsBefore(target: ExpressionTree, tree: ExpressionTree): boolean {
  if (state.isBusy) return false;
  state.isBusy = true;
  try {
    return (boundPlan(tree) === null && fastPath.assign(target, tree)) || assignKept(target, tree);
  } finally {
    state.isBusy = false;
  }
}

function computeFresh(expression: ExpressionTree, bytes: ArrayBufferLike | null, byteOffset: number, numElements: number): boolean {
  const memory = linearMemory();
  if (state.isBusy || numElements === 0 || !memory.isConstructed || bytes !== memory.buffer) return false;
  state.isBusy = true;
  try {
    return (mayGoDirectly(expression) && fastPath.compute(expression, byteOffset, numElements)) || computeKept(expression, byteOffset);
  } finally {
    state.isBusy = false;
  }
}

/** Returns what `compute` returns, or `otherwise` for an assignment within another one. */
function ifFree<A, R>(compute: (argument: A) => R, argument: A, otherwise: R): R {
  if (state.isBusy) return otherwise;
  state.isBusy = true;
  try {
    return compute(argument);
  } finally {
    state.isBusy = false;
  }
}

/** The kernels of this copy of the package. */
export const kernels: Kernels = {
  assignAsBefore,
  computeFresh,
  computeInto(places, tree) {
    const assignment = { places, tree };
    if (!ifFree(computeOne, assignment, false)) evaluateInto(places, tree);
  },
  computeTogether: (assignments) => ifFree(computeTogether, assignments, false),
  computeUpdates: (assignments) => ifFree(updateAll, assignments, false),
  findNonzero: (flags) => ifFree(findNonzero, flags, null),
};

function computeOne({ places, tree }: Assignment): true {
  computeInto(places, tree);
  return true;
}

function updateAll(assignments: readonly Assignment[]): true {
  computeUpdates(assignments);
  return true;
}
