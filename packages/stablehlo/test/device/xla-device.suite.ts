// XlaDevice against runners that misbehave: every fault is a StatusError in time, and no process, file or open file is left.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { StatusCode } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { tensorMap } from "@onebuffer/eigen";
import { XlaDevice } from "../../src/xla-device.ts";
import type { XlaDeviceOptions } from "../../src/device/start-options.ts";
import { expectCode, expectRejection } from "../expect-code.ts";
import { fakePython, isRunning, resources, sharedFolder } from "./fake-python.ts";

const folder = sharedFolder();
const started: XlaDevice[] = [];

async function start(mode: string, options: XlaDeviceOptions = {}): Promise<XlaDevice> {
  const xla = await XlaDevice.start({ python: fakePython(mode), sharedMemory: { folder }, ...options });
  started.push(xla);
  return xla;
}

/** A runner that does all it should and one with little shared memory, for the tests that leave them as they were. */
let ok: XlaDevice;
let small: XlaDevice;

beforeAll(async () => {
  const python = fakePython("ok");
  [ok, small] = await Promise.all([
    XlaDevice.start({ python, sharedMemory: { folder } }),
    XlaDevice.start({ python, sharedMemory: { folder, bytes: 2 ** 16 } }),
  ]);
});

afterAll(async () => {
  await Promise.all([ok.dispose(), small.dispose()]);
});

afterEach(async () => {
  for (const xla of started.splice(0)) await xla.dispose();
});

/** Each case starts a process: `npm test` runs the first few, `npm run long` all. */
const someOf = <T>(count: number, cases: readonly T[]): readonly T[] =>
  process.env["ONEBUFFER_LONG"] === undefined ? cases.slice(0, count) : cases;

const vector = (): ReturnType<typeof tensorMap<"float32", [4]>> => tensorMap("float32", Float32Array.of(1, 2, 3, 4), [4]);

describe("a start that fails", () => {
  test.each<[string, StatusCode, RegExp]>(
    someOf(1, [
      ["garbage", "DATA_LOSS", /frame of 4294967295 bytes/],
      ["dies", "UNAVAILABLE", /exit code 3\); it printed: a last word/],
      ["old", "FAILED_PRECONDITION", /StableHLO 1\.8\.9.*newer JAX/],
      ["odd object", "DATA_LOSS", /not readable/],
      ["new", "FAILED_PRECONDITION", /from 1\.17\.1 on.*newer onebuffer/],
      ["half", "UNAVAILABLE", /exit code 0/],
      ["text", "DATA_LOSS", /frame of/],
      ["short length", "DATA_LOSS", /frame of 4 bytes/],
      ["stranger", "DATA_LOSS", /request 999/],
      ["odd status", "DATA_LOSS", /status 7/],
      ["odd event", "DATA_LOSS", /3 bytes/],
      ["unreadable", "DATA_LOSS", /not readable/],
      ["no object", "DATA_LOSS", /not readable/],
      ["error", "RESOURCE_EXHAUSTED", /no memory/],
      ["other protocol", "FAILED_PRECONDITION", /protocol 99, not 1/],
    ]),
  )("%s", async (mode, code, message) => {
    const before = resources(folder);
    expect(await expectRejection(start(mode), code)).toMatch(message);
    expect(resources(folder)).toBe(before);
  });

  test("a lost process of the group is named at once, and what the runner says is a warning", async () => {
    const warned: unknown[] = [];
    const { emitWarning } = process;
    process.emitWarning = ((text: unknown) => void warned.push(text)) as typeof emitWarning;
    try {
      const message = await expectRejection(start("loses a peer"), "UNAVAILABLE");
      expect(message.split("\n")[0]).toMatch(/ended because process 1 of its group has ended or cannot be reached \(exit code 3\)/);
      expect(message).not.toContain("onebuffer says");
    } finally {
      process.emitWarning = emitWarning;
    }
    expect(warned).toEqual(["it waits for process 1"]);
  });

  test("a mesh is shown as it is written", async () => {
    expect(await expectRejection(start("ok", { devices: 3, mesh: { x: 2, y: 4 } }), "INVALID_ARGUMENT")).toContain("{ x: 2, y: 4 } has 8");
    expect(await expectRejection(start("ok", { mesh: [2, 4] as never }), "INVALID_ARGUMENT")).toContain("such as { x: 2, y: 4 }");
  });

  test("no Python, and no program", async () => {
    expect(await expectRejection(XlaDevice.start({ python: "/no/such/python" }), "NOT_FOUND")).toMatch(/"\/no\/such\/python"/);
    await expectRejection(XlaDevice.start({ python: folder }), "FAILED_PRECONDITION");
    await expectRejection(XlaDevice.start({ python: "a\0b" }), "INVALID_ARGUMENT");
  });

  test("no folder and no room for shared memory", async () => {
    await expectRejection(start("ok", { sharedMemory: { folder: `${folder}/none` } }), "FAILED_PRECONDITION");
  });

  test("a signal ends it", async () => {
    const controller = new AbortController();
    const starting = start("silent", { signal: controller.signal });
    setTimeout(() => controller.abort("enough"), 50);
    expect(await expectRejection(starting, "CANCELLED")).toMatch(/enough/);
    await expectRejection(start("ok", { signal: controller.signal }), "CANCELLED");
  });

  test.each<[string, unknown]>([
    ["no options", null],
    ["an unknown option", { device: 8 }],
    ["no devices", { devices: 0 }],
    ["a platform that is no text", { platform: 5 }],
    ["a mesh of another size", { devices: 4, mesh: { x: 8 } }],
    ["a mesh that the processes cannot share", { mesh: { x: 3 }, processes: { coordinator: "host:1", count: 2, index: 0 } }],
    ["a mesh with a bad name", { mesh: { "a b": 8 } }],
    ["a coordinator without a port", { processes: { coordinator: "host", count: 2, index: 0 } }],
    ["an index out of range", { processes: { coordinator: "host:1", count: 2, index: 2 } }],
    ["shared memory that is no object", { sharedMemory: "/dev/shm" }],
    ["a signal that is no object", { signal: 5 }],
  ])("%s is INVALID_ARGUMENT", async (_, options) => {
    await expectRejection(XlaDevice.start(options as never), "INVALID_ARGUMENT");
  });
});

