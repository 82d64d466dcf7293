/**
 * writeText: writes a function whose instructions are given as text. Words are written in the order in which they run, as in the text format
 * of WebAssembly, with shorter names for what is frequent. A kernel that differs by dtype is one text with the dtype's words in it.
 *
 *     from count 4 * + ->end           end = from + count * 4
 *     loop
 *       sum from f32.load f32.add ->sum
 *       from+=4
 *     from end < while                 repeats the loop while from < end
 *
 *     1 i64:1 f32:0.5      constants; those without a type are i32. Integers that are too large wrap around
 *     name ->name          pushes a local; pops into a local
 *     name+=4 name+=other  adds a constant or a local to an i32 local
 *     f32.load:8           the number after a colon is an offset, or the number of a lane
 *     v128.load32_lane:8,1 the numbers after a colon are an offset and a lane
 *     block:out br_if:out  a label, valid until the block's end; `while` is a branch to the innermost loop and the loop's end
 *     shuffle:0,1,…        i8x16.shuffle
 *     call:name            calls a function of the module
 *     + - * & | ^ << >> < == are instructions for unsigned i32
 */
import { InternalError } from "@onebuffer/base";
import type { WasmFunction, WasmModule } from "./assembler.ts";
import type { Label } from "./assembler-code.ts";
import type { LaneInstruction, MemoryInstruction, MemoryLaneInstruction, PlainInstruction } from "./assembler-instructions.ts";
import { instructionsByName } from "./assembler-instructions.ts";

const kShortNames: Readonly<Record<string, string>> = {
  "+": "i32.add",
  "-": "i32.sub",
  "*": "i32.mul",
  "&": "i32.and",
  "|": "i32.or",
  "^": "i32.xor",
  "<<": "i32.shl",
  ">>": "i32.shr_u",
  "<": "i32.lt_u",
  "==": "i32.eq",
};

/** Writes the words of a text at the end of the body of a function of the module. Throws INTERNAL if a word is unknown. */
export function writeText(module: WasmModule, target: WasmFunction, text: string): void {
  const code = target.body;
  const labels: Record<string, Label> = {};
  for (const word of text.trim().split(/\s+/)) {
    const fail = (): never => {
      throw new InternalError(`${target.name} has an unknown word: ${word}`);
    };
    const localOf = (name: string): number => {
      const local = target.names.indexOf(name);
      return local < 0 ? fail() : local;
    };
    const push = (name: string): unknown => (/^-?\d+$/.test(name) ? code.i32(Number(name) | 0) : code.get(localOf(name)));
    const [name, value] = word.split(":") as [string, string | undefined];
    const [sum, addend] = word.split("+=") as [string, string | undefined];
    const facts = instructionsByName.get(kShortNames[name] ?? name);
    if (facts !== undefined) {
      if (facts.immediates === "memory") code.memory(facts.name as MemoryInstruction, Number(value ?? 0));
      else if (facts.immediates === "lane") code.lane(facts.name as LaneInstruction, Number(value));
      else if (facts.immediates === "memory-lane") {
        const [offset, lane] = value!.split(",").map(Number) as [number, number];
        code.memoryLane(facts.name as MemoryLaneInstruction, lane, offset);
      } else code.op(facts.name as PlainInstruction);
    } else if (addend !== undefined) {
      push(addend);
      code.get(localOf(sum)).op("i32.add").set(localOf(sum));
    } else if (word.startsWith("->")) code.set(localOf(word.slice(2)));
    else if (name === "block" || name === "loop" || name === "if") labels[value ?? ""] = code[name]();
    else if (name === "else" || name === "end") code[name]();
    else if (name === "br") code.br(labels[value!] ?? fail());
    else if (name === "br_if") code.brIf(labels[value!] ?? fail());
    else if (name === "while") code.brIf(code.depth as Label).end();
    else if (name === "i32") code.i32(Number(value) | 0);
    else if (name === "i64") code.i64(BigInt.asIntN(64, BigInt(value!)));
    else if (name === "f32" || name === "f64") code[name](Number(value));
    else if (name === "shuffle") code.shuffle(value!.split(",").map(Number));
    else if (name === "call") code.call(module.functions.find((each) => each.name === value) ?? fail());
    else push(word);
  }
}
