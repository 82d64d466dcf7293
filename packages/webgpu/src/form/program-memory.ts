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

/** The storage buffers that every implementation of WebGPU binds at once. */
const kMostBuffers = 8;
/** Operands that are copied side by side begin at multiples of so many bytes: the largest element. */
const kAlignment = 16;

/** A program and the memory that its shader binds. */
export interface BoundProgram {
  readonly lowered: Lowered;
  readonly memory: ProgramMemory;
}

/** The operand that has no memory, and how many buffers the shader binds beside those of the program and its target. */
export interface BindingOptions {
  readonly except?: number;
  readonly reserved?: number;
}

/**
 * Returns the slots of a program's operands, and of the flag if elements may be errors. Where a shader cannot bind so many buffers, the last
 * operands are first copied into one slot, side by side; the program then reads them there.
 */
export function boundProgram(writer: StepWriter, lowered: Lowered, { except = -1, reserved = 0 }: BindingOptions = {}): BoundProgram {
  const { program, stages } = lowered;
  const slots = program.operands.map(({ source }, k) => {
    if (source === null || k === except) return -1;
    return writer.stored(typeof source === "number" ? stages[source]! : source).slot;
  });
  const flag = mayNeedRecheck(program.nodes) ? writer.flag() : -1;
  const most = kMostBuffers - 1 - reserved - (flag < 0 ? 0 : 1);
  const distinct = [...new Set(slots.filter((slot) => slot >= 0))];
  if (distinct.length <= most) return { lowered, memory: { slots, flag } };
  const { slot: together, places } = copiedTogether(writer, distinct.slice(most - 1));
  const operands = program.operands.map((operand, k) => ({ ...operand, offset: operand.offset + (places.get(slots[k]!) ?? 0) }));
  const moved = slots.map((slot) => (places.has(slot) ? together : slot));
  return { lowered: { ...lowered, program: { ...program, operands } }, memory: { slots: moved, flag } };
}

/** Adds copies of slots into a new one. Returns it, and the byte at which each begins there. */
function copiedTogether(
  writer: StepWriter,
  slots: readonly number[],
): { readonly slot: number; readonly places: ReadonlyMap<number, number> } {
  const places = new Map<number, number>();
  let bytes = 0;
  for (const slot of slots) {
    places.set(slot, bytes);
    bytes += Math.ceil(writer.bytesOf(slot) / kAlignment) * kAlignment;
  }
  const together = writer.scratch(bytes);
  for (const [slot, at] of places) writer.copy([slot, together], writer.bytesOf(slot), 0, at);
  return { slot: together, places };
}
