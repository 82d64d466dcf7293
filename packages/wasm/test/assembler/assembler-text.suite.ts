// Tests of functions given as text: every kind of word does what it says, and unknown words are errors.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { ValueType } from "../../src/assembler/assembler-code.ts";
import { writeText } from "../../src/assembler/assembler-text.ts";
import { WasmModule } from "../../src/assembler/assembler.ts";
import { instantiate, memory, memoryImport } from "@onebuffer/test-support";

/** Calls a function of i32 parameters whose text is given. It has an i32 local `sum` and a vector `v`. */
function run(text: string, result: ValueType, params: readonly string[] = [], ...args: number[]): number | bigint {
  const module = new WasmModule(memoryImport);
  const twice = module.function("twice", { x: "i32" }, ["i32"]);
  writeText(module, twice, "x 2 *");
  const target = module.function("f", Object.fromEntries(params.map((name) => [name, "i32" as const])), [result]);
  target.local("i32", "sum");
  target.local("v128", "v");
  writeText(module, target, text);
  return instantiate(module)["f"]!(...args);
}

describe("writeText", () => {
  test.each([
    ["-5", "i32", -5],
    ["4294967295", "i32", -1],
    ["i64:-9223372036854775808", "i64", -(2n ** 63n)],
    ["f32:-Infinity", "f32", -Infinity],
    ["f64:0.1", "f64", 0.1],
    ["f64:2 f64.sqrt", "f64", Math.SQRT2],
    ["7 call:twice", "i32", 14],
    ["5 ->sum sum+=-8 sum", "i32", -3],
    ["5 ->sum sum+=sum sum", "i32", 10],
    ["7 3 +", "i32", 10],
    ["7 3 -", "i32", 4],
    ["7 3 *", "i32", 21],
    ["7 3 &", "i32", 3],
    ["5 3 |", "i32", 7],
    ["5 3 ^", "i32", 6],
    ["5 3 <<", "i32", 40],
    ["-1 31 >>", "i32", 1],
    ["1 -1 <", "i32", 1],
    ["3 3 ==", "i32", 1],
    ["0 if 1 ->sum else 2 ->sum end sum", "i32", 2],
    ["i64:0 i64x2.splat ->v 7 i32x4.splat v shuffle:0,1,2,3,16,17,18,19,4,5,6,7,8,9,10,11 i32x4.extract_lane:2", "i32", 7],
    ["block:out 1 br_if:out 1 ->sum end sum", "i32", 0],
    ["block:out 1 ->sum br:out end sum", "i32", 1],
  ] as const)("%s", (text, type, wanted) => {
    expect(run(text, type)).toBe(wanted);
  });

  test("loops repeat while their condition holds, and labels name outer ones", () => {
    expect(run("loop sum+=n n+=-1 n while sum", "i32", ["n"], 10)).toBe(55);
    const text = `
      block:done
      loop:next
        sum+=n
        n+=-3
        n 0 i32.le_s br_if:done
        br:next
      end
      end
      sum`;
    expect(run(text, "i32", ["n"], 10)).toBe(10 + 7 + 4 + 1);
  });

  test("loads and stores take an offset", () => {
    new DataView(memory.buffer).setInt32(1032, 77, true);
    expect(run("at at i32.load:8 i32.store:4 at i32.load:4", "i32", ["at"], 1024)).toBe(77);
  });

  test.each(["unknown", "->unknown", "i32.unknown", "x+=1", "n+=x", "br:out", "br_if:out", "call:none", "3x"])("throws for %s", (word) => {
    let message = "nothing thrown";
    try {
      run(`1 ${word}`, "i32", ["n"]);
    } catch (error) {
      if (!isStatusError(error)) throw error;
      message = `${error.code}: ${error.message}`;
    }
    expect(message).toBe(`INTERNAL: f has an unknown word: ${word}`);
  });
});
