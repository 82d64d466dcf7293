/**
 * recall-plan: finds the plan that was kept for an expression like this one (plan-store.ts), and gives it the current addresses and
 * constants.
 *
 *     mean(square(sub(a, mean(a))))     described by numbers (plan-subject.ts), which are the plan's key
 *                                       addresses and constants are written into the plan that is found
 *
 * Lowering and planning take longer than a kernel over some thousand elements. The stages of a plan get scratch memory
 * at each run. Maps outside the linear memory are copied into it as dense elements, and are described as such.
 */
import type { DType } from "@onebuffer/base";
import { kCode } from "../../expression/tree/node-code.ts";
import type { CodedTree } from "../../expression/tree/node-code.ts";
import type { ExpressionTree, StoredTree } from "../../expression/tree/op-attributes.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { keptPlan, setStarts } from "./kept-plan.ts";
import type { KeptPlan, PlannedPrograms, ReadyPlan, Suits } from "./kept-plan.ts";
import { bindPlan, isSecondTime, unbindPlan } from "./bound-plan.ts";
import type { BoundPlan } from "./bound-plan.ts";
import { startOf } from "../plan/map-address.ts";
import type { DenseMap } from "../plan/map-address.ts";
import { matches, patternOf } from "./plan-pattern.ts";
import type { MatchedParts } from "./plan-pattern.ts";
import { describeAll, described, describeDense, forget, subjectNow } from "./plan-subject.ts";
import type { PlanSubject } from "./plan-subject.ts";
import { storedPlan, storePlan } from "./plan-store.ts";
import type { StoredPlan } from "./plan-store.ts";
import type { Parameter } from "../plan/program.ts";
import { workSplitter } from "../split/work-splitter.ts";
import { takeScratch } from "../plan/scratch.ts";

/** The number of places for plans that were found recently. */
const kRecent = 1024;
/** The plans that were found last for dense results, by a mix of the operation and sizes of the expression. */
const recent: (StoredPlan | null)[] = new Array<StoredPlan | null>(kRecent).fill(null);
const matched: MatchedParts = {
  target: 0,
  starts: described.starts,
  numMaps: 0,
  constants: described.constants,
  numConstants: 0,
  shared: [],
};
const { leaves, starts, outside, constants, randoms, targets: targetStarts } = described;

/**
 * Returns the kept plan for expressions like these, with the addresses and constants of these ones set, so that it
 * can be run at once. Returns "crosses" if a result of this plan would overwrite operands that are still to be read.
 * If no plan is kept, returns the subject for which to keep a plan. Returns null if plans of such expressions are not
 * kept, or if it is kept that there is none. Unless it returns null, maps outside the linear memory have been copied into scratch memory. The copies and the
 * memory of the stages stay until the caller releases the scratch memory.
 */
export function recallPlan(
  targets: readonly RawPlaces[],
  dtype: DType,
  trees: readonly ExpressionTree[],
  copyToScratch: (places: RawPlaces) => RawPlaces,
): ReadyPlan | PlanSubject | "crosses" | null {
  try {
    if (!describeAll(targets, dtype, trees)) return null;
    const stored = storedPlan();
    if (stored?.kept === null) return null;
    if (described.outsideBytes > 0) copyOutsideMaps(copyToScratch);
    const plan = stored !== undefined && haveKernels(stored.kept) ? stored.kept : null;
    if (plan === null) return subjectNow(trees);
    const suits = makeReady(plan, described.numLeaves, constants, randoms);
    return suits === "yes" ? plan : suits === "crosses" ? suits : subjectNow(trees);
  } finally {
    forget();
  }
}

/**
 * Returns the kept plan for an expression whose result is stored as dense elements of its own dtype and sizes at an address of the linear
 * memory, ready to be run. Returns null if there is none, if it does not suit the addresses, or if a map is outside the linear memory.
 * Allocates nothing but the scratch memory of the stages, which the caller releases.
 */
