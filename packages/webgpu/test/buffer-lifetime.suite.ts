// Buffers and textures of a fake GPU come back, or are destroyed, whatever ends a call; none is destroyed before its commands are submitted.
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { tensorMap } from "@onebuffer/eigen";
import type { TensorMap } from "@onebuffer/eigen";
import { collectUntil } from "@onebuffer/test-support/run-gc";
import { WebGpuDevice } from "@onebuffer/webgpu";
import type { GpuDevice } from "@onebuffer/webgpu";
import { fakeDevice } from "./fake-device.ts";
import { FakeDevice } from "./fake-gpu.ts";

const zeros = (count: number): TensorMap<"float32", 1> => tensorMap("float32", new Float32Array(count), [count]);
const code = (name: string, message: RegExp = /./): object =>
  expect.objectContaining({ code: name, message: expect.stringMatching(message) });
const over = (own: object): Promise<WebGpuDevice> => WebGpuDevice.create({ device: own as GpuDevice });

test("a copy that its listener ends leaves no buffer behind", async () => {
  const { device, fake } = await fakeDevice();
  const end = (): never => {
    throw new RangeError("enough");
  };
  for (let k = 0; k < 5; k++) await expect(device.put(zeros(1000), { onProgress: end })).rejects.toThrow("enough");
  expect(fake.device.made.filter(({ size }) => size === 4096)).toHaveLength(1);
  await device.dispose();
});

test("buffers have no more bytes than the device allows, although those of near sizes are one class", async () => {
  const { device, fake } = await fakeDevice();
  const own = new FakeDevice();
  own.limits.maxBufferSize = own.limits.maxStorageBufferBindingSize = 100_003;
  const refusals: string[] = [];
  own.addEventListener("uncapturederror", ({ error }) => void refusals.push(error.message));
  const small = await over(own);
  for (const count of [24_999, 25_000]) (await small.put(zeros(count))).dispose();
  await expect(small.put(zeros(25_001))).rejects.toEqual(code("RESOURCE_EXHAUSTED", /100004 bytes/));
  expect(refusals).toEqual([]);
  expect(own.made.filter(({ size }) => size > 65536).map(({ size }) => size)).toEqual([100_000]);
  await small.dispose();
  (await device.put(zeros(24_999))).dispose();
  expect(fake.device.made.at(-1)!.size).toBe(131_072);
  await device.dispose();
});

test("intermediate results of more bytes than are kept for later use are destroyed behind their submission", async () => {
  const own = new FakeDevice();
  const lines = 2 ** 10;
  own.limits.maxBufferSize = own.limits.maxStorageBufferBindingSize = 2 ** 30;
  const device = await over(own);
  const refusals: string[] = [];
  own.addEventListener("uncapturederror", ({ error }) => void refusals.push(error.message));
  using x = await device.put(zeros(lines));
  (await device.evaluate(x.reshape([lines, 1]).broadcast([lines, 72_000]).cumsum(1).sum())).dispose();
  expect(refusals).toEqual([]);
  expect(own.made.some(({ size }) => size > 2 ** 28)).toBe(true);
  expect(own.liveBytes).toBeLessThan(2 ** 28);
  await device.dispose();
});

describe("a call whose shaders are still compiled", () => {
  /** Returns a device of the program, and calls that wait for their shaders until `go` is called. */
  async function waiting(): Promise<{ own: FakeDevice; device: WebGpuDevice; calls: Promise<unknown>[]; go: () => void }> {
    const own = new FakeDevice();
    const device = await over(own);
    const x = await device.put(zeros(1000));
    let go = (): void => {};
    const compiled = new Promise<void>((resolve) => (go = resolve));
    own.compile = () => compiled;
    const calls = [device.evaluate(x.add(1)), zeros(50).device(device).assign(zeros(50).mul(3))];
    return { own, device, calls, go };
  }

  test("is cancelled by a disposal, and takes no buffer of the program's device", async () => {
    const { own, device, calls, go } = await waiting();
    await device.dispose();
    const { length } = own.made;
    go();
    for (const call of calls) await expect(call).rejects.toEqual(code("CANCELLED", /was disposed/));
    expect([own.live, own.made.length - length]).toEqual([0, 0]);
  });

  test("is UNAVAILABLE if the GPU is lost", async () => {
    const { own, calls, go } = await waiting();
    own.lose("unplugged");
    await own.lost;
    go();
    for (const call of calls) await expect(call).rejects.toEqual(code("UNAVAILABLE", /unplugged/));
  });
});

