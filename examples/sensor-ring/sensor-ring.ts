// The moving mean of a sensor with three channels: the latest readings in a ring, written and read through views of one buffer.
import { bytesCopied, liveBuffers, Tensor } from "onebuffer";

const kCapacity = 1000; // readings that the ring holds
const kChannels = 3;
const kBlock = 64; // readings that arrive together
const kWindow = 256; // readings that a mean is of
const kBlocks = 400;

/** The latest readings [capacity, channels] of a sensor; the oldest are overwritten first. */
class RingBuffer {
  readonly #readings = Tensor.zeros([kCapacity, kChannels]);
  #written = 0;

  /** Copies readings into the ring: a copy of bytes, or two where they go over its end. */
  write(block: Float32Array): void {
    const count = block.length / kChannels;
    let from = 0;
    for (const view of this.#views(this.#written, count)) view.copyFrom(block.subarray(from, (from += view.size)));
    this.#written += count;
  }

  /** The latest readings, the oldest first. Nothing is copied. */
  latest(count: number) {
    return this.#views(this.#written - count, count);
  }

  /** The readings from number `start` on: one view, or two where they go over the end of the ring. */
  #views(start: number, count: number) {
    const map = this.#readings.matrix().strided();
    const begin = start % kCapacity;
    const over = Math.max(0, begin + count - kCapacity);
    const first = map.slice([begin, begin + count - over]);
    return over === 0 ? [first] : [first, map.slice([0, over])];
  }

  [Symbol.dispose](): void {
    this.#readings.dispose();
  }
}

/** Reading number `i`, a wave of its own length on each channel: what a driver would deliver. */
const reading = (i: number, channel: number) => Math.abs(((i * (channel + 3)) % 1000) - 500) / 500;

export function run() {
  using ring = new RingBuffer();
  using means = Tensor.zeros([kBlocks, kChannels]);
  const arrived = new Float32Array(kBlock * kChannels);
  let overTheEnd = 0;

  const copied = bytesCopied();
  const started = performance.now();
  for (let block = 0; block < kBlocks; block++) {
    for (let i = 0; i < arrived.length; i++) arrived[i] = reading(block * kBlock + Math.floor(i / kChannels), i % kChannels);
    ring.write(arrived);
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
