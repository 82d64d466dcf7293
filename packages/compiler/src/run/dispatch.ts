/**
 * dispatch: decides how an expression is computed into memory, by kernels or by the plain evaluator (in Eigen the
 * device of `device(…) =` decides).
 *
 *     no SIMD, or a root without a kernel            the evaluator
 *     operands outside the linear memory             copied into it first; large ones in chunks where that is possible
 *     few such elements and no kept plan             the evaluator
 *     scans, orderings, gather and scatter of maps   loops over dense elements (array-loops/whole-into.ts)
 *     concatenations that read outside               copies of runs of bytes (pieces/joined-pieces.ts)
 *     everything else                                a plan of stages and kernels (stage-plan.ts), then run (run-stages.ts)
 *
 * A result that would overwrite operands before they are read is computed in scratch memory and then moved. Nothing
 * here checks shapes or dtypes: `assign` has done that.
 */
import { dtypeSize, isStatusError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { evaluateInto, overlapWith } from "@onebuffer/evaluator/internal";
import type { Assignment } from "@onebuffer/evaluator/internal";
import { decisiveDType, inputsOf, isJoin, isMap, operationName, sizesOf, treeOrder } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { linearMemory } from "@onebuffer/wasm";
import { copyPlaces, isRowMajor, product } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { computeInChunks, kChunkBytes } from "./chunks.ts";
import { engine } from "@onebuffer/wasm/internal";
import { fallBack, kernelCounts, nonzeroPlaces, notePlanned, withScratch, workSplitter } from "@onebuffer/kernels/internal";
import { leafPlaces } from "../plan/leaf-places.ts";
import { lowerTogether } from "../plan/lowering.ts";
import type { Lowered } from "../plan/lowering.ts";
import type { PlannedStep } from "./kept-plan.ts";
import { overlapping } from "../places/overlaps.ts";
import { planner } from "./planner.ts";
import { keepNone, keepPlan } from "./recall-plan.ts";
import type { PlanSubject } from "./plan-subject.ts";
import { renamed } from "../plan/fold-root-reshape.ts";
import { runCalls, runLowered } from "./run-program.ts";
import { StageRun } from "./run-stages.ts";
import { isInside, scratchOf, throughScratch } from "./scratch-places.ts";
import { schedule } from "./schedule.ts";
import { Sharing } from "../plan/sharing.ts";
import { imaginedCalls, StagePlan } from "./stage-plan.ts";
import { hasLongReduction, inBlocks } from "../split/reduce-in-blocks.ts";
import { joinPieces } from "../pieces/joined-pieces.ts";
import { windowParts } from "../windows/window-parts.ts";
import { reverseRows } from "../array-loops/reversed-rows.ts";
import { isRefusal } from "../array-loops/custom-kernel.ts";
import { hasAddressStep, isWhole, wholeInto } from "../array-loops/whole-into.ts";

/** The number of elements below which the evaluator finishes before an expression without a kept plan is even lowered. */
const kFewElements = 256;

/** Computes an expression into memory of the same sizes, by the means that fits. Throws what the evaluator throws. */
export function computeInto(places: RawPlaces, tree: ExpressionTree): void {
  if (!tryKernels(places, tree.dtype, tree)) evaluateInto(places, tree);
}

/**
 * Computes several expressions together. If each has one value per row of the same rows, one kernel computes them
 * all; otherwise their common parts are computed once. The results are those of one assignment after the other, or, if `isUpdate`, of
 * expressions that are all computed before anything is written. Returns false if that is not possible, if there is no room for scratch
 * memory, or if a stage refuses an element. Then the caller computes them one after the other.
 */
export function computeTogether(assignments: readonly Assignment[], isUpdate: boolean = false): boolean {
  if (!engine().simd) return false;
  if (workSplitter() !== null && assignments.some(({ tree }) => hasLongReduction(tree))) return false;
  const { runs } = kernelCounts();
  try {
    return withScratch(() => recalledTogether(assignments, isUpdate));
  } catch (error) {
    if (!mayStartOver(error)) throw error;
    // Once a kernel has run, operands may be overwritten: it is too late to start over. Not if a stage has refused an element: what may refuse
    // some precedes every result that overwrites operands (schedule.ts).
    const isFull = isStatusError(error, "RESOURCE_EXHAUSTED");
    if (isFull && kernelCounts().runs !== runs && readsTargets(assignments)) throw error;
    return false;
  }
}

/**
 * Returns true for an error that another way of computing may avoid: if there is no room for scratch memory, or if a stage, which is computed
 * as a whole, refuses an element that possibly no result needs.
 */
const mayStartOver = (error: unknown): boolean =>
  isStatusError(error, "RESOURCE_EXHAUSTED") || (isStatusError(error, "INVALID_ARGUMENT") && !isRefusal(error));

/** Returns true if some target of assignments is an operand of one. */
function readsTargets(assignments: readonly Assignment[]): boolean {
  const leaves = treeOrder(assignments.map(({ tree }) => tree)).filter(isMap);
  const read = overlapping(
    assignments.map(({ places }) => places),
    leaves.map(leafPlaces),
  );
  return read.some(({ length }) => length > 0);
}

/**
 * Computes several expressions by a kept plan, or plans them and keeps the plan. Returns false, with nothing done, if they have to be
 * computed one after the other; also that is kept if it follows from the expressions.
 */
function recalledTogether(assignments: readonly Assignment[], isUpdate: boolean): boolean {
  const places = assignments.map((each) => each.places);
  const trees = assignments.map(({ tree }) => tree);
  const isKept = places.every(({ buffer, dims }) => isInside(buffer) && product(dims) > 0);
  const recalled = isKept ? planner.recall.plan(places, trees[0]!.dtype, trees, isUpdate) : null;
  if (recalled === "crosses") return false;
  if (recalled === null) return plannedTogether(places, trees, null, isUpdate);
  // If an element may be invalid, the expressions are planned once more, and the evaluator computes what kernels refuse.
  if ("programs" in recalled)
    return recalled.programs.every((program) => runCalls(program)) || plannedTogether(places, trees, null, isUpdate);
  const lowered = loweredTogether(places, recalled.trees);
  if (lowered !== null && byOneKernel(lowered, places, recalled)) return true;
  if (isUpdate || haveCommonParts(recalled.trees)) return plannedTogether(places, recalled.trees, recalled, isUpdate);
  if (lowered === null) keepNone(recalled);
  return false;
}

/** Returns the program of several expressions if one kernel computes all of them; otherwise null. */
function loweredTogether(places: readonly RawPlaces[], trees: readonly ExpressionTree[]): Lowered | null {
  const { dtype } = trees[0]!;
  if (!trees.every((tree) => tree.dtype === dtype)) return null;
  const lowered = lowerTogether(trees, dtype, new Sharing(trees, isLeafOutside));
  // Not with stages: they have to be computed first, and the targets could overlap what they read.
  return lowered === null || lowered.stages.length > 0 || imaginedCalls(lowered, places, dtype) === null ? null : lowered;
}

/** Computes several expressions by one kernel, and keeps the plan. Returns false if a result overlaps operands or another result. */
function byOneKernel(lowered: Lowered, places: readonly RawPlaces[], subject: PlanSubject): boolean {
  notePlanned();
  const programs: PlannedStep[] = [];
  const isDone = runLowered(lowered, places, subject.trees[0]!.dtype, programs, new Map());
  const results = places.map(({ byteOffset }) => byteOffset);
  if (programs.length === 1)
    keepPlan(subject, { programs, resultOf: [0], scratchStart: 0, scratchBytes: 0, inTargets: new Map(), results });
  return isDone;
}

/**
 * Like kernelsInto, but also returns false if there is no room for scratch memory, or if a stage refuses an element.
 * A stage is computed as a whole, and possibly no result needs the refused element. The evaluator computes only the
 * elements that results need, and throws if one of those is invalid.
 */
function tryKernels(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  const { runs } = kernelCounts();
  try {
    return kernelsInto(places, dtype, tree);
  } catch (error) {
    const isFull = isStatusError(error, "RESOURCE_EXHAUSTED");
    if (!mayStartOver(error) || (!isFull && isWholeOfMaps(tree))) throw error;
    // Once a kernel has run, operands that overlap the target may be overwritten: it is too late to start over. Not if a stage has refused an
    // element: stages are computed before anything that they read is written.
    if (isFull && kernelCounts().runs !== runs && overlapWith(places, tree) !== "apart") throw error;
    if (isFull) fallBack("the linear memory has no room for scratch memory");
    return false;
  }
}

/** Returns true for an operation by loops that no stage can make fail: an index that it refuses is wrong for the evaluator, too. */
const isWholeOfMaps = (tree: ExpressionTree): boolean => inputsOf(tree).every(isMap) && isWhole(tree);

/** Copies the maps of a concatenation. Returns false, with nothing done, if it has other operands. */
const joined = (places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean =>
  joinPieces(places, dtype, tree, ({ buffer }) => isInside(buffer));

/** Returns true if a map of a tree is outside the linear memory. */
const readsOutside = (tree: ExpressionTree): boolean => treeOrder([tree]).some((node) => isMap(node) && isLeafOutside(node));

/** Returns true if a map is outside the linear memory. */
const isLeafOutside = (leaf: ExpressionTree): boolean => !isInside(leafPlaces(leaf).buffer);

/**
 * Computes an expression with kernels. Returns false if the evaluator has to compute it; some elements of the target may
 * then have been written, and the evaluator writes them again.
 */
function kernelsInto(target: RawPlaces, dtype: DType, root: ExpressionTree, isScratch: boolean = false): boolean {
  if (product(target.dims) === 0) return false;
  if (!engine().simd) {
    fallBack("the engine has no WebAssembly SIMD");
    return false;
  }
  const { places, tree } = renamed(target, root);
  const task = { places, dtype, tree, isOutside: !isInside(places.buffer), isScratch };
  for (const strategy of strategies) {
    const isDone = strategy(task);
    if (isDone !== null) return isDone;
  }
  return byKeptPlan(places, dtype, tree, false);
}

/** What is to be computed: an expression without movements at its root that only change the sizes, into memory of its sizes. */
interface Task {
  readonly places: RawPlaces;
  readonly dtype: DType;
  readonly tree: ExpressionTree;
  /** True if the target is outside the linear memory. */
  readonly isOutside: boolean;
  /** True if the target is scratch memory, which operands in another shared buffer seem to overlap. */
  readonly isScratch: boolean;
}

/**
 * The ways to compute an expression without a kept plan, in the order in which they are tried. Each returns null, with nothing done, if the
 * expression is not for it, and false if the evaluator has to compute it.
 */
const strategies: readonly ((task: Task) => boolean | null)[] = [copied, refused, joinedFromOutside, asWhole, reversed, fromOutside];

function copied({ places, dtype, tree }: Task): true | null {
  if (!isMap(tree) || tree.dtype !== dtype || !suitsEngineCopy(places, leafPlaces(tree))) return null;
  copyPlaces(leafPlaces(tree), places);
  return true;
}

function refused({ isOutside }: Task): false | null {
  if (!isOutside || linearMemory().isAvailable) return null;
  fallBack("there is no linear memory");
  return false;
}

function joinedFromOutside({ places, dtype, tree, isOutside, isScratch }: Task): boolean | null {
  if (!isJoin(tree) || !(isOutside || readsOutside(tree))) return null;
  if (!isScratch && overlapWith(places, tree) !== "apart") return throughStage(places, dtype, tree);
  if (isShort(places, tree)) return null;
  return joined(places, dtype, tree) || planned(places, dtype, tree, null);
}

function asWhole({ places, dtype, tree, isOutside }: Task): boolean | null {
  if (!isWhole(tree)) return null;
  const isOfMaps = isWholeOfMaps(tree);
  // A plan for an operation without a step that needs nothing but addresses takes longer than no plan.
  const isFar = isOfMaps && (isOutside || inputsOf(tree).some(isLeafOutside));
  if (isOfMaps && (!hasAddressStep(tree) || (isFar && !isShort(places, tree)))) return byLoops(places, dtype, tree);
  if (!isOfMaps && inChunks(places, dtype, tree)) return true;
  if (!isOutside) return null;
  // A plan with a target outside is not kept, and to plan takes longer than to copy some elements.
  return isLarge(places) ? planned(places, dtype, tree, null) : throughStage(places, dtype, tree);
}

/** The most bytes of a result and its maps for which to copy them takes less time than to plan anew. */
const kShortBytes = 1 << 16;

/** Returns true for a result and maps of few bytes, of which all that are outside the linear memory are copied, so that the plan is kept. */
function isShort({ dims, itemBytes }: RawPlaces, tree: ExpressionTree): boolean {
  let bytes = product(dims) * itemBytes;
  for (const node of treeOrder([tree])) if (isMap(node)) bytes += product(sizesOf(node)) * dtypeSize(node.dtype);
  return bytes <= kShortBytes;
}

/** Returns true for a result that takes long to be copied. */
const isLarge = ({ dims, itemBytes }: RawPlaces): boolean => product(dims) * itemBytes > kChunkBytes;

function reversed({ places, dtype, tree }: Task): true | null {
  return tree.dtype === dtype && reverseRows(places, tree) ? true : null;
}

function fromOutside({ places, dtype, tree, isOutside }: Task): boolean | null {
  if (!isOutside) return null;
  return (isLarge(places) && inChunks(places, dtype, tree)) || throughStage(places, dtype, tree);
}

/**
 * Computes an expression by a kept plan, or plans it and keeps the plan. `isCopy` is true if the target is scratch memory in the place of
 * a target that overlaps operands. Returns false if the evaluator has to compute it.
 */
function byKeptPlan(places: RawPlaces, dtype: DType, tree: ExpressionTree, isCopy: boolean): boolean {
  return withScratch(() => {
    const recalled = planner.recall.plan([places], dtype, [tree]);
    const isKept = recalled !== null && typeof recalled === "object" && "programs" in recalled;
    const isMixed = !isKept && !isCopy && isInParts(tree) && overlapWith(places, tree) !== "apart";
    if (recalled === "crosses" || isMixed) {
      return isCopy ? planned(places, dtype, tree, null) : throughScratch(places, (copy) => byKeptPlan(copy, dtype, tree, true));
    }
    if (recalled === null && isJoin(tree) && joined(places, dtype, tree)) return true;
    if (recalled === null) return !isFewOutside(tree) && planned(places, dtype, tree, null);
    if (!("programs" in recalled)) return planned(places, dtype, recalled.trees[0]!, recalled);
    const { programs } = recalled;
    const last = programs.length - 1;
    // If a stage may have invalid elements, a plan of this expression alone leaves that stage to the evaluator.
    for (let p = 0; p < last; p++) if (!runCalls(programs[p]!)) return planned(places, dtype, tree, null);
    return runCalls(programs[last]!);
  });
}

/** Returns true if parts of a result, as the operands of a concatenation, are computed one after the other, each at its places. */
const isInParts = (tree: ExpressionTree): boolean => isJoin(windowParts(tree) ?? tree);

/**
 * Plans an expression and runs the plan. The plan is kept for expressions like `subject`. Returns false if the
 * evaluator has to compute it.
 */
function planned(places: RawPlaces, dtype: DType, given: ExpressionTree, subject: PlanSubject | null): boolean {
  const tree = workSplitter() === null ? given : inBlocks(given);
  const plan = new StagePlan(new Sharing([tree], isLeafOutside), subject !== null);
  const result = plan.step(tree, dtype, places);
  if (result.way === "join" && joined(places, dtype, tree)) return true;
  if (result.way !== "pieces") notePlanned();
  if (result.way === "evaluator") {
    fallBack(`no kernel for ${operationName(tree)} of ${decisiveDType(tree)}`);
    return false;
  }
  if ((result.way === "kernels" || result.way === "contraction") && result.needs.length > 0 && inChunks(places, dtype, tree)) return true;
  return new StageRun(plan, computeAs, subject).run(result, places);
}

/**
 * Plans several expressions that have parts in common or are an update, and computes each part once. The plan is kept for expressions like
 * `subject`. Returns false, with nothing done, if they have no common parts or if an operand is to be written before its last reader.
 */
function plannedTogether(
  places: readonly RawPlaces[],
  trees: readonly ExpressionTree[],
  subject: PlanSubject | null,
  isUpdate: boolean,
): boolean {
  if (subject === null && !isUpdate && !haveCommonParts(trees)) return false;
  const leaves = treeOrder(trees).filter(isMap).map(leafPlaces);
  const outsideBytes = leaves.reduce((sum, { buffer, dims, itemBytes }) => sum + (isInside(buffer) ? 0 : product(dims) * itemBytes), 0);
  if (outsideBytes > kChunkBytes || !places.every(({ buffer }) => isInside(buffer))) return false;
  const plan = new StagePlan(new Sharing(trees, isLeafOutside), subject !== null);
  const results = trees.map((tree, t) => plan.result(tree, tree.dtype, places[t]!));
  const scheduled = schedule(plan, results, places, isUpdate);
  if (scheduled === null) return false;
  notePlanned();
  new StageRun(plan, computeAs, subject).runAll(scheduled, places);
  return true;
}

/** Returns true if a node other than a leaf is part of two of the trees. */
function haveCommonParts(trees: readonly ExpressionTree[]): boolean {
  const all = treeOrder(trees).filter(({ inputs }) => inputs.length > 0).length;
  const each = trees.reduce((sum, tree) => (sum > all ? sum : sum + treeOrder([tree]).filter(({ inputs }) => inputs.length > 0).length), 0);
  return each > all;
}

/** Computes an operation whose operands are all maps by loops over dense elements. */
function byLoops(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  return withScratch(() => wholeInto(places, dtype, tree, { scratch: scratchOf, compute: computeAs }));
}

/**
 * Computes truth values in scratch memory and returns the places of the true ones, in ascending order. Returns null, with nothing done, for
 * few elements, and if there is no SIMD, no linear memory or no room in it. Throws what the evaluator throws.
 */
export function findNonzero(flags: ExpressionTree): Int32Array<ArrayBuffer> | null {
  const count = product(flags.dimensions);
  if (count < kFewElements || !engine().simd || !linearMemory().isAvailable) return null;
  try {
    return withScratch(() => {
      const bytes = scratchOf(flags.dimensions, "bool");
      computeInto(bytes, flags);
      return nonzeroPlaces(bytes.byteOffset, count);
    });
  } catch (error) {
    if (!isStatusError(error, "RESOURCE_EXHAUSTED")) throw error;
    fallBack("the linear memory has no room for scratch memory");
    return null;
  }
}

/** Returns true if some operand is outside the linear memory and no node of the tree has as many as kFewElements elements. */
function isFewOutside(tree: ExpressionTree): boolean {
  const nodes = new Set([tree]);
  let isOutside = false;
  for (const node of nodes) {
    if (product(node.dimensions) >= kFewElements) return false;
    isOutside ||= isMap(node) && isLeafOutside(node);
    for (const input of node.inputs) nodes.add(input);
  }
  return isOutside;
}

/**
 * Computes an expression that needs much scratch memory in chunks. Returns false, with nothing done, if it needs
 * little or has no independent parts.
 */
function inChunks(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  return computeInChunks(places, tree, (part, partTree) => computeAs(part, dtype, partTree));
}

/** Returns true if the engine's own copy suits best: both sides are dense, or one is outside the linear memory. */
function suitsEngineCopy(to: RawPlaces, from: RawPlaces): boolean {
  if (!isInside(to.buffer) || !isInside(from.buffer)) return true;
  return [to, from].every(({ dims, strides }) => isRowMajor({ offset: 0, dims, strides }));
}

/** Computes into scratch memory and moves the result to its places. */
function throughStage(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  return throughScratch(places, (stage) => kernelsInto(stage, dtype, tree, true)) !== false;
}

/** Computes an expression into memory of its own dtype, or a float16 or bfloat16 expression into memory of float32. */
function computeAs(places: RawPlaces, dtype: DType, tree: ExpressionTree): void {
  if (dtype === tree.dtype) computeInto(places, tree);
  else if (!tryKernels(places, dtype, tree)) evaluateInto(places, tree, dtype);
}
