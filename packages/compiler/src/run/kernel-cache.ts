/**
 * kernel-cache: compiled kernels by their structure (an Eigen program has its kernels in the executable).
 *
 *     key of a KernelSpec  ->  Kernel { run, layout, … }        as many as fit into 128 MiB (caches.ts): some 5,000 small ones
 *
 * A kernel is compiled and linked synchronously: a module of about 1 KB takes 0.1 to 0.3 ms. The key does not include
 * the kind of the memory, because a process has one linear memory; a test with another memory creates its own cache.
 * If the engine refuses to compile a structure (because of a policy, or a limit of its own), the cache does not try
 * that structure again.
 *
 * When the kernels take too much, the cache picks three at random and evicts the one that has not run for longest.
 * Evicting the least recently used of all would recompile every kernel again and again in a program that uses a few
 * more kernels in turn than fit. Evicting a random one would often evict a kernel in use.
 */
import type { WasmMemory } from "@onebuffer/wasm";
import { engine, instantiateNow } from "@onebuffer/wasm/internal";
import { fallBack, kArgumentBytes, noteKernel } from "@onebuffer/kernels/internal";
import { writeColumnsKernel } from "../form/kernel-columns.ts";
import { writeWindowsKernel } from "../form/kernel-windows.ts";
import { writeMapKernel } from "../form/kernel-map.ts";
import { writeRowsKernel } from "../form/kernel-rows.ts";
import type { ArgumentLayout, KernelSpec } from "../plan/kernel-spec.ts";
import { argumentLayout, specKey } from "../plan/kernel-spec.ts";
import { writeTileKernel } from "../form/kernel-tile.ts";
import { nanosecondsPerElement } from "../split/kernel-work.ts";
import { KernelWriter } from "../form/kernel-writer.ts";
import { rowBuffers, rowPasses } from "../plan/row-passes.ts";

/** A compiled kernel. */
export interface Kernel {
  readonly key: string;
  readonly layout: ArgumentLayout;
  /** The number of elements in a group of lanes. Loads may read up to that many elements beyond the end of an operand. */
  readonly elements: number;
  /** The bytes per element of each row buffer. */
  readonly buffers: readonly number[];
  /** The module, from which threads of a pool compile the kernel again. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** About how long one thread takes for an element of the loops. */
  readonly nanoseconds: number;
  /** The estimated number of bytes of memory that the kernel takes. */
  readonly cost: number;
  /**
   * Runs the kernel on the arguments at an address. Returns a nonzero number if some element may be invalid (for
   * example after a division by zero). Null once the kernel is evicted: code that keeps a kernel checks this before
   * each use and asks the cache again.
   */
  run: ((args: number) => number) | null;
  /** The time of the last look-up or run, counted in uses: see `markUsed`. */
  lastUsed: number;
}

/** The number of uses of kernels so far. */
const clock = { uses: 0 };

/** Records that a kernel is used now. */
export function markUsed(kernel: Kernel): void {
  kernel.lastUsed = ++clock.uses;
}

/** The bytes of a kernel besides its code: about 16 KiB for V8's module and instance with a page for code, and the objects beside them. */
const kKernelBytes = 20 * 1024;
/** Memory per byte of a module: the byte itself, here and in the engine, the code compiled from it, and that code again when it is optimized. */
const kBytesPerByte = 5;
/** The number of random kernels of which one is evicted: see the top of this file. */
const kPicked = 3;
/** The most refused structures that are remembered. */
const kMaxRefused = 4096;

/** Writes the kernel of a structure without compiling it. `explain` uses it, too. */
export function writeKernel(spec: KernelSpec, pages: number, shared: boolean): KernelWriter {
  const write = {
    map: writeMapKernel,
    tile: writeTileKernel,
    rows: writeRowsKernel,
    columns: writeColumnsKernel,
    windows: writeWindowsKernel,
  }[spec.form];
  const writer = new KernelWriter(spec, { pages, shared }, engine().relaxed);
  writer.begin();
  write(writer, engine());
  writer.end();
  return writer;
}

