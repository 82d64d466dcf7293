/** The objects of the panel "Ref counts and the arena": tensors in an arena of their own, small enough to be drawn whole. */
import { reclaim, Tensor } from "onebuffer";
import type { MemChunk } from "onebuffer/allocator";
import { BFCAllocator, LinearMemorySubAllocator } from "onebuffer/allocator";
import { errorText } from "../../panel.ts";
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import { eventsBetween } from "./arena-events.ts";
import type { ArenaEvent } from "./arena-events.ts";

/** The bytes of the arena: 64 units of 256. */
export const kArenaBytes = 16_384;
/** The bytes of a unit, the smallest chunk. */
export const kUnitBytes = BFCAllocator.kMinAllocationSize;
const kEvents = 10;
const kPollMs = 250;

/** A tensor that the panel holds. */
interface Held {
  readonly id: number;
  readonly name: string;
  readonly tensor: Tensor<"uint8">;
}

/** A handle as the view draws it: without the tensor, so that the view keeps none alive. */
export interface Handle {
  readonly id: number;
  readonly name: string;
  readonly shape: string;
  readonly bytes: number;
  /** The number of the root buffer: the order in which the buffers were made. */
  readonly root: number;
  readonly isSlice: boolean;
  /** The references to the handle's own buffer. */
  readonly refs: number;
  readonly rootRefs: number;
  readonly rootBytes: number;
  readonly chunkAddress: number;
}

/** A buffer that was forgotten: its bytes are in use until the garbage collector has run. */
export interface Forgotten {
  readonly root: number;
  readonly name: string;
  readonly address: number;
}

/** The model. */
export class Arena implements PanelModel {
  readonly #changed: () => void;
  readonly #allocator = new BFCAllocator(new LinearMemorySubAllocator(), kArenaBytes, "explorer", { allowGrowth: false });
  /** The address of the arena's first byte in the linear memory. */
  #origin = 0;
  #held: Held[] = [];
  #nextId = 0;
  #nextRoot = 0;
  /** The number of the root buffer at each address in use. */
  readonly #roots = new Map<number, number>();
  #forgotten: Forgotten[] = [];
  #timer: ReturnType<typeof setInterval> | null = null;
  #before: readonly MemChunk[] = [];
  readonly events: ArenaEvent[] = [];
  error = "";
  isCollecting = false;
  /** The buffers that the garbage collector has returned. */
  reclaimed = 0;

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    const scratch = Tensor.zeros([1], { dtype: "uint8", allocator: this.#allocator });
    this.#origin = this.#addressOf(scratch);
    scratch.dispose();
    this.#before = this.chunks;
    for (const part of (params["make"] ?? "1024").split(",")) {
      const isDropped = part.endsWith("-");
      const bytes = Number.parseInt(part, 10);
      if (!(bytes > 0)) continue;
      this.#make(bytes);
      if (isDropped) this.#drop(this.#held.at(-1)!.id);
    }
  }

  /** The chunks of the arena in order of address, as its memory map records them; addresses count from the arena's first byte. */
  get chunks(): readonly MemChunk[] {
    return this.#allocator.recordMemoryMap().chunk.map((chunk) => ({ ...chunk, address: chunk.address - this.#origin }));
  }

  /** The number of the root buffer in a chunk in use; null if the chunk is free. */
  rootIn(chunk: MemChunk): number | null {
    return chunk.inUse ? (this.#roots.get(chunk.address) ?? null) : null;
  }

  get bins() {
    return this.#allocator.binDebugInfo();
  }

  get stats() {
    return this.#allocator.getStats();
  }

  get fragmentation(): number {
    return this.#allocator.fragmentation();
  }

  get forgotten(): readonly Forgotten[] {
    return this.#forgotten;
  }

  handles(): Handle[] {
    return this.#held.map(({ id, name, tensor }) => {
      const { buffer, shape } = tensor;
      const rootBuffer = buffer!.rootBuffer;
      const address = rootBuffer.byteOffset - this.#origin;
      return {
        id,
        name,
        shape: shape.debugString(),
        bytes: buffer!.size,
        root: this.#roots.get(address) ?? -1,
        isSlice: rootBuffer !== buffer,
        refs: buffer!.refs,
        rootRefs: rootBuffer.refs,
        rootBytes: rootBuffer.size,
        chunkAddress: address,
      };
    });
  }

  make(bytes: number): void {
    this.#act(() => this.#make(bytes));
  }

