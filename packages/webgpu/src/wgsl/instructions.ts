/**
 * The instructions of vectors as expressions of WGSL, by the shape of their lanes.
 */
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { bitInstruction } from "./bit-instructions.ts";
import { floatInstruction } from "./float-instructions.ts";
import { wordInstruction } from "./word-instructions.ts";
import type { InstructionWriter } from "./instruction-writer.ts";

/** An instruction's form: null if WGSL has none. */
type Instruction = (
  writer: InstructionWriter,
  kind: VectorKind,
  word: string,
  args: readonly Vector[],
  shift: number | null,
) => Vector | null;

/** The forms by the shape that an instruction's name begins with. */
const kShapes: Readonly<Record<string, Instruction>> = { f32x4: floatInstruction, i32x4: wordInstruction, v128: bitInstruction };

/** Writes an instruction such as "f32x4.add". Returns null if WGSL has no form of it. */
export function instructionOf(
  writer: InstructionWriter,
  kind: VectorKind,
  name: string,
  args: readonly Vector[],
  shift: number | null,
): Vector | null {
  const dot = name.indexOf(".");
  return kShapes[name.slice(0, dot)]?.(writer, kind, name.slice(dot + 1), args, shift) ?? null;
}
