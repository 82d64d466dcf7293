/**
 * kernels: what assignments need of the rooms of kernels, as one object, so that a page can load these rooms after it has begun
 * (assign/later-kernels.ts).
 */
import type { Assignment } from "../../evaluator/assignable.ts";
import { evaluateInto } from "../../evaluator/evaluate-into.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { mayGoDirectly } from "../../expression/tree/node-code.ts";
import { linearMemory } from "@onebuffer/wasm";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { assignKept, computeKept } from "./assign-kept.ts";
import { boundPlan } from "./bound-plan.ts";
import { computeInto, computeTogether, findNonzero } from "./dispatch.ts";
import { assignDirectly, computeDirectly } from "./elementwise-fast-path.ts";

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
  /** See dispatch.ts. */
  findNonzero(flags: ExpressionTree): Int32Array<ArrayBuffer> | null;
}

/**
 * True while an assignment is described, planned and run. The parts of a description are lists of modules, which one assignment has at a
 * time. A leaf may be an object of the program's own, whose `rawPlaces` is a function that assigns something else: that is computed by the
 * evaluator, which keeps nothing in modules.
 */
let isBusy = false;

function assignAsBefore(target: ExpressionTree, tree: ExpressionTree): boolean {
  if (isBusy) return false;
  isBusy = true;
  try {
    return (boundPlan(tree) === null && assignDirectly(target, tree)) || assignKept(target, tree);
  } finally {
    isBusy = false;
  }
}

function computeFresh(expression: ExpressionTree, bytes: ArrayBufferLike | null, byteOffset: number, numElements: number): boolean {
  const memory = linearMemory();
  if (isBusy || numElements === 0 || !memory.isConstructed || bytes !== memory.buffer) return false;
  isBusy = true;
  try {
    return (mayGoDirectly(expression) && computeDirectly(expression, byteOffset, numElements)) || computeKept(expression, byteOffset);
  } finally {
    isBusy = false;
  }
}

/** Returns what `compute` returns, or `otherwise` for an assignment within another one. */
function ifFree<A, R>(compute: (argument: A) => R, argument: A, otherwise: R): R {
  if (isBusy) return otherwise;
  isBusy = true;
  try {
    return compute(argument);
  } finally {
    isBusy = false;
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
  findNonzero: (flags) => ifFree(findNonzero, flags, null),
};

function computeOne({ places, tree }: Assignment): true {
  computeInto(places, tree);
  return true;
}
