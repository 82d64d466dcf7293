/**
 * BfcRegions: the regions of an arena and its address space (AllocationRegion and RegionManager in tsl/framework/bfc_allocator.h).
 *
 *     memory A   |      [ region 0 ]   [ region 2      ] |                      units from 0 on
 *     memory B                                             | [ region 1 ] |     units after those of A
 *
 * Chunks are ordered by address, but a pointer here is a memory and an offset. So the arena has an address space of 256-byte units, and
 * every memory (nearly always there is only one) gets a range of it, as long as the memory. The address of a chunk is its first
 * unit. Regions are sorted by address. If a region does not start or end at a multiple of 256, the bytes outside of whole units are not
 * used.
 */
import { InternalError } from "@onebuffer/base";
import { kMinAllocationSize } from "./bfc-bins.ts";
import type { Pointer } from "../allocator/pointer.ts";
import type { SubAllocation } from "../allocator/sub-allocator.ts";
import { checkPointer } from "../refs/allocator-check.ts";

/** The end of the address space: a unit plus one must be a positive int32 (bfc-handle-table.ts). */
const kAddressSpaceEnd = 0x7ffffffe;

/** The range of the address space that belongs to one memory. */
interface AddressRange {
  readonly memory: ArrayBufferLike;
  readonly base: number;
  readonly units: number;
  regions: number;
}

/** A region, or several adjacent regions that were merged. */
export class BfcRegion {
  /** The number of the region, which its chunks store. Reused after the region is removed. */
  readonly id: number;
  /** The pointer from the sub-allocator, which is freed with `bytesReceived`. */
  readonly pointer: Pointer;
  /** The bytes received from the sub-allocator, summed over merged regions. */
  bytesReceived: number;
  /** The first unit. */
  readonly start: number;
  /** The length in units. */
  units: number;
  /** The byte offset in the memory that unit 0 of the address space would have: zero or negative. */
  readonly bias: number;
  /** The first chunk. */
  firstChunk: number;
  /** The result of BfcArena's last search for the last chunk, where the next search begins; 0 if there was none. */
  lastKnownChunk: number;

  constructor(id: number, given: SubAllocation, start: number, units: number, base: number) {
    this.id = id;
    this.pointer = given.pointer;
    this.bytesReceived = given.bytesReceived;
    this.start = start;
    this.units = units;
    this.bias = base === 0 ? 0 : -base * kMinAllocationSize;
    this.firstChunk = 0;
    this.lastKnownChunk = 0;
  }

  /** The memory that contains the region. */
  get memory(): ArrayBufferLike {
    return this.pointer.buffer;
  }

  /** The unit after the last one. */
  get end(): number {
    return this.start + this.units;
  }

  /** Returns the byte offset of a unit in the region's memory. */
  byteOffset(unit: number): number {
    return unit * kMinAllocationSize + this.bias;
  }
}

/** The units that a call of `add` has added: a whole new region, or the extension of an existing one. */
export interface AddedUnits {
  readonly region: BfcRegion;
  readonly start: number;
  readonly units: number;
  /** True if an existing region was extended, so that there are chunks before the new units. */
  readonly extended: boolean;
}

/** The regions of an arena. */
export class BfcRegions {
  readonly #sorted: BfcRegion[] = [];
  readonly #byId: (BfcRegion | undefined)[] = [];
  readonly #ranges = new Map<ArrayBufferLike, AddressRange>();
  /** The range that `unitOf` last used. */
  #last: AddressRange | null = null;

  /** The regions in order of their addresses. */
  get all(): readonly BfcRegion[] {
    return this.#sorted;
  }

  /** Returns the region with the number `id`. */
  get(id: number): BfcRegion {
    return this.#byId[id]!;
  }

  /**
   * Returns the unit that a pointer points to, or -1 if no chunk can start there: its memory is unknown, or its offset is negative, outside
   * the memory or not a multiple of 256.
   */
  unitOf(pointer: Pointer): number {
    if (typeof pointer !== "object" || pointer === null) checkPointer(pointer);
    const { buffer, byteOffset } = pointer;
    let range = this.#last;
    if (range === null || range.memory !== buffer) {
      range = this.#ranges.get(buffer) ?? null;
      if (range === null) return -1;
      this.#last = range;
    }
    const unit = Math.floor(byteOffset / kMinAllocationSize);
    if (unit * kMinAllocationSize !== byteOffset || unit < 0 || unit >= range.units) return -1;
    return range.base + unit;
  }

  /** Returns the region that contains the byte at a pointer, or null. */
  containing(pointer: Pointer): BfcRegion | null {
    const inside = (region: BfcRegion): boolean =>
      region.memory === pointer.buffer &&
      region.byteOffset(region.start) <= pointer.byteOffset &&
      pointer.byteOffset < region.byteOffset(region.end);
    return this.#sorted.find(inside) ?? null;
  }

