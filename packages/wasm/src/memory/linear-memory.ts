/**
 * LinearMemory: the one WebAssembly.Memory that arena tensors and kernels live in (TensorFlow's counterpart is the device
 * memory behind a SubAllocator: one address space, reserved whole, handed out in regions).
 *
 *     0        64 KiB                                    taken                       4 GiB
 *     | page 0 | regions, some of them given back ...... | never touched: no pages . |
 *       word 0: 256-byte units taken, page 0 included; 0 before the first
 *
 * It is shared wherever a shared memory can be constructed, and as long as it will ever be from the start: reserving costs
 * address space only (4 GiB: 0.04 ms, no resident pages until they are touched). So it never grows, its buffer is one
 * object for good, and no code has to survive a detached one. Who may use which bytes inside a region is not known here.
 *
 * There is one per process or page, not one per thread: the first thread constructs it, the others take it over (`join`)
 * before they need one. What threads agree by stands in the rest of page 0, of which nothing is known here either.
 */
import {
  checkNumber,
  checkObject,
  FailedPreconditionError,
  InvalidArgumentError,
  ResourceExhaustedError,
  shownValue,
} from "@onebuffer/base";
import { FreeRanges } from "./free-ranges.ts";
import type { WasmMemory, WasmMemoryConstructor } from "./web-assembly.ts";
import { engineMemoryBuffer, engineMemoryConstructor } from "./web-assembly.ts";

/** Bytes of a WebAssembly page. */
const kPageBytes = 65536;
/** The grain of regions: every region starts at a multiple of it and is a multiple of it long. */
const kUnitBytes = 256;
/** Where the first region starts: offset 0 stays free for "no address", the rest of page 0 for what threads agree by. */
const kFirstUnit = kPageBytes / kUnitBytes;

const MiB = 1048576;
/** Sizes tried, largest first. A shared memory is preferred however small: sharing is a matter of all or nothing. */
const kSharedMiB = [4096, 2048, 1024, 512, 256] as const;
const kUnsharedMiB = [2048, 1024, 512, 256] as const;

/** How a LinearMemory is made; every field is for tests and unusual hosts. */
export interface LinearMemoryOptions {
  /** Makes the memory; the default is the engine's `WebAssembly.Memory`, null stands for an engine without one. */
  readonly constructMemory?: WasmMemoryConstructor | null;
}

/**
 * A linear memory, constructed when its buffer is first asked for.
 *
 * Programs use the one that `linearMemory()` answers; separate ones are for tests. Construction tries 4 GiB shared, then
 * half of it and so on down to 256 MiB, then 2 GiB to 256 MiB not shared; when nothing can be constructed every use throws
 * RESOURCE_EXHAUSTED with what was tried, and it is not tried again.
 *
 * @example
 * const memory = new LinearMemory();
 * memory.byteLength >= 256 * 1024 * 1024; // => true
 * memory.reserve(1024); // => 65536
 * const sameBytes = new LinearMemory();
 * sameBytes.join(memory.memory); // as another thread would, with a posted memory
 * sameBytes.reserve(256); // => 66560
 * new LinearMemory({ constructMemory: null }).buffer; // throws RESOURCE_EXHAUSTED
 */
export class LinearMemory {
  readonly #construct: WasmMemoryConstructor | null;
  #memory: WasmMemory | null = null;
  #buffer: ArrayBufferLike | null = null;
  /** Asking a shared memory for its length takes longer than a small kernel runs, and it never changes. */
  #byteLength = 0;
  #isShared = false;
  #failure: string | null = null;
  /** Page 0 as words; word 0 is the number of units taken. */
  #words: Int32Array<ArrayBufferLike> | null = null;
  readonly #free = new FreeRanges();

  constructor(options: LinearMemoryOptions = {}) {
    checkObject(options, "options");
    this.#construct = options.constructMemory === undefined ? engineMemoryConstructor() : options.constructMemory;
  }

