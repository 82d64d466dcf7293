/**
 * bound-plan: the plan that an expression object remembers, with the maps and constants that it is to run on. An expression that is
 * assigned again and again is then not described again: only the addresses are read anew.
 *
 *     const e = a.sum();        first assignment      the plan is found by the numbers of e, or made
 *     out.assign(e); ...        second                found again, and bound to e
 *                               from the third on     run as it is bound
 *
 * Several expressions that are assigned together remember their plan by the first of them, as long as nothing is at another address.
 *
 * Expressions that are built for each assignment never get that far, and pay for a comparison.
 */
import { kCode, kConstantCodes, kPlan } from "@onebuffer/expression/internal";
import type { CodedTree } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { sameSizes } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import type { KeptPlan } from "./kept-plan.ts";
import { startOf } from "../plan/map-address.ts";
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

/** What an expression remembers after its first assignment: that it was one. It is compared, and never read. */
const kSeen = Object.freeze({}) as BoundPlan;

/** Returns the plan that an expression remembers; null if there is none yet. */
export function boundPlan(tree: ExpressionTree): BoundPlan | null {
  const bound = (tree as CodedTree & { readonly [kPlan]?: BoundPlan | null })[kPlan] ?? null;
  return bound === kSeen ? null : bound;
}

/** Returns true if an expression is assigned for the second time. A node of another copy of this package never is. */
export function isSecondTime(tree: ExpressionTree): boolean {
  const node = tree as { readonly [kPlan]?: BoundPlan | null };
  if (node[kPlan] === null) remember(tree, kSeen);
  else return node[kPlan] === kSeen;
  return false;
}

function remember(tree: ExpressionTree, bound: BoundPlan | null): void {
  try {
    (tree as { [kPlan]?: BoundPlan | null })[kPlan] = bound;
  } catch {
    // A program has frozen the expression: its plan is looked up each time.
  }
}

const isDense = (leaf: DenseMap): boolean => leaf[kCode] >= 0 && leaf[kCode] < kConstantCodes;

/** Has an expression remember its plan if all its maps are without strides. */
export function bindPlan(tree: ExpressionTree, bound: BoundPlan): void {
  if (bound.leaves.every(isDense)) remember(tree, bound);
}

/** Has an expression forget its plan, of which a kernel has been evicted. */
export function unbindPlan(tree: ExpressionTree): void {
  remember(tree, null);
}

/** The plan of several expressions. */
export interface BoundGroup extends BoundPlan {
  readonly trees: readonly ExpressionTree[];
  readonly targets: readonly RawPlaces[];
  readonly isUpdate: boolean;
  /** The addresses of the maps. */
  readonly starts: readonly number[];
}

/** Plans of groups of expressions, by the first expression of each. */
export class BoundGroups {
  readonly #groups: WeakMap<ExpressionTree, BoundGroup> = new WeakMap();

  /** Returns the plan of a group, if its operands and targets are where they were; otherwise null. */
  find(targets: readonly RawPlaces[], trees: readonly ExpressionTree[], isUpdate: boolean): BoundGroup | null {
    const group = this.#groups.get(trees[0]!);
    if (group === undefined || group.isUpdate !== isUpdate || !isSameList(group.trees, trees)) return null;
    for (let t = 0; t < targets.length; t++) if (!isSamePlace(group.targets[t]!, targets[t]!)) return null;
    for (let k = 0; k < group.leaves.length; k++) {
      const map = group.leaves[k]!;
      if (startOf(map, map[kCode]) !== group.starts[k]) return null;
    }
    return group;
  }

  /** Binds a group to its plan, unless its first expression is assigned for the first time, or some map has strides. */
  bind(group: () => BoundGroup, [first]: readonly ExpressionTree[]): void {
    if (!isSecondTime(first!) && boundPlan(first!) === null) return;
    const bound = group();
    if (bound.leaves.every(isDense)) this.#groups.set(first!, bound);
  }
}

function isSameList(a: readonly ExpressionTree[], b: readonly ExpressionTree[]): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

function isSamePlace(a: RawPlaces, b: RawPlaces): boolean {
  return a.byteOffset === b.byteOffset && a.buffer === b.buffer && sameSizes(a.dims, b.dims) && sameSizes(a.strides, b.strides);
}
