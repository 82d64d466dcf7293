// Buffers and textures of a fake GPU come back, or are destroyed, whatever ends a call; none is destroyed before its commands are submitted.
import { expect, test } from "@jest/globals";
import { tensorMap } from "@onebuffer/eigen";
import type { TensorMap } from "@onebuffer/eigen";
import { WebGpuDevice } from "@onebuffer/webgpu";
import type { GpuDevice } from "@onebuffer/webgpu";
import { fakeDevice } from "./fake-device.ts";
import { FakeDevice } from "./fake-gpu.ts";

const zeros = (count: number): TensorMap<"float32", 1> => tensorMap("float32", new Float32Array(count), [count]);
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
