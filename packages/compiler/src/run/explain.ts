/**
 * explain: describes what assigning an expression would do, without doing it (TensorFlow's counterpart is XLA's dump
 * of a fused module).
 *
 *     expression   div(exp(sub(x, max(x))), sum(…))
 *     rows         loops [1024 | 1024], target contiguous, operand 0 contiguous
 *                  passes: max; sum, keeps 1 value per element; store
 *                  8 MiB moved, 5.2 Mflop
 *     (module …)   the kernel's code
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { moduleText } from "@onebuffer/wasm/internal";
import { checkTree, customCallOf, recordOf, treeText } from "@onebuffer/expression/internal";
import type { ExpressionTree, OperandLike } from "@onebuffer/expression";
import type { TreeTextLimits } from "@onebuffer/expression/internal";
import { opTable } from "@onebuffer/expression";
import { product } from "@onebuffer/storage/internal";
import { gebpListing, philoxListing } from "@onebuffer/kernels/internal";
import type { ContractionDType, KernelForm } from "@onebuffer/kernels/internal";
import { productOf } from "../contraction/matrix-products.ts";
import { byteOperands } from "../contraction/product-operands.ts";
import { writeKernel } from "./kernel-cache.ts";
import type { KernelCall } from "./kernel-plan.ts";
import { specKey } from "../plan/kernel-spec.ts";
import type { KernelSpec } from "../plan/kernel-spec.ts";
import type { Lowered } from "../plan/lowering.ts";
import { withoutRenaming } from "../plan/fold-root-reshape.ts";
import { levels, valueLevels } from "../plan/program.ts";
import { rowPasses } from "../plan/row-passes.ts";
import { Sharing } from "../plan/sharing.ts";
import { imaginedCalls, imaginedPlaces, StagePlan } from "./stage-plan.ts";
import type { Step } from "./stage-plan.ts";

/** One step of an assignment. */
export interface ExplainedStep {
  /**
   * The form of the kernel ("contraction" for products of matrices in blocks, "philox" for the one that makes random elements), "loops" for
   * loops over dense elements, or "evaluator" for the plain evaluator.
   */
  readonly by: KernelForm | "contraction" | "philox" | "loops" | "evaluator";
  /** The expression that the step computes, as text. */
  readonly expression: string;
  /** The sizes of the kernel's loops, outermost first. Empty for other steps. */
  readonly loops: readonly number[];
  /** How the innermost loop walks the target and then each operand: contiguous, broadcast, strided, transposed or a ramp. */
  readonly accesses: readonly string[];
  /** The number of bytes read and written, each operand counted once. */
  readonly bytes: number;
  /**
   * The number of operations on elements: one per element for each operation of the expression, and one per reduced
   * element for a reduction.
   */
  readonly flops: number;
  /** The kernel's code in WebAssembly's text format. Empty for other steps. */
  readonly listing: string;
}

/** An explained assignment. */
export interface Explanation {
  /** The steps in order. The last one writes the target. */
  readonly steps: readonly ExplainedStep[];
  /** The number of bytes that all steps move. */
  readonly bytes: number;
  /** The number of operations of all steps. */
  readonly flops: number;
  /** Returns the explanation as readable text: the tree and the loops of each step, with `listing` also the code of the kernels. */
  toString(options?: { readonly listing?: boolean }): string;
}

/**
 * Explains how `assign` would compute an expression into a dense target in the linear memory: which kernels it
 * becomes, their loops, the bytes moved and the number of operations. Operands are assumed to be in the linear
 * memory, too.
 *
 * Throws FAILED_PRECONDITION if the memory of an operand has been disposed of, and INVALID_ARGUMENT if the argument
 * is not an expression. Computes and copies nothing.
 *
 * @example
 * const x = tensorMap("float32", new Float32Array(64), [8, 8]);
 * const { steps, bytes } = explain(x.softmax());
 * steps.map((step) => step.by); // => ["rows"]
 * bytes; // => 512
 * explain(x.cumsum()).steps[0]?.by; // => "loops"
 */
