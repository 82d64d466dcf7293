/**
 * explain: what assigning an expression does, told instead of done (TensorFlow's counterpart is XLA's dump of a fused module).
 *
 *     expression   div(exp(sub(x, max(x))), sum(…))
 *     rows         loops [1024 | 1024], target contiguous, operand 0 contiguous
 *                  passes: max; sum, keeps 1 value per element; store
 *                  8 MiB moved, 5.2 Mflop
 *     (module …)   the kernel's code
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { checkTree } from "../expression/elementwise-fields.ts";
import type { ExpressionTree } from "../expression/op-attributes.ts";
import type { Operand } from "../expression/operand.ts";
import { opTable } from "../expression/op-table.ts";
import { product } from "../map-geometry.ts";
import { rowMajorStrides } from "../strided-geometry.ts";
import { writeKernel } from "./kernel-cache.ts";
import { planCalls } from "./kernel-plan.ts";
import type { KernelCall } from "./kernel-plan.ts";
import type { KernelForm } from "./kernel-spec.ts";
import { stageDType } from "./kernel-support.ts";
import { carrierOf, lower } from "./lowering.ts";
import type { Lowered } from "./lowering.ts";
import { withoutRenaming } from "./root-moves.ts";
import { levels, valueLevels } from "./program.ts";
import { rowPasses } from "./row-passes.ts";
import { philoxListing } from "./whole/philox-kernel.ts";
import { isWhole } from "./whole/whole-into.ts";

/** One step of an assignment. */
export interface ExplainedStep {
  /** The form of the kernel, "philox" that of random elements; "loops" for plain loops over arrays, "evaluator" for the plain evaluator. */
  readonly by: KernelForm | "philox" | "loops" | "evaluator";
  /** What it computes. */
  readonly expression: string;
  /** Sizes of its loops, outermost first; none but of kernels. */
  readonly loops: readonly number[];
  /** How the target and the operands are walked in the innermost loop: contiguous, broadcast, strided or transposed. */
  readonly accesses: readonly string[];
  /** Bytes that are read and written, each operand counted once. */
  readonly bytes: number;
  /** Operations on elements: each of the expression counts as one, a reduction as one per element. */
  readonly flops: number;
  /** The kernel's code in WebAssembly's text format; empty for everything else. */
  readonly listing: string;
}

/** An explained assignment. */
export interface Explanation {
  /** The steps in their order; the last one writes the target. */
  readonly steps: readonly ExplainedStep[];
  /** Bytes moved by all steps. */
  readonly bytes: number;
  /** Operations of all steps. */
  readonly flops: number;
  /** All of it, to be read. */
  toString(): string;
}

/**
 * How `assign` would compute an expression into a dense target in the linear memory: into which kernels it is made, over which
 * loops, how many bytes are moved and how many operations done. Operands are taken to be in the linear memory, too.
 *
 * Throws FAILED_PRECONDITION if the memory of an operand is gone, INVALID_ARGUMENT for what is no expression. Copies: never;
 * nothing is computed.
 *
 * @example
 * const x = tensorMap("float32", new Float32Array(64), [8, 8]);
 * const { steps, bytes } = explain(x.softmax());
 * steps.map((step) => step.by); // => ["rows"]
 * bytes; // => 512
 * explain(x.cumsum()).steps[0]?.by; // => "loops"
 */
export function explain(expression: Operand<DType, number>): Explanation {
  const steps: ExplainedStep[] = [];
  explainTree(checkTree("explain", expression), expression.dtype, steps);
  const bytes = steps.reduce((sum, step) => sum + step.bytes, 0);
  const flops = steps.reduce((sum, step) => sum + step.flops, 0);
  return { steps, bytes, flops, toString: () => shown(steps, bytes, flops) };
}

const reachable = (): boolean => false;

function explainTree(root: ExpressionTree, dtype: DType, steps: ExplainedStep[]): void {
  const tree = withoutRenaming(root);
  if (tree.op === "concatenate") {
    for (const input of tree.inputs) explainTree(input, dtype, steps);
    return;
  }
  if (isWhole(tree)) {
    explainLoops(tree, dtype, steps);
    return;
  }
  for (const fusion of ["rows", "none"] as const) {
    const lowered = product(tree.dimensions) === 0 ? null : lower(tree, dtype, fusion, reachable);
    const calls = lowered === null ? null : planFor(lowered, tree, dtype);
    if (lowered === null || calls === null) continue;
    for (const stage of lowered.stages) explainTree(stage, stageDType(stage.dtype), steps);
    for (const call of calls) steps.push(explainCall(call, lowered, tree));
    return;
  }
  const bytes = product(tree.dimensions) * dtypeSize(dtype);
  steps.push({ by: "evaluator", expression: textOf(tree), loops: [], accesses: [], bytes, flops: 0, listing: "" });
}

