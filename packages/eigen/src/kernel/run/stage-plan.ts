/**
 * StagePlan: an assignment as steps: what is stored first, each once, and what reads it (TensorFlow's counterpart is the schedule of
 * an XLA module's fusions).
 *
 *     e = x.cumsum(0)
 *     out = add(e, reverse(e))        stage   cumsum(x)            by loops
 *                                     result  add(…, …)            by a kernel that reads the stage in two ways
 *
 * A stage that several steps need is one stage. Steps are planned from a list, not by calling each other: a chain of thousands of
 * stages takes no stack.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { product } from "../../geometry/map-geometry.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { rowMajorStrides } from "../../geometry/strided-geometry.ts";
import { kChunkBytes } from "./chunks.ts";
import { planCalls } from "./kernel-plan.ts";
import type { KernelCall } from "./kernel-plan.ts";
import { heldDType } from "../plan/kernel-support.ts";
import { carrierOf, lower } from "../plan/lowering.ts";
import type { Lowered } from "../plan/lowering.ts";
import { evaluatedRegion } from "../plan/region.ts";
import { renamed } from "../plan/fold-root-reshape.ts";
import type { Sharing } from "../plan/sharing.ts";
import { targetAccess } from "./target-access.ts";
import { isWhole } from "../array-loops/whole-into.ts";

/**
 * How a step is done: not at all, as it has no elements; by copying a map; by kernels; by plain loops over arrays; its operands one
 * behind the other; by the plain evaluator; as an assignment of its own, which shares nothing with this one; or by copying a stage.
 */
export type StepWay = "nothing" | "copy" | "kernels" | "loops" | "join" | "evaluator" | "alone" | "stored";

/** One step of an assignment. */
export interface Step {
  /** What it computes, and what that is stored as. */
  readonly tree: ExpressionTree;
  readonly dtype: DType;
  readonly way: StepWay;
  /** Whether it is stored in scratch memory, for others. */
  readonly isStage: boolean;
  /** For kernels. */
  readonly lowered: Lowered | null;
  /** Per operand of a join or of loops: the step that computes it where it belongs in the result; null if it is read from memory. */
  readonly parts: readonly (Step | null)[];
  /** The stages that it reads. */
  readonly needs: readonly ExpressionTree[];
}

const kNoParts: readonly (Step | null)[] = [];
const kNoNeeds: readonly ExpressionTree[] = [];

function stepBy(
  way: StepWay,
  tree: ExpressionTree,
  dtype: DType,
  lowered: Lowered | null = null,
  parts: readonly (Step | null)[] = kNoParts,
  needs: readonly ExpressionTree[] = kNoNeeds,
): Step {
  return { tree, dtype, way, isStage: false, lowered, parts, needs };
}

/** Joins and loops that compute operands in place, inside of each other. */
const kMaxNesting = 8;

const kNowhere = new ArrayBuffer(0);

/** Memory that is only imagined: dense elements of a dtype. */
export function imaginedPlaces(dims: readonly number[], dtype: DType): RawPlaces {
  return { buffer: kNowhere, byteOffset: 2 ** 28, itemBytes: dtypeSize(dtype), dims, strides: rowMajorStrides(dims) };
}

/** The calls of a program, stored at `places`, over operands that are only imagined, far apart; null if it has to be taken apart first. */
export function imaginedCalls(lowered: Lowered, places: RawPlaces, dtype: DType): readonly KernelCall[] | null {
  const { operands } = lowered.program;
  const starts = operands.map(({ source, offset }, k) => (source === null ? offset : (k + 2) * 2 ** 28));
  return planCalls(lowered, [targetAccess(lowered, places)], storedDType(lowered, dtype), starts);
}

/** Whether a program may have to be taken apart: not if it is elementwise, or one reduction whose result is stored as it is. */
function mayComeApart({ program, storesRows }: Lowered): boolean {
  const { axes, nodes, result } = program;
  if (axes.length === 0) return false;
  return !storesRows || nodes[result]!.kind !== "reduce" || nodes.some(({ kind }, i) => kind === "reduce" && i !== result);
}

/** What a program's result is stored as: elements that are only moved are unsigned integers of their width. */
export function storedDType({ program }: Lowered, dtype: DType): DType {
  const { kind, dtype: computedAs } = program.nodes[program.result]!;
  return kind === "load" && computedAs === carrierOf(dtype) ? computedAs : dtype;
}

/** The steps of one assignment. */
export class StagePlan {
  readonly #sharing: Sharing;

  constructor(sharing: Sharing) {
    this.#sharing = sharing;
  }