export function explain(expression: OperandLike<DType, number>): Explanation {
  const tree = checkTree("explain", expression);
  const steps = new Explainer().explain(tree, tree.dtype);
  const bytes = steps.reduce((sum, step) => sum + step.bytes, 0);
  const flops = steps.reduce((sum, step) => sum + step.flops, 0);
  return { steps, bytes, flops, toString: (options) => shown(steps, bytes, flops, options?.listing === true) };
}

/** Every operand is assumed to be inside the linear memory. */
const isLeafOutside = (): boolean => false;

/** Builds one explanation. Writes the listing of each kernel structure once. */
class Explainer {
  readonly #steps: ExplainedStep[] = [];
  readonly #listings: Map<string, string> = new Map();

  /** Returns the steps of an assignment to dense memory. */
  explain(root: ExpressionTree, dtype: DType): readonly ExplainedStep[] {
    this.#assign(root, dtype);
    return this.#steps;
  }

  #assign(root: ExpressionTree, dtype: DType): void {
    const tree = withoutRenaming(root);
    const plan = new StagePlan(new Sharing([tree], isLeafOutside));
    const result = plan.step(tree, dtype, imaginedPlaces(tree.dimensions, dtype));
    for (const step of plan.order([result])) this.#step(step, plan);
  }

  #step(step: Step, plan: StagePlan): void {
    const { dtype, way, lowered } = step;
    const { tree, places } = plan.renamed(imaginedPlaces(step.tree.dimensions, dtype), step.tree);
    if (way === "alone" || way === "copy") this.#assign(step.tree, dtype);
    else if (way === "kernels") {
      for (const call of imaginedCalls(lowered!, [places], dtype)!) this.#call(call, lowered!, tree);
    } else if (way === "contraction") this.#contraction(plan.widened(tree));
    else if (way === "loops" || way === "join" || way === "blend") {
      for (const part of step.parts) if (part !== null) this.#step(part, plan);
      if (way !== "join") this.#loops(tree, dtype);
    } else {
      const bytes = product(tree.dimensions) * dtypeSize(dtype);
      this.#steps.push({ by: "evaluator", expression: textOf(tree), loops: [], accesses: [], bytes, flops: 0, listing: "" });
    }
  }

  /**
   * Adds a step for an operation computed by loops over dense elements, or for random elements. The Philox words in scratch memory are not
   * counted.
   */
  #loops(tree: ExpressionTree, dtype: DType): void {
    const by = opTable[tree.op].class === "random" ? "philox" : "loops";
    const listing = by === "philox" ? philoxListing() : "";
    const sizeOf = (node: ExpressionTree): number => product(node.dimensions) * dtypeSize(node.dtype);
    const bytes = tree.inputs.reduce((sum, input) => sum + sizeOf(input), product(tree.dimensions) * dtypeSize(dtype));
    const { class: opClass } = opTable[tree.op];
    const isCustom = opClass === "custom";
    const flops = isCustom
      ? recordOf(tree).flops(customCallOf(tree))
      : opClass === "scan"
        ? product(tree.dimensions) * tree.inputs.length
        : 0;
    this.#steps.push({ by, expression: textOf(tree), loops: [], accesses: [], bytes, flops, listing });
  }

  /** Adds a step for a product in blocks. Packed blocks in scratch memory are not counted. */
  #contraction(tree: ExpressionTree): void {
    const { dtype, inputs, dimensions } = tree;
    const { rows, inner, columns } = productOf(tree);
    const batch = product(dimensions.slice(0, -2));
    const bytes = [tree, ...inputs].reduce((sum, node) => sum + product(node.dimensions) * dtypeSize(node.dtype), 0);
    const listing = gebpListing(dtype as ContractionDType, byteOperands(tree));
    const loops = [...(batch === 1 ? [] : [batch]), rows, columns, inner];
    this.#steps.push({
      by: "contraction",
      expression: textOf(tree),
      loops,
      accesses: [],
      bytes,
      flops: 2 * batch * rows * inner * columns,
      listing,
    });
  }

  #call(call: KernelCall, lowered: Lowered, tree: ExpressionTree): void {
    const key = specKey(call.spec);
    let listing = this.#listings.get(key);
    if (listing === undefined) this.#listings.set(key, (listing = listingOf(call.spec)));
    this.#steps.push(explainCall(call, lowered, tree, listing));
  }
}

