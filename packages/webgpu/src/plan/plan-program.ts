/**
 * planProgram: expressions as the commands of a GPU (on the CPU: compiler/run/stage-plan.ts).
 *
 *     e = x.cumsum(0)
 *     out = add(e, reverse(e))       cumsum(x) into scratch memory; then a map that reads it in two ways
 *
 * Each node that a program cannot compute together with its users is stored once. The walk uses a list, so that long chains of such nodes do
 * not overflow the stack.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { decisiveDType } from "@onebuffer/expression/internal";
import { heldDType, Sharing } from "@onebuffer/compiler/internal";
import { product } from "@onebuffer/storage/internal";
import type { GpuPlan } from "../step/gpu-plan.ts";
import type { PlannedStep } from "../step/step-form.ts";
import { StepWriter } from "../step/step-writer.ts";
import { noForm } from "../wgsl/no-form.ts";
import { denseTrees } from "./dense-leaves.ts";
import { kStepForms } from "./step-forms.ts";

/** A node that is to be stored, with its form. */
interface Planned {
  readonly tree: ExpressionTree;
  readonly dtype: DType;
  readonly step: PlannedStep;
}

const sizeOf = (tree: ExpressionTree): number => product(tree.dimensions);

/** Returns the commands that compute expressions over maps. Throws UNIMPLEMENTED, by name, for what no form computes. */
export function planProgram(trees: readonly ExpressionTree[], leaves: readonly ExpressionTree[]): GpuPlan {
  const dense = denseTrees(trees, leaves);
  const planner = new ProgramPlanner(dense.trees);
  dense.leaves.forEach((leaf, k) => planner.addLeaf(leaf, k));
  dense.trees.forEach((tree, k) => planner.addResult(tree, k));
  return planner.writer.plan();
}

/** Plans the commands of one program. */
class ProgramPlanner {
  readonly writer: StepWriter = new StepWriter();
  readonly #sharing: Sharing;

  constructor(trees: readonly ExpressionTree[]) {
    this.#sharing = new Sharing(trees, () => false);
  }

  addLeaf(leaf: ExpressionTree, index: number): void {
    const slot = this.writer.slot("leaf", index, sizeOf(leaf) * dtypeSize(leaf.dtype));
    this.writer.store(leaf, { slot, dtype: leaf.dtype, dimensions: leaf.dimensions });
  }

  /** Adds the commands of a result, and of all that it needs. */
  addResult(root: ExpressionTree, index: number): void {
    const bytes = sizeOf(root) * dtypeSize(root.dtype);
    const target = this.writer.slot("result", index, bytes);
    if (sizeOf(root) === 0) return;
    const tree = withoutReshapes(root);
    this.writer.begin(tree);
    const held = this.writer.has(tree) ? this.writer.stored(tree) : null;
    if (held !== null && held.dtype === root.dtype) {
      this.writer.copy([held.slot, target], Math.ceil(bytes / 4) * 4);
      return;
    }
    const planned = this.#plan(tree, root.dtype);
    this.#storeAll(planned.step.needs);
    this.writer.begin(tree);
    planned.step.write(this.writer, target);
  }

  /** Stores nodes, each after those that it needs. */
  #storeAll(nodes: readonly ExpressionTree[]): void {
    const path: (Planned & { next: number })[] = [];
    const enter = (tree: ExpressionTree): void => {
      if (!this.writer.has(tree)) path.push({ ...this.#plan(tree, heldDType(tree)), next: 0 });
    };
    for (const node of nodes) {
      enter(node);
      for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
        const need = last.step.needs[last.next++];
        if (need !== undefined) {
          enter(need);
          continue;
        }
        path.pop();
        if (!this.writer.has(last.tree)) this.#store(last);
      }
    }
  }

  #store({ tree, dtype, step }: Planned): void {
    const slot = this.writer.scratch(sizeOf(tree) * dtypeSize(dtype));
    this.writer.begin(tree);
    if (sizeOf(tree) > 0) step.write(this.writer, slot);
    this.writer.store(tree, { slot, dtype, dimensions: tree.dimensions });
  }

  /** Returns the form that computes a node. */
  #plan(tree: ExpressionTree, dtype: DType): Planned {
    for (const form of kStepForms) {
      const step = form(tree, dtype, this.#sharing);
      if (step !== null) return { tree, dtype, step };
    }
    throw noForm(tree.op, decisiveDType(tree));
  }
}

/** Returns a node without the reshapes above it: the elements of dense memory are the same. */
function withoutReshapes(tree: ExpressionTree): ExpressionTree {
  let node = tree;
  while (node.op === "reshape") node = node.inputs[0]!;
  return node;
}