  share(id: number): void {
    this.#act(() => {
      const { name, tensor } = this.#find(id);
      this.#hold(`share of ${name}`, tensor.share());
    });
  }

  /** Takes the first half of a tensor. */
  slice(id: number): void {
    this.#act(() => {
      const { name, tensor } = this.#find(id);
      const half = Math.max(1, Math.floor(tensor.dimSize(0) / 2));
      this.#hold(`half of ${name}`, tensor.slice(0, half));
    });
  }

  drop(id: number): void {
    this.#act(() => this.#drop(id));
  }

  /** Lets go of a handle without disposing of it: only the garbage collector can return its reference. */
  forget(id: number): void {
    this.#act(() => {
      const place = this.#held.findIndex((each) => each.id === id);
      const [{ name, tensor }] = this.#held.splice(place, 1) as [Held];
      const address = this.#addressOf(tensor);
      const root = this.#roots.get(address) ?? -1;
      const isLast = !this.#held.some((each) => this.#addressOf(each.tensor) === address);
      this.#note({
        kind: "forget",
        text: isLast
          ? `${name} is forgotten: nothing refers to its buffer, but its count is not 0`
          : `${name} is forgotten; other handles keep its buffer`,
      });
      if (!isLast) return;
      this.#forgotten.push({ root, name, address });
      this.#timer ??= setInterval(() => this.#poll(), kPollMs);
    });
  }

  /** Provokes the garbage collector. */
  async collect(): Promise<void> {
    this.isCollecting = true;
    this.#changed();
    try {
      await reclaim();
    } catch (error) {
      this.error = errorText(error);
    }
    this.isCollecting = false;
    this.#poll();
    this.#changed();
  }

  /** Makes eight tensors and drops every second one, so that the free bytes are in pieces. */
  fragment(): void {
    this.#act(() => {
      const ids: number[] = [];
      for (let i = 0; i < 8; i++) {
        this.#make(1024);
        ids.push(this.#held.at(-1)!.id);
      }
      for (const [i, id] of ids.entries()) if (i % 2 === 0) this.#drop(id);
    });
  }

  dropAll(): void {
    this.#act(() => {
      for (const { id } of [...this.#held]) this.#drop(id);
    });
  }

  #find(id: number): Held {
    return this.#held.find((each) => each.id === id)!;
  }

  #hold(name: string, tensor: Tensor<"uint8">): void {
    this.#held.push({ id: this.#nextId++, name, tensor });
  }

  #make(bytes: number): void {
    const tensor = Tensor.zeros([bytes], { dtype: "uint8", allocator: this.#allocator });
    const root = this.#nextRoot++;
    this.#roots.set(this.#addressOf(tensor), root);
    this.#hold(rootName(root), tensor);
    this.#compare();
  }

  #drop(id: number): void {
    const place = this.#held.findIndex((each) => each.id === id);
    const [{ tensor }] = this.#held.splice(place, 1) as [Held];
    tensor.dispose();
    this.#compare();
  }

  /** The address of a tensor's root, counted from the first byte of the arena. */
  #addressOf(tensor: Tensor<"uint8">): number {
    return tensor.buffer!.rootBuffer.byteOffset - this.#origin;
  }

  #act(action: () => void): void {
    this.error = "";
    try {
      action();
    } catch (error) {
      this.error = errorText(error).split("\n")[0]!;
    }
    this.#compare();
    this.#changed();
  }

  /** Notes how the chunks have changed since the last call. */
  #compare(): void {
    const after = this.chunks;
    for (const event of eventsBetween(this.#before, after)) this.#note(event);
    this.#before = after;
    for (const { address, inUse } of after) if (!inUse) this.#roots.delete(address);
    const used = new Set(after.filter(({ inUse }) => inUse).map(({ address }) => address));
    for (const address of this.#roots.keys()) if (!used.has(address)) this.#roots.delete(address);
  }

  #note(event: ArenaEvent): void {
    this.events.unshift(event);
    this.events.length = Math.min(this.events.length, kEvents);
  }

  /** Looks for forgotten buffers whose chunks have become free. */
  #poll(): void {
    const used = new Set(this.chunks.filter(({ inUse }) => inUse).map(({ address }) => address));
    const gone = this.#forgotten.filter(({ address, root }) => !used.has(address) || this.#roots.get(address) !== root);
    if (gone.length === 0) return;
    this.#forgotten = this.#forgotten.filter((each) => !gone.includes(each));
    for (const { name } of gone)
      this.#note({ kind: "reclaim", text: `${name} is reclaimed: the garbage collector found that nothing refers to it` });
    this.reclaimed += gone.length;
    this.#compare();
    if (this.#forgotten.length === 0) this.#stopPolling();
    this.#changed();
  }

  #stopPolling(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  params(): Params {
    const made = this.handles().filter(({ isSlice, name }) => !isSlice && !name.startsWith("share"));
    return { make: made.map(({ rootBytes }) => rootBytes).join(",") || "0" };
  }

  state(): PanelState {
    const { bytesInUse } = this.stats;
    return {
      handles: this.handles(),
      chunks: this.chunks.map((chunk) => {
        const { address, size, requestedSize, inUse, bin } = chunk;
        const root = this.rootIn(chunk);
        return { address, size, requestedSize, inUse, bin, owner: root === null ? null : rootName(root) };
      }),
      bytesInUse,
      fragmentation: this.fragmentation,
      forgotten: this.#forgotten.length,
      reclaimed: this.reclaimed,
      events: [...this.events],
      error: this.error,
    };
  }

  dispose(): void {
    this.#stopPolling();
    for (const { tensor } of this.#held) tensor.dispose();
    this.#held = [];
    if (this.#forgotten.length === 0) this.#allocator.dispose();
  }
}

/** The name of the root buffer with a number: a, b, …, z, a1, … */
export const rootName = (root: number): string => String.fromCharCode(97 + (root % 26)) + (root < 26 ? "" : String(Math.floor(root / 26)));
