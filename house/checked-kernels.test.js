// The address check of kernels (tools/checked-kernels) finds accesses outside of operands, and kernels pass it where they are at the edge.
import { afterEach, beforeAll, expect, test } from "@jest/globals";
import { AddressChecker } from "../tools/checked-kernels/checker.mjs";
import { instrumented } from "../tools/checked-kernels/instrument.mjs";
import { watchAssignments } from "../tools/checked-kernels/watch-assignments.mjs";

const checker = new AddressChecker();
const own = globalThis.WebAssembly;
let eigen;
let memory;
let WasmModule;

beforeAll(async () => {
  globalThis.WebAssembly = checker.namespace(own);
  eigen = await import("../packages/eigen/dist/src/index.js");
  watchAssignments(checker, await import("../tools/checked-kernels/eigen.mjs"));
  memory = (await import("../packages/wasm/dist/src/index.js")).linearMemory();
  ({ WasmModule } = await import("../packages/wasm/dist/src/internal.js"));
});
afterEach(() => {
  checker.faults.length = 0;
});

/** Returns a function whose code `write` writes, of a module that imports the linear memory as kernels do. */
function kernel(write) {
  const pages = memory.buffer.byteLength / 65536;
  const module = new WasmModule({ module: "k", name: "m", initial: pages, maximum: pages, shared: memory.isShared });
  const target = module.function("access", { at: "i32", to: "i32" }, ["i32"]);
  write(target.body, target);
  target.body.i32(0);
  const { Module, Instance } = globalThis.WebAssembly;
  return new Instance(new Module(module.toBytes()), { k: { m: memory.memory } }).exports.access;
}

const kAccesses = {
  "i32.load": [4, "reads", (code) => code.get(0).memory("i32.load", 3).set(0)],
  "i64.load16_u": [2, "reads", (code, at) => code.get(0).memory("i64.load16_u", 3).set(at.local("i64", "x"))],
  "v128.load": [16, "reads", (code, at) => code.get(0).memory("v128.load", 3).set(at.local("v128", "x"))],
  "v128.load32_splat": [4, "reads", (code, at) => code.get(0).memory("v128.load32_splat", 3).set(at.local("v128", "x"))],
  "v128.load16_lane": [
    2,
    "reads",
    (code, at) => {
      const x = at.local("v128", "x");
      code.get(0).get(x).memoryLane("v128.load16_lane", 1, 3).set(x);
    },
  ],
  "i32.store8": [1, "writes", (code) => code.get(0).i32(7).memory("i32.store8", 3)],
  "f64.store": [8, "writes", (code) => code.get(0).f64(7).memory("f64.store", 3)],
  "v128.store": [16, "writes", (code, at) => code.get(0).get(at.local("v128", "x")).memory("v128.store", 3)],
  "v128.store64_lane": [8, "writes", (code, at) => code.get(0).get(at.local("v128", "x")).memoryLane("v128.store64_lane", 1, 3)],
  "memory.fill": [24, "writes", (code) => code.get(0).i32(3).op("i32.add").i32(7).i32(24).op("memory.fill")],
  "memory.copy": [24, "reads", (code) => code.get(1).get(0).i32(3).op("i32.add").i32(24).op("memory.copy")],
};

test.each(Object.keys(kAccesses))("%s of the last bytes passes, one byte further is a fault with its address", (name) => {
  const [bytes, word, write] = kAccesses[name];
  const access = kernel(write);
  const start = memory.reserve(4096);
  // Loads may go on to the end of a group, 256 bytes.
  const last = start + 1024 + (word === "reads" ? 256 : 0) - bytes - 3;
  const run = (at) =>
    checker.during([[start, start + 1024, "the operand"]], [[start, start + 1024, "the target"]], () => access(at, start));
  const before = checker.checked;
  run(last);
  run(start - 3);
  expect(checker.checked).toBeGreaterThanOrEqual(before + 2);
  expect(() => run(last + 1)).toThrow(`${word} ${bytes} bytes at ${last + 4}; it may touch [${start}, `);
  expect(() => run(start - 4)).toThrow("in access, instruction");
  expect(checker.faults).toHaveLength(2);
});

test("an operand may be read and not written", () => {
  const [load, store] = [kAccesses["i32.load"][2], kAccesses["i32.store8"][2]].map(kernel);
  const start = memory.reserve(4096);
  const during = (access) => checker.during([[start, start + 64, "the operand"]], [], () => access(start, start));
  during(load);
  expect(() => during(store)).toThrow("writes 1 bytes");
});

test("an instrumented module without memory instructions has the same functions, calls and blocks", () => {
  const module = new WasmModule({ module: "k", name: "m", initial: 1, maximum: 1, shared: false });
  const one = module.function("one", { x: "i32" }, ["i32"]);
  one.body.get(0).i32(1).op("i32.add");
  const two = module.function("two", { x: "i32" }, ["i32"]);
  two.body.get(0).call(one).set(0);
  two.body.get(0).call(one);
  const { bytes, sites } = instrumented(module.toBytes(), "checked", "touch");
  const { exports } = new own.Instance(new own.Module(bytes), {
    k: { m: new own.Memory({ initial: 1, maximum: 1 }) },
    checked: { touch: () => 0 },
  });
  expect([exports.one(4), exports.two(4), sites.length]).toEqual([5, 6, 0]);
});

/** A map of float32 in the linear memory. */
const inMemory = (...dims) => {
  const count = dims.reduce((a, b) => a * b, 1);
  const offset = memory.reserve(Math.ceil((count * 4 + 1024) / 256) * 256);
  return eigen.tensorMap("float32", new Float32Array(memory.buffer, offset + 512, count).fill(2), dims);
};

test.each([1, 2, 3, 4, 5, 7, 9, 17])("kernels read no element behind or before a strided operand of %d elements", (count) => {
  for (const isBackwards of [false, true]) {
    const column = inMemory(count, 100)
      .strided()
      .slice(isBackwards ? [count - 1, null, -1] : null, [99, 100, 1])
      .reshape([count]);
    const rows = inMemory(3, count, 100).strided().chip(99, 2);
    const before = checker.checked;
    inMemory(count).assign(column.mul(column).add(1));
    inMemory(3, count).assign(rows.exp());
    inMemory(3).assign(rows.sum([1]));
    inMemory(count).assign(rows.sum([0]));
    inMemory(count).assign(rows.max([0]));
    expect(checker.checked).toBeGreaterThan(before);
  }
  expect(checker.faults).toEqual([]);
});
