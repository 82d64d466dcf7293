/**
 * recall-plan: finds the plan that was kept for an expression like this one (caches.ts), and gives it the current addresses and
 * constants.
 *
 *     mean(square(sub(a, mean(a))))     described by numbers (plan-subject.ts), which are the plan's key
 *                                       addresses and constants are written into the plan that is found
 *
 * Lowering and planning take longer than a kernel over some thousand elements. The stages of a plan get scratch memory
 * at each run. Maps outside the linear memory are copied into it as dense elements, and are described as such.
 */
import type { DType } from "@onebuffer/base";
import { deferredInputs, kCode } from "@onebuffer/expression/internal";
import type { CodedTree, StoredTree } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { RawPlaces } from "@onebuffer/storage";
import { takeScratch, workSplitter } from "@onebuffer/kernels/internal";
import { keptPlan, setStarts } from "./kept-plan.ts";
import type { KeptPlan, PlannedPrograms, ReadyPlan, Suits } from "./kept-plan.ts";
import { bindPlan, BoundGroups, isSecondTime, unbindPlan } from "./bound-plan.ts";
import type { BoundGroup, BoundPlan } from "./bound-plan.ts";
import { subtractedRows } from "../array-loops/subtracted-rows.ts";
import { withoutRenaming } from "../plan/fold-root-reshape.ts";
import type { DenseMap } from "../plan/map-address.ts";
import { matches, patternOf } from "./plan-pattern.ts";
import type { MatchedParts } from "./plan-pattern.ts";
import { PlanDescriber } from "./plan-subject.ts";
import type { PlanSubject } from "./plan-subject.ts";
import { kRecent, noteRecent, plans, recentPlans } from "./caches.ts";
import type { PlanNumbers } from "../plan/plan-numbers.ts";
import type { StoredPlan } from "./caches.ts";
import type { Parameter } from "../plan/program.ts";
import type { Staging } from "../places/staging.ts";
import { copyToScratch } from "./scratch-places.ts";

/** Finds kept plans, by a description of its own. */
export class Recall {
  readonly #numbers: PlanNumbers;
  readonly #described: PlanDescriber;
  readonly #matched: MatchedParts;
  readonly #staging: Staging;
  readonly #groups: BoundGroups = new BoundGroups();

  constructor(numbers: PlanNumbers, staging: Staging) {
    this.#numbers = numbers;
    this.#staging = staging;
    this.#described = new PlanDescriber(numbers, staging);
    const { starts, constants } = this.#described;
    this.#matched = { target: 0, starts, constants, shared: [], staging };
  }

