/**
 * row-passes: decides in how many passes a row is processed, and which values are kept between the passes.
 *
 *     softmax     pass 1   max of x
 *                 pass 2   sum of exp(x - max)        keeps exp(x - max): it is expensive, and needed again
 *                 last     exp(x - max) / sum
 *
 * A value that a later pass needs too is kept in a row buffer in the first-level cache if computing it costs more
 * than reading it back. Cheap values (a load, a difference) are computed again.
 */
import { longFunctions, shortFunctions, slowOps } from "@onebuffer/expression/internal";
import { laneWidth } from "@onebuffer/kernels/internal";
import { levels } from "./program.ts";
import type { ProgramNode } from "./program.ts";

/** One pass over a row. */
export interface RowPass {
  /** The reductions that the pass completes; none for the last pass. */
  readonly reductions: readonly number[];
  /** The element values that the pass keeps in row buffers. */
  readonly stores: readonly number[];
}

/** The cost of slow operations and of elementary functions, roughly in instructions. Others are one. */
const kSlowCost = 4;
const kMathCost = 25;
/** The elementary function that no operation has: the powers of a softmax. */
const kPowerOp = "expNonPositive";

/** Returns true for elementary functions, which take many instructions. */
export function isMathOp(op: string): boolean {
  return longFunctions.has(op) || isShortMathOp(op);
}

/** Returns true for operations that take many instructions, or one that takes long. */
export function isSlowOp(op: string): boolean {
  return isMathOp(op) || slowOps.has(op);
}

/** Returns true for elementary functions that are one polynomial: long, but with few values alive at a time. */
export function isShortMathOp(op: string): boolean {
  return shortFunctions.has(op) || op === kPowerOp;
}

/** The cost of storing a value in a row buffer and reading it back, in the same unit. */
const kStoreCost = 3;
/** The most row buffers: the argument block has words for so many. */
export const kMaxBuffers = 6;

/** Returns the passes of a program. The last pass stores the result. */
export function rowPasses(nodes: readonly ProgramNode[], nodeLevels: readonly number[], result: number): RowPass[] {
  const last = nodes.reduce((most, { pass }) => Math.max(most, pass), 0);
  const roots = Array.from({ length: last + 1 }, (_, p): number[] =>
    p < last ? nodes.map((_node, i) => i).filter((i) => nodes[i]!.kind === "reduce" && nodes[i]!.pass === p + 1) : [result],
  );
  const inputsOf = (p: number): readonly number[] => (p < last ? roots[p]!.map((i) => nodes[i]!.inputs[0]!) : roots[p]!);
  /** Returns the element values that a pass computes, given those kept by earlier passes. */
  const needs = (p: number, kept: ReadonlySet<number>): Set<number> => {
    const seen = new Set<number>();
    const visit = (i: number): void => {
      if (nodeLevels[i] !== levels.element || seen.has(i)) return;
      seen.add(i);
      if (!kept.has(i)) nodes[i]!.inputs.forEach(visit);
    };
    inputsOf(p).forEach(visit);
    return seen;
  };
  const kept = new Set<number>();
  const passes: RowPass[] = [];
  for (let p = 0; p <= last; p++) {
    const now = needs(p, kept);
    const later = Array.from({ length: last - p }, (_, k) => needs(p + 1 + k, kept));
    const shared = [...now].filter((i) => !kept.has(i) && later.some((set) => set.has(i)));
    const isTop = (i: number): boolean =>
      later.some(
        (set, k) =>
          set.has(i) &&
          (inputsOf(p + 1 + k).includes(i) || [...set].some((user) => nodes[user]!.inputs.includes(i) && !shared.includes(user))),
      );
    const stores = shared.filter((i) => nodes[i]!.dtype !== "bool" && isTop(i) && cost(nodes, nodeLevels, i, kept) > kStoreCost);
    const fitting = stores.slice(0, Math.max(0, kMaxBuffers - kept.size));
    for (const i of fitting) kept.add(i);
    passes.push({ reductions: p < last ? roots[p]! : [], stores: fitting });
  }
  return passes;
}

/** Returns the cost of computing a value from loads and kept values. */
function cost(nodes: readonly ProgramNode[], nodeLevels: readonly number[], top: number, kept: ReadonlySet<number>): number {
  const seen = new Set<number>();
  const visit = (i: number): number => {
    if (seen.has(i) || nodeLevels[i] !== levels.element || kept.has(i)) return 0;
    seen.add(i);
    const { kind, op, inputs } = nodes[i]!;
    const own = kind !== "op" ? 0 : isMathOp(op) ? kMathCost : slowOps.has(op) ? kSlowCost : 1;
    return inputs.reduce((sum, input) => sum + visit(input), own);
  };
  return visit(top);
}

/** Returns the row buffers: for each the value that it holds and its bytes per element of the row. */
export function rowBuffers(
  nodes: readonly ProgramNode[],
  passes: readonly RowPass[],
): { readonly value: number; readonly bytesPerElement: number }[] {
  return passes.flatMap(({ stores }) => stores.map((value) => ({ value, bytesPerElement: laneWidth(nodes[value]!.dtype) })));
}
