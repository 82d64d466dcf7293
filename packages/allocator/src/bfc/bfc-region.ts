/**
 * BfcRegions: the pieces of memory an arena has taken (AllocationRegion and RegionManager in tsl/framework/bfc_allocator.h).
 *
 *     memory A   |      [ region 0 ]   [ region 2      ] |        units, 0 ...
 *     memory B                                             | [ region 1 ] |     units, behind A's
 *
 * Chunks are ordered by address, and an address here is a memory and an offset. So every memory (nearly always there is one)
 * gets a stretch of one line of 256-byte units, as long as the memory; a chunk's address is its place on that line. Regions are
 * sorted by it. A region that does not start or end at a multiple of 256 loses the bytes beyond.
 */
import { InternalError } from "@onebuffer/base";
import { kMinAllocationSize } from "./bfc-bins.ts";
import type { Pointer } from "../allocator/pointer.ts";
import type { SubAllocation } from "../allocator/sub-allocator.ts";
import { checkPointer } from "../refs/allocator-check.ts";

/** The line ends where a unit's number plus one would leave 32 bits. */
const kLineEnd = 0x7ffffffe;

/** The stretch of the line that belongs to one memory. */
interface Stretch {
  readonly memory: ArrayBufferLike;
  readonly base: number;
  readonly units: number;
  regions: number;
}

/** One region, or several that grew together. */
export class BfcRegion {
  /** Its number, which its chunks carry; given again after the region's end. */
  readonly id: number;
  /** What the sub-allocator gave, to be given back with `bytesReceived`. */
  readonly pointer: Pointer;
  /** Bytes received, all pieces together. */
  bytesReceived: number;
  /** The first unit. */
  readonly start: number;
  /** Its length in units. */
  units: number;
  /** Where unit 0 of the line would lie in the memory, in bytes: zero or less. */
  readonly bias: number;
  /** The chunk at its start. */
  firstChunk: number;
  /** The chunk that was at its end when somebody last asked, 0 if nobody did: BfcArena's, to begin the next search there. */
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

  /** The memory it lies in. */
  get memory(): ArrayBufferLike {
    return this.pointer.buffer;
  }

  /** The unit behind its last. */
  get end(): number {
    return this.start + this.units;
  }

  /** The offset in its memory of a unit of the line. */
  byteOffset(unit: number): number {
    return unit * kMinAllocationSize + this.bias;
  }
}

/** New ground for chunks: the whole of a new region, or what an old one grew by. */
export interface NewGround {
  readonly region: BfcRegion;
  readonly start: number;
  readonly units: number;
  /** Whether an old region grew, so that there are chunks before the new ground. */
  readonly extended: boolean;
}

/** The regions of an arena. */
export class BfcRegions {
  readonly #sorted: BfcRegion[] = [];
  readonly #byId: (BfcRegion | undefined)[] = [];
  readonly #stretches = new Map<ArrayBufferLike, Stretch>();
  /** The stretch last asked for. */
  #last: Stretch | null = null;

  /** The regions in order of their addresses. */
  get all(): readonly BfcRegion[] {
    return this.#sorted;
  }

  /** The region of a number that a chunk carries. */
  get(id: number): BfcRegion {
    return this.#byId[id]!;
  }

  /**
   * The unit a pointer points at, or -1 when no chunk can start there: an unknown memory, an offset that is negative, beyond
   * the memory or no multiple of 256.
   */
  unitOf(pointer: Pointer): number {
    if (typeof pointer !== "object" || pointer === null) checkPointer(pointer);
    const { buffer, byteOffset } = pointer;
    let stretch = this.#last;
    if (stretch === null || stretch.memory !== buffer) {
      stretch = this.#stretches.get(buffer) ?? null;
      if (stretch === null) return -1;
      this.#last = stretch;
    }
    const unit = Math.floor(byteOffset / kMinAllocationSize);
    if (unit * kMinAllocationSize !== byteOffset || unit < 0 || unit >= stretch.units) return -1;
    return stretch.base + unit;
  }

  /** The region that holds a byte of a memory, or null. */
  containing(pointer: Pointer): BfcRegion | null {
    const inside = (region: BfcRegion): boolean =>
      region.memory === pointer.buffer &&
      region.byteOffset(region.start) <= pointer.byteOffset &&
      pointer.byteOffset < region.byteOffset(region.end);
    return this.#sorted.find(inside) ?? null;
  }

