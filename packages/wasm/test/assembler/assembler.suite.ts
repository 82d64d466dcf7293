// Tests of the assembler: the engine accepts its modules, their functions return the right results, and the listing shows their
// instructions.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { WasmModule } from "../../src/assembler/assembler.ts";
import type { ValueType } from "../../src/assembler/assembler-code.ts";
import { CodeWriter } from "../../src/assembler/assembler-code.ts";
import type {
  AtomicInstruction,
  InstructionFacts,
  LaneInstruction,
  MemoryInstruction,
  MemoryLaneInstruction,
  PlainInstruction,
} from "../../src/assembler/assembler-instructions.ts";
import { instructionsByName } from "../../src/assembler/assembler-instructions.ts";
import { listCode, moduleText } from "../../src/assembler/assembler-listing.ts";
import { hasRelaxedSimd, instantiate, memory, memoryImport, wasm } from "@onebuffer/test-support";

const instructions = [...instructionsByName.values()];

/** Writes an instruction with its immediates. */
function write(code: CodeWriter, { name, immediates }: InstructionFacts): CodeWriter {
  if (immediates === "memory") return code.memory(name as MemoryInstruction, 300);
  if (immediates === "lane") return code.lane(name as LaneInstruction, 1);
  if (immediates === "memory-lane") return code.memoryLane(name as MemoryLaneInstruction, 1, 300);
  if (immediates === "atomic") return code.atomic(name as AtomicInstruction, 300);
  return code.op(name as PlainInstruction);
}