test("an assignment to a buffer of the program that is an error leaves its elements, and names the error", async () => {
  const own = new FakeDevice();
  const device = await over(own);
  let isWrong = true;
  own.shader = (text, buffers) => {
    buffers[0]!.bytes.fill(7);
    if (text.includes("atomic<u32>") && isWrong) buffers.at(-1)!.bytes[0] = 1;
  };
  const mine = own.createBuffer({ size: 8 });
  mine.bytes.set(new Uint8Array(Int32Array.of(6, 0).buffer));
  using x = device.wrap(mine as never, "int32", [2]);
  const assign = (): Promise<void> => x.device(device).assign(x.div(x));
  for (let k = 0; k < 5; k++) await expect(assign()).rejects.toEqual(code("INVALID_ARGUMENT", /division by zero/));
  using back = await x.fetch();
  expect(back.toArray()).toEqual([6, 0]);
  const { live } = own;
  isWrong = false;
  for (let k = 0; k < 5; k++) await assign();
  expect([mine.bytes[5], own.live]).toEqual([7, live]);
  await device.dispose();
});

test("the operands of a run that is an error are not overwritten before the error is found", async () => {
  const { device, fake } = await fakeDevice();
  let isWrong = false;
  fake.device.shader = (text, buffers) => {
    if (text.includes("atomic<u32>") && isWrong) buffers.at(-1)!.bytes[0] = 1;
  };
  const whole = (...values: number[]): TensorMap<"int32", 1> => tensorMap("int32", Int32Array.from(values), [values.length]);
  using x = await device.put(whole(1, 0));
  const calls = (): readonly Promise<unknown>[] => [
    device.evaluate(x.div(x)),
    x.device(device).assign(x.add(1)),
    device.put(whole(5, 5)),
    device.put(whole(6, 6)),
  ];
  await Promise.all(calls());
  await x.device(device).assign(whole(1, 0));
  using y = await device.put(whole(1, 0));
  await x.device(device).assign(y);
  // Nothing has to be waited for with buffers that were made before.
  const idle = await Promise.all(Array.from({ length: 8 }, () => device.put(whole(3, 3))));
  for (const each of idle) each.dispose();
  isWrong = true;
  const [answer] = await Promise.allSettled(calls());
  expect(answer).toEqual({ status: "rejected", reason: code("INVALID_ARGUMENT", /division by zero/) });
  await device.dispose();
});

describe("the texture of a picture", () => {
  const picture = { width: 2, height: 2 };
  afterEach(() => void jest.useRealTimers());

  /** Returns a device of the program that makes textures, and those that it has made. */
  function painter(): { own: FakeDevice; textures: { isDestroyed: boolean }[] } {
    const own = new FakeDevice();
    const textures: { isDestroyed: boolean }[] = [];
    const createTexture = (): object => {
      const texture = { ...picture, isDestroyed: false, createView: () => ({}), destroy: () => void (texture.isDestroyed = true) };
      textures.push(texture);
      return texture;
    };
    Object.assign(own, { createTexture });
    Object.assign(own.queue, { copyExternalImageToTexture: () => {} });
    return { own, textures };
  }

  test("is destroyed if its shader is refused, which is tried again for the next picture", async () => {
    const { own, textures } = painter();
    const device = await over(own);
    let tries = 0;
    own.compile = async () => {
      tries++;
      throw new Error("no registers");
    };
    jest.useFakeTimers();
    for (let k = 0; k < 2; k++) {
      const refused = expect(device.fromImage(picture)).rejects.toEqual(code("INTERNAL", /no registers/));
      // A device that is lost may tell it a second after it has refused a call.
      await jest.advanceTimersByTimeAsync(1000);
      await refused;
    }
    expect([tries, textures.map(({ isDestroyed }) => isDestroyed)]).toEqual([2, [true, true]]);
    await device.dispose();
  });

  test("is destroyed if the device is disposed meanwhile", async () => {
    const { own, textures } = painter();
    const device = await over(own);
    const call = device.fromImage(picture);
    await device.dispose();
    await expect(call).rejects.toEqual(code("CANCELLED"));
    expect(textures).toEqual([expect.objectContaining({ isDestroyed: true })]);
  });
});

test("a program that is kept does not keep the maps of its first run", async () => {
  const { device } = await fakeDevice();
  const first = async (): Promise<readonly WeakRef<object>[]> => {
    const [there, here] = [await device.put(zeros(1000)), zeros(1000)];
    (await device.evaluate(there.add(here))).dispose();
    return [new WeakRef(there), new WeakRef(here)];
  };
  const maps = await first();
  await collectUntil(() => maps.every((map) => map.deref() === undefined));
  expect([device.usage.programs, ...maps.map((map) => map.deref() === undefined)]).toEqual([1, true, true]);
  await device.dispose();
});
