/**
 * stage-memory: assigns the stages of an assignment their places in scratch memory (XLA's counterpart is its buffer
 * assignment).
 *
 *     stages    a    b of a    c of b          a   0 ..  256
 *                                              b 256 ..  512
 *                                              c   0 ..  256      a's bytes again: a has been read for the last time
 *
 * All places are assigned before anything runs. A stage's bytes are reused after the last step that reads the stage.
 *
 * A product whose elements can be stored where the result goes needs no scratch memory: the operations after it are computed in place
 * (what Eigen's output kernels of contractions and XLA's buffer reuse are for).
 *
 *     out = relu(matMul(a, b) + bias)      the product is stored in out; then out = relu(out + bias), element by element
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { linearMemory } from "@onebuffer/wasm";
import { FreeRanges } from "@onebuffer/wasm/internal";
import { isRowMajor, mayOverlap, product } from "@onebuffer/storage/internal";
import type { StagePlan, Step } from "./stage-plan.ts";
import { isMap, treeOrder } from "@onebuffer/expression/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { addedProduct } from "../contraction/added-product.ts";
import { mayNeedRecheck } from "../plan/kernel-support.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import type { Lowered } from "../plan/lowering.ts";
import { planCalls } from "./kernel-plan.ts";
import type { KernelCall } from "./kernel-plan.ts";
import { isInside } from "./scratch-places.ts";
import { storedDType } from "./stage-plan.ts";
import { overwrites, targetAccess } from "./target-access.ts";

/** Stages begin at multiples of this many bytes. */
const kAlignment = 256;

/** Where the stages are. */
export interface StageMemory {
  /** For each step the byte offset of its stage; -1 if the step is not a stage. */
  readonly offsets: readonly number[];
  /** The bytes that all stages need. */
  readonly numBytes: number;
}

/** Returns the memory of those steps that are stages. The steps run in the given order. Stages that are `elsewhere` need none. */
export function stageMemory(steps: readonly Step[], elsewhere: ReadonlySet<Step> = new Set()): StageMemory {
  const free = new FreeRanges();
  const sizes = steps.map(
    ({ tree, dtype }) => Math.max(1, Math.ceil((product(tree.dimensions) * dtypeSize(dtype)) / kAlignment)) * kAlignment,
  );
  const lastReads = lastReadsOf(steps);
  const offsets: number[] = [];
  let end = 0;
  let numBytes = 0;
  steps.forEach((step, s) => {
    const isStage = step.isStage && !elsewhere.has(step);
    let offset = isStage ? free.take(sizes[s] as number, kAlignment) : -1;
    if (isStage && offset < 0) {
      offset = free.takeTail(end);
      end = offset + (sizes[s] as number);
      numBytes = Math.max(numBytes, end);
    }
    offsets.push(offset);
    for (const read of lastReads[s]!)
      if ((offsets[read] as number) >= 0) free.add(offsets[read] as number, (offsets[read] as number) + (sizes[read] as number));
  });
  return { offsets, numBytes };
}

/** Returns for each step the indices of the stages that no later step reads. */
function lastReadsOf(steps: readonly Step[]): readonly (readonly number[])[] {
  const numbers = new Map<ExpressionTree, number>();
  const last: number[] = [];
  steps.forEach(({ tree, needs, isStage }, s) => {
    if (isStage) numbers.set(tree, s);
    for (const need of needs) last[numbers.get(need)!] = s;
  });
  const reads = steps.map((): number[] => []);
  last.forEach((reader, stage) => reads[reader]!.push(stage));
  return reads;
}

/** Imagined addresses are multiples of this many bytes. */
const kApart = 2 ** 28;

/** Returns the stage of an assignment that may be stored in its target; null if there is none. The result is the last step. */
export function stageInTarget(order: readonly Step[], target: RawPlaces): Step | null {
  const result = order.at(-1)!;
  const { lowered, needs, dtype, tree } = result;
  const { dims, strides } = target;
  if (lowered === null || order.length < 2 || !isInside(target.buffer) || !isRowMajor({ offset: 0, dims, strides })) return null;
  const isOnlyHere = (stage: Step): boolean => order.every((step) => step === result || !step.needs.includes(stage.tree));
  const stage = order.find((step) => step.way === "contraction" && step.dtype === dtype && needs.includes(step.tree) && isOnlyHere(step));
  if (stage === undefined || product(stage.tree.dimensions) !== product(dims)) return null;
  if (treeOrder([tree]).some((node) => isMap(node) && mayOverlap(leafPlaces(node), target))) return null;
  const index = lowered.stages.indexOf(stage.tree);
  const calls = callsInto({ ...target, byteOffset: kApart }, lowered, dtype, (source, k) => (source === index ? kApart : (k + 2) * kApart));
  return calls?.length === 1 && !overwrites(calls) ? stage : null;
}

/** Returns true if a step may store its result where it reads operands, because each element is read before it is written. */
export function isInPlace(plan: StagePlan, { way, tree, dtype, lowered }: Step, target: RawPlaces): boolean {
  if (way === "rows") return true;
  const { places, tree: inner } = plan.renamed(target, tree);
  if (way === "contraction") return addedProduct(inner) !== null;
  if (way !== "kernels" || mayNeedRecheck(lowered!.program.nodes)) return false;
  // The stages are beyond all memory.
  const addressOf = (source: ExpressionTree | number, k: number): number =>
    typeof source === "number" ? linearMemory().byteLength + (k + 2) * kApart : leafPlaces(source).byteOffset;
  const calls = callsInto(places, lowered!, dtype, addressOf);
  return calls !== null && !overwrites(calls);
}

/** Returns the calls of a program that stores at `target` and whose operands are at imagined addresses. */
function callsInto(
  target: RawPlaces,
  lowered: Lowered,
  dtype: DType,
  addressOf: (source: ExpressionTree | number, k: number) => number,
): readonly KernelCall[] | null {
  const starts = lowered.program.operands.map(({ source, offset }, k) => offset + (source === null ? 0 : addressOf(source, k)));
  return planCalls(lowered, [targetAccess(lowered, target)], storedDType(lowered, dtype), starts);
}
