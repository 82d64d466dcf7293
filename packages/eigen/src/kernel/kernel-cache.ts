/**
 * kernel-cache: compiled kernels by their structure (what an Eigen program has in its text segment).
 *
 *     key of a KernelSpec  ->  Kernel { run, layout, … }        at most kMaxKernels; the one used longest ago goes
 *
 * A kernel is compiled and linked at once: a module of about 1 KB takes 0.1 to 0.3 ms. The memory's kind is no part of the
 * key, because a process has one linear memory; a test that makes another asks for a cache of its own.
 * What the engine refuses (a policy against compiling, a limit of its own) it is asked once per structure.
 */
import { linearMemory } from "../linear-memory.ts";
import type { WasmMemory } from "../web-assembly.ts";
import { instantiateNow } from "../web-assembly.ts";
import { engine } from "./engine.ts";
import { fallBack, noteKernel } from "./kernel-events.ts";
import { writeColumnsKernel } from "./kernel-columns.ts";
import { writeMapKernel } from "./kernel-map.ts";
import { writeRowsKernel } from "./kernel-rows.ts";
import type { ArgumentLayout, KernelSpec } from "./kernel-spec.ts";
import { specKey } from "./kernel-spec.ts";
import { writeTileKernel } from "./kernel-tile.ts";
import type { KernelWriter } from "./kernel-writer.ts";
import { rowBuffers, rowPasses } from "./row-passes.ts";

/** A kernel that can be run. */
export interface Kernel {
  readonly key: string;
  readonly spec: KernelSpec;
  readonly layout: ArgumentLayout;
  /** Elements of a group: loads may reach as far beyond the end of an operand. */
  readonly elements: number;
  /** Bytes of an element of the target. */
  readonly targetBytes: number;
  /** Bytes per element of each row buffer. */
  readonly buffers: readonly number[];
  /** Runs on the arguments at an address; not 0 when something was suspect (a division by zero, perhaps). */
  readonly run: (args: number) => number;
  /** When it was last used, counted in lookups. */
  lastUsed: number;
}

/** The most kernels that are kept. */
export const kMaxKernels = 256;

/** Writes the kernel of a structure, without compiling it: for `explain`, too. */
export function writeKernel(spec: KernelSpec, pages: number, shared: boolean): KernelWriter {
  const write = { map: writeMapKernel, tile: writeTileKernel, rows: writeRowsKernel, columns: writeColumnsKernel }[spec.form];
  return write(spec, { pages, shared }, engine());
}

/** Kernels over one memory. */
export class KernelCache {
  readonly #memory: WasmMemory;
  readonly #shared: boolean;
  readonly #kernels: Map<string, Kernel> = new Map();
  /** Structures that the engine has refused. */
  readonly #refused: Set<string> = new Set();
  #lookups = 0;

  constructor(memory: WasmMemory) {
    this.#memory = memory;
    this.#shared = Object.prototype.toString.call(memory.buffer) === "[object SharedArrayBuffer]";
  }

  /** How many kernels there are. */
  get size(): number {
    return this.#kernels.size;
  }

  /** Pages of the memory. */
  get pages(): number {
    return this.#memory.buffer.byteLength / 65536;
  }

  /** Whether the memory is shared. */
  get isShared(): boolean {
    return this.#shared;
  }

  /** The kernel of a structure, compiled if it is new; null when the engine refuses. */
  get(spec: KernelSpec): Kernel | null {
    const key = specKey(spec);
    const known = this.#kernels.get(key);
    if (known === undefined) return this.#compile(key, spec);
    known.lastUsed = ++this.#lookups;
    return known;
  }

  #compile(key: string, spec: KernelSpec): Kernel | null {
    if (this.#refused.has(key)) return null;
    const writer = writeKernel(spec, this.pages, this.#shared);
    let run: (args: number) => number;
    try {
      run = instantiateNow(writer.module.toBytes(), { k: { m: this.#memory } })["run"]!;
    } catch (error) {
      // The engine's own words: it differs from engine to engine, and from realm to realm, what is thrown.
      this.#refused.add(key);
      fallBack(`the engine refused a kernel: ${String(error)}`);
      return null;
    }
    if (this.#kernels.size >= kMaxKernels) this.#evict();
    const { layout, elements, levels } = writer;
    const buffers =
      spec.form === "rows" ? rowBuffers(spec.nodes, rowPasses(spec.nodes, levels, spec.result)).map((b) => b.bytesPerElement) : [];
    const kernel = { key, spec, layout, elements, targetBytes: writer.itemBytes(0), buffers, run, lastUsed: ++this.#lookups };
    this.#kernels.set(key, kernel);
    noteKernel(key);
    return kernel;
  }

  #evict(): void {
    let oldest: Kernel | null = null;
    for (const kernel of this.#kernels.values()) if (oldest === null || kernel.lastUsed < oldest.lastUsed) oldest = kernel;
    if (oldest !== null) this.#kernels.delete(oldest.key);
  }
}

let cache: KernelCache | null = null;

/** The kernels over the linear memory of this process, which is constructed if it was not. */
export function kernelCache(): KernelCache {
  cache ??= new KernelCache(linearMemory().memory);
  return cache;
}
