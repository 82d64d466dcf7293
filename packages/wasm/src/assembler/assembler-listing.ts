/**
 * moduleText: lists a module in the text format of WebAssembly, for teaching and debugging. Only `explain` needs it, so it is not a part of
 * the assembler: a program that explains nothing has none of it in its bundle.
 *
 * It decodes only what CodeWriter writes. Locals and functions have the names that the caller gives, blocks are indented, and a constant
 * vector of equal floats shows the float in a comment. `wat2wasm` can read the text.
 */
import { InternalError } from "@onebuffer/base";
import type { WasmFunction, WasmModule } from "./assembler.ts";
import type { ValueType } from "./assembler-code.ts";
import type { InstructionFacts } from "./assembler-instructions.ts";
import { instructionsByName } from "./assembler-instructions.ts";

const kBlockTypes: Readonly<Record<number, string>> = { 127: "i32", 126: "i64", 125: "f32", 124: "f64", 123: "v128" };
const kControl: Readonly<Record<number, string>> = { 2: "block", 3: "loop", 4: "if" };
const kLocal: Readonly<Record<number, string>> = { 32: "local.get", 33: "local.set", 34: "local.tee" };

let byOpcode: ReadonlyMap<number, InstructionFacts> | undefined;

/** Returns the instructions by opcode, including the prefix. */
function instructionsByOpcode(): ReadonlyMap<number, InstructionFacts> {
  return (byOpcode ??= new Map([...instructionsByName.values()].map((facts) => [facts.opcode, facts])));
}

/** Reads the number formats of a module. `at` is the offset of the next byte. */
class Reader {
  readonly view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    return this.view.getUint8(this.at++);
  }

  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  signed(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(Number(shift) + 7, value);
    }
  }

  bytes(count: number): number[] {
    return Array.from({ length: count }, () => this.byte());
  }
}

