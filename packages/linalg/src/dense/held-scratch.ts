/**
 * held-scratch: memory of the linear memory that a computation in steps keeps between them. The stack of scratch memory is for what runs at
 * once: other kernels take from it and release in between.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import { releaseScratch, reserveScratch } from "@onebuffer/allocator/internal";

/** Regions in the order in which they were taken. `release` the first mark, whatever happens. */
export class HeldScratch {
  /** Address and length alternate. */
  readonly #regions: number[] = [];

  /** Returns the address of `numBytes` bytes, a multiple of 256. Throws RESOURCE_EXHAUSTED. */
  take(numBytes: number): number {
    const bytes = Math.max(1, Math.ceil(numBytes / 256)) * 256;
    const address = reserveScratch(bytes);
    if (address === null) throw new ResourceExhaustedError(`no room for ${bytes} bytes of scratch memory in the linear memory`);
    this.#regions.push(address, bytes);
    return address;
  }

  /** Returns a mark for `release`. */
  mark(): readonly [top: number, extras: number] {
    return [0, this.#regions.length];
  }

  /** Releases everything taken since the mark. */
  release([, count]: readonly [top: number, extras: number]): void {
    while (this.#regions.length > count) {
      const bytes = this.#regions.pop() as number;
      releaseScratch(this.#regions.pop() as number, bytes);
    }
  }
}
