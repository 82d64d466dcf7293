/** combining-words: WebAssembly's instructions for the operations by which scans and scatters combine two elements. */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { CombiningOp } from "@onebuffer/expression/internal";
import { isFloat } from "@onebuffer/expression/internal";

/**
 * An operation on integers: its name in instructions, the comparison that is true if the first of two is the result (null if there is an
 * instruction for single elements), and the bytes of the shortest and longest lanes with an instruction.
 */
type Instruction = readonly [name: string, chooses: string | null, least: number, most: number];

const instructions: Readonly<Record<CombiningOp, Instruction>> = {
  add: ["add", null, 1, 8],
  mul: ["mul", null, 2, 8],
  maximum: ["max", "gt", 1, 4],
  minimum: ["min", "lt", 1, 4],
  logicalOr: ["or", null, 8, 1],
  logicalAnd: ["and", null, 8, 1],
};

/** The words of an operation on elements of a dtype. */
export interface CombiningWords {
  /** The name in instructions: `add` as in `f32.add`. */
  readonly name: string;
  /** The comparison that is true if the first of two integers is the result; null if `name` is an instruction. */
  readonly chooses: string | null;
  /** The instruction on vectors; null if there is none. */
  readonly vector: string | null;
}

/** Returns the words for an operation on elements of a dtype. */
export function combiningWords(op: CombiningOp, dtype: DType): CombiningWords {
  const [name, chooses, least, most] = instructions[op];
  const bytes = dtypeSize(dtype);
  const lanes = `${8 * bytes}x${16 / bytes}.${name}`;
  if (isFloat(dtype)) return { name, chooses: null, vector: `f${lanes}` };
  const sign = dtype.startsWith("u") ? "_u" : "_s";
  const vector = bytes < least || bytes > most ? null : `i${lanes}${chooses === null ? "" : sign}`;
  return { name, chooses: chooses === null ? null : `${bytes === 8 ? "i64" : "i32"}.${chooses}${sign}`, vector };
}
