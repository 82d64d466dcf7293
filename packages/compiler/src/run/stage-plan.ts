/**
 * stage-plan: turns an assignment into steps: stages, which are stored once each, and the results that read them
 * (TensorFlow's counterpart is the schedule of an XLA module's fusions).
 *
 *     e = x.cumsum(0)
 *     out = add(e, reverse(e))        stage   cumsum(x)            by loops
 *                                     result  add(…, …)            by a kernel that reads the stage in two ways
 *
 * A stage that several steps need is computed once. `order` walks the steps with a list rather than by recursion, so
 * that a chain of thousands of stages does not overflow the stack.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { fieldsOf, inputsOf, isConstant, isJoin, isMap, noAttributes, treeOrder } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { opNames } from "@onebuffer/expression";
import { isRowMajor, product, rowMajorStrides, sameSizes } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { kChunkBytes } from "./chunks.ts";
import { isOneReduction, planCalls } from "./kernel-plan.ts";
import type { KernelCall } from "./kernel-plan.ts";
import { heldDType } from "../plan/kernel-support.ts";
import { attributesIf } from "../plan/attributes-if.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { castTo } from "../plan/plain-nodes.ts";
import { windowParts } from "../windows/window-parts.ts";
import { carrierOf, lower } from "../plan/lowering.ts";
import type { Lowered } from "../plan/lowering.ts";
import { runsAcross } from "../plan/lowering-moves.ts";
import { evaluatedRegion } from "../plan/region.ts";
import { renamed } from "../plan/fold-root-reshape.ts";
import type { Sharing } from "../plan/sharing.ts";
import { piecesOf } from "../pieces/joined-pieces.ts";
import { targetAccess } from "./target-access.ts";
import { addedProduct, addsToTarget } from "../contraction/added-product.ts";
import { isBlockProduct, widenedProduct } from "../contraction/matrix-products.ts";
import { storedOperands } from "../contraction/product-operands.ts";
import { blendedRows } from "../array-loops/blended-rows.ts";
import { isCounting } from "../array-loops/moved-rows.ts";
import { spreadRows } from "../array-loops/spread-rows.ts";
import { subtractedRows } from "../array-loops/subtracted-rows.ts";
import { changesRows, isWhole } from "../array-loops/whole-into.ts";
import type { RowsStep } from "../array-loops/whole-step.ts";

/**
 * How a step is computed:
 *
 *     nothing      it has no elements
 *     copy         a map is copied
 *     kernels      kernels compute it
 *     loops        loops over dense elements compute it (array-loops)
 *     rows         the same, by changing rows of an operand that is in the target
 *     contraction  a product of matrices, computed in blocks
 *     blend        rows are interpolated, or the gradients of interpolated rows are given back (array-loops/blended-rows.ts, spread-rows.ts)
 *     join         its operands are computed one behind the other, for a concatenation
 *     pieces       maps and constants are copied in runs of bytes, each to its place
 *     evaluator    the plain evaluator computes it
 *     alone        as an assignment of its own, which shares nothing with this one
 *     stored       a stage is copied
 */
export type StepWay =
  | "nothing"
  | "copy"
  | "kernels"
  | "loops"
  | "rows"
  | "contraction"
  | "blend"
  | "join"
  | "pieces"
  | "evaluator"
  | "alone"
  | "stored";

/** One step of an assignment. */
export interface Step {
  /** The expression that the step computes, and the dtype that it is stored as. */
  readonly tree: ExpressionTree;
  readonly dtype: DType;
  readonly way: StepWay;
  /** True if the step is stored in scratch memory, for other steps to read. */
  readonly isStage: boolean;
  /** The program for kernels; null for other ways. */
  readonly lowered: Lowered | null;
  /**
   * For each operand of a join or of loops, the step that computes the operand at its places in the result; null if
   * the operand is read from memory.
   */
  readonly parts: readonly (Step | null)[];
  /** The stages that the step reads. */
  readonly needs: readonly ExpressionTree[];
}

const kNoParts: readonly (Step | null)[] = [];
const kNoNeeds: readonly ExpressionTree[] = [];

/** The operations by loops that compute their first operand at the places of the result, if it has the same sizes. */
const kBeginWithFirst: ReadonlySet<string> = new Set([...opNames("scan"), "sort", "scatter"]);

/** How deep joins and loops may nest whose operands are computed in place. */
const kMaxNesting = 8;

/** How deep reductions over clipped windows may be in joins: they are joins themselves, one for each axis. */
const kMaxClipped: number = kMaxNesting - 4;

