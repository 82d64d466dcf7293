/** assign-in-steps: assignments whose decompositions take long, in steps between which other work runs and a signal may end them. */
import { checkOptions } from "@onebuffer/base/internal";
import { nextTask } from "@onebuffer/allocator/internal";
import type { AbortSignalLike, Assigned } from "@onebuffer/eigen";
import { checkedPairs, checkSignal, checkTransfer, computeAssignments, evaluateTree, freshMap } from "@onebuffer/eigen/internal";
import type { DeviceAssignment, ExpressionTree } from "@onebuffer/expression";
import { customCallOf, inputsOf, recordOf, sizesOf, treeOrder, withNodes } from "@onebuffer/expression/internal";
import type { Numbers } from "../decompose/packed-matrices.ts";
import { HeldScratch } from "../dense/held-scratch.ts";
import { linalgPart } from "../batch/loaded-kernels.ts";
import { PlainArithmetic } from "../dense/plain-arithmetic.ts";
import type { Steps } from "../dense/steps.ts";
import { isStepwise } from "../nodes/decomposition-node.ts";
import type { StepwiseRecord } from "../nodes/decomposition-node.ts";

/** For how many milliseconds steps run before other work has its turn: about the time of one frame of a screen. */
const kSliceMs = 12;

/**
 * The options of `assignInSteps`.
 *
 * @example
 * const shares: number[] = [];
 * const options: StepOptions = { onProgress: ({ flops, totalFlops }) => shares.push(flops / totalFlops) };
 * const [a, r] = [tensorMap("float64", Float64Array.of(3, 4), [2, 1]), tensorMap("float64", new Float64Array(1), [1, 1])];
 * await assignInSteps([[r, qr(a).r]], options);
 * shares.at(-1); // => 1
 */
export interface StepOptions {
  /** An AbortSignal that ends the call with CANCELLED. */
  readonly signal?: AbortSignalLike;
  /**
   * Called after each turn and when all decompositions are computed, with the operations on real elements that are done, and an estimate of
   * all. An error that it throws ends the call.
   */
  readonly onProgress?: (progress: StepProgress) => void;
}

/**
 * How far `assignInSteps` has come.
 *
 * @example
 * const progress: StepProgress = { flops: 5, totalFlops: 10 };
 * progress.flops / progress.totalFlops; // => 0.5
 */
export interface StepProgress {
  readonly flops: number;
  readonly totalFlops: number;
}

/**
 * Does what `assignTogether` does, with the decompositions of the expressions (`qr`, `svd`, `eigh`, `eig`, `schur`, `sqrtm`, `logm` and what is
 * composed of them) computed on this thread in turns of some 12 milliseconds, between which other work of the program runs. Operands of
 * decompositions are read, and copied, when their turn comes; everything else when the targets are written, at the end and at once.
 *
 * The promise is rejected with what `assignTogether` throws, with CANCELLED if the signal is aborted, and with RESOURCE_EXHAUSTED without
 * memory. Then no target was written, and all memory has been given back.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(2, 1, 1, 2), [2, 2]);
 * const e = tensorMap("float64", new Float64Array(2), [2]);
 * await assignInSteps([[e, eigvalsh(a)]]);
 * e.toArray().map(Math.round); // => [1, 3]
 * await assignInSteps([[e, eigvalsh(a)]], { signal: AbortSignal.abort() }); // throws CANCELLED
 */
export async function assignInSteps(assignments: readonly Assigned[], given: StepOptions = {}): Promise<void> {
  checkOptions("assignInSteps", given, ["signal", "onProgress"]);
  // A getter could return another value when it is read again.
  const options = { ...given };
  checkTransfer("assignInSteps", options);
  // The checks are made again after each turn: maps may be disposed in between.
  const checked = (): readonly DeviceAssignment[] => checkedPairs("assignInSteps", assignments);
  const decompositions = treeOrder(checked().map(({ tree }) => tree)).filter((node) => recordOfSteps(node) !== null);
  const totalFlops = decompositions.reduce((sum, node) => sum + flopsOf(node), 0);
  const results = new Map<ExpressionTree, ExpressionTree>();
  let flops = 0;
  for (const node of decompositions) {
    const [before, after] = [flops, flops + flopsOf(node)];
    results.set(
      node,
      await decomposed(node, results, options, (more) => {
        flops = Math.min(flops + more, before + 0.99 * (after - before));
        options.onProgress?.({ flops: Math.round(flops), totalFlops });
      }),
    );
    flops = after;
    checked();
  }
  options.onProgress?.({ flops: totalFlops, totalFlops });
  checkSignal("assignInSteps", options.signal);
  const pairs = checked().map((pair) => ({ ...pair, tree: withNodes(pair.tree, results) }));
  // An error of one pair may come when others are written: their targets get back what they had.
  const before = pairs.length < 2 ? [] : pairs.map((pair) => ({ ...pair, tree: copyOf(pair.target) }));
  try {
    computeAssignments(pairs);
  } catch (error) {
    computeAssignments(before);
    throw error;
  }
}

/** Returns the record of a node that is computed in steps; null for other nodes. */
function recordOfSteps(node: ExpressionTree): StepwiseRecord | null {
  if (node.op !== "customCall") return null;
  const record = recordOf(node);
  return isStepwise(record) ? record : null;
}

/** Returns a map of the elements of an expression. */
const copyOf = (tree: ExpressionTree): ExpressionTree & { readonly data: Numbers } => evaluateTree("assignInSteps", tree) as never;

const flopsOf = (node: ExpressionTree): number => recordOf(node).flops(customCallOf(node));

/** Computes a decomposition in turns, and returns a map of its result. `count` is called after each turn with its operations. */
async function decomposed(
  node: ExpressionTree,
  results: ReadonlyMap<ExpressionTree, ExpressionTree>,
  { signal }: StepOptions,
  count: (flops: number) => void,
): Promise<ExpressionTree> {
  const operand = copyOf(withNodes(inputsOf(node)[0]!, results));
  const result = freshMap("assignInSteps", node.dtype, sizesOf(node));
  const held = new HeldScratch();
  const start = held.mark();
  try {
    const by = linalgPart.kernels?.arithmetic(held) ?? new PlainArithmetic();
    const steps = recordOfSteps(node)!.steps(by, customCallOf(node), operand.data, result.data as Numbers);
    for (let flops = turn(steps); flops !== null; flops = turn(steps)) {
      count(flops);
      await nextTask();
      checkSignal("assignInSteps", signal);
    }
  } finally {
    held.release(start);
  }
  return result as unknown as ExpressionTree;
}

/** Runs steps for one turn. Returns their operations; null if no step is left. */
function turn(steps: Steps<void>): number | null {
  const end = Date.now() + kSliceMs;
  let flops = 0;
  do {
    const { done, value } = steps.next();
    if (done === true) return null;
    flops += value;
  } while (Date.now() < end);
  return flops;
}