/** An operation by plain loops, its operands before it unless they are maps; or random elements, whose words are not counted. */
function explainLoops(tree: ExpressionTree, dtype: DType, steps: ExplainedStep[]): void {
  const by = opTable[tree.op].class === "random" ? "philox" : "loops";
  const listing = by === "philox" ? philoxListing() : "";
  for (const input of tree.inputs) if (input.op !== "map") explainTree(input, stageDType(input.dtype), steps);
  const sizeOf = (node: ExpressionTree): number => product(node.dimensions) * dtypeSize(node.dtype);
  const bytes = tree.inputs.reduce((sum, input) => sum + sizeOf(input), product(tree.dimensions) * dtypeSize(dtype));
  const flops = opTable[tree.op].class === "scan" ? product(tree.dimensions) : 0;
  steps.push({ by, expression: textOf(tree), loops: [], accesses: [], bytes, flops, listing });
}

/** The calls over memory that is only imagined: operands one after the other, far apart. */
function planFor(lowered: Lowered, tree: ExpressionTree, dtype: DType): readonly KernelCall[] | null {
  const { program, storesRows } = lowered;
  const itemBytes = dtypeSize(dtype);
  const dense = rowMajorStrides(tree.dimensions).map((stride) => stride * itemBytes);
  const keepsDims = tree.dimensions.length === program.dims.length;
  let kept = 0;
  const spread = program.dims.map((_, d) => (program.axes.includes(d) ? 0 : (dense[keepsDims ? d : kept++] as number)));
  const node = program.nodes[program.result]!;
  const storedAs = node.kind === "load" && node.dtype === carrierOf(dtype) ? node.dtype : dtype;
  const starts = program.operands.map(({ source, offset }, k) => (source === null ? offset : (k + 2) * 2 ** 28));
  return planCalls(lowered, [{ start: 2 ** 28, itemBytes, strides: storesRows ? spread : dense }], storedAs, starts);
}

function explainCall({ spec, nest }: KernelCall, { program }: Lowered, tree: ExpressionTree): ExplainedStep {
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
    listing: `${passesOf(spec, nodeLevels)}${writeKernel(spec, 65536, true).module.toText()}`,
  };
}

/** What the passes of a row kernel do, as a comment. */
function passesOf({ form, nodes, result }: KernelCall["spec"], nodeLevels: readonly number[]): string {
  if (form !== "rows") return "";
  const told = rowPasses(nodes, nodeLevels, result).map(({ reductions, stores }) => {
    const names = reductions.map((i) => nodes[i]!.op).join(", ");
    return `${names === "" ? "store" : names}${stores.length > 0 ? `, keeps ${stores.map((i) => nodes[i]!.op).join(", ")}` : ""}`;
  });
  return `;; passes over a row: ${told.join("; ")}\n`;
}

/** The most characters of an expression that are shown. */
const kMaxText = 400;

/** `add(x0, mul(x1, 2))`: maps are numbered as they appear. */
function textOf(tree: ExpressionTree): string {
  const names = new Map<ExpressionTree, string>();
  const write = (node: ExpressionTree, left: number): string => {
    if (node.op === "map") {
      const name = names.get(node) ?? `x${names.size}`;
      names.set(node, name);
      return name;
    }
    if (node.op === "constant") return String((node.attributes as { value: unknown }).value);
    if (left <= 0) return "…";
    return `${node.op}(${node.inputs.map((input) => write(input, left - 1)).join(", ")})`;
  };
  const text = `${write(tree, 12)}${[...names].map(([{ dtype, dimensions }, name]) => `  ${name}: ${dtype}[${dimensions}]`).join("")}`;
  return text.length <= kMaxText ? text : `${text.slice(0, kMaxText)}…`;
}

function shown(steps: readonly ExplainedStep[], bytes: number, flops: number): string {
  const names: Readonly<Record<string, string>> = { evaluator: "by the plain evaluator", loops: "by plain loops" };
  const parts = steps.map(({ by, expression, loops, accesses, bytes: moved, flops: done, listing }) => {
    const head = `${names[by] ?? `${by} kernel`}\n  ${expression}`;
    if (by in names) return head;
    const walk = `\n  loops [${loops.join(", ")}], target ${accesses[0]}, operands ${accesses.slice(1).join(", ") || "none"}`;
    return `${head}${loops.length === 0 ? "" : walk}\n  ${moved} bytes moved, ${done} operations\n${listing}`;
  });
  return `${parts.join("\n")}\n${steps.length} ${steps.length === 1 ? "step" : "steps"}, ${bytes} bytes moved, ${flops} operations`;
}
