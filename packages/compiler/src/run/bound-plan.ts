/**
 * bound-plan: the plan that an expression object remembers, with the maps and constants that it is to run on. An expression that is
 * assigned again and again is then not described again: only the addresses are read anew.
 *
 *     const e = a.sum();        first assignment      the plan is found by the numbers of e, or made
 *     out.assign(e); ...        second                found again, and bound to e
 *                               from the third on     run as it is bound
 *
 * Expressions that are built for each assignment never get that far, and pay for a comparison.
 */
import { kCode, kConstantCodes, kPlan } from "@onebuffer/expression/internal";
import type { CodedTree } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { KeptPlan } from "./kept-plan.ts";
import type { DenseMap } from "../plan/map-address.ts";
import type { Parameter } from "../plan/program.ts";

/** A plan, and the parts that it leaves open. */
export interface BoundPlan {
  readonly plan: KeptPlan;
  readonly leaves: readonly DenseMap[];
  /** For each map, true if its elements are the target's: the plan depends on it (contraction/added-product.ts). */
  readonly atTarget: readonly boolean[];
  readonly constants: readonly Parameter[];
  readonly randoms: readonly ExpressionTree[];
}

/** What an expression remembers after its first assignment. */
const kSeen: BoundPlan = {
  plan: {
    programs: [],
    scratchBytes: 0,
    numResults: 1,
    lastRefusal: -1,
    lastReaders: null,
    isOfPool: false,
    addresses: new Float64Array(),
    suits: "yes",
  },
  leaves: [],
  atTarget: [],
  constants: [],
  randoms: [],
};

/** Returns the plan that an expression remembers; null if there is none yet. */
export function boundPlan(tree: ExpressionTree): BoundPlan | null {
  const bound = (tree as CodedTree & { readonly [kPlan]?: BoundPlan | null })[kPlan] ?? null;
  return bound === kSeen ? null : bound;
}

/** Returns true if an expression is assigned for the second time. A node of another copy of this package never is. */
export function isSecondTime(tree: ExpressionTree): boolean {
  const node = tree as { [kPlan]?: BoundPlan | null };
  if (node[kPlan] === null) node[kPlan] = kSeen;
  else return node[kPlan] === kSeen;
  return false;
}

/** Has an expression remember its plan if all its maps are without strides. */
export function bindPlan(tree: ExpressionTree, bound: BoundPlan): void {
  if (bound.leaves.every((leaf) => leaf[kCode] >= 0 && leaf[kCode] < kConstantCodes))
    (tree as { [kPlan]?: BoundPlan | null })[kPlan] = bound;
}

/** Has an expression forget its plan, of which a kernel has been evicted. */
export function unbindPlan(tree: ExpressionTree): void {
  (tree as { [kPlan]?: BoundPlan | null })[kPlan] = null;
}