/** Makes a module with one function whose body is `fill`, and calls it. */
function run(
  params: Record<string, ValueType>,
  result: ValueType,
  fill: (code: CodeWriter) => void,
  ...args: (number | bigint)[]
): number | bigint {
  const module = new WasmModule(memoryImport);
  fill(module.function("f", params, [result]).body);
  return instantiate(module)["f"]!(...args);
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (isStatusError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "nothing thrown";
}

describe("instructions", () => {
  test("the table has all SIMD instructions and no opcode twice", () => {
    expect(instructions.length).toBe(new Set(instructions.map(({ opcode }) => opcode)).size);
    const simd = instructions.filter(({ opcode }) => opcode >= 0xfd0000 && opcode < 0xfd0100);
    // 236 SIMD instructions, of which v128.const and i8x16.shuffle are methods of their own; 20 relaxed ones.
    expect(simd.length).toBe(234);
    expect(instructions.filter(({ opcode }) => opcode >= 0xfd0100 && opcode < 0xfe0000).length).toBe(20);
  });

  test.each(instructions.map((facts) => [facts.name, facts] as const))("the engine accepts %s with its immediates", (name, facts) => {
    if (facts.opcode >= 0xfd0100 && facts.opcode < 0xfe0000 && !hasRelaxedSimd()) return;
    const module = new WasmModule(memoryImport);
    // After `unreachable` the validator assumes any operands on the stack.
    write(module.function("f", {}).body.op("unreachable"), facts).op("unreachable");
    expect(wasm.validate(module.toBytes())).toBe(true);
    expect(listCode(write(new CodeWriter(), facts).bytes(), [], [])[0]!.split(" ")[0]).toBe(name);
  });

  test("the engine refuses an instruction without operands", () => {
    const module = new WasmModule(memoryImport);
    module.function("f", {}).body.op("i32.add");
    expect(wasm.validate(module.toBytes())).toBe(false);
  });
});

describe("numbers", () => {
  test.each([0, 1, -1, 63, 64, -64, -65, 8191, 8192, 0x7fffffff, -0x80000000])("i32 %p", (value) => {
    expect(run({}, "i32", (code) => code.i32(value))).toBe(value);
  });

  test.each([0n, -1n, 63n, 64n, -65n, 0x7fffffffffffffffn, -0x8000000000000000n])("i64 %p", (value) => {
    expect(run({}, "i64", (code) => code.i64(value))).toBe(value);
  });

  test.each([0, -0, 1.5, Number.NaN, -Infinity, 5e-324, 0.1])("f64 %p", (value) => {
    expect(run({}, "f64", (code) => code.f64(value))).toBe(value);
    expect(run({}, "f32", (code) => code.f32(value))).toBe(Math.fround(value));
  });

  test("vectors, lanes and shuffles", () => {
    const bytes = Uint8Array.from({ length: 16 }, (_, i) => i * 3);
    const reverse = Array.from({ length: 16 }, (_, i) => 31 - i);
    expect(run({}, "i32", (code) => code.v128(bytes).lane("i8x16.extract_lane_u", 5))).toBe(15);
    expect(run({}, "i32", (code) => code.v128(bytes).v128(bytes).shuffle(reverse).lane("i8x16.extract_lane_u", 0))).toBe(45);
  });
});

describe("control flow", () => {
  test("branches out of nested loops, blocks and ifs go to the right label", () => {
    const sum = run(
      { n: "i32" },
      "i32",
      (code) => {
        const out = code.block("i32");
        const top = code.loop();
        code.get(0).op("i32.eqz").if();
        code.i32(55).br(out).end();
        code.get(0).i32(1).op("i32.sub").set(0).br(top).end().op("unreachable").end();
      },
      9,
    );
    expect(sum).toBe(55);
    const sign = (x: number): number | bigint =>
      run(
        { x: "i32" },
        "i32",
        (code) => {
          code.get(0).i32(0).op("i32.lt_s").if("i32");
          code.i32(-1).else().i32(1).end();
        },
        x,
      );
    expect([sign(-5), sign(5)]).toEqual([-1, 1]);
  });

  test("functions call other functions and imports; the prologue runs before the body even if it is written later", () => {
    const module = new WasmModule(memoryImport);
    const twice = module.importFunction("test", "twice", ["f64"], ["f64"]);
    const inner = module.function("inner", { x: "f64" }, ["f64"]);
    inner.body.get(0).call(twice).f64(1).op("f64.add");
    const outer = module.function("outer", { x: "f64", y: "f64" }, ["f64"]);
    const [a, , b] = [outer.local("f64"), outer.local("i32"), outer.local("f64", "ten")];
    outer.body.get(outer.param("y")).call(inner).tee(a).get(b).op("f64.mul");
    outer.prologue.f64(10).set(b);
    expect(instantiate(module, { twice: (x: number) => 2 * x })["outer"]!(0, 3)).toBe(70);
  });

  test("memory.copy and memory.fill", () => {
    const module = new WasmModule(memoryImport);
    module.function("f", {}).body.i32(64).i32(7).i32(4).op("memory.fill").i32(66).i32(64).i32(4).op("memory.copy");
    instantiate(module)["f"]!();
    expect([...new Uint8Array(memory.buffer, 63, 8)]).toEqual([0, 7, 7, 7, 7, 7, 7, 0]);
    new Uint8Array(memory.buffer, 64, 8).fill(0);
  });
});

describe("the listing", () => {
  test("shows a module in the text format, with names", () => {
    const module = new WasmModule({ ...memoryImport, shared: true });
    module.importFunction("test", "twice", ["f64"], ["f64"]);
    const f = module.function("scale", { out: "i32", end: "i32" }, []);
    const [two, pair, mixed] = [f.local("v128", "two"), f.local("v128"), f.local("v128")];
    f.prologue.v128(new Uint8Array(new Float32Array(4).fill(0.1).buffer)).set(two);
    f.prologue.v128(new Uint8Array(new Float64Array(2).fill(-2).buffer)).set(pair);
    f.prologue.v128(Uint8Array.from({ length: 16 }, (_, i) => i)).set(mixed);
    const top = f.body.loop();
    f.body.get(0).get(0).memory("v128.load", 16).get(two).op("f32x4.mul").memory("v128.store");
    f.body.get(0).get(1).op("i32.lt_u").brIf(top).end();
    expect(moduleText(module)).toBe(`(module
  (import "test" "twice" (func $twice (param f64) (result f64)))
  (import "test" "memory" (memory 1 65536 shared))
  (func $scale (export "scale") (param $out i32) (param $end i32)
    (local $two v128) (local $l3 v128) (local $l4 v128)
    v128.const i32x4 0x3dcccccd 0x3dcccccd 0x3dcccccd 0x3dcccccd (; f32x4 0.1 ;)
    local.set $two
    v128.const i32x4 0x00000000 0xc0000000 0x00000000 0xc0000000 (; f64x2 -2 ;)
    local.set $l3
    v128.const i32x4 0x03020100 0x07060504 0x0b0a0908 0x0f0e0d0c
    local.set $l4
    loop
      local.get $out
      local.get $out
      v128.load offset=16 align=1
      local.get $two
      f32x4.mul
      v128.store align=1
      local.get $out
      local.get $end
      i32.lt_u
      br_if 0
    end))
`);
  });

  test("shows the instructions that are not in the table", () => {
    const code = new CodeWriter();
    const label = code.block("f64");
    code.i32(-5).if();
    code
      .else()
      .end()
      .i64(-7n)
      .f32(1.5)
      .f64(Number.NaN)
      .f64(-0)
      .f32(-Infinity)
      .br(label)
      .end()
      .tee(0)
      .shuffle(Array.from({ length: 16 }, (_, i) => i));
    code.call({ index: 1 }).op("memory.copy").op("memory.fill").memoryLane("v128.load8_lane", 3, 200);
    expect(listCode(code.bytes(), ["x"], ["f", "g"])).toEqual([
      "block (result f64)",
      "  i32.const -5",
      "  if",
      "  else",
      "  end",
      "  i64.const -7",
      "  f32.const 1.5",
      "  f64.const nan",
      "  f64.const -0",
      "  f32.const -inf",
      "  br 0",
      "end",
      "local.tee $x",
      "i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
      "call $g",
      "memory.copy",
      "memory.fill",
      "v128.load8_lane offset=200 align=1 3",
    ]);
  });
});

describe("mistakes", () => {
  test.each([
    ["a shuffle with 17 lanes", () => new CodeWriter().shuffle(Array(17).fill(0)), "INTERNAL: a shuffle needs 16 lanes from 0 to 31"],
    ["a lane out of range", () => new CodeWriter().shuffle(Array(16).fill(32)), "got 32, 32"],
    ["an end without a block", () => new CodeWriter().end(), "INTERNAL: end without an open block"],
    [
      "a branch to an ended block",
      () => {
        const code = new CodeWriter();
        const label = code.block();
        code.end().br(label);
      },
      "INTERNAL: branch to block 1, which has ended; 0 are open",
    ],
    [
      "unknown parameters",
      () => new WasmModule().function("f", { a: "i32" }).paramsOf({ a: "i32", b: "i32" }),
      "INTERNAL: f has no parameter b",
    ],
    ["an unknown parameter", () => new WasmModule().function("f", { a: "i32" }).param("b"), "INTERNAL: f has no parameter b"],
    [
      "an import after a function",
      () => {
        const module = new WasmModule();
        module.function("f", {});
        module.importFunction("test", "g", [], []);
      },
      "INTERNAL: import of test.g after the first function",
    ],
    [
      "a block without end",
      () => {
        const module = new WasmModule();
        module.function("f", {}).body.block();
        module.toBytes();
      },
      "INTERNAL: f has blocks without end",
    ],
    ["an unknown opcode", () => listCode(Uint8Array.of(0xff), [], []), "INTERNAL: no instruction has the opcode 0xff"],
  ])("refuses %s", (_, act, message) => {
    expect(codeOf(act)).toContain(message);
  });
});
