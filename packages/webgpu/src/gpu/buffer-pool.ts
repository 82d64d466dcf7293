/**
 * BufferPool: buffers of a device by usage and size (in TensorFlow: a device's BFC allocator; a GPUBuffer has one size for all its life, so
 * there are size classes in place of chunks).
 *
 * The queue of a device runs in order. A buffer can so be used by a later submission as soon as the submission that uses it now was made;
 * only a buffer that is mapped has to wait until it is unmapped.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import type { GpuBuffer, GpuDevice } from "./gpu-types.ts";

/** Buffers have at least this many bytes, so that small ones are one class. */
const kLeastBytes = 256;
/** Sizes of up to so many bytes are powers of two, larger ones multiples of it. */
const kPage = 65536;
/** Free buffers beyond so many bytes are destroyed, those that were used longest ago first. */
const kMostFreeBytes = 2 ** 28;

/**
 * Returns the bytes of the class of a size: at most twice as many for small buffers, 64 KiB more for large ones, and no more than `most` in
 * words, the largest array of a device, unless the size itself is.
 */
export function sizeClass(bytes: number, most: number): number {
  const size = bytes > kPage ? Math.ceil(bytes / kPage) * kPage : Math.max(kLeastBytes, 2 ** Math.ceil(Math.log2(Math.max(1, bytes))));
  return Math.max(bytes, Math.min(size, most - (most % 4)));
}

/** A buffer of the pool. */
export interface PooledBuffer {
  readonly buffer: GpuBuffer;
  readonly bytes: number;
  readonly usage: number;
  /** True once the device has said that it had no memory for the buffer. */
  isBroken: boolean;
}

/** The buffers of one device. */
export class BufferPool {
  readonly #device: GpuDevice;
  readonly #most: number;
  readonly #free: Map<string, PooledBuffer[]> = new Map();
  readonly #live: Set<PooledBuffer> = new Set();
  #freeBytes = 0;
  #numMade = 0;
  /** True if there was no memory for a buffer since the last call of `reclaim`. */
  #hasFailed = false;
  /** What the device will say of the buffers that were made since the last call of `whether`. */
  #unknown: Promise<void>[] = [];

  /** `most` is how many bytes an array of the device can have. */
  constructor(device: GpuDevice, most: number) {
    this.#device = device;
    this.#most = most;
  }

  /** The number of buffers that were ever made, of those that are not destroyed, and the bytes of those that are free. */
  get counts(): { readonly made: number; readonly live: number; readonly freeBytes: number } {
    return { made: this.#numMade, live: this.#live.size, freeBytes: this.#freeBytes };
  }

  /** Returns a buffer of at least so many bytes. Its elements are undefined. Whether there was memory for it, `whether` tells. */
  take(bytes: number, usage: number): PooledBuffer {
    const size = sizeClass(bytes, this.#most);
    return this.#takeFree(usage, size) ?? this.#make(size, usage);
  }

  /**
   * Returns a promise of the memory of all buffers that were made since the last call: it is rejected with RESOURCE_EXHAUSTED if there was
   * none for one of them. Returns null if no buffer was made.
   */
  whether(): Promise<void> | null {
    const all = this.#unknown;
    if (all.length === 0) return null;
    this.#unknown = [];
    const memory = Promise.all(all).then(() => {});
    // A call that failed for another reason does not look at it.
    memory.catch(() => {});
    return memory;
  }

  /**
   * Takes a buffer back, for later commands. `most` is how many bytes may be free: Infinity for a buffer that commands use which are not
   * submitted yet, because a submission must not find a buffer destroyed. `trim` follows it then.
   */
  give(pooled: PooledBuffer, most: number = kMostFreeBytes): void {
    if (pooled.isBroken) {
      this.drop(pooled);
      return;
    }
    const key = `${pooled.usage} ${pooled.bytes}`;
    const list = this.#free.get(key);
    if (list === undefined) this.#free.set(key, [pooled]);
    else list.push(pooled);
    this.#freeBytes += pooled.bytes;
    if (this.#freeBytes > most) this.trim(most / 2);
  }

  /** Destroys a buffer that must not be used again. */
  drop(pooled: PooledBuffer): void {
    this.#live.delete(pooled);
    pooled.buffer.destroy();
  }

  /** Destroys free buffers until at most so many bytes of them are left. */
  trim(most: number = kMostFreeBytes): void {
    for (const list of this.#free.values()) {
      while (this.#freeBytes > most && list.length > 0) {
        const pooled = list.shift()!;
        this.#freeBytes -= pooled.bytes;
        this.drop(pooled);
      }
    }
  }

  /** Destroys all free buffers if there was no memory for one since the last call; returns whether there was none. */
  reclaim(): boolean {
    const hasFailed = this.#hasFailed;
    this.#hasFailed = false;
    if (hasFailed) this.trim(0);
    return hasFailed;
  }

  /** Destroys all buffers, also those that are used. */
  destroy(): void {
    for (const pooled of this.#live) this.drop(pooled);
    this.#free.clear();
    this.#freeBytes = 0;
  }

  #takeFree(usage: number, size: number): PooledBuffer | null {
    const list = this.#free.get(`${usage} ${size}`);
    for (let kept = list?.pop(); kept !== undefined; kept = list?.pop()) {
      this.#freeBytes -= size;
      if (!kept.isBroken) return kept;
      this.drop(kept);
    }
    return null;
  }

  #make(size: number, usage: number): PooledBuffer {
    this.#device.pushErrorScope("out-of-memory");
    const buffer = this.#device.createBuffer({ size, usage } as never);
    const pooled = { buffer, bytes: size, usage, isBroken: false };
    this.#numMade++;
    this.#live.add(pooled);
    const known = this.#device.popErrorScope().then((error) => {
      if (error === null) return;
      pooled.isBroken = true;
      this.#hasFailed = true;
      throw new ResourceExhaustedError(`WebGPU has no memory for a buffer of ${size} bytes: ${error.message}`);
    });
    known.catch(() => {});
    this.#unknown.push(known);
    return pooled;
  }
}
