/**
 * elementwise-kernel: a kernel of the fast path (elementwise-fast-path.ts) with a plan of the expression that it was
 * made for.
 *
 *     add(mul(a, b), 2)        plan      add            bind: the same walk over another expression; as long as codes are equal,
 *                                       /   \           addresses and constants are written where the kernel reads them
 *                                    mul     2
 *                                   /   \
 *                               word 3  word 5
 *
 * A small operation that has run before needs nothing else: no list, no look-up, no allocation.
 */
import { attributesOf, kCode, kConstantCodes, kOperationCodes } from "@onebuffer/expression/internal";
import type { CodedTree } from "@onebuffer/expression/internal";
import { linearMemory } from "@onebuffer/wasm";
import { noteRun } from "@onebuffer/kernels/internal";
import type { ScratchBlock } from "@onebuffer/kernels/internal";
import { markUsed } from "./kernel-cache.ts";
import type { Kernel } from "./kernel-cache.ts";
import { writeParameter } from "./kernel-parameters.ts";
import { startOf } from "../plan/map-address.ts";
import type { DenseMap } from "../plan/map-address.ts";
import type { Staging } from "../places/staging.ts";

/** How many bytes beyond the end of an operand a kernel may read, because it loads whole groups of lanes. */
const kSlack = 256;

// Local copies: engines load an imported constant anew at every use.
const kConstants = kConstantCodes;
const kOperations = kOperationCodes;

const memory = linearMemory();

/** The part of a plan for one node of the expression. */
export interface NodePlan {
  readonly code: number;
  /** For a map, the index of its address word; for a constant, its byte offset in the argument block; for an operation, 0. */
  readonly at: number;
  /** True if the map has the same elements as an earlier one. */
  readonly repeats: boolean;
  readonly first: NodePlan | null;
  readonly second: NodePlan | null;
  readonly third: NodePlan | null;
}

/** A kernel, and where its argument block holds the addresses. */
export interface DirectKernel {
  /** The compiled kernel. The cache may have evicted it since. */
  readonly kernel: Kernel;
  /** The indices of the address words: the target's, then each operand's. */
  readonly words: readonly number[];
  /** The element size in bytes of the target, then of each operand. */
  readonly itemBytes: readonly number[];
  /** True if the evaluator may have to compute the stored elements again, so that the operands must not be overwritten. */
  readonly mayNeedRecheck: boolean;
  /** Null if several operations share a value: a walk by the plan would treat that value as several. */
  readonly plan: NodePlan | null;
}

/**
 * Writes the addresses and constants of an expression of `size` elements into the argument block. Returns false if
 * the expression does not match the plan.
 */
export function bind(plan: NodePlan, node: CodedTree, size: number, block: ScratchBlock, staging: Staging): boolean {
  if (node[kCode] !== plan.code) return false;
  const { first, second, third } = plan;
  const inputs = node.rawInputs!;
  if (!bindOperand(first!, inputs[0]!, size, block, staging)) return false;
  if (second !== null && !bindOperand(second, inputs[1]!, size, block, staging)) return false;
  return third === null || bindOperand(third, inputs[2]!, size, block, staging);
}

/** Small enough for engines to inline into `bind`, so that most operands need no call of `bind`. */
function bindOperand(plan: NodePlan, node: CodedTree, size: number, block: ScratchBlock, staging: Staging): boolean {
  const { code } = plan;
  if (code < kConstants) return bindMap(plan, node as DenseMap, size, block, staging);
  return code < kOperations ? bindConstant(plan, node, block) : bind(plan, node, size, block, staging);
}

function bindMap({ code, at, repeats }: NodePlan, map: DenseMap, size: number, { words }: ScratchBlock, staging: Staging): boolean {
  if (map[kCode] !== code || map.size !== size) return false;
  const own = startOf(map, code);
  const start = own < 0 ? staging.reach(map, code) : own;
  if (start < 0) return false;
  if (repeats) return words[at] === (start | 0);
  words[at] = start;
  return true;
}

function bindConstant({ code, at }: NodePlan, node: CodedTree, { view }: ScratchBlock): boolean {
  if (node[kCode] !== code) return false;
  writeParameter(view, at, node.dtype, attributesOf(node, "constant").value);
  return true;
}

/** Returns true if the kernel has not been evicted. */
export function isReady({ kernel }: DirectKernel): boolean {
  return kernel.run !== null;
}

/**
 * Runs a compiled kernel over `size` elements and stores them from address `start` on. The operands' addresses and
 * the constants are in the argument block. Returns false, before anything is stored, if an operand reaches beyond
 * what kernels may read or crosses the target. Also returns false if the kernel reports that elements must be
 * computed again by the evaluator.
 */
export function runDirectly(
  { kernel, words: at, itemBytes, mayNeedRecheck }: DirectKernel,
  { address, words }: ScratchBlock,
  start: number,
  size: number,
): boolean {
  const targetBytes = itemBytes[0]!;
  const end = start + size * targetBytes;
  const limit = memory.byteLength - kSlack;
  for (let k = 1; k < at.length; k++) {
    let from = words[at[k]!]!;
    // An address beyond 2 GiB is negative in the word. This is rare; all other addresses stay small integers.
    if (from < 0) from += 2 ** 32;
    const to = from + size * itemBytes[k]!;
    if (to > limit || (from < end && to > start && (mayNeedRecheck || from !== start || to !== end))) return false;
  }
  words[0] = size;
  words[at[0]!] = start;
  words[at[0]! + 1] = targetBytes;
  noteRun();
  markUsed(kernel);
  return kernel.run!(address) === 0;
}
