// The moving mean of a sensor with three channels: the latest readings in a ring, written and read through views of one buffer.
import { bytesCopied, liveBuffers, Tensor } from "onebuffer";

const kCapacity = 1024; // readings that the ring holds
const kBlock = 64; // readings that arrive together; divides the capacity
const kWindow = 256; // readings that a mean is of
const kBlocks = 400;

/** The latest readings [capacity, channels] of a sensor; the oldest are overwritten first. */
class SensorRing {
  readonly #readings: Tensor<"float32">;
  #written = 0;

  constructor(capacity: number, channels: number) {
    this.#readings = Tensor.zeros([capacity, channels]);
  }

  /** The place of the next readings, to be written by whoever has them. */
  next(count: number) {
    const start = this.#written % kCapacity;
    this.#written += count;
    return this.#readings
      .matrix()
      .strided()
      .slice([start, start + count]);
  }

  /** The latest readings: one view, or two where they go over the end of the ring. */
  latest(count: number) {
    const map = this.#readings.matrix().strided();
    const end = ((this.#written - 1) % kCapacity) + 1;
    if (count <= end) return [map.slice([end - count, end])];
    return [map.slice([kCapacity - (count - end), kCapacity]), map.slice([0, end])];
  }

  [Symbol.dispose](): void {
    this.#readings.dispose();
  }
}

/** Reading number `i`, a wave of its own length on each channel: what a driver would deliver. */
const reading = (i: number, channel: number) => Math.abs(((i * (channel + 3)) % 1000) - 500) / 500;

export function run() {
  using ring = new SensorRing(kCapacity, 3);
  using means = Tensor.zeros([kBlocks, 3]);
  let overTheEnd = 0;

  const copied = bytesCopied();
  const started = performance.now();
  for (let block = 0; block < kBlocks; block++) {
    const place = ring.next(kBlock);
    for (let i = 0; i < kBlock; i++) {
      for (let channel = 0; channel < 3; channel++) place.set(i, channel, reading(block * kBlock + i, channel));
    }
    const views = ring.latest(Math.min(kWindow, (block + 1) * kBlock));
    overTheEnd += views.length - 1;
    const readings = views.reduce((sum, view) => sum + view.dimension(0), 0);
    const mean = means.matrix().chip(block);
    for (const view of views) mean.addAssign(view.sum([0]).div(readings));
  }
  const ms = performance.now() - started;
  return { means: means.matrix().toArray(), overTheEnd, copied: bytesCopied() - copied, ms };
}

export const result = run();

console.log(`${kBlocks * kBlock} readings in blocks of ${kBlock}, means of the latest ${kWindow}:`);
for (let block = 19; block < kBlocks; block += 95) {
  console.log(`after ${String((block + 1) * kBlock).padStart(5)}: ${result.means[block]?.map((mean) => mean.toFixed(4)).join("  ")}`);
}
console.log(`${result.overTheEnd} windows went over the end of the ring, ${result.copied} bytes copied`);
console.log(`${result.ms.toFixed(0)} ms, ${liveBuffers()} buffers left`);
