// The loop of a camera: what is made once is kept, so that 3,600 frames, a minute of them, end without a collection of young objects. A
// process of its own, in which nothing else allocates: with 16 MiB for young objects, which V8 gives to a program that allocates anyway.
// `npm run long` runs it.
import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { isLong } from "@onebuffer/test-support";

const kFrames = 3600;

const kProgram = `
import { PerformanceObserver } from "node:perf_hooks";
import { Tensor } from "@onebuffer/core";
import { readVideoFrame } from "@onebuffer/adapters";

const [height, width, pitch] = [48, 64, 64 * 4 + 32];
let count = 0;
const layout = [{ offset: 0, stride: pitch }];
const frame = {
  format: "RGBA",
  visibleRect: { width, height },
  allocationSize: () => height * pitch,
  async copyTo(memory) {
    memory[0] = count++ % 256;
    return layout;
  },
};

const memory = Tensor.zeros([frame.allocationSize()], { dtype: "uint8" });
const bytes = memory.flat().data;
const [pixels] = (await readVideoFrame(frame, { memory: bytes })).planes;
const input = Tensor.zeros([height, width, 3]);
const target = input.tensor(3);
const normalized = pixels.slice(null, null, [0, 3]).cast("float32").div(255).sub(0.5);

async function frames(n) {
  for (let i = 0; i < n; i++) {
    await frame.copyTo(bytes);
    target.assign(normalized);
  }
}

await frames(300);
globalThis.gc();
const kinds = [];
const observer = new PerformanceObserver((list) => list.getEntries().forEach(({ detail }) => kinds.push(detail.kind)));
await new Promise((resolve) => setTimeout(resolve, 20));
observer.observe({ entryTypes: ["gc"] });
const before = process.memoryUsage().heapUsed;
await frames(${kFrames});
const bytesPerFrame = (process.memoryUsage().heapUsed - before) / ${kFrames};
await new Promise((resolve) => setTimeout(resolve, 20));
const last = Math.fround(Math.fround(((count - 1) % 256) / 255) - 0.5);
console.log(JSON.stringify({ kinds, bytesPerFrame, first: target.at(0, 0, 0), last }));
`;

if (isLong)
  test(`${kFrames} frames of a camera without a scavenge`, () => {
    const flags = ["--expose-gc", "--min-semi-space-size=16", "--input-type=module", "-e", kProgram];
    const { kinds, bytesPerFrame, first, last } = JSON.parse(execFileSync(process.execPath, flags, { encoding: "utf8" })) as {
      kinds: number[];
      bytesPerFrame: number;
      first: number;
      last: number;
    };
    expect(kinds).toEqual([]);
    expect(bytesPerFrame).toBeLessThan(3000);
    expect(first).toBe(last);
  });
