/**
 * The memory of a program: the nodes that it reads, and the slots in which they are.
 */
import type { ExpressionTree } from "@onebuffer/expression";
import { mayNeedRecheck } from "@onebuffer/compiler/internal";
import type { Lowered } from "@onebuffer/compiler/internal";
import type { StepWriter } from "../step/step-writer.ts";
import type { ProgramMemory } from "./program-values.ts";

/** Returns the nodes that must be in memory before a program runs; without the operand `except`, which is computed in the same shader. */
export function programNeeds({ program, stages }: Lowered, except: number = -1): ExpressionTree[] {
  const read = program.operands.flatMap(({ source }, k) => {
    if (source === null || k === except) return [];
    return [typeof source === "number" ? stages[source]! : source];
  });
  return [...new Set(read)];
}

/** Returns the slots of a program's operands, and the flag if elements may be errors. */
export function programMemory(writer: StepWriter, { program, stages }: Lowered, except: number = -1): ProgramMemory {
  const slots = program.operands.map(({ source }, k) => {
    if (source === null || k === except) return -1;
    return writer.stored(typeof source === "number" ? stages[source]! : source).slot;
  });
  return { slots, flag: mayNeedRecheck(program.nodes) ? writer.flag() : -1 };
}