/** Returns a double in the text format. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Returns a float in the text format, with the fewest digits that distinguish it from its neighbors. */
function float32Text(value: number): string {
  if (!Number.isFinite(value) || value === 0) return floatText(value);
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

/** Returns a constant vector in hexadecimal. If all its lanes are the same float or double, a comment shows that value. */
function vectorText(bytes: readonly number[]): string {
  const view = new DataView(Uint8Array.from(bytes).buffer);
  const lanes = [0, 4, 8, 12].map((at) => view.getUint32(at, true));
  const hex = lanes.map((lane) => `0x${lane.toString(16).padStart(8, "0")}`).join(" ");
  if (lanes.every((lane) => lane === lanes[0])) return `v128.const i32x4 ${hex} (; f32x4 ${float32Text(view.getFloat32(0, true))} ;)`;
  if (lanes[0] === lanes[2] && lanes[1] === lanes[3]) return `v128.const i32x4 ${hex} (; f64x2 ${floatText(view.getFloat64(0, true))} ;)`;
  return `v128.const i32x4 ${hex}`;
}

/** Returns the text of an instruction of the table, and reads its immediates. Throws INTERNAL for an unknown opcode. */
function tableText(reader: Reader, opcode: number): string {
  const facts = instructionsByOpcode().get(opcode);
  if (facts === undefined) throw new InternalError(`no instruction has the opcode 0x${opcode.toString(16)}`);
  const { name, immediates } = facts;
  if (immediates === "none") return name;
  if (immediates === "lane") return `${name} ${reader.byte()}`;
  if (immediates === "zero" || immediates === "zeros") {
    reader.at += immediates === "zero" ? 1 : 2;
    return name;
  }
  reader.byte();
  const offset = reader.unsigned();
  const offsetText = offset === 0 ? "" : ` offset=${offset}`;
  if (immediates === "atomic") return `${name}${offsetText}`;
  const memoryText = `${offsetText} align=1`;
  return immediates === "memory" ? `${name}${memoryText}` : `${name}${memoryText} ${reader.byte()}`;
}

/**
 * Returns the instructions in `bytes`, one per line. `locals` and `callees` are the names of locals and functions by index. Throws
 * INTERNAL for an opcode that CodeWriter does not write.
 */
export function listCode(bytes: Uint8Array, locals: readonly string[], callees: readonly string[]): string[] {
  const reader = new Reader(bytes);
  const lines: string[] = [];
  let depth = 0;
  const line = (text: string, indent: number = depth): void => void lines.push("  ".repeat(indent) + text);
  while (reader.at < bytes.length) {
    const opcode = reader.byte();
    if (opcode === 0x0b) line("end", --depth);
    else if (opcode === 0x05) line("else", depth - 1);
    else if (opcode in kControl) {
      const result = kBlockTypes[reader.byte()];
      line(result === undefined ? kControl[opcode]! : `${kControl[opcode]} (result ${result})`);
      depth++;
    } else if (opcode in kLocal) line(`${kLocal[opcode]} $${locals[reader.unsigned()]}`);
    else if (opcode === 0x0c || opcode === 0x0d) line(`${opcode === 0x0c ? "br" : "br_if"} ${reader.unsigned()}`);
    else if (opcode === 0x10) line(`call $${callees[reader.unsigned()]}`);
    else if (opcode === 0x41) line(`i32.const ${reader.signed()}`);
    else if (opcode === 0x42) line(`i64.const ${reader.signed()}`);
    else if (opcode === 0x43) {
      line(`f32.const ${float32Text(reader.view.getFloat32(reader.at, true))}`);
      reader.at += 4;
    } else if (opcode === 0x44) {
      line(`f64.const ${floatText(reader.view.getFloat64(reader.at, true))}`);
      reader.at += 8;
    } else if (opcode >= 0xfc && opcode <= 0xfe) {
      const number = reader.unsigned();
      if (opcode === 0xfd && number === 0x0c) line(vectorText(reader.bytes(16)));
      else if (opcode === 0xfd && number === 0x0d) line(`i8x16.shuffle ${reader.bytes(16).join(" ")}`);
      else line(tableText(reader, opcode * 0x10000 + number));
    } else line(tableText(reader, opcode));
  }
  return lines;
}

/** Returns `(word type …)`, or nothing for an empty list. */
function typesText(word: string, list: readonly ValueType[]): string {
  return list.length === 0 ? "" : ` (${word} ${list.join(" ")})`;
}

/** Returns a function in the text format, one instruction per line. `callees` are the names of functions by index. */
export function functionText(written: WasmFunction, callees: readonly string[] = []): string {
  const { name, names, types, params, results } = written;
  const declare = (word: string, from: number, to: number): string[] =>
    types.slice(from, to).map((type, i) => `(${word} $${names[from + i]} ${type})`);
  const head = [`(func $${name} (export "${name}")`, ...declare("param", 0, params.length)];
  if (results.length > 0) head.push(`(result ${results.join(" ")})`);
  const locals = declare("local", params.length, types.length);
  const lines = [head.join(" ")];
  for (let i = 0; i < locals.length; i += 8) lines.push(`  ${locals.slice(i, i + 8).join(" ")}`);
  for (const code of [written.prologue, written.body]) lines.push(...listCode(code.bytes(), names, callees).map((line) => `  ${line}`));
  return `${lines.join("\n")})`;
}

/** Returns a module in the text format. */
export function moduleText({ imports, memory, functions }: WasmModule): string {
  const lines = imports.map(
    ({ module, name, params, results }) =>
      `(import "${module}" "${name}" (func $${name}${typesText("param", params)}${typesText("result", results)}))`,
  );
  if (memory !== null) {
    const { module, name, initial, maximum, shared } = memory;
    lines.push(`(import "${module}" "${name}" (memory ${initial} ${maximum}${shared ? " shared" : ""}))`);
  }
  const callees = [...imports, ...functions].map(({ name }) => name);
  for (const each of functions) lines.push(functionText(each, callees));
  return `(module\n${lines.map((line) => line.replace(/^/gm, "  ")).join("\n")})\n`;
}
