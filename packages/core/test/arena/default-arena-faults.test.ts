// Tests of the default allocator in engines without a linear memory or with a limited one. Each test runs a new process, because a
// process makes its memory only once.
import { describe, expect, test } from "@jest/globals";
import { fileURLToPath } from "node:url";
import { inProcess, isLong } from "@onebuffer/test-support";
import "./arena-scratch.suite.ts";

const packageFolder = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs `body` in a new process in which the code `engine` has changed globals first. Returns the object `report` that it fills. */
function run(engine: string, body: string): unknown {
  return inProcess(
    packageFolder,
    `${engine}
    const { cpuAllocator, defaultAllocator, liveBuffers } = await import("@onebuffer/allocator");
    const { Tensor } = await import("@onebuffer/core");
    const { linearMemory } = await import("@onebuffer/wasm");
    const kind = (memory) => Object.prototype.toString.call(memory).slice(8, -1);
    const attempt = (act) => { try { act(); return "nothing thrown"; } catch (error) { return error.code + ": " + error.message; } };
    ${body}`,
  );
}

const kUse = `
  const tensor = Tensor.full([3], 2);
  report.allocator = defaultAllocator().name;
  report.memory = kind(tensor.buffer.memory);
  report.values = tensor.toArray();
  report.copy = new Float32Array(tensor.toArrayBuffer())[2];
  const words = Tensor.from(["a", "b"]);
  report.words = words.toArray();
  report.empty = Tensor.zeros([0]).toArray();
  report.huge = attempt(() => Tensor.zeros([2 ** 45]));
  words.dispose();
  tensor.dispose();
  report.live = liveBuffers();`;

const kUsed = { values: [2, 2, 2], copy: 2, words: ["a", "b"], empty: [], live: 0 };

describe("the default allocator", () => {
  const engines: readonly (readonly [name: string, engine: string])[] = [
    ["without WebAssembly", "delete globalThis.WebAssembly;"],
    [
      "without room for any memory",
      'WebAssembly.Memory = class { constructor() { throw new RangeError("WebAssembly.Memory(): could not allocate memory"); } };',
    ],
    ["where a policy forbids memories", 'Object.defineProperty(WebAssembly, "Memory", { value: undefined });'],
  ];
  // Each engine is a process of its own, which mostly loads the library.
  test.each(isLong ? engines : engines.slice(0, 1))("%s is the CPU allocator", (_name, engine) => {
    const report = run(engine, kUse);
    expect(report).toMatchObject({ ...kUsed, allocator: "cpu", memory: "ArrayBuffer" });
    expect((report as { huge: string }).huge).toMatch(/^RESOURCE_EXHAUSTED: .*140737488355328 bytes/);
  });

  test("is an arena in unshared memory of a fixed size if memories cannot be shared", () => {
    const engine = `
      const Real = WebAssembly.Memory;
      WebAssembly.Memory = function (options) {
        if (options.shared) throw new TypeError("shared memories are disabled");
        if (options.initial > 8192) throw new RangeError("could not allocate memory");
        return new Real(options);
      };`;
    const report = run(
      engine,
      `${kUse}
      report.bytes = linearMemory().byteLength;
      report.isShared = linearMemory().isShared;
      report.large = attempt(() => Tensor.zeros([2 ** 28]));`,
    );
    expect(report).toMatchObject({ ...kUsed, allocator: "bfc", memory: "ArrayBuffer", bytes: 2 ** 29, isShared: false });
    expect((report as { large: string }).large).toMatch(/^RESOURCE_EXHAUSTED: .*1073741824 bytes[\s\S]*allocator "bfc": no room/);
  });

  // Nearly all other tests use this allocator.
  if (isLong)
    test("is an arena in shared memory in a normal engine", () => {
      expect(run("", `${kUse}\nreport.isShared = linearMemory().isShared;`)).toMatchObject({
        ...kUsed,
        allocator: "bfc",
        memory: "SharedArrayBuffer",
        isShared: true,
      });
    });
});