  /**
   * Returns the kept plan for expressions like these, with the addresses and constants of these ones set, so that it
   * can be run at once. Returns "crosses" if a result of this plan would overwrite operands that are still to be read.
   * If no plan is kept, returns the subject for which to keep a plan. Returns null if plans of such expressions are not
   * kept, or if it is kept that there is none. Unless it returns null, maps outside the linear memory have been copied into scratch memory.
   * The copies and the memory of the stages stay until the caller releases the scratch memory.
   */
  plan(
    targets: readonly RawPlaces[],
    dtype: DType,
    trees: readonly ExpressionTree[],
    isUpdate: boolean = false,
  ): ReadyPlan | PlanSubject | "crosses" | null {
    const isGroup = trees.length > 1;
    const bound = isGroup ? this.#groups.find(targets, trees, isUpdate) : null;
    if (bound !== null && bound.plan.isOfPool === (workSplitter() !== null) && haveKernels(bound.plan)) return this.#ofGroup(bound);
    try {
      if (!this.#described.describeAll(targets, dtype, trees, isUpdate)) return null;
      const stored = plans.find(this.#numbers);
      if (stored?.kept === null) return null;
      if (this.#described.outsideBytes > 0) this.#copyOutsideMaps();
      const plan = stored !== undefined && haveKernels(stored.kept) ? stored.kept : null;
      if (plan === null) return this.#described.subjectNow(trees);
      const suits = this.#ofDescribed(plan);
      if (suits === "yes" && isGroup && this.#described.outsideBytes === 0) {
        const { starts, numLeaves } = this.#described;
        const group = (): BoundGroup => ({ ...this.#boundNow(plan, NaN), targets, trees, isUpdate, starts: starts.slice(0, numLeaves) });
        this.#groups.bind(group, trees);
      }
      return suits === "yes" ? plan : suits === "crosses" ? suits : this.#described.subjectNow(trees);
    } finally {
      this.#described.forget();
    }
  }

  /**
   * Returns the kept plan for an expression whose result is stored as dense elements of its own dtype and sizes at an address of the linear
   * memory, ready to be run once maps outside of it have been copied to where they are staged. Returns null if there is none, if it does not
   * suit the addresses, or if such a map has strides or no room. Allocates nothing but the scratch memory of the stages, which the caller
   * releases.
   */
  dense(tree: StoredTree, start: number): KeptPlan | null {
    const place = placeOf(tree as CodedTree);
    const isSecond = isSecondTime(tree);
    const known = isSecond ? null : this.#matchingPlan(tree as CodedTree, start, recentPlans[place] ?? null);
    const described = this.#described;
    const { leaves, starts, constants, randoms } = described;
    if (known !== null) return this.#makeReady(known, constants, randoms) === "yes" ? known : null;
    try {
      const plain = withoutRenaming(tree);
      if (!this.#described.describeDense(plain, start)) return null;
      const stored = plans.find(this.#numbers);
      const plan = stored?.kept ?? null;
      if (stored === undefined || plan === null || !haveKernels(plan) || this.#ofDescribed(plan) !== "yes") return null;
      if (isSecond) bindPlan(tree, this.#boundNow(plan, start));
      else {
        // A pattern does not compare the factor of subtracted rows (plan-subject.ts).
        if (stored.pattern === undefined && subtractedRows(plain) === null)
          stored.pattern = patternOf(
            tree as CodedTree,
            leaves.slice(0, described.numLeaves),
            constants.slice(0, described.numConstants),
            (map) => starts[map] === start,
          );
        noteRecent(recentPlans, place, stored);
      }
      return plan;
    } finally {
      this.#described.forget();
    }
  }

  /** Returns a plan if an expression has its pattern and its kernels have not been evicted; otherwise null. */
  #matchingPlan(tree: CodedTree, start: number, stored: StoredPlan | null): KeptPlan | null {
    const pattern = stored?.pattern ?? null;
    if (pattern === null || stored!.kept!.isOfPool !== (workSplitter() !== null) || !haveKernels(stored!.kept!)) return null;
    this.#described.targets[0] = this.#matched.target = start;
    const isMatch = matches(pattern, tree, this.#matched);
    // The list must not keep an expression, and with it memory, alive.
    if (this.#matched.shared.length > 0) this.#matched.shared.fill(null);
    return isMatch ? stored!.kept : null;
  }

  /** Returns a plan with the maps and constants of the current description. */
  #boundNow(plan: KeptPlan, start: number): BoundPlan {
    const { leaves, starts, constants, numLeaves, numConstants, randoms } = this.#described;
    return {
      plan,
      leaves: leaves.slice(0, numLeaves) as readonly ExpressionTree[] as readonly DenseMap[],
      atTarget: starts.slice(0, numLeaves).map((each) => each === start),
      constants: constants.slice(0, numConstants),
      randoms: randoms.slice(),
    };
  }

  /** Returns the plan that an expression remembers, ready to be run; null as in `dense`. */
  bound(tree: StoredTree, { plan, leaves: maps, atTarget, constants: own, randoms: nodes }: BoundPlan, start: number): KeptPlan | null {
    if (!haveKernels(plan)) {
      unbindPlan(tree);
      return null;
    }
    if (plan.isOfPool !== (workSplitter() !== null)) return this.dense(tree, start);
    const { starts, targets } = this.#described;
    for (let k = 0; k < maps.length; k++) {
      const address = this.#staging.reach(maps[k]!, maps[k]![kCode]);
      if (address < 0) return null;
      if ((address === start) !== atTarget[k]) return this.dense(tree, start);
      starts[k] = address;
    }
    targets[0] = start;
    return this.#makeReady(plan, own, nodes) === "yes" ? plan : null;
  }

  /** Makes the plan of a group ready, of which every address is as it was. */
  #ofGroup({ plan, starts: bound, targets: places, constants, randoms }: BoundGroup): KeptPlan | "crosses" {
    const { starts, targets } = this.#described;
    for (let k = 0; k < bound.length; k++) starts[k] = bound[k]!;
    for (let t = 0; t < places.length; t++) targets[t] = places[t]!.byteOffset;
    return this.#makeReady(plan, constants, randoms) === "yes" ? plan : "crosses";
  }

  /** Makes a plan ready for the current description. */
  #ofDescribed(plan: KeptPlan): Suits {
    const { constants, randoms } = this.#described;
    return this.#makeReady(plan, constants, randoms);
  }

  /** Writes the current addresses and these constants and attributes into a plan. Returns whether it suits them. */
  #makeReady(plan: KeptPlan, own: readonly Parameter[], nodes: readonly ExpressionTree[]): Suits {
    const { starts, targets } = this.#described;
    const maps = plan.addresses.length - plan.numResults - 2;
    starts[maps] = plan.scratchBytes === 0 ? 0 : takeScratch(plan.scratchBytes);
    starts[maps + 1] = 0;
    const suits = setStarts(plan, starts, targets);
    if (suits !== "yes") return suits;
    for (let p = 0; p < plan.programs.length; p++) {
      const program = plan.programs[p]!;
      const { constantOf, parameters, randomOf } = program;
      if (randomOf >= 0) program.attributes = nodes[randomOf]!.attributes;
      for (let k = 0; k < constantOf.length; k++) parameters[k] = own[constantOf[k] as number]!;
    }
    return suits;
  }

  /** Copies the maps that are outside into scratch memory. */
  #copyOutsideMaps(): void {
    const { starts, outside, numLeaves } = this.#described;
    for (let k = 0; k < numLeaves; k++) {
      const from = outside[k]!;
      if (from === null) continue;
      const to = copyToScratch(from);
      outside[k] = to;
      starts[k] = to.byteOffset;
    }
  }
}

/** Returns the place among the recent plans of an expression. */
function placeOf(node: CodedTree): number {
  const inputs: readonly StoredTree[] = node.rawInputs ?? deferredInputs(node)?.from ?? node.inputs;
  const mix = mixOf(node.rawDimensions ?? node.dimensions, node[kCode] + node.depth * 131);
  return (inputs.length > 0 ? mixOf(inputs[0]!.rawDimensions ?? inputs[0]!.dimensions, mix) : mix) & (kRecent - 1);
}

function mixOf(dims: readonly number[], mix: number): number {
  let mixed = mix;
  for (let d = 0; d < dims.length; d++) mixed = (Math.imul(mixed, 31) + (dims[d] as number)) | 0;
  return mixed;
}

/** Returns true if no kernel of a plan has been evicted. */
function haveKernels({ programs }: KeptPlan): boolean {
  for (let p = 0; p < programs.length; p++) {
    const { kernels } = programs[p]!;
    for (let k = 0; k < kernels.length; k++) if (kernels[k]!.run === null) return false;
  }
  return true;
}

/** Keeps the plan of a subject, unless it reads maps or constants that the subject does not list. */
export function keepPlan({ key, ...open }: PlanSubject, planned: PlannedPrograms): void {
  const plan = keptPlan(planned, open);
  if (plan !== null) plans.store(key, null, plan);
}

/** Keeps that there is no plan for several expressions like these together. */
export function keepNone({ key }: PlanSubject): void {
  plans.store(key, null, null);
}
