// A WebGpuDevice over a fake GPU. The probe's shader does nothing there.
import { WebGpuDevice } from "@onebuffer/webgpu";
import { FakeGpu } from "./fake-gpu.ts";

/** Returns a device and the fake GPU behind it. */
export async function fakeDevice(): Promise<{ readonly device: WebGpuDevice; readonly fake: FakeGpu }> {
  const fake = new FakeGpu();
  return { device: await WebGpuDevice.create({ gpu: fake.gpu }), fake };
}
