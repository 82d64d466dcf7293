// relayout copies correctly in engines without WebAssembly, without SIMD, or with too little memory for kernels.
import { execFileSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { isLong } from "@onebuffer/test-support";

/** A program that relayouts an array twice and prints the number of wrong elements, and whether a kernel ran. */
const kRelayout = `
  const { Layout, relayout, Shape } = await import(process.argv[1]);
  const { kernelCounts } = await import(process.argv[2]);
  const [a, b] = [[1, 0], [0, 1]].map((order) => Shape.array("s32", [300, 200], { layout: new Layout(order) }));
  const source = Int32Array.from({ length: 60000 }, (_, i) => i);
  let wrong = 0;
  for (let round = 0; round < 2; round++) {
    const data = new Int32Array(60000);
    relayout({ shape: a, data: source }, { shape: b, data });
    data.forEach((value, i) => (wrong += value === (i % 300) * 200 + Math.floor(i / 300) ? 0 : 1));
  }
  console.log(JSON.stringify({ wrong, ran: kernelCounts().runs > 0 }));`;

/** Runs the program in a new process whose engine is first changed by the code `engine`. Returns what it prints. */
function inProcess(engine: string): unknown {
  const modules = ["@onebuffer/xla", "@onebuffer/kernels/internal"].map((name) => import.meta.resolve(name));
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", engine + kRelayout, ...modules], { encoding: "utf8" }));
}

const engines: readonly (readonly [name: string, change: string, runsKernels: boolean])[] = [
  ["no SIMD", "WebAssembly.validate = () => false;", false],
  ["no WebAssembly", "delete globalThis.WebAssembly;", false],
  ["a policy that refuses modules", 'WebAssembly.Module = class { constructor() { throw new Error("refused"); } };', false],
  ["no space for a memory", 'WebAssembly.Memory = class { constructor() { throw new RangeError("no room"); } };', false],
  ["an unchanged engine", "", true],
];

// Each engine is a process of its own, which mostly loads the library. That an unchanged engine runs kernels is also what
// kernel-copy.suite.ts tests, and copies without kernels those of small arrays, without a process.
if (isLong)
  test.each(engines)("%s: relayout copies the same elements", (_name, engine, ran) => {
    expect(inProcess(engine)).toEqual({ wrong: 0, ran });
  });
