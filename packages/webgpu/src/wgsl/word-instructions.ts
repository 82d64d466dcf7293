/**
 * Instructions of i32x4 and u32x4, and conversions of floats to them.
 */
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { kComparisons } from "./instruction-writer.ts";
import type { InstructionWriter } from "./instruction-writer.ts";

const kOperators: Readonly<Record<string, string>> = { add: "+", sub: "-", mul: "*" };
const kCalls: ReadonlySet<string> = new Set(["abs", "min", "max"]);

/** Writes an instruction of 32-bit integers; the end of its word says whether they are unsigned. */
export function wordInstruction(
  writer: InstructionWriter,
  kind: VectorKind,
  word: string,
  args: readonly Vector[],
  shift: number | null,
): Vector | null {
  if (word === "trunc_sat_f32x4_s") return writer.value("i32x4", `${writer.uses("f_trunc")}(${writer.text(args[0]!, "f32x4")})`);
  if (word === "trunc_sat_f32x4_u") return writer.value("u32x4", `${writer.uses("f_trunc_u")}(${writer.text(args[0]!, "f32x4")})`);
  const as = word.endsWith("_u") ? "u32x4" : "i32x4";
  const base = word.replace(/_[su]$/, "");
  const texts = args.map((arg) => writer.text(arg, as));
  const [a, b] = texts as [string, string];
  if (base === "shl" || base === "shr") {
    const by = shift === null || shift < 0 ? `(${writer.text(args[1]!, "u32x4")} & 31u)` : `${shift & 31}u`;
    return writer.value(as, `${a} ${base === "shl" ? "<<" : ">>"} ${by}`).as(kind);
  }
  if (kOperators[base] !== undefined) return writer.value(as, `${a} ${kOperators[base]} ${b}`).as(kind);
  if (kComparisons[base] !== undefined) return writer.mask(`${a} ${kComparisons[base]} ${b}`);
  if (base === "neg") return writer.value(as, `0i - ${a}`).as(kind);
  return kCalls.has(base) ? writer.value(as, `${base}(${texts.join(", ")})`).as(kind) : null;
}
