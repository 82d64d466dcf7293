// Tests of the compiled steps of the protocol between threads: they do the same as their programs, and a thread that is terminated
// never leaves one half done.
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "@jest/globals";
import { LinearMemory } from "@onebuffer/wasm";
import fc from "fast-check";
import { arenaStepPrograms, compiledSteps } from "../../src/threads/arena-steps.ts";
import { assembleSteps, compileSteps } from "../../src/threads/step-assembler.ts";
import type { Local, Operator, StepProgram, StepWriter, Value } from "../../src/threads/step-program.ts";
import { runStep, stepProgram } from "../../src/threads/step-program.ts";

const kWords = 64;
const memory = new LinearMemory();
const words = new Int32Array(memory.buffer, 0, kWords);

/** Interprets a program and runs it compiled, over the same initial words. Returns both results and the words after each run. */
function bothWays(program: StepProgram, args: readonly number[], before: readonly number[]): { result: number; words: number[] }[] {
  const compiled = compileSteps({ step: program }, memory.memory)!;
  return [() => runStep(program, args, words, Atomics), () => compiled["step"]!(...args)].map((run) => {
    words.fill(0);
    words.set(before);
    return { result: run(), words: Array.from(words) };
  });
}

describe("compiled and interpreted", () => {
  test("random programs return the same results and write the same words", () => {
    const operators: Operator[] = ["and", "or", "xor", "shl", "shr", "add", "sub", "mul", "eq", "ne", "ge"];
    const int32 = fc.oneof(
      fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      fc.integer({ min: -130, max: 130 }),
      fc.constantFrom(63, 64, -64, -65, 8191, 8192),
    );
    const line = fc.record({
      kind: fc.constantFrom("load", "store", "add", "sub", "exchange", "compareExchange", "compute", "set", "when", "return"),
      operator: fc.constantFrom(...operators),
      picks: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
      constant: int32,
      offset: fc.nat(kWords - 9),
    });
    type Line = typeof line extends fc.Arbitrary<infer T> ? T : never;
    const write = (step: StepWriter, lines: readonly Line[], scope: Local[]): void => {
      const locals = scope.slice();
      for (const [i, { kind, operator, picks, constant, offset }] of lines.entries()) {
        const value = (n: number): Value => (picks[n]! % 3 === 0 ? constant : locals[picks[n]! % locals.length]!);
        const index = step.compute(value(0), "and", 7); // in bounds
        if (kind === "compute") locals.push(step.compute(value(1), operator, value(2)));
        else if (kind === "set") step.set(locals[picks[1]! % locals.length]!, value(2));
        else if (kind === "return") step.when(step.compute(value(1), "eq", value(2)), () => step.return(value(3)));
        else if (kind === "when") {
          step.when(value(1), () => write(step, lines.slice(i + 1, i + 4), locals));
          write(step, lines.slice(i + 4), locals);
          return;
        } else if (kind === "load") locals.push(step.load(index, offset, "x.1.x"));
        else if (kind === "store") step.store(index, offset, value(1), "x.1.x");
        else if (kind === "compareExchange") locals.push(step.compareExchange(index, offset, value(1), value(2), "x.1.x"));
        else locals.push(step[kind as "add"](index, offset, value(1), "x.1.x"));
      }
    };
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 25 }),
        fc.array(int32, { minLength: 3, maxLength: 3 }),
        fc.array(int32, { maxLength: kWords }),
        (lines, args, before) => {
          const program = stepProgram(3, (step, ...parameters) => {
            write(step, lines, parameters);
            step.return(parameters[2]!);
          });
          const [interpreted, compiled] = bothWays(program, args, before);
          expect(compiled).toEqual(interpreted);
        },
      ),
      { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 60 : 300 },
    );
  });

  test("arguments are truncated to 32 bits", () => {
    const sum = stepProgram(2, (step, a, b) => step.return(step.compute(a!, "add", b!)));
    for (const { result } of bothWays(sum, [2 ** 32 - 1, 2], [])) expect(result).toBe(1);
  });

  test("offsets and constants of every encoded length work", () => {
    for (const offset of [0, 31, 32, 63, 4095, 4096, 2 ** 20]) {
      const view = new Int32Array(memory.buffer, 0, offset + 1);
      const program = stepProgram(1, (step, value) => {
        step.store(0, offset, value!, "x.1.x");
        step.return(step.add(0, offset, -offset - 1, "x.2.x"));
      });
      for (const value of [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)]) {
        expect(compileSteps({ step: program }, memory.memory)!["step"]!(value)).toBe(value);
        expect(Atomics.load(view, offset)).toBe((value - offset - 1) | 0);
      }
    }
  });
});

describe("the arena's module", () => {
  test("is small enough to be compiled synchronously in a browser", () => {
    expect(assembleSteps({ ...arenaStepPrograms }).length).toBeLessThan(4096);
    expect(Object.keys(compiledSteps(memory.memory)!).sort()).toEqual(Object.keys(arenaStepPrograms).sort());
  });

  test("is null if WebAssembly is missing or forbidden, or the memory is not shared", () => {
    const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: new (descriptor: object) => typeof memory.memory } };
    expect(compiledSteps(new WebAssembly.Memory({ initial: 1, maximum: 1 } as object))).toBeNull();
    const scope = globalThis as { WebAssembly?: unknown };
    try {
      for (const without of [
        undefined,
        {},
        {
          Module: class {
            constructor() {
              throw new Error("unsafe-eval");
            }
          },
          Instance: class {},
        },
      ]) {
        scope.WebAssembly = without;
        expect(compiledSteps(memory.memory)).toBeNull();
      }
    } finally {
      scope.WebAssembly = WebAssembly;
    }
  });
});

test("a terminated thread leaves a step complete or not begun", async () => {
  // Seven atomic accesses, the first and the last of which write the same number.
  const program = stepProgram(1, (step, value) => {
    step.store(0, 0, value!, "cut.1.first");
    for (let i = 1; i < 6; i++) step.add(0, i, 1, "cut.2.between");
    step.store(0, 6, value!, "cut.3.last");
    step.return(0);
  });
  const bytes = assembleSteps({ step: program });
  const code = `
    const { parentPort, workerData: { bytes, memory } } = require("node:worker_threads");
    const { step } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } }).exports;
    parentPort.postMessage(null);
    for (let i = 0; ; i = (i + 1) | 0) step(i);`;
  const rounds = process.env["ONEBUFFER_LONG"] === undefined ? 4 : 200;
  for (let round = 0; round < rounds; round++) {
    words.fill(0);
    const worker = new Worker(code, { eval: true, workerData: { bytes, memory: memory.memory } });
    await new Promise((started) => worker.once("message", started));
    await new Promise((later) => setTimeout(later, (round * 2) % 7));
    await worker.terminate();
    expect([words[6], words[1]]).toEqual([words[0], words[5]]);
  }
}, 60_000);