export function recallDense(tree: StoredTree, start: number): KeptPlan | null {
  const place = placeOf(tree as CodedTree);
  const isSecond = isSecondTime(tree);
  const known = isSecond ? null : matchingPlan(tree as CodedTree, start, recent[place]!);
  if (known !== null) return makeReady(known, matched.numMaps, constants, randoms) === "yes" ? known : null;
  try {
    if (!describeDense(tree, start)) return null;
    const stored = find();
    const plan = stored?.kept ?? null;
    if (stored === null || plan === null || makeReady(plan, described.numLeaves, constants, randoms) !== "yes") return null;
    if (isSecond) bindPlan(tree, boundNow(plan, start));
    else {
      if (stored.pattern === undefined)
        stored.pattern = patternOf(
          tree as CodedTree,
          leaves.slice(0, described.numLeaves),
          constants.slice(0, described.numConstants),
          (map) => starts[map] === start,
        );
      recent[place] = stored;
    }
    return plan;
  } finally {
    forget();
  }
}

/** Returns the place among the recent plans of an expression. */
function placeOf(node: CodedTree): number {
  const inputs = node.rawInputs ?? node.inputs;
  const mix = mixOf(node.rawDimensions ?? node.dimensions, node[kCode] + node.depth * 131);
  return (inputs.length > 0 ? mixOf(inputs[0]!.rawDimensions ?? inputs[0]!.dimensions, mix) : mix) & (kRecent - 1);
}

function mixOf(dims: readonly number[], mix: number): number {
  let mixed = mix;
  for (let d = 0; d < dims.length; d++) mixed = (Math.imul(mixed, 31) + (dims[d] as number)) | 0;
  return mixed;
}

/** Returns a plan if an expression has its pattern and its kernels have not been evicted; otherwise null. */
function matchingPlan(tree: CodedTree, start: number, stored: StoredPlan | null): KeptPlan | null {
  const pattern = stored?.pattern ?? null;
  if (pattern === null || stored!.kept!.isOfPool !== (workSplitter() !== null) || !haveKernels(stored!.kept!)) return null;
  targetStarts[0] = matched.target = start;
  matched.numMaps = matched.numConstants = 0;
  const isMatch = matches(pattern, tree, matched);
  // The list must not keep an expression, and with it memory, alive.
  if (matched.shared.length > 0) matched.shared.fill(null);
  return isMatch ? stored!.kept : null;
}

/** Returns a plan with the maps and constants of the current description. */
const boundNow = (plan: KeptPlan, start: number): BoundPlan => ({
  plan,
  leaves: leaves.slice(0, described.numLeaves) as readonly ExpressionTree[] as readonly DenseMap[],
  atTarget: starts.slice(0, described.numLeaves).map((each) => each === start),
  constants: constants.slice(0, described.numConstants),
  randoms: randoms.slice(),
});

/** Returns the plan that an expression remembers, ready to be run; null as in `recallDense`. */
export function recallBound(
  tree: StoredTree,
  { plan, leaves: maps, atTarget, constants: own, randoms: nodes }: BoundPlan,
  start: number,
): KeptPlan | null {
  if (!haveKernels(plan)) {
    unbindPlan(tree);
    return null;
  }
  if (plan.isOfPool !== (workSplitter() !== null)) return recallDense(tree, start);
  for (let k = 0; k < maps.length; k++) {
    const address = startOf(maps[k]!, maps[k]![kCode]);
    if (address < 0) return null;
    if ((address === start) !== atTarget[k]) return recallDense(tree, start);
    starts[k] = address;
  }
  targetStarts[0] = start;
  return makeReady(plan, maps.length, own, nodes) === "yes" ? plan : null;
}

/** Writes the current addresses and these constants and attributes into a plan. Returns whether it suits them. */
function makeReady(plan: KeptPlan, maps: number, own: readonly Parameter[], nodes: readonly ExpressionTree[]): Suits {
  starts[maps] = plan.scratchBytes === 0 ? 0 : takeScratch(plan.scratchBytes);
  starts[maps + 1] = 0;
  const suits = setStarts(plan, starts, targetStarts);
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
function copyOutsideMaps(copyToScratch: (places: RawPlaces) => RawPlaces): void {
  for (let k = 0; k < described.numLeaves; k++) {
    const from = outside[k]!;
    if (from === null) continue;
    const to = copyToScratch(from);
    outside[k] = to;
    starts[k] = to.byteOffset;
  }
}

/** Returns the stored plan with the current description if it is a kept plan and none of its kernels has been evicted; otherwise null. */
function find(): StoredPlan | null {
  const stored = storedPlan();
  return stored?.kept != null && haveKernels(stored.kept) ? stored : null;
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
  if (plan !== null) storePlan(key, null, plan);
}

/** Keeps that there is no plan for several expressions like these together. */
export function keepNone({ key }: PlanSubject): void {
  storePlan(key, null, null);
}
