/**
 * staging: copies elements outside the linear memory in and out for kernels of the fast path (elementwise-fast-path.ts) and of kept plans
 * (assign-kept.ts), as a device's memcpy does for kernels on the device.
 *
 *     operand in a plain array      copied in once per assignment, however often the expression reads it
 *     target in a plain array       computed in the region and copied out when complete: operands that overlap it were read before
 *
 * The region is small (kStagingBytes) and reserved once; the general path computes what does not fit. A copy has the
 * same offset from a multiple of 8 bytes as the original array, because engines copy byte by byte between addresses
 * of different alignment.
 */
import { typedArrayConstructor } from "@onebuffer/base";
import type { RawDType, TypedArray } from "@onebuffer/base";
import { codedDTypes } from "@onebuffer/expression/internal";
import { linearMemory } from "@onebuffer/wasm";
import { kStagingBytes, stagingStart } from "@onebuffer/kernels/internal";
import { bytesOf, startOf } from "../plan/map-address.ts";
import type { DenseMap } from "../plan/map-address.ts";

/** The most maps outside the linear memory on the fast path; the general path computes expressions with more. */
const kMaxStaged = 24;

/** A typed array of one dtype over the region, and the part of it that was last copied out, which is reused while sizes stay the same. */
interface Window {
  readonly all: TypedArray;
  part: TypedArray;
  at: number;
}

/** The staging region, and the elements to be copied in for the current expression. */
export class Staging {
  #start = -1;
  #top = 0;
  readonly #windows: (Window | null)[] = codedDTypes.map(() => null);
  #numStaged = 0;
  readonly #arrays: (TypedArray | null)[] = new Array<TypedArray | null>(kMaxStaged).fill(null);
  readonly #bases: Float64Array = new Float64Array(kMaxStaged);
  readonly #sizes: Float64Array = new Float64Array(kMaxStaged);
  readonly #codes: Int32Array = new Int32Array(kMaxStaged);
  readonly #addresses: Float64Array = new Float64Array(kMaxStaged);

  /**
   * Returns the address at which kernels find a map's elements: their own, or the one that `copyIn` will copy them to.
   * Returns -1 if the elements have been disposed of, or if there are too many.
   */
  reach(map: DenseMap, code: number): number {
    const own = startOf(map, code);
    return own >= 0 || map.owner.refs === 0 ? own : this.#stage(map, code);
  }

  /** Returns the address for the copy of a map outside the linear memory, or -1 if there is no room. */
  #stage(map: DenseMap, code: number): number {
    const { array, base, size } = map;
    // No elements take no room, so that `end` would not forget them.
    if (size === 0) return this.roomFor(map, code);
    for (let k = 0; k < this.#numStaged; k++) {
      const isSame = this.#arrays[k] === array && this.#bases[k] === base && this.#sizes[k] === size && this.#codes[k] === code;
      if (isSame) return this.#addresses[k]!;
    }
    if (this.#numStaged === kMaxStaged) return -1;
    const address = this.roomFor(map, code);
    if (address < 0) return -1;
    this.#arrays[this.#numStaged] = array as unknown as TypedArray;
    this.#bases[this.#numStaged] = base;
    this.#sizes[this.#numStaged] = size;
    this.#codes[this.#numStaged] = code;
    this.#addresses[this.#numStaged++] = address;
    return address;
  }

  /** Copies in the elements of all staged maps. Call it only once the expression is known to have a kernel or a plan. */
  copyIn(): void {
    for (let k = 0; k < this.#numStaged; k++) {
      const array = this.#arrays[k]!;
      const base = this.#bases[k]!;
      const size = this.#sizes[k]!;
      const code = this.#codes[k]!;
      // Both this.#arrays are of the same class: each dtype has one.
      const from = base === 0 && size === array.length ? array : partOf(array, code, base, size);
      (this.#windowOf(code).all as Float64Array).set(from as Float64Array, (this.#addresses[k]! - this.#start) / bytesOf[code]!);
    }
  }

  /**
   * Reserves as many bytes as the elements of a map outside the linear memory. Returns the address, or -1 if the map's
   * array has become shorter or there is no room.
   */
  roomFor({ array, base, size }: DenseMap, code: number): number {
    const itemBytes = bytesOf[code]!;
    if (base + size > array.length || this.#top + size * itemBytes > kStagingBytes - 16) return -1;
    if (this.#top === 0 && !this.#openRegion()) return -1;
    const address = this.#start + this.#top + ((array.byteOffset + base * itemBytes) & 7);
    this.#top = (address - this.#start + size * itemBytes + 7) & -8;
    return address;
  }

  /** Finds the staging region. Once reserved, it stays at its address. Returns false if there is no room for it. */
  #openRegion(): boolean {
    const found = stagingStart();
    if (found === null) return false;
    if (found !== this.#start) {
      this.#start = found;
      this.#windows.fill(null);
    }
    return true;
  }

  /** Copies a result from an address to the map that it is for. */
  copyOut(map: DenseMap, code: number, address: number): void {
    const { base, size } = map;
    const array = map.array as ArrayBufferView as Float64Array;
    const window = this.#windowOf(code);
    const at = (address - this.#start) / bytesOf[code]!;
    if (window.at !== at || window.part.length !== size) {
      window.part = (window.all as Float64Array).subarray(at, at + size);
      window.at = at;
    }
    array.set(window.part as Float64Array, base);
  }

  /** Ends an expression. The lists must not keep an array alive. */
  end(): void {
    if (this.#top === 0) return;
    this.#top = 0;
    while (this.#numStaged > 0) this.#arrays[--this.#numStaged] = null;
  }

  #windowOf(code: number): Window {
    return (this.#windows[code] ??= this.#makeWindow(code));
  }

  #makeWindow(code: number): Window {
    const all = arrayOver(linearMemory().buffer, code, this.#start, kStagingBytes / bytesOf[code]!);
    return { all, part: all, at: 0 };
  }
}

/** Returns the elements of a map that is only a part of its array. Avoids `subarray`, which a subclass may override. */
function partOf(array: TypedArray, code: number, base: number, size: number): TypedArray {
  return arrayOver(array.buffer, code, array.byteOffset + base * bytesOf[code]!, size);
}

function arrayOver(buffer: ArrayBufferLike, code: number, byteOffset: number, length: number): TypedArray {
  const constructor = typedArrayConstructor(codedDTypes[code] as RawDType) as unknown as Float64ArrayConstructor;
  return new constructor(buffer as ArrayBuffer, byteOffset, length) as unknown as TypedArray;
}
