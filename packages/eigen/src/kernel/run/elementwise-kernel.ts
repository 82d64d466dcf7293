/**
 * direct-kernel: a kernel of the short way (direct.ts) with a plan of the expression it was made for.
 *
 *     add(mul(a, b), 2)        plan      add            bind: the same walk over another expression; as long as codes are equal,
 *                                       /   \           addresses and constants go to where the kernel looks for them
 *                                    mul     2
 *                                   /   \
 *                               word 3  word 5
 *
 * That is all there is to a small operation that was done before: no list, no look-up, nothing allocated.
 */
import { kCode, kConstantCodes, kOperationCodes } from "../../expression/tree/node-code.ts";
import type { CodedTree } from "../../expression/tree/node-code.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import { linearMemory } from "@onebuffer/wasm";
import { markUsed } from "./kernel-cache.ts";
import type { Kernel } from "./kernel-cache.ts";
import { noteRun } from "../form/kernel-events.ts";
import { writeParameter } from "./kernel-parameters.ts";
import type { DenseMap } from "./map-address.ts";
import type { ScratchBlock } from "../plan/scratch.ts";
import { reach } from "./staging.ts";

/** Bytes behind an operand that loads of whole groups may touch. */
const kSlack = 256;

// The module's own: an imported constant is loaded at every use.
const kConstants = kConstantCodes;
const kOperations = kOperationCodes;

const memory = linearMemory();

/** What is expected of a node. */
export interface NodePlan {
  readonly code: number;
  /** Of a map the word of its address, of a constant its byte in the argument block, of an operation 0. */
  readonly at: number;
  /** Whether the map has the elements of an earlier one. */
  readonly repeats: boolean;
  readonly first: NodePlan | null;
  readonly second: NodePlan | null;
  readonly third: NodePlan | null;
}

/** A kernel with the words of its argument block. */
export interface DirectKernel {
  /** Compiled, and perhaps gone in the meantime. */
  readonly kernel: Kernel;
  /** Where the addresses go: of the target, then of the operands. */
  readonly words: readonly number[];
  /** Bytes of an element of each of them. */
  readonly itemBytes: readonly number[];
  /** Whether what it stores may have to be computed again, by the evaluator: then operands must be left as they are. */
  readonly mayNeedRecheck: boolean;
  /** Null when a value is the operand of several operations: a walk by plan would take it for several. */
  readonly plan: NodePlan | null;
}

/** Writes the addresses and constants of an expression of `size` elements into the argument block; false if it is not as planned. */
export function bind(plan: NodePlan, node: CodedTree, size: number, block: ScratchBlock): boolean {
  if (node[kCode] !== plan.code) return false;
  const { first, second, third } = plan;
  const { inputs } = node;
  if (!bindOperand(first!, inputs[0]!, size, block)) return false;
  if (second !== null && !bindOperand(second, inputs[1]!, size, block)) return false;
  return third === null || bindOperand(third, inputs[2]!, size, block);
}

/** Small enough to be part of `bind`, which most operands need not be called for. */
function bindOperand(plan: NodePlan, node: CodedTree, size: number, block: ScratchBlock): boolean {
  const { code } = plan;
  if (code < kConstants) return bindMap(plan, node as DenseMap, size, block);
  return code < kOperations ? bindConstant(plan, node, block) : bind(plan, node, size, block);
}

function bindMap({ code, at, repeats }: NodePlan, map: DenseMap, size: number, { words }: ScratchBlock): boolean {
  if (map[kCode] !== code || map.size !== size) return false;
  const start = reach(map, code);
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

/** Whether the kernel is still there. */
export function isReady({ kernel }: DirectKernel): boolean {
  return kernel.run !== null;
}

/**
 * Runs a kernel that is there, whose operands' addresses and constants are in the argument block, over `size` elements into those at `start`. False when an
 * operand reaches beyond where kernels may read, or crosses the target; or when elements are to be computed again, more carefully.
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
    // Beyond 2 GiB. Rarely: below, everything here is a small integer.
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
