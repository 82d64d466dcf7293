/**
 * run-stages: runs the steps of a plan in order (as XLA's executable runs its thunks).
 *
 *     stages     in scratch memory, each once; after its last reader, a stage's bytes are reused for others
 *     results    in the targets of the assignment
 *
 * If kernels leave a stage to the evaluator, the stage is evaluated from the stages that it reads, not from the maps
 * of the expression.
 */
import { dtypeSize, isStatusError } from "@onebuffer/base";
import type { Complex, DType } from "@onebuffer/base";
import { evaluateInto } from "@onebuffer/evaluator/internal";
import { attributesOf, isComplexDType, isJoin, isMap, partDType } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { copyPlaces, mayOverlap, product } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { Contraction, fallBack, gebpKernel, runContraction, takeScratch, withScratch } from "@onebuffer/kernels/internal";
import type { ContractionDType } from "@onebuffer/kernels/internal";
import { addedProduct } from "../contraction/added-product.ts";
import { byteOperands, operandPlaces, productNest } from "../contraction/product-operands.ts";
import type { OperandPlaces } from "../contraction/product-operands.ts";
import { windowParts } from "../windows/window-parts.ts";
import { heldDType, stageDType } from "../plan/kernel-support.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import type { Parameter } from "../plan/program.ts";
import type { PlannedSource, PlannedStep } from "./kept-plan.ts";
import { keepPlan } from "./recall-plan.ts";
import type { PlanSubject } from "./plan-subject.ts";
import { accessOf, constantOf, piecesOf } from "../pieces/joined-pieces.ts";
import type { Piece } from "../pieces/joined-pieces.ts";
import { KeptLoops } from "./kept-loops.ts";
import { PieceCopy } from "../pieces/piece-copy.ts";
import { runLowered } from "./run-program.ts";
import { placesAt, isInside, scratchOf, throughScratch } from "./scratch-places.ts";
import type { Scheduled } from "./schedule.ts";
import { stageInTarget, stageMemory } from "./stage-memory.ts";
import type { StagePlan, Step } from "./stage-plan.ts";
import { leafOf, withStored } from "../plan/tree-parts.ts";
import { denseAddress } from "../array-loops/dense-array.ts";
import { isCounting } from "../array-loops/moved-rows.ts";
import { addressStep, changesRows, wholeInto } from "../array-loops/whole-into.ts";
import type { WholeWork } from "../array-loops/whole-work.ts";

type Compute = WholeWork["compute"];

/** One run of a plan. */
export class StageRun {
  readonly #plan: StagePlan;
  readonly #compute: Compute;
  /** The places of the stages that have been computed. */
  readonly #stored: Map<ExpressionTree, RawPlaces> = new Map();
  readonly #subject: PlanSubject | null;
  /** The steps that have run, if the plan is to be kept. */
  readonly #planned: PlannedStep[] | null;
  /** For each of them the number of the result that it writes. */
  readonly #resultOf: number[] = [];
  /** False once a step has run in a way that cannot be kept. */
  #isKept: boolean;

  /**
   * `compute` computes a step that is an assignment of its own. The plan is kept for expressions like `subject` if
   * kernels compute all its steps.
   */
  constructor(plan: StagePlan, compute: Compute, subject: PlanSubject | null) {
    this.#plan = plan;
    this.#compute = compute;
    this.#subject = subject;
    this.#planned = subject === null ? null : [];
    this.#isKept = subject !== null;
  }

