// The device over a fake GPU: bytes that go there and come back, buffers that are used again, errors with names, loss and disposal.
import { describe, expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { tensorMap } from "@onebuffer/eigen";
import type { TensorMap } from "@onebuffer/eigen";
import { WebGpuDevice } from "@onebuffer/webgpu";
import type { Gpu, GpuCanvas, GpuDevice, ImageSource } from "@onebuffer/webgpu";
import { fakeDevice } from "./fake-device.ts";
import { FakeDevice, FakeGpu } from "./fake-gpu.ts";

const vector = (...values: number[]): TensorMap<"float32", 1> => tensorMap("float32", Float32Array.from(values), [values.length]);
const code = (name: string, message: RegExp = /./): object =>
  expect.objectContaining({ code: name, message: expect.stringMatching(message) });

describe("elements", () => {
  test.each([[0], [1], [3], [4], [1027]])("%i bytes go to the GPU and come back", async (count) => {
    const { device } = await fakeDevice();
    const bytes = tensorMap(
      "uint8",
      Uint8Array.from({ length: count }, (_, k) => k + 1),
      [count],
    );
    using there = await device.put(bytes);
    const { readBacks } = device.usage;
    using back = await there.fetch();
    expect(back.vec().toArray()).toEqual(bytes.toArray());
    expect(device.usage.readBacks).toBe(readBacks + 1);
    await device.dispose();
  });

  test("of a strided map and of the arena's memory are copied dense", async () => {
    const { device } = await fakeDevice();
    using tensor = Tensor.from(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      { dtype: "float32" },
    );
    using whole = await device.put(tensor);
    using some = await device.put(tensor.matrix().strided(":, ::-2"));
    using back = await some.fetch();
    expect(back.toArray()).toEqual([
      [3, 1],
      [6, 4],
    ]);
    expect(whole.buffer.size).toBe(256);
    await device.dispose();
  });
});

test("what is no GPUDevice is refused", async () => {
  await expect(WebGpuDevice.create({ device: {} as GpuDevice })).rejects.toEqual(code("INVALID_ARGUMENT", /part of a GPUDevice/));
});

describe("pictures", () => {
  const picture = (...dimensions: number[]): TensorMap<"uint8"> =>
    tensorMap("uint8", new Uint8Array(dimensions.reduce((a, b) => a * b, 1)), dimensions);
  const canvas: GpuCanvas = { width: 1, height: 1, getContext: () => null };

  test("are refused where WebGPU has none, before that if they are none", async () => {
    const { device } = await fakeDevice();
    await expect(device.fromImage({ width: 2, height: 2 })).rejects.toEqual(code("UNIMPLEMENTED", /browsers/));
    await expect(device.fromImage({ width: 0, height: 2 })).rejects.toEqual(code("INVALID_ARGUMENT", /0 by 2 pixels/));
    await expect(device.fromImage({} as ImageSource)).rejects.toEqual(code("INVALID_ARGUMENT", /no picture/));
    await device.dispose();
  });

  test.each([[[4]], [[2, 2, 2]], [[0, 2]], [[1, 2, 2, 3]]])("of sizes %j cannot be drawn", async (dimensions) => {
    const { device } = await fakeDevice();
    await expect(device.draw(picture(...dimensions), canvas)).rejects.toEqual(code("INVALID_ARGUMENT", /no picture/));
    await device.dispose();
  });

  test("are float32 or uint8, and drawn to canvases without another context", async () => {
    const { device } = await fakeDevice();
    const whole = tensorMap("int32", Int32Array.of(1), [1, 1]);
    await expect(device.draw(whole, canvas)).rejects.toEqual(code("INVALID_ARGUMENT", /not int32/));
    await expect(device.draw(picture(1, 1), canvas)).rejects.toEqual(code("INVALID_ARGUMENT", /another kind/));
    await expect(device.draw(picture(1, 1), {} as GpuCanvas)).rejects.toEqual(code("INVALID_ARGUMENT", /no canvas/));
    await device.dispose();
  });
});

describe("buffers", () => {
  test("are used again: a thousand results need a few, one pipeline and one program", async () => {
    const { device, fake } = await fakeDevice();
    using x = await device.put(vector(1, 2, 3));
    const before = device.usage;
    for (let k = 0; k < 1000; k++) (await device.evaluate(x.mul(2))).dispose();
    const { buffersMade, pipelines, programs } = device.usage;
    expect([buffersMade - before.buffersMade <= 3, pipelines - before.pipelines, programs - before.programs]).toEqual([true, 1, 1]);
    (await device.evaluate(x.mul(3))).dispose();
    expect(device.usage.pipelines).toBe(pipelines);
    await device.dispose();
    expect(fake.device.live).toBe(0);
    expect(fake.device.isDestroyed).toBe(true);
  });

  test("an assignment to a GpuMap gives it another buffer, and one to a wrapped buffer writes that", async () => {
    const own = new FakeDevice();
    const device = await WebGpuDevice.create({ device: own as unknown as GpuDevice });
    own.shader = (_, [target]) => void target?.bytes.fill(7);
    using x = await device.put(vector(1, 2));
    const { buffer } = x;
    await x.device(device).assign(x.mul(2));
    expect(x.buffer === buffer).toBe(false);
    const mine = own.createBuffer({ size: 8 });
    using wrapped = device.wrap(mine, "int32", [2]);
    await wrapped.device(device).assign(wrapped.add(1));
    expect([wrapped.buffer === mine, mine.bytes[0]]).toEqual([true, 7]);
    await device.dispose();
    expect([mine.isDestroyed, own.isDestroyed]).toEqual([false, false]);
  });

  test("there is no memory for are RESOURCE_EXHAUSTED, and nothing of them is left", async () => {
    const { device, fake } = await fakeDevice();
    const { live } = fake.device;
    fake.device.memory = 1000;
    const large = tensorMap("float32", new Float32Array(1000), [1000]);
    await expect(device.put(large)).rejects.toEqual(code("RESOURCE_EXHAUSTED", /no memory for a buffer of 4096 bytes/));
    await expect(device.evaluate(large.add(1))).rejects.toEqual(code("RESOURCE_EXHAUSTED"));
    expect(fake.device.live - live).toBeLessThanOrEqual(1);
    await expect(device.put(tensorMap("uint8", new Uint8Array(2 ** 20 + 1), [2 ** 20 + 1]))).rejects.toEqual(
      code("RESOURCE_EXHAUSTED", /no buffers of 1048577 bytes/),
    );
    await device.dispose();
  });
});

describe("memory that only idle buffers have", () => {
  const words = (count: number, value = 0): TensorMap<"int32", 1> => tensorMap("int32", new Int32Array(count).fill(value), [count]);

  test("is freed for a copy, an evaluation and an assignment to this process", async () => {
    const { device, fake } = await fakeDevice();
    const idle = async (): Promise<void> => {
      fake.device.memory = Number.POSITIVE_INFINITY;
      for (const count of [16384, 8192, 4096]) (await device.put(words(count))).dispose();
      fake.device.memory = fake.device.liveBytes + 256;
    };
    await idle();
    using there = await device.put(words(2048, 3));
    using back = await there.fetch();
    expect(back.vec().at(2047)).toBe(3);
    fake.device.shader = (_, [target]) => void target?.bytes.fill(9);
    await idle();
    using negative = await device.evaluate(there.mul(-1));
    expect(negative.size).toBe(2048);
    await idle();
    const out = words(2048);
    await out.device(device).assign(there.add(1));
    expect(out.at(5)).toBe(0x09090909);
    await device.dispose();
  });

  test("is not enough: RESOURCE_EXHAUSTED, the target keeps its elements, nothing is left, and the program works later", async () => {
    const { device, fake } = await fakeDevice();
    fake.device.shader = (_, [target]) => void target?.bytes.fill(9);
    using x = await device.put(words(2048, 3));
    (await device.put(words(1024))).dispose();
    const { liveBytes } = fake.device;
    fake.device.memory = liveBytes;
    const out = words(2048);
    const assign = (): Promise<void> => out.device(device).assign(x.add(1));
    await expect(assign()).rejects.toEqual(code("RESOURCE_EXHAUSTED"));
    expect([out.at(5), fake.device.liveBytes <= liveBytes]).toEqual([0, true]);
    fake.device.memory = Number.POSITIVE_INFINITY;
    await assign();
    expect(out.at(5)).toBe(0x09090909);
    await device.dispose();
    expect(fake.device.live).toBe(0);
  });

  test("is not tried again for calls that overlap: an assignment and one that reads its target both fail", async () => {
    const { device, fake } = await fakeDevice();
    using x = await device.put(words(2048));
    const compute = (): readonly Promise<unknown>[] => [x.device(device).assign(x.sub(1)), device.evaluate(x.mul(2))];
    await Promise.all(compute());
    (await device.put(words(16384))).dispose();
    using _held = await device.put(words(2048));
    fake.device.memory = fake.device.liveBytes;
    const answers = await Promise.allSettled(compute());
    expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect((await device.evaluate(x.mul(2))).size).toBe(2048);
    await device.dispose();
  });
});

test("the bindings of a kept program are kept: a result alternates between few buffers", async () => {
  const { device, fake } = await fakeDevice();
  using x = await device.put(vector(1, 2));
  const compute = async (): Promise<void> => (await device.evaluate(x.add(1))).dispose();
  for (let k = 0; k < 4; k++) await compute();
  const { bindGroups } = fake.device;
  for (let k = 0; k < 8; k++) await compute();
  expect(fake.device.bindGroups).toBe(bindGroups);
  await device.dispose();
});

describe("refusals", () => {
  test("what the GPU does not compute is UNIMPLEMENTED by name before anything is sent", async () => {
    const { device } = await fakeDevice();
    const { submits, buffersMade } = device.usage;
    const a = tensorMap("float64", new Float64Array(2), [2]);
    await expect(device.evaluate(a.add(1))).rejects.toEqual(code("UNIMPLEMENTED", /add of float64.*no floats of 64 bits/));
    const long = tensorMap("int64", new BigInt64Array(2), [2]);
    await expect(device.evaluate(long.floorDiv(2n))).rejects.toEqual(code("UNIMPLEMENTED", /: no form for floorDiv of int64$/));
    await expect(device.evaluate(long.sort())).rejects.toEqual(code("UNIMPLEMENTED", /: no form for sort of int64$/));
    const short = tensorMap("float32", new Float32Array(2), [2]);
    await expect(device.evaluate(short.lgamma())).rejects.toEqual(code("UNIMPLEMENTED", /: no form for lgamma of float32$/));
    expect([device.usage.submits, device.usage.buffersMade]).toEqual([submits, buffersMade]);
    await device.dispose();
  });

  test("an element that a shader marks is the evaluator's error", async () => {
    const { device, fake } = await fakeDevice();
    fake.device.shader = (text, buffers) => {
      if (text.includes("atomic<u32>")) buffers.at(-1)!.bytes[0] = 1;
    };
    const a = tensorMap("int32", Int32Array.of(1, 0), [2]);
    using x = await device.put(a);
    await expect(device.evaluate(x.div(x))).rejects.toEqual(code("INVALID_ARGUMENT", /division by zero/));
    await device.dispose();
  });

  test("without WebGPU or an adapter there is no device", async () => {
    await expect(WebGpuDevice.create({ gpu: { requestAdapter: async () => null } })).rejects.toEqual(code("NOT_FOUND"));
    await expect(WebGpuDevice.create({ gpu: {} as Gpu })).rejects.toEqual(code("INVALID_ARGUMENT", /requestAdapter/));
    const without = { limits: {}, requestDevice: async () => null };
    await expect(WebGpuDevice.create({ gpu: { requestAdapter: async () => without } as unknown as Gpu })).rejects.toEqual(
      code("UNAVAILABLE", /gave null/),
    );
    await expect(WebGpuDevice.create({ gpu: {} as Gpu, powerPreference: "fast" as never })).rejects.toEqual(code("INVALID_ARGUMENT"));
    await expect(WebGpuDevice.create({ gpus: 1 } as never)).rejects.toEqual(code("INVALID_ARGUMENT", /unknown option/));
  });

  test("an adapter that is refused is UNAVAILABLE, and a GPU whose first shader is refused is destroyed", async () => {
    for (const requestAdapter of [
      () => Promise.reject(new Error("not allowed")),
      () => {
        throw new TypeError("not allowed");
      },
    ])
      await expect(WebGpuDevice.create({ gpu: { requestAdapter } })).rejects.toEqual(code("UNAVAILABLE", /not allowed/));
    const own = new FakeDevice();
    own.compile = () => Promise.reject(new Error("no registers"));
    const adapter = { limits: own.limits, requestDevice: async () => own };
    const gpu = { requestAdapter: async () => adapter } as unknown as Gpu;
    await expect(WebGpuDevice.create({ gpu })).rejects.toEqual(code("INTERNAL", /no registers/));
    expect(own.isDestroyed).toBe(true);
  });

  test("a wrapped buffer must hold the elements", async () => {
    const { device } = await fakeDevice();
    const buffer = new FakeDevice().createBuffer({ size: 8 });
    expect(() => device.wrap(buffer, "float32", [3])).toThrow(/8 bytes does not hold/);
    expect(() => device.wrap(buffer, "string" as never, [1])).toThrow(/no bytes/);
    expect(() => device.wrap(buffer, "float32", [-1])).toThrow(/dimension 0/);
    await device.dispose();
  });
});

describe("a device that falls back to the CPU", () => {
  const wide = (...values: number[]): TensorMap<"float64", 1> => tensorMap("float64", Float64Array.from(values), [values.length]);
  const start = async (): Promise<WebGpuDevice> => WebGpuDevice.create({ gpu: new FakeGpu().gpu, fallback: "cpu" });

  test("computes in this process what the GPU lacks, whole, and explain says so", async () => {
    const device = await start();
    using x = await device.put(wide(1, 2));
    using sum = await device.evaluate(x.add(wide(10, 20)).mul(2));
    using back = await sum.fetch();
    expect(back.vec().toArray()).toEqual([22, 44]);
    expect(device.explain(x.add(1)).steps).toEqual([expect.objectContaining({ form: "cpu", buffers: [16, 16] })]);
    expect(device.explain(vector(1).add(1)).steps[0]?.form).toBe("map");
    await device.dispose();
  });

  test("assigns one after the other, updates from what was there, and leaves nothing behind after an error", async () => {
    const device = await start();
    using x = await device.put(wide(1, 2));
    const out = wide(0, 0);
    await device.assign([
      { target: x, tree: x.add(1) },
      { target: out, tree: x.mul(10) },
    ] as never);
    expect(out.toArray()).toEqual([20, 30]);
    await device.update([
      { target: x, tree: out.add(x) },
      { target: out, tree: x.sub(1) },
    ] as never);
    using back = await x.fetch();
    expect([back.vec().toArray(), out.toArray()]).toEqual([
      [22, 33],
      [1, 2],
    ]);
    const list = [
      { target: out, tree: x.mul(10) },
      { target: out, tree: vector(1, 2, 3) },
    ];
    await expect(device.assign(list as never)).rejects.toEqual(code("INVALID_ARGUMENT"));
    expect(out.toArray()).toEqual([1, 2]);
    const other = await start();
    await expect(other.evaluate(x.add(1))).rejects.toEqual(code("FAILED_PRECONDITION", /another device/));
    await Promise.all([device.dispose(), other.dispose()]);
  });

  test("is asked for by name", async () => {
    const { gpu } = new FakeGpu();
    // @ts-expect-error: it is "none" or "cpu"
    await expect(WebGpuDevice.create({ gpu, fallback: "gpu" })).rejects.toEqual(code("INVALID_ARGUMENT", /fallback/));
    const device = await WebGpuDevice.create({ gpu, fallback: "none" });
    await expect(device.evaluate(wide(1).add(1))).rejects.toEqual(code("UNIMPLEMENTED"));
    expect(() => device.explain(wide(1).add(1))).toThrow(/no floats of 64 bits/);
    await device.dispose();
    const falling = await start();
    await expect(falling.assign(5 as never)).rejects.toEqual(code("INVALID_ARGUMENT"));
    await expect(falling.update(5 as never)).rejects.toEqual(code("INVALID_ARGUMENT"));
    await falling.dispose();
  });
});

describe("the end", () => {
  test("a command that the device refuses is an error of the next copy, not a wrong result", async () => {
    const { device, fake } = await fakeDevice();
    using x = await device.put(vector(1));
    fake.device.refuse("a binding is too small");
    await expect(x.fetch()).rejects.toEqual(code("INTERNAL", /binding is too small/));
    (await x.fetch()).dispose();
    await device.dispose();
  });

  test("a call is rejected with UNAVAILABLE when the loss is told a while later", async () => {
    const { device, fake } = await fakeDevice();
    using x = await device.put(vector(1));
    (await x.fetch()).dispose();
    for (const buffer of fake.device.made) buffer.destroy();
    setTimeout(() => fake.device.lose("unplugged"), 5);
    await expect(x.fetch()).rejects.toEqual(code("UNAVAILABLE", /unplugged/));
    await device.dispose();
  });

  test("a lost GPU is UNAVAILABLE, its maps are gone, and the next call has a new one", async () => {
    const { device, fake } = await fakeDevice();
    using x = await device.put(vector(1, 2));
    fake.device.lose("unplugged");
    await device.lost;
    await expect(x.fetch()).rejects.toEqual(code("UNAVAILABLE", /unplugged/));
    await expect(device.evaluate(x.add(1))).rejects.toEqual(code("UNAVAILABLE", /are gone.*unplugged/));
    using again = await device.evaluate(vector(1).add(1));
    expect([again.size, fake.devices.length]).toEqual([1, 2]);
    await device.dispose();
  });

  test("a device of the program is not replaced", async () => {
    const own = new FakeDevice();
    const device = await WebGpuDevice.create({ device: own as unknown as GpuDevice });
    own.lose("unplugged");
    await device.lost;
    await expect(device.put(vector(1))).rejects.toEqual(code("UNAVAILABLE"));
  });

  test("after dispose every call is refused, and disposing a map is allowed", async () => {
    const { device } = await fakeDevice();
    const x = await device.put(vector(1, 2));
    await device.dispose();
    await device.dispose();
    await expect(device.evaluate(x.add(1))).rejects.toEqual(code("FAILED_PRECONDITION", /disposed/));
    x.dispose();
    expect(() => x.buffer).toThrow(/disposed/);
  });

  test("a map of another device is refused", async () => {
    const [one, other] = [await fakeDevice(), await fakeDevice()];
    using x = await one.device.put(vector(1));
    await expect(other.device.evaluate(x.add(1))).rejects.toEqual(code("FAILED_PRECONDITION", /another device/));
    expect(() => x.at(0)).toThrow(/fetch\(\) copies them/);
    await Promise.all([one.device.dispose(), other.device.dispose()]);
  });
});
