/**
 * row-passes: in how many passes a row is gone through, and what is set aside between them.
 *
 *     softmax     pass 1   max of x
 *                 pass 2   sum of exp(x - max)        sets exp(x - max) aside: it is dear, and needed again
 *                 last     exp(x - max) / sum
 *
 * A value that a later pass needs, too, is set aside in a row buffer in the first-level cache if computing it costs more
 * than reading it back; cheap ones (a load, a difference) are computed again.
 */
import { laneWidth } from "./lanes.ts";
import { levels } from "./program.ts";
import type { ProgramNode } from "./program.ts";

/** One pass over a row. */
export interface RowPass {
  /** The reductions that it completes; none for the last one. */
  readonly reductions: readonly number[];
  /** Values of elements that it sets aside. */
  readonly stores: readonly number[];
}

/** What computing an operation costs, roughly in instructions, where it is more than one. */
const costs: Readonly<Record<string, number>> = { div: 4, sqrt: 4, reciprocal: 4, pow: 60, atan2: 40 };
const kMathCost = 25;
const mathOps: ReadonlySet<string> = new Set(
  "exp expNonPositive exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh sigmoid erf rsqrt".split(" "),
);

/** Whether an operation is an elementary function, which takes many instructions. */
export function isMathOp(op: string): boolean {
  return mathOps.has(op) || op === "pow" || op === "atan2";
}

/** Setting aside and reading back costs about this much. */
const kStoreCost = 3;
/** As many buffers as the argument block has words for. */
export const kMaxBuffers = 6;

/** The passes of a program, the last of which stores the result. */
export function rowPasses(nodes: readonly ProgramNode[], nodeLevels: readonly number[], result: number): RowPass[] {
  const last = nodes.reduce((most, { pass }) => Math.max(most, pass), 0);
  const roots = Array.from({ length: last + 1 }, (_, p): number[] =>
    p < last ? nodes.map((_node, i) => i).filter((i) => nodes[i]!.kind === "reduce" && nodes[i]!.pass === p + 1) : [result],
  );
  const inputsOf = (p: number): readonly number[] => (p < last ? roots[p]!.map((i) => nodes[i]!.inputs[0]!) : roots[p]!);
  /** Values of elements that a pass computes, given what was set aside before. */
  const needs = (p: number, aside: ReadonlySet<number>): Set<number> => {
    const seen = new Set<number>();
    const visit = (i: number): void => {
      if (nodeLevels[i] !== levels.element || seen.has(i)) return;
      seen.add(i);
      if (!aside.has(i)) nodes[i]!.inputs.forEach(visit);
    };
    inputsOf(p).forEach(visit);
    return seen;
  };
  const aside = new Set<number>();
  const passes: RowPass[] = [];
  for (let p = 0; p <= last; p++) {
    const now = needs(p, aside);
    const later = Array.from({ length: last - p }, (_, k) => needs(p + 1 + k, aside));
    const shared = [...now].filter((i) => !aside.has(i) && later.some((set) => set.has(i)));
    const isTop = (i: number): boolean =>
      later.some(
        (set, k) =>
          set.has(i) &&
          (inputsOf(p + 1 + k).includes(i) || [...set].some((user) => nodes[user]!.inputs.includes(i) && !shared.includes(user))),
      );
    const stores = shared.filter((i) => nodes[i]!.dtype !== "bool" && isTop(i) && cost(nodes, nodeLevels, i, aside) > kStoreCost);
    const fitting = stores.slice(0, Math.max(0, kMaxBuffers - aside.size));
    for (const i of fitting) aside.add(i);
    passes.push({ reductions: p < last ? roots[p]! : [], stores: fitting });
  }
  return passes;
}

function cost(nodes: readonly ProgramNode[], nodeLevels: readonly number[], top: number, aside: ReadonlySet<number>): number {
  const seen = new Set<number>();
  const visit = (i: number): number => {
    if (seen.has(i) || nodeLevels[i] !== levels.element || aside.has(i)) return 0;
    seen.add(i);
    const { kind, op, inputs } = nodes[i]!;
    const own = kind !== "op" ? 0 : mathOps.has(op) ? kMathCost : (costs[op] ?? 1);
    return inputs.reduce((sum, input) => sum + visit(input), own);
  };
  return visit(top);
}

/** Bytes that the row buffers take in all, for rows of so many elements (padded to whole groups), and the start of each. */
export function rowBuffers(
  nodes: readonly ProgramNode[],
  passes: readonly RowPass[],
): { readonly value: number; readonly bytesPerElement: number }[] {
  return passes.flatMap(({ stores }) => stores.map((value) => ({ value, bytesPerElement: laneWidth(nodes[value]!.dtype) })));
}
