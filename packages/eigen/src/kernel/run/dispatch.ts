/**
 * compute: an expression into memory, by a kernel or by the plain evaluator (what Eigen's `device(…) =` decides by the
 * device).
 *
 *     no SIMD, a root that no kernel has             the evaluator
 *     operands outside of the linear memory          they are brought into it first, many of them in chunks where they can be
 *     the same, few, and no plan is kept             the evaluator
 *     scans, orderings, gather and scatter           plain loops over arrays, operands where they are
 *     otherwise                                      a plan of stages and kernels (stage-plan.ts), which is then run (run-stages.ts)
 *
 * A result that would overwrite operands which are still to be read goes through memory of its own. Nothing here checks
 * shapes or dtypes: `assign` has.
 */
import { isStatusError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { evaluateInto } from "../../evaluator/evaluate-into.ts";
import type { Assignment } from "../../evaluator/assignable.ts";
import { overlapWith } from "../../evaluator/overlap.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { treeOrder } from "../../expression/tree/tree-order.ts";
import { linearMemory } from "@onebuffer/wasm";
import { product } from "../../geometry/map-geometry.ts";
import { copyPlaces, mayOverlap } from "../../geometry/strided-bytes.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { isRowMajor } from "../../geometry/strided-geometry.ts";
import { computeInChunks, kChunkBytes } from "./chunks.ts";
import { engine } from "@onebuffer/wasm/internal";
import { fallBack, kernelCounts } from "../form/kernel-events.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { lowerTogether } from "../plan/lowering.ts";
import { recallPlan } from "./plan-cache.ts";
import type { PlanSubject } from "./plan-cache.ts";
import { renamed } from "../plan/fold-root-reshape.ts";
import { noStages, runCalls, runLowered } from "./run-program.ts";
import { StageRun } from "./run-stages.ts";
import { bring, isInside, scratchOf, throughScratch } from "./scratch-places.ts";
import { releaseScratch, scratchMark } from "../plan/scratch.ts";
import { Sharing } from "../plan/sharing.ts";
import { StagePlan } from "./stage-plan.ts";
import { isWhole, wholeInto } from "../array-loops/whole-into.ts";

/** With fewer elements than this the evaluator is done sooner than an expression that no plan is kept of is lowered. */
const kFewElements = 256;

/** Computes an expression into memory of its sizes, by whichever way suits it. Throws what the evaluator throws. */
export function computeInto(places: RawPlaces, tree: ExpressionTree): void {
  if (!tryKernels(places, tree.dtype, tree)) evaluateInto(places, tree);
}

/**
 * Computes several expressions together: by one kernel if they have one value per row of the same rows, else with the parts that they have
 * in common computed once. False if neither can be, when a result lies over operands or another result, and where there is no room: then
 * they are to be computed one after the other.
 */
export function computeTogether(assignments: readonly Assignment[]): boolean {
  try {
    return byOneKernel(assignments) || plannedTogether(assignments);
  } catch (error) {
    if (!isStatusError(error, "RESOURCE_EXHAUSTED")) throw error;
    return false;
  }
}

function byOneKernel(assignments: readonly Assignment[]): boolean {
  const places = assignments.map((each) => each.places);
  const trees = assignments.map((each) => each.tree);
  const { dtype } = trees[0]!;
  if (!engine().simd || !trees.every((tree) => tree.dtype === dtype)) return false;
  if (!places.every(({ buffer, dims }) => isInside(buffer) && product(dims) > 0)) return false;
  const mark = scratchMark();
  try {
    const recalled = recallPlan(places, dtype, trees, bring);
    if (recalled !== null && "calls" in recalled) return runCalls(recalled);
    const reached = recalled?.trees ?? trees;
    const lowered = lowerTogether(reached, dtype, new Sharing(reached, isLeafAway));
    // What would have to be computed first could be in a target's way.
    return lowered !== null && lowered.stages.length === 0 && runLowered(lowered, places, dtype, recalled, noStages);
  } finally {
    releaseScratch(mark);
  }
}

/**
 * As kernelsInto, and false, too, when there is no room for what kernels need besides their operands, or a stage refuses an element: it
 * is computed as a whole, and perhaps no result needs that element. The evaluator, which computes none but those, throws if one does.
 */
function tryKernels(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  const { runs } = kernelCounts();
  try {
    return kernelsInto(places, dtype, tree);
  } catch (error) {
    const isFull = isStatusError(error, "RESOURCE_EXHAUSTED");
    if (!isFull && !isStatusError(error, "INVALID_ARGUMENT")) throw error;
    // Once a kernel has run, operands that lie under the target may be overwritten: too late to begin anew.
    if (kernelCounts().runs !== runs && overlapWith(places, tree) !== "apart") throw error;
    if (isFull) fallBack("the linear memory has no room for scratch memory");
    return false;
  }
}

const isLeafAway = (leaf: ExpressionTree): boolean => !isInside(leafPlaces(leaf).buffer);

/** Computes an expression with kernels; false, and nothing done, if that cannot be. */
function kernelsInto(target: RawPlaces, dtype: DType, root: ExpressionTree): boolean {
  if (product(target.dims) === 0) return false;
  if (!engine().simd) {
    fallBack("the engine has no WebAssembly SIMD");
    return false;
  }
  const { places, tree } = renamed(target, root);
  if (tree.op === "map" && tree.dtype === dtype && copiesBest(places, leafPlaces(tree))) {
    copyPlaces(leafPlaces(tree), places);
    return true;
  }
  const isOutside = !isInside(places.buffer);
  if (isOutside && !linearMemory().isAvailable) {
    fallBack("there is no linear memory");
    return false;
  }
  if (tree.op === "concatenate") {
    return overlapWith(places, tree) === "apart" ? planned(places, dtype, tree, null) : throughStage(places, dtype, tree);
  }
  if (isWhole(tree)) {
    if (tree.inputs.every(({ op }) => op === "map")) return byLoops(places, dtype, tree);
    return inChunks(places, dtype, tree) || planned(places, dtype, tree, null);
  }
  const isLarge = product(places.dims) * places.itemBytes > kChunkBytes;
  if (isOutside) return (isLarge && inChunks(places, dtype, tree)) || throughStage(places, dtype, tree);
  const mark = scratchMark();
  try {
    const recalled = recallPlan([places], dtype, [tree], bring);
    if (recalled !== null && "calls" in recalled) return runCalls(recalled);
    if (recalled === null && isFewOutside(tree)) return false;
    return planned(places, dtype, recalled?.trees[0] ?? tree, recalled);
  } finally {
    releaseScratch(mark);
  }
}

/** Plans an expression and runs the plan, which is kept for expressions like `subject`; false if it is left to the evaluator. */
function planned(places: RawPlaces, dtype: DType, tree: ExpressionTree, subject: PlanSubject | null): boolean {
  const plan = new StagePlan(new Sharing([tree], isLeafAway));
  const result = plan.step(tree, dtype, places);
  if (result.way === "evaluator") {
    fallBack(`no kernel for ${tree.op} of ${tree.inputs[0]?.dtype ?? tree.dtype}`);
    return false;
  }
  if (result.way === "kernels" && result.needs.length > 0 && inChunks(places, dtype, tree)) return true;
  return new StageRun(plan, computeAs).run(result, places, subject);
}

/**
 * Computes several expressions that have parts in common, each part once. False, and nothing done, if they have none, or if a result
 * lies over anything that is read.
 */
function plannedTogether(assignments: readonly Assignment[]): boolean {
  const trees = assignments.map(({ tree }) => tree);
  if (!engine().simd || !haveCommonParts(trees)) return false;
  const leaves = treeOrder(trees)
    .filter(({ op }) => op === "map")
    .map(leafPlaces);
  const isApart = ({ places }: Assignment): boolean => isInside(places.buffer) && !leaves.some((leaf) => mayOverlap(leaf, places));
  const away = leaves.reduce((sum, { buffer, dims, itemBytes }) => sum + (isInside(buffer) ? 0 : product(dims) * itemBytes), 0);
  if (away > kChunkBytes || !assignments.every(isApart)) return false;
  const plan = new StagePlan(new Sharing(trees, isLeafAway));
  const results = assignments.map(({ tree, places }) => plan.result(tree, tree.dtype, places));
  new StageRun(plan, computeAs).runAll(
    results,
    assignments.map(({ places }) => places),
  );
  return true;
}

/** Whether some node but a leaf is part of two of the trees. */
function haveCommonParts(trees: readonly ExpressionTree[]): boolean {
  const all = treeOrder(trees).filter(({ inputs }) => inputs.length > 0).length;
  const each = trees.reduce((sum, tree) => (sum > all ? sum : sum + treeOrder([tree]).filter(({ inputs }) => inputs.length > 0).length), 0);
  return each > all;
}

/** Computes an operation on maps by loops. */
function byLoops(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  const mark = scratchMark();
  try {
    return wholeInto(places, dtype, tree, { scratch: scratchOf, compute: computeAs });
  } finally {
    releaseScratch(mark);
  }
}

/** Whether operands are outside of the linear memory, and nothing on the way to the result has many elements. */
function isFewOutside(tree: ExpressionTree): boolean {
  const nodes = new Set([tree]);
  let isOutside = false;
  for (const node of nodes) {
    if (product(node.dimensions) >= kFewElements) return false;
    isOutside ||= node.op === "map" && isLeafAway(node);
    for (const input of node.inputs) nodes.add(input);
  }
  return isOutside;
}

/** Computes piece by piece what would take much scratch memory at once; false if it does not, or there are no pieces. */
function inChunks(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  return computeInChunks(places, tree, {
    isOutsideLinearMemory: (buffer) => !isInside(buffer),
    bring,
    compute: (part, partTree) => computeAs(part, dtype, partTree),
  });
}

/** Whether a copy is a matter of the engine's own moves: dense on both sides, or not where kernels reach. */
function copiesBest(to: RawPlaces, from: RawPlaces): boolean {
  if (!isInside(to.buffer) || !isInside(from.buffer)) return true;
  return [to, from].every(({ dims, strides }) => isRowMajor({ offset: 0, dims, strides }));
}

/** Computes into scratch memory and moves the result to its place. */
function throughStage(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  return throughScratch(places, (stage) => kernelsInto(stage, dtype, tree)) !== false;
}

/** Computes an expression into memory of its own dtype, or a float16 into memory of float32. */
function computeAs(places: RawPlaces, dtype: DType, tree: ExpressionTree): void {
  if (dtype === tree.dtype) computeInto(places, tree);
  else if (!tryKernels(places, dtype, tree)) evaluateInto(places, tree, dtype);
}
