/**
 * kernels: what assignments need of the rooms of kernels, as one object, so that a page can load these rooms after it has begun
 * (assign/later-kernels.ts).
 */
import type { Assignment } from "../../evaluator/assignable.ts";
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

function assignAsBefore(target: ExpressionTree, tree: ExpressionTree): boolean {
  return (boundPlan(tree) === null && assignDirectly(target, tree)) || assignKept(target, tree);
}

function computeFresh(expression: ExpressionTree, bytes: ArrayBufferLike | null, byteOffset: number, numElements: number): boolean {
  const memory = linearMemory();
  if (numElements === 0 || !memory.isConstructed || bytes !== memory.buffer) return false;
  return (mayGoDirectly(expression) && computeDirectly(expression, byteOffset, numElements)) || computeKept(expression, byteOffset);
}

/** The kernels of this copy of the package. */
export const kernels: Kernels = { assignAsBefore, computeFresh, computeInto, computeTogether, findNonzero };
