/**
 * compute: an expression into memory, by a kernel or by the plain evaluator (what Eigen's `device(…) =` decides by the
 * device).
 *
 *     no SIMD, a root that no kernel has             the evaluator
 *     operands outside of the linear memory, few     the evaluator, in place
 *     the same, many                                 they are brought into the linear memory first, in chunks where they can be
 *     scans, orderings, gather and scatter           plain loops over arrays, operands where they are
 *     otherwise                                      stages, then kernels
 *
 * A result that would overwrite operands which are still to be read goes through memory of its own. Nothing here checks
 * shapes or dtypes: `assign` has.
 */
import { dtypeSize, InternalError, isStatusError } from "@onebuffer/base";
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
import { computeInChunks } from "./chunks.ts";
import { engine } from "./engine.ts";
import { kernelCache } from "./kernel-cache.ts";
import { fallBack, kernelCounts } from "./kernel-events.ts";
import { kernelsOf, planCalls, runCall } from "./kernel-plan.ts";
import { stageDType } from "./kernel-support.ts";
import { leafPlaces } from "./leaf-places.ts";
import { lowerTogether } from "./lowering.ts";
import type { Lowered } from "./lowering.ts";
import { keepPlan, recallPlan } from "./plan-memory.ts";
import type { PlanSubject, ReadyPlan } from "./plan-memory.ts";
import { renamed } from "./root-moves.ts";
import { releaseScratch, scratchMark, takeScratch } from "./scratch.ts";
import { Sharing } from "./sharing.ts";
import { stageMemory } from "./stage-memory.ts";
import { heldDType, StagePlan, storedDType } from "./stage-plan.ts";
import type { Step } from "./stage-plan.ts";
import { overwrites, targetAccess } from "./target-access.ts";
import { leafOf, withStored } from "./tree-parts.ts";
import { isWhole, wholeInto } from "./whole/whole-into.ts";

/** With fewer elements than this, operands outside of the linear memory are computed on where they are. */
const kStagedElements = 4096;

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
  const recalled = recallPlan(places, dtype, trees);
  try {
    if (recalled !== null && "calls" in recalled) return runCalls(recalled);
    const lowered = lowerTogether(trees, dtype, new Sharing(trees, isLeafAway));
    // What would have to be computed first could be in a target's way.
    return lowered !== null && lowered.stages.length === 0 && runLowered(lowered, places, dtype, recalled, noStages);
  } catch (error) {
    if (!isStatusError(error, "RESOURCE_EXHAUSTED")) throw error;
    return false;
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
  if (isOutside && !isWorthStaging(places, tree)) return false;
  if (tree.op === "concatenate") {
    return overlapWith(places, tree) === "apart" ? planned(places, dtype, tree, null) : throughStage(places, dtype, tree);
  }
  if (isWhole(tree)) {
    if (tree.inputs.every(({ op }) => op === "map")) return byLoops(places, dtype, tree);
    return inChunks(places, dtype, tree) || planned(places, dtype, tree, null);
  }
  if (isOutside) return inChunks(places, dtype, tree) || throughStage(places, dtype, tree);
  const recalled = recallPlan([places], dtype, [tree]);
  return recalled !== null && "calls" in recalled ? runCalls(recalled) : planned(places, dtype, tree, recalled);
}

/** Plans an expression and runs the plan, which is kept for expressions like `subject`; false if it is left to the evaluator. */
function planned(places: RawPlaces, dtype: DType, tree: ExpressionTree, subject: PlanSubject | null): boolean {
  const plan = new StagePlan(new Sharing([tree], isLeafAway));
  const result = plan.step(tree, dtype, places);
  if (result.way === "evaluator") {
    fallBack(`no kernel for ${tree.op} of ${tree.inputs[0]?.dtype ?? tree.dtype}`);
    return false;
  }
  if (result.way === "kernels") {
    const away = awayElements(result);
    if (away > 0 && away < kStagedElements) return false;
    if (result.needs.length > 0 && inChunks(places, dtype, tree)) return true;
  }
  const stages = result.needs.length === 0 ? [] : plan.stagesOf(result);
  const mark = scratchMark();
  try {
    const stored = new Map<ExpressionTree, RawPlaces>();
    if (stages.length > 0) runStages(stages, result, plan, stored);
    return runStep(result, places, { plan, stored, subject });
  } finally {
    releaseScratch(mark);
  }
}

