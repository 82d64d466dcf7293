/**
 * pool-modules: the compiled modules that the workers of a pool know, by number. Their bytes are in shared memory, which workers read when
 * they have something to do: a parked worker receives no message.
 */
import { releaseScratch, reserveScratch } from "@onebuffer/allocator/internal";
import { ResourceExhaustedError } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import type { PoolModule } from "@onebuffer/kernels/internal";

/** The most modules of a pool; each takes some 20 KiB of every worker. When they are nearly reached, all are forgotten. */
const kMaxModules = 1024;
/** One job has fewer modules than this. */
const kSpareModules = 32;
/** Bytes are reserved in pieces of this length. */
const kPieceBytes = 65536;

/** The modules of a pool. */
export class PoolModules {
  #numbers: WeakMap<PoolModule, number> = new WeakMap();
  /** Byte offset and length of each reservation. */
  readonly #pieces: (readonly [offset: number, length: number])[] = [];
  readonly #table: Uint32Array<ArrayBufferLike>;
  #count = 0;
  #next = 0;
  #left = 0;

  /** Throws RESOURCE_EXHAUSTED if the linear memory has no room for the table. */
  constructor() {
    this.#table = new Uint32Array(linearMemory().buffer, this.#reserve(8 * kMaxModules), 2 * kMaxModules);
  }

  /** The address of the table. */
  get address(): number {
    return this.#table.byteOffset;
  }

  /** The number of modules. */
  get count(): number {
    return this.#count;
  }

  /** True if there may be no room for the modules of another job. */
  get isFull(): boolean {
    return this.#count > kMaxModules - kSpareModules;
  }

  /** Forgets all modules. No worker may be reading them. */
  clear(): void {
    for (const [offset, length] of this.#pieces.splice(1)) releaseScratch(offset, length);
    this.#numbers = new WeakMap();
    this.#count = this.#left = 0;
  }

  /** Returns the number of a module. Throws RESOURCE_EXHAUSTED if there is no room for its bytes. */
  numberOf(module: PoolModule): number {
    const known = this.#numbers.get(module);
    if (known !== undefined) return known;
    if (this.#count === kMaxModules) throw new ResourceExhaustedError(`a pool has at most ${kMaxModules} modules`);
    const bytes = module.bytes();
    if (bytes.length > this.#left) {
      this.#left = Math.max(kPieceBytes, Math.ceil(bytes.length / 256) * 256);
      this.#next = this.#reserve(this.#left);
    }
    new Uint8Array(linearMemory().buffer, this.#next, bytes.length).set(bytes);
    this.#table[2 * this.#count] = this.#next;
    this.#table[2 * this.#count + 1] = bytes.length;
    this.#next += bytes.length;
    this.#left -= bytes.length;
    this.#numbers.set(module, this.#count);
    return this.#count++;
  }

  /** Releases the memory. No worker may read it any more. */
  release(): void {
    for (const [offset, length] of this.#pieces.splice(0)) releaseScratch(offset, length);
  }

  #reserve(numBytes: number): number {
    const offset = reserveScratch(numBytes);
    if (offset === null) throw new ResourceExhaustedError(`no room for ${numBytes} bytes of a pool's kernels in the linear memory`);
    this.#pieces.push([offset, numBytes]);
    return offset;
  }
}
