/**
 * rowIndex: indices of rows that are read from memory, as gather and scatter take them: int32 or int64, valid within an axis.
 */
import { loadElement } from "../wgsl/element-memory.ts";
import type { Shader } from "../wgsl/shader.ts";
import type { Stored } from "../step/gpu-plan.ts";

/** An index: its value as an i32, which has no meaning outside of the axis, and the conditions that it is within it and that it is negative. */
export interface RowIndex {
  readonly row: string;
  readonly isInside: string;
  readonly isNegative: string;
}

/** Loads the index at a place. `size` is the text of the size of the axis. */
export function rowIndex({ source }: Shader, buffer: string, { dtype }: Stored, place: string, size: string): RowIndex {
  const index = source.text(loadElement(source, buffer, dtype, place));
  const [low, high] = dtype === "int64" ? [`${index}.x`, `${index}.y`] : [`bitcast<u32>(${index})`, `bitcast<u32>(${index} >> 31u)`];
  const isInside = source.condition(source.mask(`${high} == 0u && ${low} < u32(${size})`));
  return { row: source.text(source.value("i32x4", `bitcast<i32>(${low})`)), isInside, isNegative: `((${high} & 0x80000000u) != 0u)` };
}

/** Marks the run as one with an invalid element where a condition holds. */
export function reportRow({ source }: Shader, flag: string, condition: string): void {
  source.line(`if (${condition}) { atomicOr(&${flag}[0], 1u); }`);
}
