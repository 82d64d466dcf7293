// NaiveBfc: a simple model of BFCAllocator for tests. It uses plain arrays and linear searches.
import type { RegionHabits } from "@onebuffer/test-support";

export interface NaiveOptions {
  readonly totalMemory: number;
  readonly allowGrowth: boolean;
  readonly garbageCollection: boolean;
  readonly fragmentationFraction: number;
  readonly habits: RegionHabits;
}

interface Chunk {
  addr: number;
  size: number;
  requested: number;
  /** The allocation id; -1 for a free chunk. */
  id: number;
}

interface Region {
  addr: number;
  size: number;
  chunks: Chunk[];
}

const round = (bytes: number): number => Math.ceil(bytes / 256) * 256;
const bin = (bytes: number): number => Math.min(20, Math.floor(Math.log2(Math.max(bytes, 256) / 256)));

export class NaiveBfc {
  regions: Region[] = [];
  numAllocs = 0;
  inUse = 0;
  peak = 0;
  largest = 0;
  pool = 0;
  peakPool = 0;
  regionBytes: number;
  private top = 0;
  private nextId = 1;
  private readonly options: NaiveOptions;

  constructor(options: NaiveOptions) {
    this.options = options;
    this.regionBytes = round(options.allowGrowth ? Math.min(options.totalMemory, 2 * 1048576) : options.totalMemory);
  }

  /** Returns the address, or null if there is no room. */
  alloc(bytes: number): number | null {
    if (bytes === 0) return null;
    const rounded = round(bytes);
    const found = this.find(rounded, bytes);
    if (found !== null) return found;
    if (this.extend(rounded)) {
      const after = this.find(rounded, bytes);
      if (after !== null) return after;
    }
    if (this.deallocateFreeRegions(rounded) && this.extend(rounded)) return this.find(rounded, bytes);
    return null;
  }

  free(addr: number): void {
    const region = this.regions.find(({ chunks }) => chunks.some((chunk) => chunk.addr === addr))!;
    const { chunks } = region;
    const at = chunks.findIndex((chunk) => chunk.addr === addr);
    const chunk = chunks[at]!;
    chunk.id = -1;
    this.inUse -= chunk.size;
    if (chunks[at + 1]?.id === -1) {
      chunk.size += chunks[at + 1]!.size;
      chunks.splice(at + 1, 1);
    }
    if (chunks[at - 1]?.id === -1) {
      chunks[at - 1]!.size += chunk.size;
      chunks.splice(at, 1);
    }
  }

  deallocateFreeRegions(rounded: number): boolean {
    if (!this.options.garbageCollection) return false;
    const free = this.regions.filter(({ chunks }) => chunks.every(({ id }) => id === -1));
    const bytes = free.reduce((sum, { size }) => sum + size, 0);
    if (bytes === 0 || rounded > this.options.totalMemory - this.pool + bytes) return false;
    this.regions = this.regions.filter((region) => !free.includes(region));
    this.pool -= bytes;
    return true;
  }

  clearStats(): void {
    this.numAllocs = 0;
    this.peak = this.inUse;
    this.largest = 0;
  }

  /** Returns `[addr, size, requested, inUse]` of all chunks. */
  chunks(): [number, number, number, boolean][] {
    return this.regions.flatMap(({ chunks }) =>
      chunks.map(({ addr, size, requested, id }) => [addr, size, id < 0 ? 0 : requested, id >= 0] as [number, number, number, boolean]),
    );
  }

  id(addr: number): number {
    return this.regions.flatMap(({ chunks }) => chunks).find((chunk) => chunk.addr === addr)!.id;
  }

  occupancy(): string {
    const total = this.regions.reduce((sum, { size }) => sum + size, 0);
    if (total === 0) return "<allocator contains no memory>";
    const cells: string[] = new Array<string>(100).fill("_");
    let before = 0;
    for (const region of this.regions) {
      for (const { addr, size, requested, id } of region.chunks) {
        if (id < 0) continue;
        const at = before + addr - region.addr;
        for (const [from, to, mark] of [
          [at + requested, at + size - 1, "x"],
          [at, at + requested - 1, "*"],
        ] as const)
          if (from <= to)
            for (let cell = Math.floor((from * 100) / total); cell <= Math.floor((to * 100) / total); cell++) cells[cell] = mark;
      }
      before += region.size;
    }
    return cells.join("");
  }

  private find(rounded: number, bytes: number): number | null {
    const all = this.regions.flatMap((region) => region.chunks.map((chunk) => ({ region, chunk })));
    for (let index = bin(rounded); index <= 20; index++) {
      const set = all.filter(({ chunk }) => chunk.id < 0 && bin(chunk.size) === index);
      set.sort((a, b) => a.chunk.size - b.chunk.size || a.chunk.addr - b.chunk.addr);
      const hit = set.find(({ chunk }) => chunk.size >= rounded);
      if (hit === undefined) continue;
      const { region, chunk } = hit;
      const { fragmentationFraction: fraction, totalMemory } = this.options;
      const waste = fraction > 0 ? Math.trunc(fraction * totalMemory) : 128 * 1048576;
      const rest = chunk.size - rounded;
      if (rest > 0 && (chunk.size >= 2 * rounded || rest >= waste)) {
        region.chunks.splice(region.chunks.indexOf(chunk) + 1, 0, { addr: chunk.addr + rounded, size: rest, requested: 0, id: -1 });
        chunk.size = rounded;
      }
      chunk.requested = bytes;
      chunk.id = this.nextId++;
      this.numAllocs++;
      this.inUse += chunk.size;
      this.peak = Math.max(this.peak, this.inUse);
      this.largest = Math.max(this.largest, chunk.size);
      return chunk.addr;
    }
    return null;
  }

  private extend(rounded: number): boolean {
    const available = Math.floor((this.options.totalMemory - this.pool) / 256) * 256;
    if (rounded > available) return false;
    let doubled = false;
    for (; rounded > this.regionBytes; this.regionBytes *= 2) doubled = true;
    let bytes = Math.min(this.regionBytes, available);
    let addr = this.take(bytes);
    while (addr === null) {
      const less = round(Math.trunc(Math.fround(Math.fround(bytes) * Math.fround(0.9))));
      if (less < rounded || less === bytes) return false;
      bytes = less;
      addr = this.take(bytes);
    }
    if (!doubled) this.regionBytes *= 2;
    this.pool += bytes;
    this.peakPool = Math.max(this.peakPool, this.pool);
    const chunk = { addr, size: bytes, requested: 0, id: -1 };
    const last = this.regions.at(-1);
    if ((this.options.habits.coalesces ?? true) && last !== undefined && last.addr + last.size === addr) {
      last.size += bytes;
      const end = last.chunks.at(-1)!;
      if (end.id < 0) end.size += bytes;
      else last.chunks.push(chunk);
    } else this.regions.push({ addr, size: bytes, chunks: [chunk] });
    return true;
  }

  private take(bytes: number): number | null {
    const { gap = 0, cap = 2 ** 38 } = this.options.habits;
    if (this.top + bytes > cap) return null;
    const addr = this.top;
    this.top += bytes + gap;
    return addr;
  }
}