  /** Whether the memory exists already. Asking does not construct it. */
  get isConstructed(): boolean {
    return this.#buffer !== null;
  }

  /** Whether the memory exists or can be constructed, which this does. Throws nothing; that it cannot be is remembered. */
  get isAvailable(): boolean {
    if (this.#words === null) this.#failure ??= this.#tryAll();
    return this.#words !== null;
  }

  /**
   * Takes over a memory that another thread constructed and posted to this one. From then on both draw on it.
   *
   * Throws INVALID_ARGUMENT for what is no shared memory of the engine or has no page 0 as written here, FAILED_PRECONDITION
   * when this thread has constructed or joined another one already: bytes handed out cannot move. Joining the memory that is
   * already there changes nothing. A memory that could not be constructed may be joined. Copies: never.
   */
  join(memory: WasmMemory): void {
    const buffer = engineMemoryBuffer(memory);
    if (buffer === null || Object.prototype.toString.call(buffer) !== "[object SharedArrayBuffer]")
      throw new InvalidArgumentError(
        `only a shared WebAssembly.Memory can be joined, got ${buffer === null ? shownValue(memory) : "one that is not shared"}`,
      );
    if (buffer === this.#buffer) return;
    if (this.#buffer !== null)
      throw new FailedPreconditionError(
        `this thread has a linear memory of ${this.#buffer.byteLength} bytes in use, it cannot join another one of ${buffer.byteLength} bytes`,
      );
    const words = buffer.byteLength > kPageBytes ? new Int32Array(buffer, 0, kPageBytes / 4) : null;
    const taken = words === null ? -1 : Atomics.load(words, 0);
    if (!(taken === 0 || (taken >= kFirstUnit && taken * kUnitBytes <= buffer.byteLength)))
      throw new InvalidArgumentError(`the memory of ${buffer.byteLength} bytes is no linear memory: ${taken} units taken`);
    this.#adopt(memory, buffer, words!);
  }

  /** The engine's object, for kernels to import. Throws RESOURCE_EXHAUSTED where none can be constructed. */
  get memory(): WasmMemory {
    this.#page0();
    return this.#memory!;
  }

  /** All bytes: the same object every time, never detached, never longer. Throws as `memory` does. Copies: never. */
  get buffer(): ArrayBufferLike {
    return this.#buffer ?? this.#page0().buffer;
  }

  /** Whether other threads can share it. Throws as `memory` does. */
  get isShared(): boolean {
    this.#page0();
    return this.#isShared;
  }

  /** Its length in bytes, reserved and not necessarily backed by pages. Throws as `memory` does. */
  get byteLength(): number {
    if (this.#buffer === null) this.#page0();
    return this.#byteLength;
  }

  /** The length it can ever have, which it has from the start: it never grows. Throws as `memory` does. */
  get maxByteLength(): number {
    return this.byteLength;
  }

  /** Bytes that `reserve` can hand out in all: everything but page 0. Throws as `memory` does. */
  get reservableBytes(): number {
    return this.byteLength - kPageBytes;
  }

  /** Bytes handed out to this thread and others and not given back here. Throws as `memory` does. */
  get reservedBytes(): number {
    const top = Math.max(Atomics.load(this.#page0(), 0), kFirstUnit);
    return (top - kFirstUnit - this.#free.total) * kUnitBytes;
  }

  /**
   * A region of `numBytes` bytes, a positive multiple of 256, at a multiple of `alignment`: its offset (never 0), or null
   * when there is no room. The bytes are zero unless they were reserved before. What was given back is handed out first; then
   * the top moves up in one atomic step, for other threads take from the same memory.
   * Throws INVALID_ARGUMENT for a size or alignment that is none, and as `memory` does.
   */
  reserve(numBytes: number, alignment: number = kUnitBytes): number | null {
    if (!Number.isSafeInteger(numBytes) || numBytes <= 0 || numBytes % kUnitBytes !== 0)
      throw new InvalidArgumentError(`a region must be a positive multiple of ${kUnitBytes} bytes long, got ${shownValue(numBytes)}`);
    if (!(typeof alignment === "number" && alignment >= 1 && alignment <= 0x40000000) || !Number.isInteger(Math.log2(alignment)))
      throw new InvalidArgumentError(`alignment must be a power of two up to 2^30, got ${shownValue(alignment)}`);
    const words = this.#page0();
    const units = numBytes / kUnitBytes;
    const grain = Math.max(1, alignment / kUnitBytes);
    const again = this.#free.take(units, grain);
    if (again >= 0) return again * kUnitBytes;
    for (;;) {
      const seen = Atomics.load(words, 0);
      const top = Math.max(seen, kFirstUnit);
      const start = Math.ceil(top / grain) * grain;
      if ((start + units) * kUnitBytes > words.buffer.byteLength) return null;
      if (Atomics.compareExchange(words, 0, seen, start + units) !== seen) continue;
      this.#free.add(top, start);
      return start * kUnitBytes;
    }
  }

  /**
   * Takes back `numBytes` bytes at `byteOffset`: a region, part of one or several in a row. Their pages stay resident; they
   * are the next to be handed out. Throws FAILED_PRECONDITION, changing nothing, when some of them are not reserved.
   */
  release(byteOffset: number, numBytes: number): void {
    checkNumber(byteOffset, "an offset in bytes");
    checkNumber(numBytes, "a number of bytes");
    const words = this.#page0();
    const start = byteOffset / kUnitBytes;
    const end = (byteOffset + numBytes) / kUnitBytes;
    const inside = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= kFirstUnit && start < end;
    if (!inside || end > Atomics.load(words, 0) || !this.#free.add(start, end))
      throw new FailedPreconditionError(`the ${numBytes} bytes at offset ${byteOffset} of the linear memory are not reserved`);
    // Lower the top again if nobody has taken anything above in the meantime.
    const top = Atomics.load(words, 0);
    const tail = this.#free.takeTail(top);
    if (tail !== top && Atomics.compareExchange(words, 0, top, tail) !== top) this.#free.add(tail, top);
  }

  /** The words of page 0 of the memory, which is constructed the first time; that it cannot be is remembered. */
  #page0(): Int32Array<ArrayBufferLike> {
    if (!this.isAvailable) throw new ResourceExhaustedError(this.#failure!);
    return this.#words!;
  }

  /** Makes a memory this object's own, for good. */
  #adopt(memory: WasmMemory, buffer: ArrayBufferLike, words: Int32Array<ArrayBufferLike>): void {
    this.#isShared = Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]";
    this.#memory = memory;
    this.#buffer = buffer;
    this.#byteLength = buffer.byteLength;
    this.#words = words;
  }

  /** Tries size after size; answers why it failed, or "". */
  #tryAll(): string {
    if (this.#construct === null) return "no linear memory: this engine has no WebAssembly";
    let last: unknown = null;
    for (const shared of [true, false]) {
      for (const size of shared ? kSharedMiB : kUnsharedMiB) {
        const pages = (size * MiB) / kPageBytes;
        try {
          const memory = new this.#construct({ initial: pages, maximum: pages, shared });
          const { buffer } = memory;
          this.#adopt(memory, buffer, new Int32Array(buffer, 0, kPageBytes / 4));
          return "";
        } catch (error) {
          // Refused: address space, a limit of the host, or no shared memories at all. The next one asks for less.
          last = error;
        }
      }
    }
    return `no linear memory could be constructed, shared (${kSharedMiB.join(", ")} MiB) or not (${kUnsharedMiB.join(", ")} MiB); the engine said last: ${String(last)}`;
  }
}

const theMemory = new LinearMemory();

/**
 * The linear memory of this process or page. Asking for it costs nothing; it is constructed when its bytes are.
 *
 * @example
 * linearMemory() === linearMemory(); // => true
 * linearMemory().buffer.byteLength === linearMemory().byteLength; // => true
 */
export function linearMemory(): LinearMemory {
  return theMemory;
}