  /**
   * Stores one result. Returns false if the evaluator has to compute it; some elements of the target may then have
   * been written and have to be written again.
   */
  run(result: Step, places: RawPlaces): boolean {
    const order = result.needs.length === 0 ? [result] : this.#plan.order([result]);
    const early = stageInTarget(order, this.#plan.renamed(places, result.tree).places);
    const scheduled = order.map((step) => ({ step, result: step === early || step === result ? 0 : -1 }));
    return this.#inOrder(scheduled, [places], (step, to) => this.#step(step, to));
  }

  /** Stores several results. The evaluator computes those that nothing else can. */
  runAll(scheduled: readonly Scheduled[], places: readonly RawPlaces[]): void {
    this.#inOrder(scheduled, places, (step, to) => this.#always(step, to));
  }

  /**
   * Runs steps in order. `store` runs those that are not stages, of which the last comes last. Returns what the last call of `store`
   * returned.
   */
  #inOrder(scheduled: readonly Scheduled[], targets: readonly RawPlaces[], store: (step: Step, places: RawPlaces) => boolean): boolean {
    return withScratch(() => {
      const inTargets = scheduled.filter(({ step, result }) => step.isStage && result >= 0);
      const { offsets, numBytes } = stageMemory(
        scheduled.map(({ step }) => step),
        new Set(inTargets.map(({ step }) => step)),
      );
      const start = numBytes === 0 ? 0 : takeScratch(numBytes);
      let isDone = true;
      for (const [s, { step, result }] of scheduled.entries()) {
        if (step.isStage) {
          const byteOffset = result < 0 ? start + (offsets[s] as number) : targets[result]!.byteOffset;
          const to = placesAt(byteOffset, step.tree.dimensions, dtypeSize(step.dtype));
          this.#stored.set(step.tree, to);
          this.#always(step, to);
        } else isDone = store(step, targets[result]!);
        while (this.#resultOf.length < (this.#planned?.length ?? 0)) this.#resultOf.push(Math.max(result, 0));
      }
      if (this.#isKept && this.#planned!.length > 0)
        keepPlan(this.#subject!, {
          programs: this.#planned!,
          resultOf: this.#resultOf,
          scratchStart: start,
          scratchBytes: numBytes,
          inTargets: new Map(inTargets.map(({ step, result }) => [step.tree, result])),
          results: targets.map(({ byteOffset }) => byteOffset),
        });
      return isDone;
    });
  }

  /** Runs a step; the evaluator computes it if nothing else can. */
  #always(step: Step, places: RawPlaces): boolean {
    try {
      if (this.#step(step, places)) return true;
    } catch (error) {
      if (!isStatusError(error, "RESOURCE_EXHAUSTED")) throw error;
      fallBack("the linear memory has no room for scratch memory");
    }
    this.#isKept = false;
    evaluateInto(places, withStored(step.tree, this.#storedFor(step)), step.dtype);
    return true;
  }

  /** Returns the places of the stages that a step needs. */
  #storedFor({ needs }: Step): Map<ExpressionTree, RawPlaces> {
    return new Map(needs.map((need) => [need, this.#stored.get(need)!]));
  }

  /** Returns a map of a stage's elements. */
  #leaf(stage: ExpressionTree): ExpressionTree {
    const places = this.#stored.get(stage)!;
    return leafOf({ dtype: places.itemBytes === dtypeSize(stage.dtype) ? stage.dtype : heldDType(stage) }, places);
  }

  /**
   * Runs a step whose stages are in memory. Returns false if the evaluator has to compute it; some elements of the
   * target may then have to be written again.
   */
  #step(step: Step, target: RawPlaces): boolean {
    if (step.way === "nothing") return true;
    const before = this.#planned?.length ?? 0;
    const isDone = this.#run(step, target);
    if (this.#planned?.length === before) this.#isKept = false;
    return isDone;
  }

  #run(step: Step, target: RawPlaces): boolean {
    const { tree, dtype, way, lowered } = step;
    if (way === "copy") copyPlaces(leafPlaces(tree), target);
    if (way === "alone") this.#compute(target, dtype, tree);
    if (way === "stored") this.#copyStage(tree, dtype, target);
    if (way === "copy" || way === "alone" || way === "stored") return true;
    const { places, tree: inner } = this.#plan.renamed(target, tree);
    if (way === "pieces") return this.#pieces(piecesOf(inner, places)!, dtype, places);
    if (way === "join") return this.#join(step, isJoin(inner) ? inner : windowParts(inner)!, places);
    if (way === "loops" || way === "rows") return this.#loops(step, inner, places);
    if (way === "contraction") return this.#contract(step, inner, places);
    if (way === "blend") return this.#blend(step, inner, places);
    return lowered !== null && runLowered(lowered, [places], dtype, this.#planned, this.#stored);
  }

  /** Computes an operation that takes its operands as a whole. Operands that are stages become maps. */
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
    const loops = { op, inputs, attributes, dimensions, depth, dtype };
    const isDone = wholeInto(places, step.dtype, loops, { scratch: scratchOf, compute });
    const read = isCounting(loops, step.dtype) ? inputs.slice(0, 2) : inputs;
    if (isDone && part < 0 && read.every(isMap)) {
      const isInPlace = changesRows(places, step.dtype, loops);
      const operands = read.map((input, k) => ({
        places: leafPlaces(input),
        source: isInPlace && k === 0 ? ("target" as const) : sourceOf(tree.inputs[k]!, own),
      }));
      const all = [places, ...operands.map((each) => each.places)];
      const kept = addressStep(loops, step.dtype, all);
      const whole = kept ?? (read === inputs ? new KeptLoops(loops, step.dtype, all, this.#compute, isInPlace) : null);
      const open = inputs.length === 0 ? tree : null;
      const parameters = read === inputs ? [] : constantParts(inputs[2]!);
      if (whole !== null) this.#planned?.push({ whole, places: [{ places, source: "target" }, ...operands], parameters, open });
    }
    return isDone;
  }

  /** Copies pieces of maps and constants, or of a stage. */
  #pieces(pieces: readonly Piece[], dtype: DType, target: RawPlaces): boolean {
    const isInsideAll = isInside(target.buffer) && pieces.every(({ from }) => from === null || isInside(from.buffer));
    const copy = isInsideAll ? PieceCopy.of(pieces, dtype) : null;
    if (copy === null) return false;
    const constant = constantOf(pieces);
    const parameters = constant === null ? [] : constantParts(constant);
    const places = pieces.flatMap(({ from, to, base }) => [
      { places: to, source: "target" as const },
      ...(from === null ? [{ places: to, source: "target" as const }] : [{ places: from, source: sourceOf(base, this.#stored) }]),
    ]);
    this.#planned?.push({ whole: copy, places, parameters, open: null });
    return copy.run(
      places.map((each) => accessOf(each.places)),
      parameters,
    );
  }

  /** Multiplies matrices. If an operand is read from where the result goes, the result is computed elsewhere and moved. */
  #contract(step: Step, tree: ExpressionTree, places: RawPlaces): boolean {
    const added = addedProduct(tree);
    const product = this.#plan.widened(added ?? tree);
    const kernel = gebpKernel(product.dtype as ContractionDType, byteOperands(product));
    if (kernel === null) return false;
    const stored = this.#storedFor(step);
    const operands = product.inputs.map((input) => operandPlaces(input, stored)) as [OperandPlaces, OperandPlaces];
    const sources = operands.map(({ source }) => sourceOf(source, stored));
    const run = (target: RawPlaces, isAlike: boolean): void => {
      const { nest, batch, loops } = productNest(product, operands, target);
      const contraction = { batch, contraction: new Contraction(kernel, loops, added !== null) };
      const moved = places.byteOffset - target.byteOffset;
      if (isAlike) this.#planned?.push({ contraction, nest, sources, targets: [places], moved });
      runContraction(contraction, nest);
    };
    if (!operands.some((operand) => mayOverlap(operand.places, places))) run(places, true);
    else {
      const isAlike = (copy: RawPlaces): boolean => copy.strides.every((stride, d) => stride === places.strides[d]);
      throughScratch(places, (copy) => run(copy, isAlike(copy)));
    }
    return true;
  }

  /**
   * Interpolates rows, or gives back the gradients of such rows. If an operand is where the result goes, or the result is not dense, it is
   * computed elsewhere and moved.
   */
  #blend(step: Step, tree: ExpressionTree, target: RawPlaces): boolean {
    const blend = this.#plan.blendOf(tree)!;
    const stored = this.#storedFor(step);
    const operands = blend.operands.map((operand) => {
      return { places: stored.get(operand) ?? leafPlaces(operand), source: sourceOf(operand, stored) };
    });
    const { rows } = blend;
    const run = (to: RawPlaces): boolean => rows.run([to, ...operands.map(({ places }) => places)].map(accessOf), [], {});
    if (denseAddress(target) === null || operands.some(({ places }) => mayOverlap(places, target))) return throughScratch(target, run);
    this.#planned?.push({ whole: rows, places: [{ places: target, source: "target" }, ...operands], parameters: [], open: null });
    return run(target);
  }

  /** Computes the operands of a concatenation at their places in the result. */
  #join({ parts, dtype }: Step, tree: ExpressionTree, places: RawPlaces): boolean {
    const { axis } = attributesOf(tree, "concatenate");
    let { byteOffset } = places;
    tree.inputs.forEach((input, k) => {
      const to = { ...places, byteOffset, dims: input.dimensions };
      byteOffset += (input.dimensions[axis] as number) * (places.strides[axis] as number) * places.itemBytes;
      const part = parts[k]!;
      if (part === null) this.#copyStage(input, dtype, to);
      else this.#part(part, to);
    });
    return true;
  }

  /** Copies a stage to its places in a result. */
  #copyStage(stage: ExpressionTree, dtype: DType, to: RawPlaces): void {
    const from = this.#stored.get(stage)!;
    const isMoved = this.#isKept && from.itemBytes === to.itemBytes && product(to.dims) > 0;
    if (isMoved && this.#pieces([{ from, to, base: stage }], dtype, to)) return;
    if (product(to.dims) > 0) this.#isKept = false;
    this.#compute(to, dtype, this.#leaf(stage));
  }

  /** Computes a part of an operation at its places in the result. Kernels write only into the linear memory. */
  #part(part: Step, to: RawPlaces): void {
    if (isInside(to.buffer) || part.way === "alone") this.#always(part, to);
    else throughScratch(to, (scratch) => this.#always(part, scratch));
  }
}

/** Returns the value of a constant, or the two parts of a complex one: a kept plan knows numbers alone. */
function constantParts(constant: ExpressionTree): readonly Parameter[] {
  const { value } = attributesOf(constant, "constant");
  const parts = isComplexDType(constant.dtype) ? (value as Complex) : [value];
  return parts.map((part) => ({ dtype: partDType(constant.dtype), value: part }));
}

/** Returns what a kept plan knows an operand by. */
function sourceOf(operand: ExpressionTree, stored: ReadonlyMap<ExpressionTree, RawPlaces>): PlannedSource {
  return stored.has(operand) ? { stage: operand } : operand;
}