describe("a device", () => {
  test("has the runner's devices and mesh, and leaves nothing after dispose", async () => {
    const before = resources(folder);
    const xla = await start("ok");
    expect([xla.name, xla.mesh, xla.devices.length, xla.versions.jax]).toEqual(["XlaDevice(cpu x 8)", { x: 8 }, 8, "0.0.1"]);
    const map = await xla.put(vector());
    expect([isRunning(xla.pid), xla.usage.slots]).toEqual([true, 1]);
    await Promise.all([xla.dispose(), xla.dispose()]);
    expect([isRunning(xla.pid), resources(folder)]).toEqual([false, before]);
    expect(await expectRejection(map.fetch(), "FAILED_PRECONDITION")).toMatch(/disposed/);
    await expectRejection(xla.put(vector()), "FAILED_PRECONDITION");
    map.dispose();
  });

  test.each<[string, StatusCode]>(
    someOf(1, [
      ["dies later", "UNAVAILABLE"],
      ["garbage later", "DATA_LOSS"],
      ["half later", "UNAVAILABLE"],
      ["long length later", "DATA_LOSS"],
      ["stranger later", "DATA_LOSS"],
    ]),
  )("whose runner %s fails all calls, and holds nothing", async (mode, code) => {
    const before = resources(folder);
    const xla = await start(mode);
    const calls = [xla.put(vector()), xla.put(vector()), vector().device(xla).assign(vector().mul(2))];
    await Promise.all(calls.map((call) => expectRejection(call, code)));
    await expectRejection(xla.put(vector()), code);
    await xla.dispose();
    expect([isRunning(xla.pid), resources(folder)]).toEqual([false, before]);
  });

  test.each<[string, StatusCode]>(
    someOf(1, [
      ["error later", "RESOURCE_EXHAUSTED"],
      ["odd error later", "INTERNAL"],
      ["no error later", "INTERNAL"],
    ]),
  )("whose runner answers with an %s goes on", async (mode, code) => {
    const xla = await start(mode);
    await expectRejection(xla.put(vector()), code);
    await expectRejection(xla.put(vector()), code);
  });

  test.each(someOf(1, ["unreadable later", "no object later"]))(
    "whose runner answers in the mode %s is DATA_LOSS, and goes on",
    async (mode) => {
      const xla = await start(mode);
      using map = await xla.put(vector());
      expect(await expectRejection(map.shards(), "DATA_LOSS")).toMatch(/not readable/);
      expect(await expectRejection(vector().device(xla).assign(vector().mul(2)), "DATA_LOSS")).toMatch(/not readable/);
    },
  );

  test("cancels what waits for an answer, and dispose does", async () => {
    const xla = await start("silent later");
    const controller = new AbortController();
    const putting = xla.put(vector(), [], { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expectRejection(putting, "CANCELLED");
    const waiting = expectRejection(xla.put(vector()), "CANCELLED");
    process.kill(xla.pid as number, "SIGKILL");
    await Promise.allSettled([waiting, xla.dispose()]);
  });

  test("refuses what it cannot compute", async () => {
    const xla = ok;
    using tensor = Tensor.from(["a"]);
    await expectRejection(xla.put(tensor), "INVALID_ARGUMENT");
    await expectRejection(xla.put(vector().neg()), "INVALID_ARGUMENT");
    await expectRejection(xla.put(vector(), ["y"]), "INVALID_ARGUMENT");
    await expectRejection(xla.put(vector(), ["x"]), "INVALID_ARGUMENT");
    await expectRejection(xla.put(vector(), [null, "x"]), "INVALID_ARGUMENT");
    await expectRejection(xla.put(vector(), [], { progress: 1 } as never), "INVALID_ARGUMENT");
    await expectRejection(xla.put(null as never), "INVALID_ARGUMENT");
    await expectRejection(xla.evaluate(5 as never), "INVALID_ARGUMENT");
    await expectRejection(xla.evaluate(vector().neg(), ["x"]), "INVALID_ARGUMENT");
    for (const wrong of [null, 5, {}, [null], [{}], [{}, {}], [{ target: vector(), tree: 5 }], class {}])
      await expectRejection(xla.assign(wrong as never), "INVALID_ARGUMENT");
    const map = await xla.put(vector());
    for (const type of [XlaDevice, map.constructor] as unknown as (new (
      ...args: readonly unknown[]
    ) => unknown)[])
      for (const args of [[], [{}], [null, null, {}, 5], [{}, {}, "float32", [4], []]])
        expectCode(() => new type(...args), "INVALID_ARGUMENT");
    map.dispose();
  });

  test("reports the progress of a transfer", async () => {
    const seen: number[] = [];
    using tensor = Tensor.zeros([3 * 2 ** 20]);
    const map = await ok.put(tensor, [], { onProgress: ({ bytes, totalBytes }) => seen.push(bytes / totalBytes) });
    expect(seen).toEqual([2 / 3, 1]);
    expect(map.dimensions).toEqual([3 * 2 ** 20]);
    map.dispose();
  });

  test("sends in pieces what has no room, and refuses a limit without any", async () => {
    const seen: number[] = [];
    using tensor = Tensor.zeros([2 ** 15]);
    const map = await small.put(tensor, [], { onProgress: ({ bytes }) => seen.push(bytes) });
    expect([seen, small.usage]).toEqual([[2 ** 16, 2 ** 17], { programs: 0, slots: 0, sharedBytes: 2 ** 16 }]);
    map.dispose();
  });
});

describe("an XlaMap", () => {
  test("is an operand whose elements this process does not have", async () => {
    const map = await ok.put(vector());
    const out = vector();
    expect([String(map), map.rank, map.size, map.sharding, map.add(1).dimensions]).toEqual(["XlaMap<float32, [4]>", 1, 4, [null], [4]]);
    const elsewhere = /on XlaDevice\(cpu x 8\): fetch\(\)/;
    for (const call of [
      (): unknown => out.assign(map),
      (): unknown => out.assign(map.add(1)),
      (): unknown => out.assign(map.sum().add(map)),
      (): unknown => out.assign(map.cumsum(0)),
      (): unknown => map.assign(out),
      (): unknown => map.assign(2),
      (): unknown => map.addAssign(map),
      (): unknown => (map as unknown as { at(i: number): number }).at(0),
      (): unknown => tensorMap("float32", new Float32Array(1), []).assign(map.sum()),
    ]) {
      expect(expectCode(call, "FAILED_PRECONDITION")).toMatch(elsewhere);
    }
    expect(out.toArray()).toEqual([1, 2, 3, 4]);
    map.dispose();
    expect(expectCode(() => out.assign(map), "FAILED_PRECONDITION")).toMatch(/disposed/);
    await expectRejection(out.device(ok).assign(map.mul(2)), "FAILED_PRECONDITION");
  });

  test("of another device is refused", async () => {
    const map = await ok.put(vector());
    expect(await expectRejection(vector().device(small).assign(map.add(map)), "FAILED_PRECONDITION")).toMatch(/another device/);
    map.dispose();
  });
});
