/**
 * compute: an expression into memory, by a kernel or by the plain evaluator (what Eigen's `device(…) =` decides by the
 * device).
 *
 *     no SIMD, a root that no kernel has             the evaluator
 *     operands outside of the linear memory          they are brought into it first, many of them in chunks where they can be
 *     the same, few, and no plan is kept             the evaluator
 *     scans, orderings, gather and scatter           plain loops over arrays, operands where they are
 *     otherwise                                      stages, then kernels
 *
 * A result that would overwrite operands which are still to be read goes through memory of its own. Nothing here checks
 * shapes or dtypes: `assign` has.
 */
import { dtypeSize, isStatusError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { evaluateInto } from "../evaluator/evaluate-into.ts";
import type { Assignment } from "../evaluator/assignable.ts";
import { overlapWith } from "../evaluator/overlap.ts";
import { attributesOf } from "../expression/op-attributes.ts";
import type { ExpressionTree } from "../expression/op-attributes.ts";
import { linearMemory } from "../linear-memory.ts";
import { product } from "../map-geometry.ts";
import { copyPlaces } from "../raw-places.ts";
import type { RawPlaces } from "../raw-places.ts";
import { isRowMajor, rowMajorStrides } from "../strided-geometry.ts";
import { computeInChunks, kChunkBytes } from "./chunks.ts";
import { engine } from "./engine.ts";
import { kernelCache } from "./kernel-cache.ts";
import { fallBack, kernelCounts } from "./kernel-events.ts";
import { kernelsOf, planCalls, runCall } from "./kernel-plan.ts";
import { stageDType } from "./kernel-support.ts";
import { leafPlaces } from "./leaf-places.ts";
import { carrierOf, lower, lowerTogether } from "./lowering.ts";
import type { Lowered } from "./lowering.ts";
import { keepPlan, recallPlan } from "./plan-memory.ts";
import type { PlanSubject, ReadyPlan } from "./plan-memory.ts";
import { renamed } from "./root-moves.ts";
import { overwrites, targetAccess } from "./target-access.ts";
import { isWhole, wholeInto } from "./whole/whole-into.ts";
import { releaseScratch, scratchMark, takeScratch } from "./scratch.ts";

/** With fewer elements than this the evaluator is done sooner than an expression that no plan is kept of is lowered. */
const kFewElements = 256;

/** Computes an expression into memory of its sizes, by whichever way suits it. Throws what the evaluator throws. */
export function computeInto(places: RawPlaces, tree: ExpressionTree): void {
  if (!tryKernels(places, tree.dtype, tree)) evaluateInto(places, tree);
}

/**
 * Computes several expressions by one kernel, if they have one value per row of the same rows, and no result lies over operands or
 * another result. False otherwise, and where there is no room: then they are to be computed one after the other.
 */
export function computeTogether(assignments: readonly Assignment[]): boolean {
  const places = assignments.map((each) => each.places);
  const trees = assignments.map((each) => each.tree);
  const { dtype } = trees[0]!;
  if (!engine().simd || !trees.every((tree) => tree.dtype === dtype)) return false;
  if (!places.every(({ buffer, dims }) => isInside(buffer) && product(dims) > 0)) return false;
  const mark = scratchMark();
  try {
    const recalled = recallPlan(places, dtype, trees, bring);
    if (recalled !== null && "calls" in recalled) return runCalls(recalled);
    const lowered = lowerTogether(recalled?.trees ?? trees, dtype, isLeafAway);
    // What would have to be computed first could be in a target's way.
    return lowered !== null && lowered.stages.length === 0 && runLowered(lowered, places, dtype, recalled) === "done";
  } catch (error) {
    if (!isStatusError(error, "RESOURCE_EXHAUSTED")) throw error;
    return false;
  } finally {
    releaseScratch(mark);
  }
}

/** As kernelsInto, and false, too, when there is no room for what kernels need besides their operands. */
function tryKernels(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  const { runs } = kernelCounts();
  try {
    return kernelsInto(places, dtype, tree);
  } catch (error) {
    if (!isStatusError(error, "RESOURCE_EXHAUSTED")) throw error;
    // Once a kernel has run, operands that lie under the target may be overwritten: too late to begin anew.
    if (kernelCounts().runs !== runs && overlapWith(places, tree) !== "apart") throw error;
    fallBack("the linear memory has no room for scratch memory");
    return false;
  }
}

/** Whether bytes are where kernels reach them. */
function isInside(buffer: ArrayBufferLike): boolean {
  return linearMemory().isConstructed && buffer === linearMemory().buffer;
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
  if (tree.op === "concatenate") return joinInto(places, dtype, tree);
  if (isWhole(tree)) return byLoops(places, dtype, tree);
  const isLarge = product(places.dims) * places.itemBytes > kChunkBytes;
  if (isOutside) return (isLarge && inChunks(places, dtype, tree)) || throughStage(places, dtype, tree);
  const mark = scratchMark();
  try {
    return runTree(places, dtype, tree);
  } finally {
    releaseScratch(mark);
  }
}

/** Computes an expression into the linear memory by a plan that is kept, or made now. */
function runTree(places: RawPlaces, dtype: DType, given: ExpressionTree): boolean {
  const recalled = recallPlan([places], dtype, [given], bring);
  if (recalled !== null && "calls" in recalled) return runCalls(recalled);
  if (recalled === null && isFewOutside(given)) return false;
  const tree = recalled?.trees[0] ?? given;
  const rows = lower(tree, dtype, "rows", isLeafAway);
  if (rows === null) {
    fallBack(`no kernel for ${tree.op} of ${tree.inputs[0]?.dtype ?? tree.dtype}`);
    return false;
  }
  if (rows.stages.length > 0 && inChunks(places, dtype, tree)) return true;
  const outcome = runLowered(rows, [places], dtype, recalled);
  if (outcome !== "apart") return outcome === "done";
  const none = lower(tree, dtype, "none", isLeafAway);
  return none !== null && runLowered(none, [places], dtype, recalled) === "done";
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

/** Runs kernels on their calls; false when something was suspect. */
function runCalls({ calls, kernels, parameters }: ReadyPlan): boolean {
  let suspect = false;
  for (let c = 0; c < calls.length; c++) suspect = runCall(kernels[c]!, calls[c]!, parameters) || suspect;
  return !suspect;
}

/** Computes an operation on its operands as a whole. */
function byLoops(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  if (tree.inputs.some(({ op }) => op !== "map") && inChunks(places, dtype, tree)) return true;
  const mark = scratchMark();
  try {
    return wholeInto(places, dtype, tree, { scratch: (dims, held) => scratchPlaces(dims, dtypeSize(held)), compute: computeAs });
  } finally {
    releaseScratch(mark);
  }
}

/** Computes piece by piece what would take much scratch memory at once; false if it does not, or there are no pieces. */
function inChunks(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  return computeInChunks(places, tree, {
    isAway: (buffer) => !isInside(buffer),
    bring,
    compute: (part, partTree) => computeAs(part, dtype, partTree),
  });
}

/** Whether a copy is a matter of the engine's own moves: dense on both sides, or not where kernels reach. */
function copiesBest(to: RawPlaces, from: RawPlaces): boolean {
  if (!isInside(to.buffer) || !isInside(from.buffer)) return true;
  return [to, from].every(({ dims, strides }) => isRowMajor({ offset: 0, dims, strides }));
}

/** Computes the operands of a concatenation where they belong. */
function joinInto(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  if (overlapWith(places, tree) !== "apart") return throughStage(places, dtype, tree);
  const { axis } = attributesOf(tree, "concatenate");
  let { byteOffset } = places;
  for (const input of tree.inputs) {
    computeAs({ ...places, byteOffset, dims: input.dimensions }, dtype, input);
    byteOffset += (input.dimensions[axis] as number) * (places.strides[axis] as number) * places.itemBytes;
  }
  return true;
}

/** Elements of these sizes in scratch memory, dense, `shift` bytes beyond a multiple of 8. */
function scratchPlaces(dims: readonly number[], itemBytes: number, shift: number = 0): RawPlaces {
  const byteOffset = takeScratch(product(dims) * itemBytes + shift) + shift;
  return { buffer: linearMemory().buffer, byteOffset, itemBytes, dims, strides: rowMajorStrides(dims) };
}

/** The same for elements outside: as aligned as they are, for engines move bytes one by one between places that are not aligned alike. */
function scratchLike({ byteOffset, dims, itemBytes }: RawPlaces): RawPlaces {
  return scratchPlaces(dims, itemBytes, byteOffset % Math.min(itemBytes, 8) === 0 ? byteOffset % 8 : 0);
}

/** Copies elements into scratch memory. */
function bring(from: RawPlaces): RawPlaces {
  const to = scratchLike(from);
  copyPlaces(from, to);
  return to;
}

/** Computes into scratch memory and moves the result to its place. */
function throughStage(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  const mark = scratchMark();
  try {
    const stage = scratchLike(places);
    if (!kernelsInto(stage, dtype, tree)) return false;
    copyPlaces(stage, places);
    return true;
  } finally {
    releaseScratch(mark);
  }
}

/** How running a program went: it was done; its reductions have to be taken apart first; or it is left to the evaluator. */
type Outcome = "done" | "apart" | "refused";

/**
 * Runs a program, and keeps its plan for expressions like `subject`. Unless it was done nothing is, but for elements of the target
 * that the evaluator writes again.
 */
function runLowered(lowered: Lowered, places: readonly RawPlaces[], dtype: DType, subject: PlanSubject | null): Outcome {
  const targets = places.map((each) => targetAccess(lowered, each));
  const { operands } = lowered.program;
  const { buffer } = linearMemory();
  const mark = scratchMark();
  try {
    const stages: RawPlaces[] = lowered.stages.map((stage) => scratchPlaces(stage.dimensions, stageBytes(stage)));
    const starts = operands.map(({ source, offset }) => {
      if (source === null) return offset;
      return offset + (typeof source === "number" ? stages[source]!.byteOffset : leafPlaces(source).byteOffset);
    });
    const { kind, dtype: computedAs } = lowered.program.nodes[lowered.program.result]!;
    const storedAs = kind === "load" && computedAs === carrierOf(dtype) ? computedAs : dtype;
    const calls = planCalls(lowered, targets, storedAs, starts);
    if (calls === null) return "apart";
    if (overwrites(calls)) {
      if (places.length > 1) return "refused";
      const [target] = places as readonly [RawPlaces];
      // The operands are read from where the result goes: it is made elsewhere, and moved when it is complete.
      const copy = scratchPlaces(target.dims, target.itemBytes);
      const outcome = runLowered(lowered, [copy], dtype, null);
      if (outcome === "done") copyPlaces(copy, target);
      return outcome;
    }
    const kernels = kernelsOf(calls, kernelCache(), buffer.byteLength);
    if (kernels === null) return "refused";
    if (subject !== null) keepPlan(places, subject, lowered, calls, kernels);
    lowered.stages.forEach((stage, s) => computeStage(stages[s]!, stage));
    return runCalls({ calls, kernels, parameters: lowered.program.parameters }) ? "done" : "refused";
  } finally {
    releaseScratch(mark);
  }
}

/** Bytes of an element of a stage: maps are brought as they are. */
function stageBytes({ op, dtype }: ExpressionTree): number {
  return dtypeSize(op === "map" ? dtype : stageDType(dtype));
}

function computeStage(places: RawPlaces, stage: ExpressionTree): void {
  if (stage.op === "map") copyPlaces(leafPlaces(stage), places);
  else computeAs(places, stageDType(stage.dtype), stage);
}

/** Computes an expression into memory of its own dtype, or a float16 into memory of float32. */
function computeAs(places: RawPlaces, dtype: DType, tree: ExpressionTree): void {
  if (dtype === tree.dtype) computeInto(places, tree);
  else if (!tryKernels(places, dtype, tree)) evaluateInto(places, asDType(tree, dtype));
}

/** A tree's values in another dtype. */
function asDType(tree: ExpressionTree, dtype: DType): ExpressionTree {
  const { dimensions, depth } = tree;
  return { op: "cast", inputs: [tree], attributes: { saturate: false }, dtype, dimensions, depth: depth + 1 };
}