  /**
   * Adds a region from the sub-allocator. With `mayExtend` it extends a region that ends where the new one starts. Returns null if
   * the region contains no whole unit, or if the address space has no range left for its memory. Throws INTERNAL if the region is not
   * inside its memory or overlaps another region: the sub-allocator is broken. In all of these cases nothing changes.
   */
  add(given: SubAllocation, mayExtend: boolean): AddedUnits | null {
    const { pointer, bytesReceived } = given;
    const { buffer, byteOffset } = pointer;
    const end = byteOffset + bytesReceived;
    const isValid = Number.isSafeInteger(byteOffset) && byteOffset >= 0 && Number.isSafeInteger(bytesReceived) && bytesReceived >= 0;
    if (!isValid || end > buffer.byteLength)
      throw new InternalError(`a sub-allocator gave ${bytesReceived} bytes at ${byteOffset} of a memory of ${buffer.byteLength} bytes`);
    const firstUnit = Math.ceil(byteOffset / kMinAllocationSize);
    const units = Math.floor(end / kMinAllocationSize) - firstUnit;
    if (units <= 0) return null;
    const range = this.#rangeOf(buffer);
    if (range === null || firstUnit + units > range.units) return null;
    const start = range.base + firstUnit;
    const at = this.#sorted.findIndex((region) => region.start >= start);
    const next = at < 0 ? undefined : this.#sorted[at];
    const previous = at < 0 ? this.#sorted.at(-1) : this.#sorted[at - 1];
    if ((previous !== undefined && previous.end > start) || (next !== undefined && next.start < start + units))
      throw new InternalError(`a sub-allocator gave ${bytesReceived} bytes at ${byteOffset} that overlap another region`);
    if (mayExtend && previous !== undefined && touches(previous, pointer)) {
      previous.units += units;
      previous.bytesReceived += bytesReceived;
      return { region: previous, start, units, extended: true };
    }
    const region = this.#insert(given, start, units, range, at < 0 ? this.#sorted.length : at);
    return { region, start, units, extended: false };
  }

  /**
   * Merges the region that begins exactly where `region` ends into it. Returns the region that was removed, whose chunks the caller must
   * append, or null if there is none.
   */
  absorbNext(region: BfcRegion): BfcRegion | null {
    const next = this.#sorted[this.#sorted.indexOf(region) + 1];
    if (next === undefined || !touches(region, next.pointer)) return null;
    region.units += next.units;
    region.bytesReceived += next.bytesReceived;
    this.remove(next);
    return next;
  }

  /** Creates a region and inserts it at index `at` of the sorted list. */
  #insert(given: SubAllocation, start: number, units: number, range: AddressRange, at: number): BfcRegion {
    const free = this.#byId.indexOf(undefined);
    const region = new BfcRegion(free < 0 ? this.#byId.length : free, given, start, units, range.base);
    this.#byId[region.id] = region;
    this.#sorted.splice(at, 0, region);
    range.regions++;
    this.#ranges.set(range.memory, range);
    return region;
  }

  /**
   * Removes the units from `from` to `to` from a region. The region keeps the units before them; if there are none, it is removed. The
   * units after them become a new region, which is returned and whose first chunk the caller must set; null if there are none.
   */
  cutOut(region: BfcRegion, from: number, to: number): BfcRegion | null {
    const { pointer, bytesReceived, memory, end } = region;
    const range = this.#ranges.get(memory)!;
    let tail: BfcRegion | null = null;
    if (to < end) {
      const byteOffset = region.byteOffset(to);
      const given = { pointer: { buffer: memory, byteOffset }, bytesReceived: pointer.byteOffset + bytesReceived - byteOffset };
      tail = this.#insert(given, to, end - to, range, this.#sorted.indexOf(region) + 1);
    }
    if (from === region.start) this.remove(region);
    else {
      region.units = from - region.start;
      region.bytesReceived = region.byteOffset(from) - pointer.byteOffset;
    }
    return tail;
  }

  /** Removes a region. The range of its memory is removed with its last region. */
  remove(region: BfcRegion): void {
    this.#sorted.splice(this.#sorted.indexOf(region), 1);
    this.#byId[region.id] = undefined;
    const range = this.#ranges.get(region.memory)!;
    if (--range.regions > 0) return;
    this.#ranges.delete(region.memory);
    this.#last = null;
  }

  /** Returns the range of a memory, or a new one in the first gap that is long enough; null if there is no gap. */
  #rangeOf(memory: ArrayBufferLike): AddressRange | null {
    const known = this.#ranges.get(memory);
    if (known !== undefined) return known;
    // A resizable memory can later contain regions after its current end.
    const units = Math.ceil(Math.max(memory.byteLength, memory.maxByteLength ?? 0) / kMinAllocationSize);
    let base = 0;
    const others = Array.from(this.#ranges.values()).sort((a, b) => a.base - b.base);
    for (const other of others) {
      if (base + units <= other.base) break;
      base = other.base + other.units;
    }
    return base + units > kAddressSpaceEnd ? null : { memory, base, units, regions: 0 };
  }
}

/** Returns true if a pointer is exactly the end of a region, in the same memory. */
function touches(region: BfcRegion, pointer: Pointer): boolean {
  const end = region.pointer.byteOffset + region.bytesReceived;
  return region.memory === pointer.buffer && end === pointer.byteOffset && region.byteOffset(region.end) === end;
}