/** Returns the code of a kernel, after a comment that describes its passes. */
function listingOf(spec: KernelSpec): string {
  return `${passesOf(spec, valueLevels(spec.nodes, spec.varies))}${moduleText(writeKernel(spec, 65536, true).module)}`;
}

/** Returns the step for one run of a kernel. */
function explainCall({ spec, nest }: KernelCall, { program }: Lowered, tree: ExpressionTree, listing: string): ExplainedStep {
  const elements = product(nest.sizes);
  const rows = product(nest.sizes.slice(0, spec.form === "rows" ? spec.outerLoops : nest.sizes.length - 1));
  const touched = nest.accesses.map(({ itemBytes, strides }, a) =>
    a > 0 && program.operands[a - 1]!.source === null ? 0 : itemBytes * product(nest.sizes.filter((_, loop) => strides[loop] !== 0)),
  );
  const nodeLevels = valueLevels(program.nodes, spec.varies);
  const counts = program.nodes.map(({ kind }, i) => {
    if (kind === "reduce") return elements;
    return kind !== "op" ? 0 : nodeLevels[i] === levels.element ? elements : nodeLevels[i] === levels.row ? rows : 1;
  });
  const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
  return {
    by: spec.form,
    expression: textOf(tree),
    loops: nest.sizes,
    accesses: [spec.target, ...spec.classes],
    bytes: sum(touched),
    flops: sum(counts),
    listing,
  };
}

/** Returns a comment that describes the passes of a row kernel. Empty for other forms. */
function passesOf({ form, nodes, result }: KernelSpec, nodeLevels: readonly number[]): string {
  if (form !== "rows") return "";
  const passes = rowPasses(nodes, nodeLevels, result).map(({ reductions, stores }) => {
    const names = reductions.map((i) => nodes[i]!.op).join(", ");
    return `${names === "" ? "store" : names}${stores.length > 0 ? `, keeps ${stores.map((i) => nodes[i]!.op).join(", ")}` : ""}`;
  });
  return `;; passes over a row: ${passes.join("; ")}\n`;
}

/** How much of an expression is shown. */
const kShown: TreeTextLimits = { levels: 12, characters: 400 };

/** Returns the expression as text, such as `add(x0, mul(x1, 2))`. */
function textOf(tree: ExpressionTree): string {
  return treeText(tree, kShown);
}

/** Returns the text of a whole explanation. */
function shown(steps: readonly ExplainedStep[], bytes: number, flops: number, hasListing: boolean): string {
  const names: Readonly<Record<string, string>> = { evaluator: "by the plain evaluator", loops: "by plain loops" };
  const parts = steps.map(({ by, expression, loops, accesses, bytes: moved, flops: done, listing }) => {
    const head = `${names[by] ?? `${by} kernel`}\n  ${expression}`;
    if (by in names) return head;
    const walk = `\n  loops [${loops.join(", ")}], target ${accesses[0]}, operands ${accesses.slice(1).join(", ") || "none"}`;
    return `${head}${loops.length === 0 ? "" : walk}\n  ${moved} bytes moved, ${done} operations${hasListing ? `\n${listing}` : ""}`;
  });
  return `${parts.join("\n")}\n${steps.length} ${steps.length === 1 ? "step" : "steps"}, ${bytes} bytes moved, ${flops} operations`;
}
