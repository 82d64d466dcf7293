/**
 * RowReductions: the reductions of a program's rows in a shader: their variables, and how the invocations of a workgroup join what each has
 * added up.
 */
import type { Program, ReduceOp } from "@onebuffer/compiler/internal";
import type { Shader } from "../wgsl/shader.ts";
import { accumulatorOf } from "./accumulators.ts";
import type { Accumulator } from "./accumulators.ts";
import { declareAccumulator } from "./accumulator-memory.ts";

/** A reduction of a program: its node and that of its input, its pass, its accumulator, the names of its variables. */
export interface RowReduction {
  readonly node: number;
  readonly input: number;
  readonly pass: number;
  readonly accumulator: Accumulator;
  readonly names: readonly string[];
}

/** Returns the reductions of a program. Throws UNIMPLEMENTED for those that have no accumulator. */
export function rowReductions({ nodes }: Program): RowReduction[] {
  return nodes.flatMap((reduction, node) => {
    if (reduction.kind !== "reduce") return [];
    const input = reduction.inputs[0]!;
    const accumulator = accumulatorOf(reduction.op as ReduceOp, reduction.dtype, nodes[input]!.dtype);
    return [{ node, input, pass: reduction.pass, accumulator, names: accumulator.variables.map((_, k) => `a${node}_${k}`) }];
  });
}

/** Returns the number of passes: the reductions of a pass need those of the passes before. */
export function passesOf(reductions: readonly RowReduction[]): number {
  return Math.max(...reductions.map(({ pass }) => pass));
}

/** Declares the variables of reductions, over no elements. */
export function declareReductions(shader: Shader, reductions: readonly RowReduction[]): void {
  for (const { accumulator, names } of reductions) declareAccumulator(shader, accumulator, names);
}

/** The invocations of a workgroup. */
export const kWorkgroup = 64;

/**
 * Writes the lines that join what `sharers` neighboring invocations of a workgroup have. All of them get the result. A few of them join what the
 * others have, then all of them join these: a tree of two levels needs two barriers, one of six levels seven.
 */
export function joinInvocations(shader: Shader, reductions: readonly RowReduction[], sharers: number): void {
  const { source } = shader;
  const joiners = Math.sqrt(sharers);
  const [own, first] = sharers === kWorkgroup ? ["t", "0"] : [`(t & ${sharers - 1})`, `(t & ${kWorkgroup - sharers})`];
  const each = (write: (shared: string, name: string) => void): void => {
    for (const { names } of reductions) for (const name of names) write(`w_${name}`, name);
  };
  const joinEach = (from: number, end: number, step: number, place: string): void => {
    source.open(`for (var h = ${from}; h < ${end}; h += ${step}) {`);
    for (const { accumulator, names } of reductions)
      accumulator.join(
        source,
        names,
        names.map((name) => `w_${name}[${place} + h]`),
      );
    source.close();
  };
  for (const { accumulator, names } of reductions)
    accumulator.variables.forEach(({ type }, k) => shader.declare(`var<workgroup> w_${names[k]}: array<${type}, ${kWorkgroup}>;`));
  each((shared, name) => source.line(`${shared}[t] = ${name};`));
  source.line("workgroupBarrier();");
  source.open(`if (${own} < ${joiners}) {`);
  joinEach(joiners, sharers, joiners, "t");
  each((shared, name) => source.line(`${shared}[t] = ${name};`));
  source.close();
  source.line("workgroupBarrier();");
  each((shared, name) => source.line(`${name} = ${shared}[${first}];`));
  joinEach(1, joiners, 1, first);
}
