// Checks many random trees. Reports the failures, each shrunk and printed as a program, and how many elements were compared.
import type { RawDType } from "@onebuffer/base";
import { opTable } from "@onebuffer/eigen";
import type { ExpressionTree, OpName } from "@onebuffer/eigen";
import type { Built } from "./build-tree.ts";
import { buildTree } from "./build-tree.ts";
import type { Compared, Disagreement, Outcome } from "./compare-tree.ts";
import { compareTree } from "./compare-tree.ts";
import { growTree } from "./grow-tree.ts";
import { printTree } from "./print-tree.ts";
import type { TreeQueries } from "./shrink-tree.ts";
import { shrinkTree } from "./shrink-tree.ts";
import { storedArray } from "./step.ts";
import { Stepwise } from "./stepwise.ts";
import type { LeafSpec, TreeSpec } from "./tree-spec.ts";
import { product } from "../row-major.ts";

/** A tree that failed: its index, the disagreement of its shrunk form, and that form as a program. */
export interface Failure {
  readonly index: number;
  readonly disagreement: Disagreement;
  readonly program: string;
}

/** The result of a run. */
export interface TreesReport {
  readonly failures: readonly Failure[];
  readonly compared: Compared;
  /** The operations that occurred, each with the dtype that decides whether it is accepted, as "op dtype". */
  readonly seen: ReadonlySet<string>;
}

/** Returns the operands of a tree; null if it cannot be built or its result cannot be assigned. */
const built = (tree: TreeSpec): readonly Built[] | null => {
  try {
    const { operands, root, target } = buildTree(tree);
    return target.dtype === root.dtype ? operands : null;
  } catch {
    return null;
  }
};

/** The queries of shrinkTree; null for a tree that cannot be built or evaluated. */
const queries: TreeQueries = {
  dimsOf: (tree, node) => built(tree)?.[node]?.dimensions ?? null,
  leafOf: (tree, node) => {
    const operand = built(tree)?.[node];
    if (operand === undefined) return null;
    try {
      const read = new Stepwise().stored(operand);
      const dims: readonly number[] = operand.dimensions;
      const dtype: RawDType = operand.dtype;
      return { kind: "leaf", dtype, dims, data: storedArray(dtype, product(dims), read), views: [], place: "arena" } satisfies LeafSpec;
    } catch {
      return null;
    }
  },
};

/** Returns the outcome of a tree. Whatever compareTree throws is a disagreement too. */
function outcomeOf(tree: TreeSpec): Outcome {
  try {
    return compareTree(tree);
  } catch (error) {
    const detail = String((error as Error).stack)
      .split("\n")
      .slice(0, 4)
      .join("\n");
    return { disagreement: { who: "thrown", detail }, compared: { exact: 0, bounded: 0, unknown: 0 } };
  }
}

/** Shrinks a failing tree and describes it. */
function smallestFailure(index: number, tree: TreeSpec, disagreement: Disagreement): Failure {
  if (disagreement.who === "thrown") return { index, disagreement, program: "" };
  // A candidate that fails in another way is another failure. Which element differs does not matter.
  const kind = ({ who, detail }: Disagreement): string => (detail.startsWith("throws") ? `${who} ${detail}` : who);
  const fails = (candidate: TreeSpec): boolean => {
    const found = built(candidate) === null ? null : outcomeOf(candidate).disagreement;
    return found !== null && kind(found) === kind(disagreement);
  };
  const small = shrinkTree(tree, fails, queries);
  return { index, disagreement: outcomeOf(small).disagreement ?? disagreement, program: printTree(small) };
}

/** Adds the operations of a tree to `seen`, each with the dtype that decides whether it is accepted. */
export function notePairs(seen: Set<string>, node: ExpressionTree, done: Set<ExpressionTree> = new Set()): void {
  if (done.has(node)) return;
  done.add(node);
  const op: OpName = node.op;
  const decides = op === "select" || opTable[op].arity === 0 ? node.dtype : (node.inputs[0]?.dtype ?? node.dtype);
  seen.add(`${op} ${decides}`);
  for (const input of node.inputs) notePairs(seen, input, done);
}

/**
 * Compares the trees `from` to `from + count - 1` of a seed, which `grow` makes. Calls `onFailure` for each failure as soon as it is found.
 */
export function checkTrees(
  seed: number,
  count: number,
  onFailure?: (failure: Failure) => void,
  from: number = 0,
  grow: (seed: number, index: number) => TreeSpec = growTree,
): TreesReport {
  const failures: Failure[] = [];
  const seen = new Set<string>();
  const sum = { exact: 0, bounded: 0, unknown: 0 };
  for (let index = from; index < from + count; index++) {
    const tree = grow(seed, index);
    const operands = built(tree);
    const { disagreement, compared } = outcomeOf(tree);
    if (operands !== null) notePairs(seen, operands.at(-1));
    sum.exact += compared.exact;
    sum.bounded += compared.bounded;
    sum.unknown += compared.unknown;
    if (disagreement === null) continue;
    const failure = smallestFailure(index, tree, disagreement);
    failures.push(failure);
    onFailure?.(failure);
  }
  return { failures, compared: sum, seen };
}
