/**
 * StageRun: the steps of a plan, one after the other (what XLA's executable does with its thunks).
 *
 *     stages     in scratch memory, each once; what read them last gives their bytes to others
 *     results    where they belong
 *
 * A stage that kernels leave to the evaluator is evaluated from the stages below it, not from the maps at the bottom.
 */
import { dtypeSize, isStatusError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { evaluateInto } from "../../evaluator/evaluate-into.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { copyPlaces } from "../../geometry/strided-bytes.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { fallBack } from "../form/kernel-events.ts";
import { heldDType, stageDType } from "../plan/kernel-support.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import type { PlanSubject } from "./plan-cache.ts";
import { runLowered } from "./run-program.ts";
import { placesAt, isInside, scratchOf, throughScratch } from "./scratch-places.ts";
import { releaseScratch, scratchMark, takeScratch } from "../plan/scratch.ts";
import { stageMemory } from "./stage-memory.ts";
import type { StagePlan, Step } from "./stage-plan.ts";
import { leafOf, withStored } from "../plan/tree-parts.ts";
import { wholeInto } from "../array-loops/whole-into.ts";

/** Computes an expression into memory of a dtype. */
type Compute = (places: RawPlaces, dtype: DType, tree: ExpressionTree) => void;

/** One run of a plan. */
export class StageRun {
  readonly #plan: StagePlan;
  readonly #compute: Compute;
  /** Where the stages that have been computed are. */
  readonly #stored: Map<ExpressionTree, RawPlaces> = new Map();

  /** `compute` computes what is an assignment of its own. */
  constructor(plan: StagePlan, compute: Compute) {
    this.#plan = plan;
    this.#compute = compute;
  }

  /** Stores a result; false, and nothing done, if that is left to the evaluator. Its own plan is kept for expressions like `subject`. */
  run(result: Step, places: RawPlaces, subject: PlanSubject | null): boolean {
    return this.#inOrder(result.needs.length === 0 ? [result] : this.#plan.order([result]), () => this.#step(result, places, subject));
  }

  /** Stores several results, by the evaluator what nothing else can. */
  runAll(results: readonly Step[], places: readonly RawPlaces[]): void {
    this.#inOrder(this.#plan.order(results), (step) => this.#always(step, places[results.indexOf(step)]!));
  }

  /** Runs steps; those that are not stages by `store`, whose last answer is answered. */
  #inOrder(order: readonly Step[], store: (result: Step) => boolean): boolean {
    const mark = scratchMark();
    try {
      const { offsets, numBytes } = stageMemory(order);
      const start = numBytes === 0 ? 0 : takeScratch(numBytes);
      let isDone = true;
      order.forEach((step, s) => {
        const offset = offsets[s] as number;
        if (!step.isStage) isDone = store(step);
        else {
          const to = placesAt(start + offset, step.tree.dimensions, dtypeSize(step.dtype));
          this.#stored.set(step.tree, to);
          this.#always(step, to);
        }
      });
      return isDone;
    } finally {
      releaseScratch(mark);
    }
  }

  /** Runs a step: by the evaluator if nothing else can. */
  #always(step: Step, places: RawPlaces): boolean {
    try {
      if (this.#step(step, places, null)) return true;
    } catch (error) {
      if (!isStatusError(error, "RESOURCE_EXHAUSTED")) throw error;
      fallBack("the linear memory has no room for scratch memory");
    }
    evaluateInto(places, withStored(step.tree, this.#storedFor(step)), step.dtype);
    return true;
  }

  /** Where the stages that a step needs are. */
  #storedFor({ needs }: Step): Map<ExpressionTree, RawPlaces> {
    return new Map(needs.map((need) => [need, this.#stored.get(need)!]));
  }

  /** A stage as a map of its elements. */
  #leaf(stage: ExpressionTree): ExpressionTree {
    return leafOf({ ...stage, dtype: heldDType(stage) }, this.#stored.get(stage)!);
  }

  /** Runs a step, its stages being there; false, and nothing done, if it is left to the evaluator. */
  #step(step: Step, target: RawPlaces, subject: PlanSubject | null): boolean {
    const { tree, dtype, way, lowered } = step;
    if (way === "nothing") return true;
    if (way === "copy") copyPlaces(leafPlaces(tree), target);
    if (way === "alone") this.#compute(target, dtype, tree);
    if (way === "stored") this.#compute(target, dtype, this.#leaf(tree));
    if (way === "copy" || way === "alone" || way === "stored") return true;
    const { places, tree: rest } = this.#plan.renamed(target, tree);
    if (way === "join") return this.#join(step, rest, places);
    if (way === "loops") return this.#loops(step, rest, places);
    return lowered !== null && runLowered(lowered, [places], dtype, subject, (stage) => this.#stored.get(stage)!);
  }

  /** Computes an operation on its operands as a whole; those that are stages are maps to it. */
  #loops(step: Step, tree: ExpressionTree, places: RawPlaces): boolean {
    const own = this.#storedFor(step);
    const inputs = tree.inputs.map((input) => (own.has(input) ? this.#leaf(input) : withStored(input, own)));
    const isWidened = inputs.some(({ dtype }, k) => dtype !== tree.inputs[k]!.dtype);
    const { op, attributes, dimensions, depth } = tree;
    const dtype = isWidened ? stageDType(tree.dtype) : tree.dtype;
    const part = step.parts.findIndex((each) => each !== null);
    const compute: Compute = (to, held, operand) => {
      if (part >= 0 && operand === inputs[part] && held === step.dtype) this.#part(step.parts[part]!, to);
      else this.#compute(to, held, operand);
    };
    return wholeInto(places, step.dtype, { op, inputs, attributes, dimensions, depth, dtype }, { scratch: scratchOf, compute });
  }

  /** Computes the operands of a concatenation where they belong. */
  #join({ parts, dtype }: Step, tree: ExpressionTree, places: RawPlaces): boolean {
    const { axis } = attributesOf(tree, "concatenate");
    let { byteOffset } = places;
    tree.inputs.forEach((input, k) => {
      const to = { ...places, byteOffset, dims: input.dimensions };
      byteOffset += (input.dimensions[axis] as number) * (places.strides[axis] as number) * places.itemBytes;
      const part = parts[k]!;
      if (part === null) this.#compute(to, dtype, this.#leaf(input));
      else this.#part(part, to);
    });
    return true;
  }

  /** Computes a part of an operation where it belongs. Kernels write into the linear memory only. */
  #part(part: Step, to: RawPlaces): void {
    if (isInside(to.buffer) || part.way === "alone") this.#always(part, to);
    else throughScratch(to, (scratch) => this.#always(part, scratch));
  }
}