  /**
   * Enters what a sub-allocator gave; with `mayExtend` it lengthens a region that ends where it starts. Null when it holds no
   * whole unit or the line has no stretch left for its memory. Throws INTERNAL for a piece that does not lie in its memory
   * or overlaps one that is here already: then the sub-allocator is broken. Both leave everything as it was.
   */
  add(given: SubAllocation, mayExtend: boolean): NewGround | null {
    const { pointer, bytesReceived } = given;
    const { buffer, byteOffset } = pointer;
    const end = byteOffset + bytesReceived;
    const sane = Number.isSafeInteger(byteOffset) && byteOffset >= 0 && Number.isSafeInteger(bytesReceived) && bytesReceived >= 0;
    if (!sane || end > buffer.byteLength)
      throw new InternalError(`a sub-allocator gave ${bytesReceived} bytes at ${byteOffset} of a memory of ${buffer.byteLength} bytes`);
    const firstUnit = Math.ceil(byteOffset / kMinAllocationSize);
    const units = Math.floor(end / kMinAllocationSize) - firstUnit;
    if (units <= 0) return null;
    const stretch = this.#stretchOf(buffer);
    if (stretch === null || firstUnit + units > stretch.units) return null;
    const start = stretch.base + firstUnit;
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
    const region = this.#enter(given, start, units, stretch, at < 0 ? this.#sorted.length : at);
    return { region, start, units, extended: false };
  }

  /**
   * Makes the region that begins exactly where `region` ends a part of it. Returns the region that was there, struck out, whose chunks
   * are still to be appended; null when there is none.
   */
  absorbNext(region: BfcRegion): BfcRegion | null {
    const next = this.#sorted[this.#sorted.indexOf(region) + 1];
    if (next === undefined || !touches(region, next.pointer)) return null;
    region.units += next.units;
    region.bytesReceived += next.bytesReceived;
    this.remove(next);
    return next;
  }

  /** A new region, at its place in the order. */
  #enter(given: SubAllocation, start: number, units: number, stretch: Stretch, at: number): BfcRegion {
    const free = this.#byId.indexOf(undefined);
    const region = new BfcRegion(free < 0 ? this.#byId.length : free, given, start, units, stretch.base);
    this.#byId[region.id] = region;
    this.#sorted.splice(at, 0, region);
    stretch.regions++;
    this.#stretches.set(stretch.memory, stretch);
    return region;
  }

  /**
   * Takes the units from `from` to `to` out of a region, which keeps what is before them; null, or the new region of what is behind
   * them, whose first chunk is still to be set. A region without anything before goes, and its number with it.
   */
  cutOut(region: BfcRegion, from: number, to: number): BfcRegion | null {
    const { pointer, bytesReceived, memory, end } = region;
    const stretch = this.#stretches.get(memory)!;
    let tail: BfcRegion | null = null;
    if (to < end) {
      const byteOffset = region.byteOffset(to);
      const given = { pointer: { buffer: memory, byteOffset }, bytesReceived: pointer.byteOffset + bytesReceived - byteOffset };
      tail = this.#enter(given, to, end - to, stretch, this.#sorted.indexOf(region) + 1);
    }
    if (from === region.start) this.remove(region);
    else {
      region.units = from - region.start;
      region.bytesReceived = region.byteOffset(from) - pointer.byteOffset;
    }
    return tail;
  }

  /** Strikes a region out; its memory's stretch goes with its last region. */
  remove(region: BfcRegion): void {
    this.#sorted.splice(this.#sorted.indexOf(region), 1);
    this.#byId[region.id] = undefined;
    const stretch = this.#stretches.get(region.memory)!;
    if (--stretch.regions > 0) return;
    this.#stretches.delete(region.memory);
    this.#last = null;
  }

  /** The stretch of a memory, a new one in the first gap that is long enough; null when there is none. */
  #stretchOf(memory: ArrayBufferLike): Stretch | null {
    const known = this.#stretches.get(memory);
    if (known !== undefined) return known;
    // A resizable memory may later hold regions beyond its present end.
    const units = Math.ceil(Math.max(memory.byteLength, memory.maxByteLength ?? 0) / kMinAllocationSize);
    let base = 0;
    const others = Array.from(this.#stretches.values()).sort((a, b) => a.base - b.base);
    for (const other of others) {
      if (base + units <= other.base) break;
      base = other.base + other.units;
    }
    return base + units > kLineEnd ? null : { memory, base, units, regions: 0 };
  }
}

/** Whether a piece starts exactly where a region ends, to the byte and in the same memory. */
function touches(region: BfcRegion, pointer: Pointer): boolean {
  const end = region.pointer.byteOffset + region.bytesReceived;
  return region.memory === pointer.buffer && end === pointer.byteOffset && region.byteOffset(region.end) === end;
}
