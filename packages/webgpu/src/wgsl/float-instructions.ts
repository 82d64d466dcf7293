/**
 * Instructions of f32x4. Sums and differences are kept apart from what follows, because compilers turn (x + c) - c into x.
 */
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { kComparisons } from "./instruction-writer.ts";
import type { InstructionWriter } from "./instruction-writer.ts";

/** Functions of one or two floats: those of WGSL that are exact, and our own. */
const kCalls: Readonly<Record<string, string>> = { floor: "floor", ceil: "ceil", trunc: "trunc", nearest: "round" };
const kOwn = { min: "f_min", max: "f_max", sqrt: "f_sqrt" } as const;

/** Writes an instruction of f32x4. */
export function floatInstruction(writer: InstructionWriter, _kind: VectorKind, word: string, args: readonly Vector[]): Vector | null {
  if (word === "convert_i32x4_s") return writer.value("f32x4", `f32(${writer.text(args[0]!, "i32x4")})`);
  if (word === "convert_i32x4_u") return writer.value("f32x4", `${writer.uses("word_to_float")}(${writer.text(args[0]!, "u32x4")})`);
  const [a, b] = args.map((arg) => writer.text(arg, "f32x4")) as [string, string];
  const comparison = kComparisons[word];
  if (comparison !== undefined) return writer.mask(compared(writer, word, comparison, a, b));
  const result = arithmetic(writer, word, a, b);
  return result === null ? null : writer.value("f32x4", result);
}

/** Returns a comparison. Compilers may take x == x for true, so NaN is tested on its bits. */
function compared(writer: InstructionWriter, word: string, comparison: string, a: string, b: string): string {
  if (word === "ne") return a === b ? `${writer.uses("is_nan")}(${a})` : `!(${a} == ${b})`;
  if (word === "eq" && a === b) return `!${writer.uses("is_nan")}(${a})`;
  return `${a} ${comparison} ${b}`;
}

function arithmetic(writer: InstructionWriter, word: string, a: string, b: string): string | null {
  switch (word) {
    case "add":
      // Compilers take x + 0 for x, which leaves -0 as it is.
      if (b === "0.0f") return `select(${a}, 0.0f, ${a} == 0.0f)`;
      return `${writer.uses("keep")}(${a} + ${b})`;
    case "sub":
      return `${writer.uses("keep")}(${a} - ${b})`;
    case "mul":
      return `${a} * ${b}`;
    case "div":
      return `${a} / ${b}`;
    case "pmin":
      return `select(${a}, ${b}, ${b} < ${a})`;
    case "pmax":
      return `select(${a}, ${b}, ${a} < ${b})`;
    case "min":
    case "max":
      return `${writer.uses(kOwn[word])}(${a}, ${b})`;
    case "sqrt":
      return `${writer.uses(kOwn.sqrt)}(${a})`;
    default:
      return kCalls[word] === undefined ? null : `${kCalls[word]}(${a})`;
  }
}
