/**
 * kernel-cache: compiled kernels by their structure (what an Eigen program has in its text segment).
 *
 *     key of a KernelSpec  ->  Kernel { run, layout, … }        as many as take kMaxBytes of memory, about: 5,000 small ones
 *
 * A kernel is compiled and linked at once: a module of about 1 KB takes 0.1 to 0.3 ms. The memory's kind is no part of the
 * key, because a process has one linear memory; a test that makes another asks for a cache of its own.
 * What the engine refuses (a policy against compiling, a limit of its own) it is asked once per structure.
 *
 * When there are too many, of three picked at random the one goes that has not run for longest. Were it always the one of all, a program
 * with a few more kernels in turn than fit would compile all of them again and again; were it any, it would often be one in use.
 */
import { linearMemory } from "@onebuffer/wasm";
import type { WasmMemory } from "@onebuffer/wasm";
import { engine, instantiateNow } from "@onebuffer/wasm/internal";
import { fallBack, noteKernel } from "../form/kernel-events.ts";
import { writeColumnsKernel } from "../form/kernel-columns.ts";
import { writeMapKernel } from "../form/kernel-map.ts";
import { writeRowsKernel } from "../form/kernel-rows.ts";
import type { ArgumentLayout, KernelSpec } from "../plan/kernel-spec.ts";
import { argumentLayout, specKey } from "../plan/kernel-spec.ts";
import { writeTileKernel } from "../form/kernel-tile.ts";
import type { KernelWriter } from "../form/kernel-writer.ts";
import { kArgumentBytes } from "../plan/scratch.ts";
import { rowBuffers, rowPasses } from "../plan/row-passes.ts";

/** A kernel that can be run. */
export interface Kernel {
  readonly key: string;
  readonly layout: ArgumentLayout;
  /** Elements of a group: loads may reach as far beyond the end of an operand. */
  readonly elements: number;
  /** Bytes per element of each row buffer. */
  readonly buffers: readonly number[];
  /** Bytes of memory that it takes, about. */
  readonly cost: number;
  /**
   * Runs on the arguments at an address; not 0 when something was suspect (a division by zero, perhaps). Null once it is gone: whoever
   * keeps a kernel looks before each use, and asks the cache again.
   */
  run: ((args: number) => number) | null;
  /** When it was last asked for or run: see `markUsed`. */
  lastUsed: number;
}

let uses = 0;

/** Notes that a kernel runs now. */
export function markUsed(kernel: Kernel): void {
  kernel.lastUsed = ++uses;
}

/** What all kernels together may take. */
const kMaxBytes = 128 * 1048576;
/** What a kernel takes: a module and an instance of V8 with a page for its code, about 16 KiB, and what is kept beside them. */
const kKernelBytes = 20 * 1024;
/** The module's own bytes, the code made of them, and that code once more when it is optimized. */
const kBytesPerByte = 4;
/** How many the one to go is chosen from: see above. */
const kPicked = 3;
/** The most structures of which it is known that there are no kernels for them. */
const kMaxRefused = 4096;

/** Writes the kernel of a structure, without compiling it: for `explain`, too. */
export function writeKernel(spec: KernelSpec, pages: number, shared: boolean): KernelWriter {
  const write = { map: writeMapKernel, tile: writeTileKernel, rows: writeRowsKernel, columns: writeColumnsKernel }[spec.form];
  return write(spec, { pages, shared }, engine());
}

/** Kernels over one memory. */
export class KernelCache {
  readonly #memory: WasmMemory;
  readonly #shared: boolean;
  readonly #maxBytes: number;
  readonly #kernels: Map<string, Kernel> = new Map();
  /** The same in no order, for picking. */
  readonly #list: Kernel[] = [];
  /** Structures that there are no kernels for. */
  readonly #refused: Set<string> = new Set();
  #bytes = 0;
  #random = 1;

  constructor(memory: WasmMemory, maxBytes: number = kMaxBytes) {
    this.#memory = memory;
    this.#shared = Object.prototype.toString.call(memory.buffer) === "[object SharedArrayBuffer]";
    this.#maxBytes = maxBytes;
  }

  /** How many kernels there are. */
  get size(): number {
    return this.#list.length;
  }

  /** What they take together, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Pages of the memory. */
  get pages(): number {
    return this.#memory.buffer.byteLength / 65536;
  }

  /** Whether the memory is shared. */
  get isShared(): boolean {
    return this.#shared;
  }

  /**
   * The kernel of a structure, compiled if it is new; null when the engine refuses. Nothing goes for it, so that several can be asked
   * for and then run: see `makeRoom`.
   */
  get(spec: KernelSpec): Kernel | null {
    const key = specKey(spec);
    const known = this.#kernels.get(key);
    if (known === undefined) return this.#refused.has(key) ? null : this.#compile(key, spec);
    markUsed(known);
    return known;
  }

  /** Lets kernels go until what remains takes no more than it may. To be called when none is about to run. */
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
      // The engine's own words: it differs from engine to engine, and from realm to realm, what is thrown.
      return this.#refuse(key, `the engine refused a kernel: ${String(error)}`);
    }
    const { layout, elements, levels } = writer;
    const buffers =
      spec.form === "rows" ? rowBuffers(spec.nodes, rowPasses(spec.nodes, levels, spec.result)).map((b) => b.bytesPerElement) : [];
    const kernel = { key, layout, elements, buffers, cost: kKernelBytes + kBytesPerByte * bytes.length, run, lastUsed: ++uses };
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

  /** A kernel's number in the list; the same ones in every process. */
  #pick(): number {
    this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#random / 2 ** 32) * this.#list.length);
  }

  /** Lets one kernel go. */
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
    // Plans may still have it: what is large goes now.
    kernel.run = null;
  }
}

let cache: KernelCache | null = null;

/** The kernels over the linear memory of this process, which is constructed if it was not. */
export function kernelCache(): KernelCache {
  cache ??= new KernelCache(linearMemory().memory);
  return cache;
}