/** The most bytes of an operand that is copied in the order of the rows. */
const kMaxCopied = 2 ** 26;

const kNowhere = new ArrayBuffer(0);

/** Plans the steps of one assignment. */
export class StagePlan {
  readonly #sharing: Sharing;
  readonly #widened: Map<ExpressionTree, ExpressionTree> = new Map();
  readonly #isOnePlan: boolean;

  /**
   * If `isOnePlan` is true, the plan can be kept as a whole: no step is an assignment of its own. All maps must then be
   * inside the linear memory.
   */
  constructor(sharing: Sharing, isOnePlan: boolean = false) {
    this.#sharing = sharing;
    this.#isOnePlan = isOnePlan;
  }

  /** Returns the step that stores a tree at `places`. */
  step(tree: ExpressionTree, dtype: DType, places: RawPlaces, nesting: number = 0): Step {
    if (product(tree.dimensions) === 0) return stepBy("nothing", tree, dtype);
    const { tree: inner, places: innerPlaces } = this.renamed(places, tree);
    const isJoined = isJoin(inner) || nesting > 0;
    if (this.#isOnePlan && isJoined && inner.dtype === dtype && piecesOf(inner, innerPlaces) !== null) return stepBy("pieces", tree, dtype);
    const rows = inner === tree && isWhole(inner) ? inner : subtractedRows(tree);
    if (rows !== null && places.buffer !== kNowhere && changesRows(places, dtype, rows)) {
      return stepBy("rows", rows, dtype, needsOf(rows, dtype, [], true));
    }
    if (isJoin(inner) || isWhole(inner)) return this.#whole(tree, dtype, inner, innerPlaces, nesting);
    if (isBlockProduct(inner)) return this.#product(tree, dtype, inner, innerPlaces);
    const added = addedProduct(inner);
    if (added !== null && dtype === added.dtype && this.#sharing.usesOf(added) === 1 && addsToTarget(inner, added, innerPlaces))
      return stepBy("contraction", tree, dtype, storedOperands(this.widened(added), this.#sharing));
    const clipped = tree.dtype === dtype && nesting < kMaxClipped ? this.#clipped(inner) : null;
    if (clipped !== null && isJoin(clipped)) return this.#whole(tree, dtype, clipped, innerPlaces, nesting);
    const blend = dtype === "float32" ? this.blendOf(inner) : null;
    if (blend !== null) return stepBy("blend", tree, dtype, this.#storedOf(blend.operands));
    const lowered = this.#lowered(clipped ?? inner, dtype, innerPlaces);
    if (lowered === null) return stepBy("evaluator", tree, dtype, [...evaluatedRegion(inner, this.#sharing)]);
    return stepBy("kernels", tree, dtype, lowered.stages, lowered);
  }

  /**
   * Returns the step for one of several results. If other results also use the tree, it is a stage anyway, and the
   * step copies that stage (schedule.ts stores the stage in the target instead, if that is possible).
   */
  result(tree: ExpressionTree, dtype: DType, places: RawPlaces): Step {
    const isStored = tree.inputs.length > 0 && this.#sharing.usesOf(tree) > 1 && !this.#sharing.isCheap(tree);
    return isStored && product(tree.dimensions) > 0 ? copyOfStage({ tree, dtype }) : this.step(tree, dtype, places);
  }

  /** Returns the results and the stages that they need. Each step comes after those that it needs. */
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

  /**
   * Removes movements at the root that keep all elements in their order (plan/fold-root-reshape.ts), from target and
   * tree alike, unless they move a stage.
   */
  renamed(places: RawPlaces, tree: ExpressionTree): { readonly places: RawPlaces; readonly tree: ExpressionTree } {
    return renamed(places, tree, (node) => this.#sharing.usesOf(node) > 1);
  }

  /**
   * Returns the step for a product in blocks. If the target has another dtype or its rows are not dense, the product is a stage, and the
   * step moves it.
   */
  #product(tree: ExpressionTree, dtype: DType, inner: ExpressionTree, places: RawPlaces): Step {
    const wide = this.widened(inner);
    if (dtype === wide.dtype && places.strides.at(-1) === 1) {
      return stepBy("contraction", tree, dtype, storedOperands(wide, this.#sharing));
    }
    const moved =
      dtype === wide.dtype
        ? { ...fieldsOf(wide), op: "reshape" as const, inputs: [wide], attributes: noAttributes }
        : castTo(inner.dtype, wide);
    const lowered = this.#lowered(moved, dtype, places);
    return stepBy("kernels", tree, dtype, lowered!.stages, lowered);
  }

  /** Returns a product in the dtype that it is computed in (contraction/matrix-products.ts). Returns the same node each time. */
  widened(tree: ExpressionTree): ExpressionTree {
    let widened = this.#widened.get(tree);
    if (widened === undefined) this.#widened.set(tree, (widened = widenedProduct(tree)));
    return widened;
  }

  /**
   * Returns a reduction over windows of a padded map in parts (windowParts), or its only part, if all windows are alike; null for other trees
   * and for a map that kernels cannot reach.
   */
  #clipped(tree: ExpressionTree): ExpressionTree | null {
    const clipped = windowParts(tree);
    if (clipped === null) return null;
    return treeOrder([clipped]).some((node) => isMap(node) && this.#sharing.isOutsideLinearMemory(node)) ? null : clipped;
  }

  /** Returns the step of an interpolation or of the gradient of one; null for other trees. */
  blendOf(tree: ExpressionTree): RowsStep | null {
    return blendedRows(tree, (node) => this.#sharing.usesOf(node)) ?? spreadRows(tree);
  }

  /** Returns the operands that are not dense maps in the linear memory. */
  #storedOf(operands: readonly ExpressionTree[]): ExpressionTree[] {
    const isRead = (operand: ExpressionTree): boolean =>
      isMap(operand) && !this.#sharing.isOutsideLinearMemory(operand) && isRowMajor({ offset: 0, ...leafPlaces(operand) });
    return [...new Set(operands.filter((operand) => !isRead(operand)))];
  }

  #stage(tree: ExpressionTree): Step {
    return { ...this.#makeStage(tree), isStage: true };
  }

  #makeStage(tree: ExpressionTree): Step {
    const dtype = heldDType(tree);
    if (this.#isOnePlan) return this.step(tree, dtype, imaginedPlaces(tree.dimensions, dtype));
    if (isMap(tree)) return stepBy("copy", tree, dtype);
    if (this.#sharing.isPrivate(tree)) return stepBy("alone", tree, dtype);
    const step = this.step(tree, dtype, imaginedPlaces(tree.dimensions, dtype));
    // An assignment of its own can copy large operands from outside the linear memory in chunks.
    return (step.way === "kernels" || step.way === "contraction") && this.#copiesMuch(step) ? stepBy("alone", tree, dtype) : step;
  }

  /** Returns true if a step reads only maps, and those have more bytes than one chunk. */
  #copiesMuch({ needs }: Step): boolean {
    const bytes = needs.reduce((sum, need) => sum + (isMap(need) ? product(need.dimensions) * dtypeSize(need.dtype) : -Infinity), 0);
    return bytes > kChunkBytes;
  }

  /**
   * Returns the program of a tree; its reductions are fused if the layout of the operands allows that. Returns null
   * if no kernel can compute the tree.
   */
  #lowered(tree: ExpressionTree, dtype: DType, places: RawPlaces): Lowered | null {
    const rows = lower(tree, dtype, "rows", this.#sharing);
    if (rows === null || !mayComeApart(rows) || imaginedCalls(rows, [places], dtype) !== null) return rows;
    const dense = isAlongRows(rows, places) ? lower(tree, dtype, "dense", this.#sharing) : null;
    return dense !== null && imaginedCalls(dense, [places], dtype) !== null ? dense : lower(tree, dtype, "none", this.#sharing);
  }

  /**
   * Returns the step for a concatenation or for an operation by loops. A concatenation's operands are computed at
   * their places in the result if nothing else uses them. A sort, scatter or scan first computes its first operand
   * at the places of the result.
   */
  #whole(tree: ExpressionTree, dtype: DType, inner: ExpressionTree, places: RawPlaces, nesting: number): Step {
    const joins = isJoin(inner);
    const beginsWithFirst = !this.#isOnePlan && kBeginWithFirst.has(inner.op) && sameSizes(inner.inputs[0]!.dimensions, inner.dimensions);
    const parts = inner.inputs.map((input, k) => {
      if (joins) return this.#part(input, dtype, { ...places, dims: input.dimensions }, nesting);
      return beginsWithFirst && k === 0 && !isMap(input) ? this.#part(input, dtype, places, nesting) : null;
    });
    return stepBy(joins ? "join" : "loops", tree, dtype, needsOf(inner, dtype, parts, this.#isOnePlan), null, parts);
  }

  /** Returns the step that rounds a stage of 16-bit floats to their dtype; null for a stage that is copied as it is. */
  #narrowed(stage: ExpressionTree, dtype: DType, places: RawPlaces): Step | null {
    if (heldDType(stage) === dtype) return null;
    const moved = { ...fieldsOf(stage), op: "reshape" as const, inputs: [stage], attributes: noAttributes };
    const lowered = this.#lowered(moved, dtype, places);
    return lowered && stepBy("kernels", moved, dtype, lowered.stages, lowered);
  }

  /** Returns the step for an operand that is computed at its places in the result; null if the operand is a stage. */
  #part(tree: ExpressionTree, dtype: DType, places: RawPlaces, nesting: number): Step | null {
    if (!isMap(tree) && this.#sharing.usesOf(tree) > 1 && !this.#sharing.isCheap(tree)) return this.#narrowed(tree, dtype, places);
    if (!this.#isOnePlan && (isMap(tree) || this.#sharing.isPrivate(tree))) return stepBy("alone", tree, dtype);
    // A map is no stage, however deep it is.
    return nesting === kMaxNesting && !isMap(tree) ? null : this.step(tree, dtype, places, nesting + 1);
  }
}

/**
 * Returns the stages that the parts read, and the operands without a part. A scatter that counts reads no updates, and in a plan that is not
 * kept a scatter writes constant updates itself.
 */
function needsOf(tree: ExpressionTree, dtype: DType, parts: readonly (Step | null)[], isOnePlan: boolean): ExpressionTree[] {
  const inputs = inputsOf(tree);
  const writesOwn = isOnePlan ? isCounting(tree, dtype) : attributesIf(tree, "scatter") !== null;
  const isHere = (input: ExpressionTree, k: number): boolean => isMap(input) || (isConstant(input) && k === 2 && writesOwn);
  const needs = inputs.flatMap((input, k) => parts[k]?.needs ?? (isHere(input, k) ? [] : [input]));
  return [...new Set(needs)];
}

function stepBy(
  way: StepWay,
  tree: ExpressionTree,
  dtype: DType,
  needs: readonly ExpressionTree[] = kNoNeeds,
  lowered: Lowered | null = null,
  parts: readonly (Step | null)[] = kNoParts,
): Step {
  return { tree, dtype, way, isStage: false, lowered, parts, needs };
}

/** Returns the step that copies the stage of a tree to a target of a dtype. */
export function copyOfStage({ tree, dtype }: Pick<Step, "tree" | "dtype">): Step {
  return stepBy("stored", tree, dtype, [tree]);
}

/** Returns the places of dense elements in imagined memory, for planning without real addresses. */
export function imaginedPlaces(dims: readonly number[], dtype: DType): RawPlaces {
  return { buffer: kNowhere, byteOffset: 2 ** 28, itemBytes: dtypeSize(dtype), dims, strides: rowMajorStrides(dims) };
}

/**
 * Returns the calls of a program that stores its results at `places`, with its operands at imagined addresses far from each
 * other. Returns null if the program must first be lowered without fused reductions.
 */
export function imaginedCalls(lowered: Lowered, places: readonly RawPlaces[], dtype: DType): readonly KernelCall[] | null {
  const { operands } = lowered.program;
  const starts = operands.map(({ source, offset }, k) => (source === null ? offset : (k + 2) * 2 ** 28));
  const targets = places.map((each) => targetAccess(lowered, each));
  return planCalls(lowered, targets, storedDType(lowered, dtype), starts);
}

/**
 * Returns true if a program may have to be lowered without fused reductions. That is never so if the program is
 * elementwise, or is one reduction whose result is stored as it is.
 */
function mayComeApart({ program, storesRows }: Lowered): boolean {
  return program.axes.length > 0 && !(storesRows && isOneReduction(program));
}

/** Returns true if the result's memory runs along the rows of a program, and its elements are few enough to copy operands of the same sizes. */
function isAlongRows({ program: { dims, axes }, storesRows }: Lowered, { itemBytes, strides }: RawPlaces): boolean {
  return !storesRows && product(dims) * itemBytes <= kMaxCopied && !runsAcross(strides, axes);
}

/** Returns the dtype that a program's result is stored as. Elements that are only moved are unsigned integers of their width. */
export function storedDType({ program }: Lowered, dtype: DType): DType {
  const { kind, dtype: computedAs } = program.nodes[program.result]!;
  return kind === "load" && computedAs === carrierOf(dtype) ? computedAs : dtype;
}
