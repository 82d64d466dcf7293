/**
 * Instructions of all bits of vectors. Masks are combined as conditions; other vectors as words.
 */
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";
import type { InstructionWriter } from "./instruction-writer.ts";

/** The operators between words, and between conditions. */
const kWords: Readonly<Record<string, string>> = { and: "&", or: "|", xor: "^" };
const kConditions: Readonly<Record<string, string>> = { and: "&&", or: "||", xor: "!=" };

/** Writes an instruction such as "v128.and". */
export function bitInstruction(writer: InstructionWriter, kind: VectorKind, word: string, args: readonly Vector[]): Vector | null {
  if (word === "bitselect") return selected(writer, kind, args as readonly [Vector, Vector, Vector]);
  const conditions = args.map((arg) => writer.conditionOf(arg));
  if (!conditions.includes(null)) return combined(writer, word, conditions as string[]).as(kind);
  const as = laneBytes[kind] === 8 ? "u64x2" : laneBytes[kind] === 4 ? "u32x4" : kind;
  const [a, b] = args.map((arg) => writer.text(arg, as)) as [string, string];
  if (word === "not") return writer.value(as, `~${a}`).as(kind);
  if (word === "andnot") return writer.value(as, `${a} & ~${b}`).as(kind);
  return kWords[word] === undefined ? null : writer.value(as, `${a} ${kWords[word]} ${b}`).as(kind);
}

/** Writes a selection by a mask. That between masks is a mask. */
function selected(writer: InstructionWriter, kind: VectorKind, [a, b, mask]: readonly [Vector, Vector, Vector]): Vector {
  const condition = writer.condition(mask);
  const [then, otherwise] = [writer.conditionOf(a), writer.conditionOf(b)];
  if (then !== null && otherwise !== null) return writer.mask(`select(${otherwise}, ${then}, ${condition})`).as(kind);
  return writer.value(kind, `select(${writer.text(b, kind)}, ${writer.text(a, kind)}, ${condition})`);
}

function combined(writer: InstructionWriter, word: string, [a, b]: readonly string[]): Vector {
  if (word === "not") return writer.mask(`!${a}`);
  if (word === "andnot") return writer.mask(`${a} && !${b}`);
  return writer.mask(`${a} ${kConditions[word]} ${b}`);
}