/** The compiled kernels over one memory. */
export class KernelCache {
  readonly #memory: WasmMemory;
  readonly #shared: boolean;
  readonly #maxBytes: number;
  readonly #kernels: Map<string, Kernel> = new Map();
  /** The same kernels as a list without order, for random picks. */
  readonly #list: Kernel[] = [];
  /** The keys of structures that have no kernel. */
  readonly #refused: Set<string> = new Set();
  #bytes = 0;
  #random = 1;

  constructor(memory: WasmMemory, maxBytes: number) {
    this.#memory = memory;
    this.#shared = Object.prototype.toString.call(memory.buffer) === "[object SharedArrayBuffer]";
    this.#maxBytes = maxBytes;
  }

  /** The number of kernels. */
  get size(): number {
    return this.#list.length;
  }

  /** The estimated number of bytes that the kernels take together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of pages of the memory. */
  get pages(): number {
    return this.#memory.buffer.byteLength / 65536;
  }

  /** True if the memory is shared between threads. */
  get isShared(): boolean {
    return this.#shared;
  }

  /**
   * Returns the kernel of a structure, and compiles it if it is new. Returns null if the engine refuses. Evicts
   * nothing, so that a caller can ask for several kernels and then run them all: see `makeRoom`.
   */
  get(spec: KernelSpec): Kernel | null {
    const key = specKey(spec);
    const known = this.#kernels.get(key);
    if (known === undefined) return this.#refused.has(key) ? null : this.#compile(key, spec);
    markUsed(known);
    return known;
  }

  /** Evicts kernels until the remaining ones take no more than the limit. Call it only while no kernel is about to run. */
  makeRoom(): void {
    while (this.#bytes > this.#maxBytes) this.#evict();
  }

  #compile(key: string, spec: KernelSpec): Kernel | null {
    if (argumentLayout(spec).bytes > kArgumentBytes) return this.#refuse(key, "an expression has more operands than a kernel takes");
    const writer = writeKernel(spec, this.pages, this.#shared);
    const bytes = writer.module.toBytes();
    let run: (args: number) => number;
    try {
      run = instantiateNow(bytes, { k: { m: this.#memory } })["run"]!;
    } catch (error) {
      // Keeps the engine's own message: engines, and realms, differ in what they throw.
      return this.#refuse(key, `the engine refused a kernel: ${String(error)}`);
    }
    const { layout, elements, levels } = writer;
    const buffers =
      spec.form === "rows" ? rowBuffers(spec.nodes, rowPasses(spec.nodes, levels, spec.result)).map((b) => b.bytesPerElement) : [];
    const nanoseconds = nanosecondsPerElement(spec);
    const kernel = {
      key,
      layout,
      elements,
      buffers,
      bytes,
      nanoseconds,
      cost: kKernelBytes + kBytesPerByte * bytes.length,
      run,
      lastUsed: ++clock.uses,
    };
    this.#kernels.set(key, kernel);
    this.#list.push(kernel);
    this.#bytes += kernel.cost;
    noteKernel(key);
    return kernel;
  }

  #refuse(key: string, reason: string): null {
    if (this.#refused.size >= kMaxRefused) this.#refused.clear();
    this.#refused.add(key);
    fallBack(reason);
    return null;
  }

  /** Returns a pseudorandom index into the list. The sequence is the same in every process. */
  #pick(): number {
    this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#random / 2 ** 32) * this.#list.length);
  }

  /** Evicts one kernel. */
  #evict(): void {
    const list = this.#list;
    let at = this.#pick();
    for (let k = 1; k < kPicked; k++) {
      const other = this.#pick();
      if (list[other]!.lastUsed < list[at]!.lastUsed) at = other;
    }
    const kernel = list[at]!;
    list[at] = list.at(-1)!;
    list.pop();
    this.#kernels.delete(kernel.key);
    this.#bytes -= kernel.cost;
    // Plans may still hold the kernel object. This frees the large part at once.
    kernel.run = null;
  }
}