/** Runs the stages that a result needs, in scratch memory; notes where they are. */
function runStages(stages: readonly Step[], result: Step, plan: StagePlan, stored: Map<ExpressionTree, RawPlaces>): void {
  const { offsets, numBytes } = stageMemory(stages, result);
  const start = takeScratch(numBytes);
  stages.forEach((stage, s) => {
    const to = densePlaces(start + (offsets[s] as number), stage.tree.dimensions, dtypeSize(stage.dtype));
    stored.set(stage.tree, to);
    runStage(stage, to, plan, stored);
  });
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

/** What a step is run with: the plan that it is of, where its stages are, and what its own plan is kept for. */
interface StepContext {
  readonly plan: StagePlan;
  readonly stored: ReadonlyMap<ExpressionTree, RawPlaces>;
  readonly subject: PlanSubject | null;
}

/** Runs a step whose result is memory of its own: by the evaluator if nothing else can. */
function runStage(step: Step, places: RawPlaces, plan: StagePlan, stored: ReadonlyMap<ExpressionTree, RawPlaces>): void {
  try {
    if (runStep(step, places, { plan, stored, subject: null })) return;
  } catch (error) {
    if (!isStatusError(error, "RESOURCE_EXHAUSTED")) throw error;
    fallBack("the linear memory has no room for scratch memory");
  }
  evaluateInto(places, asDType(withStored(step.tree, storedFor(step, stored)), step.dtype));
}

/** Where the stages that a step needs are. */
function storedFor({ needs }: Step, stored: ReadonlyMap<ExpressionTree, RawPlaces>): Map<ExpressionTree, RawPlaces> {
  return new Map(needs.map((need) => [need, stored.get(need)!]));
}

/** Runs a step, its stages being there; false, and nothing done, if it is left to the evaluator. */
function runStep(step: Step, target: RawPlaces, context: StepContext): boolean {
  const { tree, dtype, way, lowered } = step;
  if (way === "nothing") return true;
  if (way === "copy") copyPlaces(leafPlaces(tree), target);
  if (way === "alone") computeAs(target, dtype, tree);
  if (way === "copy" || way === "alone") return true;
  const { places, tree: rest } = context.plan.renamed(target, tree);
  if (way === "join") return runJoin(step, rest, places, context);
  if (way === "loops") return runLoops(step, rest, places, context);
  return lowered !== null && runLowered(lowered, [places], dtype, context.subject, (stage) => context.stored.get(stage)!);
}

/** Computes an operation on its operands as a whole; those that are stages are maps to it. */
function runLoops(step: Step, tree: ExpressionTree, places: RawPlaces, { plan, stored }: StepContext): boolean {
  const own = storedFor(step, stored);
  const inputs = tree.inputs.map((input) => {
    const from = own.get(input);
    return from === undefined ? withStored(input, own) : leafOf({ ...input, dtype: heldDType(input) }, from);
  });
  const isWidened = inputs.some(({ dtype }, k) => dtype !== tree.inputs[k]!.dtype);
  const { op, attributes, dimensions, depth } = tree;
  const dtype = isWidened ? stageDType(tree.dtype) : tree.dtype;
  const part = step.parts.findIndex((each) => each !== null);
  return wholeInto(places, step.dtype, { op, inputs, attributes, dimensions, depth, dtype }, {
    scratch: scratchOf,
    compute: (to, held, operand) => {
      if (part >= 0 && operand === inputs[part] && held === step.dtype) runStage(step.parts[part]!, to, plan, stored);
      else computeAs(to, held, operand);
    },
  });
}

/** Computes the operands of a concatenation where they belong. */
function runJoin({ parts, dtype }: Step, tree: ExpressionTree, places: RawPlaces, { plan, stored }: StepContext): boolean {
  const { axis } = attributesOf(tree, "concatenate");
  let { byteOffset } = places;
  tree.inputs.forEach((input, k) => {
    const to = { ...places, byteOffset, dims: input.dimensions };
    byteOffset += (input.dimensions[axis] as number) * (places.strides[axis] as number) * places.itemBytes;
    const part = parts[k]!;
    if (part === null) computeAs(to, dtype, leafOf({ ...input, dtype: heldDType(input) }, stored.get(input)!));
    else if (isInside(to.buffer) || part.way === "alone") runStage(part, to, plan, stored);
    else throughScratch(to, (scratch) => runStage(part, scratch, plan, stored));
  });
  return true;
}

/** Runs kernels on their calls; false when something was suspect. */
function runCalls({ calls, kernels, parameters }: ReadyPlan): boolean {
  let suspect = false;
  for (let c = 0; c < calls.length; c++) suspect = runCall(kernels[c]!, calls[c]!, parameters) || suspect;
  return !suspect;
}

/** Whether there is enough to do for a target outside of the linear memory: many elements there, or in anything on the way. */
function isWorthStaging({ dims }: RawPlaces, tree: ExpressionTree): boolean {
  if (product(dims) >= kStagedElements) return true;
  const nodes = new Set([tree]);
  for (const { inputs, dimensions } of nodes) {
    if (product(dimensions) >= kStagedElements) return true;
    for (const input of inputs) nodes.add(input);
  }
  return false;
}

/** Computes piece by piece what would take much scratch memory at once; false if it does not, or there are no pieces. */
function inChunks(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  return computeInChunks(places, tree, {
    isAway: (buffer) => !isInside(buffer),
    bring: (from) => {
      const to = scratchPlaces(from.dims, from.itemBytes);
      copyPlaces(from, to);
      return to;
    },
    compute: (part, partTree) => computeAs(part, dtype, partTree),
  });
}

/** Whether a copy is a matter of the engine's own moves: dense on both sides, or not where kernels reach. */
function copiesBest(to: RawPlaces, from: RawPlaces): boolean {
  if (!isInside(to.buffer) || !isInside(from.buffer)) return true;
  return [to, from].every(({ dims, strides }) => isRowMajor({ offset: 0, dims, strides }));
}

/** The most elements that an operand outside of the linear memory has; 0 if there is none. */
function awayElements({ needs }: Step): number {
  return needs.reduce((most, need) => (need.op === "map" && isLeafAway(need) ? Math.max(most, product(need.dimensions)) : most), 0);
}

/** Dense elements at a place of the linear memory. */
function densePlaces(byteOffset: number, dims: readonly number[], itemBytes: number): RawPlaces {
  return { buffer: linearMemory().buffer, byteOffset, itemBytes, dims, strides: rowMajorStrides(dims) };
}

/** Scratch memory for dense elements of a dtype. */
const scratchOf = (dims: readonly number[], held: DType): RawPlaces => scratchPlaces(dims, dtypeSize(held));

/** Scratch memory for dense elements. */
function scratchPlaces(dims: readonly number[], itemBytes: number): RawPlaces {
  // Asking for the memory constructs it, and there may be none.
  return densePlaces(takeScratch(product(dims) * itemBytes), dims, itemBytes);
}

/** Computes into scratch memory and moves the result to its place. */
function throughStage(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  return throughScratch(places, (stage) => kernelsInto(stage, dtype, tree)) !== false;
}

/** Does something with scratch memory of the same sizes and moves it to its place, unless the answer is false, which is answered. */
function throughScratch<T>(places: RawPlaces, work: (scratch: RawPlaces) => T): T {
  const mark = scratchMark();
  try {
    const scratch = scratchPlaces(places.dims, places.itemBytes);
    const outcome = work(scratch);
    if (outcome !== false) copyPlaces(scratch, places);
    return outcome;
  } finally {
    releaseScratch(mark);
  }
}

/** For programs without stages. */
function noStages(stage: ExpressionTree): RawPlaces {
  throw new InternalError(`${stage.op} is no stage`);
}

/**
 * Runs a program, whose stages are there, and keeps its plan for expressions like `subject`. Unless it was done, nothing is but for
 * elements of the target that the evaluator writes again.
 */
function runLowered(
  lowered: Lowered,
  places: readonly RawPlaces[],
  dtype: DType,
  subject: PlanSubject | null,
  placesOf: (stage: ExpressionTree) => RawPlaces,
): boolean {
  const targets = places.map((each) => targetAccess(lowered, each));
  const { stages, program } = lowered;
  const { buffer } = linearMemory();
  const mark = scratchMark();
  try {
    const starts = program.operands.map(({ source, offset }) => {
      if (source === null) return offset;
      return offset + (typeof source === "number" ? placesOf(stages[source]!) : leafPlaces(source)).byteOffset;
    });
    const calls = planCalls(lowered, targets, storedDType(lowered, dtype), starts);
    if (calls === null) return false;
    if (overwrites(calls)) {
      if (places.length > 1) return false;
      // The operands are read from where the result goes: it is made elsewhere, and moved when it is complete.
      return throughScratch(places[0]!, (copy) => runLowered(lowered, [copy], dtype, null, placesOf));
    }
    const kernels = kernelsOf(calls, kernelCache(), buffer.byteLength);
    if (kernels === null) return false;
    if (subject !== null) keepPlan(places, subject, lowered, calls, kernels);
    return runCalls({ calls, kernels, parameters: program.parameters });
  } finally {
    releaseScratch(mark);
  }
}

/** Computes an expression into memory of its own dtype, or a float16 into memory of float32. */
function computeAs(places: RawPlaces, dtype: DType, tree: ExpressionTree): void {
  if (dtype === tree.dtype) computeInto(places, tree);
  else if (!tryKernels(places, dtype, tree)) evaluateInto(places, asDType(tree, dtype));
}

/** A tree's values in another dtype. */
function asDType(tree: ExpressionTree, dtype: DType): ExpressionTree {
  if (tree.dtype === dtype) return tree;
  const { dimensions, depth } = tree;
  return { op: "cast", inputs: [tree], attributes: { saturate: false }, dtype, dimensions, depth: depth + 1 };
}
