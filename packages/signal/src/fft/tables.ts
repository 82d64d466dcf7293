/**
 * tables: memory for tables of factors in the linear memory.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import { releaseScratch, reserveScratch } from "@onebuffer/allocator/internal";
import { linearMemory } from "@onebuffer/wasm";
import type { PartDType } from "./fft-module.ts";
import { UnitRoots } from "./unit-roots.ts";

/** An array of real and imaginary parts in the linear memory. */
export type PartArray = Float32Array<ArrayBufferLike> | Float64Array<ArrayBufferLike>;

/** Returns the elements at an address. */
export function partsAt(dtype: PartDType, address: number, count: number): PartArray {
  const { buffer } = linearMemory();
  return dtype === "float32" ? new Float32Array(buffer, address, count) : new Float64Array(buffer, address, count);
}

/** The tables of one plan. They keep their addresses until `release`. */
export class Tables {
  readonly dtype: PartDType;
  /** The bytes of all tables. */
  bytes: number = 0;
  readonly #ranges: (readonly [address: number, bytes: number])[] = [];
  readonly #roots: Map<number, UnitRoots> = new Map();

  constructor(dtype: PartDType) {
    this.dtype = dtype;
  }

  /** Returns the roots of unity of an order. They are kept until the plan is complete. */
  roots(order: number): UnitRoots {
    let roots = this.#roots.get(order);
    if (roots === undefined) this.#roots.set(order, (roots = new UnitRoots(order)));
    return roots;
  }

  /** Adds a table of `count` numbers, which `fill` writes. Returns its address. Throws RESOURCE_EXHAUSTED if there is no memory. */
  add(count: number, fill: (parts: PartArray) => void): number {
    const bytes = Math.ceil((count * (this.dtype === "float32" ? 4 : 8)) / 256) * 256;
    const address = reserveScratch(bytes);
    if (address === null) throw new ResourceExhaustedError(`no room for ${bytes} bytes of factors of a Fourier transform`);
    this.#ranges.push([address, bytes]);
    this.bytes += bytes;
    fill(partsAt(this.dtype, address, count));
    return address;
  }

  /** Drops what only the making of the plan needs. */
  complete(): void {
    this.#roots.clear();
  }

  /** Frees the tables. */
  release(): void {
    for (const [address, bytes] of this.#ranges.splice(0)) releaseScratch(address, bytes);
    this.bytes = 0;
  }
}
