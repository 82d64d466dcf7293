/** The steps of a plan, and which step reads the result of which: found by the nodes of the tree that the steps compute. */
import type { Explanation } from "onebuffer/debug";
import { treeOf } from "onebuffer/eigen";
import type { ExpressionTree } from "onebuffer/eigen";
import { treeText } from "@onebuffer/expression/internal";
import type { AnyOperand } from "../expressions/build-expression.ts";
import { nodesOf } from "../expressions/tree-nodes.ts";

/** How much of a tree `explain` writes: texts of the same length are compared. */
const kShown = { levels: 12, characters: 400 };

/** A step of a plan. */
export interface PlanStep {
  readonly by: string;
  /** What the step computes, with earlier steps and tensors by their names: `step 1`, `x`. */
  readonly text: string;
  /** The numbers of the steps whose results it reads, counted from 0. */
  readonly reads: readonly number[];
  /** The names of the tensors that it reads. */
  readonly tensors: readonly string[];
  readonly bytes: number;
  readonly flops: number;
  /** The nodes of the tree that the step computes. */
  readonly nodes: readonly ExpressionTree[];
}

/** Returns the steps of an explained expression. */
export function planSteps(operand: AnyOperand, { steps }: Explanation, tensors: ReadonlyMap<string, AnyOperand>): PlanStep[] {
  const root = treeOf(operand);
  const nodes = nodesOf(root);
  const names = new Map([...tensors].map(([name, each]) => [treeOf(each), name]));
  // Two products of the same sizes have the same text: each step takes a node of its own.
  const taken = new Set<ExpressionTree>();
  const nodeOfStep = steps.map(({ expression }, i) => {
    if (i === steps.length - 1) return root;
    const node = nodes.find((each) => !taken.has(each) && treeText(each, kShown) === expression) ?? null;
    if (node !== null) taken.add(node);
    return node;
  });
  return steps.map(({ by, bytes, flops }, i) => {
    const reads = new Set<number>();
    const leaves = new Set<string>();
    const computed = new Set<ExpressionTree>();
    const textOf = (node: ExpressionTree, isRoot: boolean): string => {
      const other = isRoot ? -1 : nodeOfStep.findIndex((each, k) => k < i && each === node);
      if (other >= 0) {
        reads.add(other);
        return `step ${other + 1}`;
      }
      const name = names.get(node);
      if (name !== undefined) leaves.add(name);
      if (node.inputs.length === 0) return name ?? (node.op === "constant" ? "constant" : node.op);
      computed.add(node);
      return `${node.op}(${node.inputs.map((input) => textOf(input, false)).join(", ")})`;
    };
    const node = nodeOfStep[i];
    const text = node == null ? steps[i]!.expression : textOf(node, true);
    return { by, text, reads: [...reads], tensors: [...leaves], bytes, flops, nodes: [...computed] };
  });
}