  /** The step that stores a tree at `places`. */
  step(tree: ExpressionTree, dtype: DType, places: RawPlaces, nesting: number = 0): Step {
    if (product(tree.dimensions) === 0) return stepBy("nothing", tree, dtype);
    const { tree: rest, places: under } = this.renamed(places, tree);
    if (rest.op === "concatenate" || isWhole(rest)) return this.#whole(tree, dtype, rest, under, nesting);
    const lowered = this.#lowered(rest, dtype, under);
    if (lowered === null) return stepBy("evaluator", tree, dtype, null, kNoParts, [...evaluatedRegion(rest, this.#sharing)]);
    return stepBy("kernels", tree, dtype, lowered, kNoParts, lowered.stages);
  }

  /** The step for one of several results: a copy if others are made of it and it is stored anyway. */
  result(tree: ExpressionTree, dtype: DType, places: RawPlaces): Step {
    const isStored = tree.inputs.length > 0 && this.#sharing.usesOf(tree) > 1 && !this.#sharing.isCheap(tree);
    return isStored && product(tree.dimensions) > 0
      ? stepBy("stored", tree, dtype, null, kNoParts, [tree])
      : this.step(tree, dtype, places);
  }

  /** Results and the stages that they need, each step after those that it needs itself. */
  order(results: readonly Step[]): Step[] {
    const order: Step[] = [];
    const seen = new Set<ExpressionTree>();
    for (const result of results) {
      const path = [result];
      const next = [0];
      while (path.length > 0) {
        const last = path.length - 1;
        const { needs } = path[last]!;
        const need = needs[next[last]!++];
        if (need === undefined) {
          order.push(path.pop()!);
          next.pop();
        } else if (!seen.has(need)) {
          seen.add(need);
          path.push(this.#stage(need));
          next.push(0);
        }
      }
    }
    return order;
  }

  /** Target and tree without movements at the root that only rename, unless what they rename is a stage. */
  renamed(places: RawPlaces, tree: ExpressionTree): { readonly places: RawPlaces; readonly tree: ExpressionTree } {
    const under = renamed(places, tree);
    return under.tree === tree || this.#sharing.usesOf(under.tree) > 1 ? { places, tree } : under;
  }

  #stage(tree: ExpressionTree): Step {
    return { ...this.#makeStage(tree), isStage: true };
  }

  #makeStage(tree: ExpressionTree): Step {
    const dtype = heldDType(tree);
    if (tree.op === "map") return stepBy("copy", tree, dtype);
    if (this.#sharing.isPrivate(tree)) return stepBy("alone", tree, dtype);
    const step = this.step(tree, dtype, imaginedPlaces(tree.dimensions, dtype));
    // Large operands from outside of the linear memory are brought piece by piece.
    return step.way === "kernels" && this.#bringsMuch(step) ? stepBy("alone", tree, dtype) : step;
  }

  #bringsMuch({ needs }: Step): boolean {
    const bytes = needs.reduce((sum, need) => sum + (need.op === "map" ? product(need.dimensions) * dtypeSize(need.dtype) : -Infinity), 0);
    return bytes > kChunkBytes;
  }

  /** The program of a tree, its reductions fused if its operands lie well for that; null if no kernel can compute it. */
  #lowered(tree: ExpressionTree, dtype: DType, places: RawPlaces): Lowered | null {
    const rows = lower(tree, dtype, "rows", this.#sharing);
    if (rows === null || !mayComeApart(rows) || imaginedCalls(rows, places, dtype) !== null) return rows;
    return lower(tree, dtype, "none", this.#sharing);
  }

  /**
   * A concatenation, whose operands are computed where they belong if nobody else uses them; or an operation by loops, some of which
   * begin with their first operand where the result goes.
   */
  #whole(tree: ExpressionTree, dtype: DType, rest: ExpressionTree, places: RawPlaces, nesting: number): Step {
    const isJoin = rest.op === "concatenate";
    const beginsWithFirst = rest.op === "sort" || rest.op === "scatter";
    const parts = rest.inputs.map((input, k) => {
      if (isJoin) return this.#part(input, dtype, { ...places, dims: input.dimensions }, nesting);
      return beginsWithFirst && k === 0 && input.op !== "map" ? this.#part(input, dtype, places, nesting) : null;
    });
    return stepBy(isJoin ? "join" : "loops", tree, dtype, null, parts, needsOf(rest.inputs, parts));
  }

  /** The step for an operand that is computed where it belongs; null if it is a stage. */
  #part(tree: ExpressionTree, dtype: DType, places: RawPlaces, nesting: number): Step | null {
    if (tree.op !== "map" && this.#sharing.usesOf(tree) > 1 && !this.#sharing.isCheap(tree)) return null;
    if (tree.op === "map" || this.#sharing.isPrivate(tree)) return stepBy("alone", tree, dtype);
    return nesting === kMaxNesting ? null : this.step(tree, dtype, places, nesting + 1);
  }
}

/** What is read by the parts, and the operands without one. */
function needsOf(inputs: readonly ExpressionTree[], parts: readonly (Step | null)[]): ExpressionTree[] {
  const needs = inputs.flatMap((input, k) => parts[k]?.needs ?? (input.op === "map" ? [] : [input]));
  return [...new Set(needs)];
}
