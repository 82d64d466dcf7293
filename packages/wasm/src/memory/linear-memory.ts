/**
 * LinearMemory: the one WebAssembly.Memory that holds arena tensors and that kernels run on. The counterpart in TensorFlow is the device
 * memory behind a SubAllocator: one address space that is reserved whole and handed out in regions.
 *
 *     0        64 KiB                                    top                         4 GiB
 *     | page 0 | regions, some of them released ........ | never touched: no pages . |
 *       word 0: the top in units of 256 bytes, page 0 included; 0 before the first reservation
 *
 * The memory is shared if the engine can construct a shared memory. It has its final length from the start, because reserving costs
 * only address space (4 GiB: 0.04 ms, and no resident pages until they are touched). So it never grows, its buffer is always the same
 * object, and no code has to handle a detached buffer. This file does not manage the bytes inside a region; allocators do.
 *
 * There is one memory per process or page, not one per thread: the first thread constructs it, and the others `join` it before they
 * use one. Copies of the library in one thread take it over from each other (memory-mark.ts). The rest of page 0 holds the words by
 * which threads synchronize; this file does not use them.
 */
import { checkNumber, checkObject, shownValue } from "@onebuffer/base/internal";
import { FailedPreconditionError, InvalidArgumentError, isStatusError, ResourceExhaustedError } from "@onebuffer/base";
import { FreeRanges } from "./free-ranges.ts";
import type { MemoryMark } from "./memory-mark.ts";
import { memoryMarkOn } from "./memory-mark.ts";
import type { WasmMemory, WasmMemoryConstructor } from "./web-assembly.ts";
import { engineMemoryBuffer, engineMemoryConstructor } from "./web-assembly.ts";

/** The size of a WebAssembly page in bytes. */
const kPageBytes = 65536;
/** The unit of regions in bytes: the start and the length of every region are multiples of it. */
const kUnitBytes = 256;
/**
 * The unit at which the first region starts. Page 0 is not handed out: offset 0 means "no address", and threads synchronize by its words.
 */
const kFirstUnit = kPageBytes / kUnitBytes;

const MiB = 1048576;
/**
 * The sizes that are tried, largest first. A small shared memory is preferred to a large unshared one, which threads cannot use together.
 */
const kSharedMiB = [4096, 2048, 1024, 512, 256] as const;
const kUnsharedMiB = [2048, 1024, 512, 256] as const;

/** The options of a LinearMemory. They are for tests and unusual hosts. */
export interface LinearMemoryOptions {
  /** The constructor of the memory; by default the engine's `WebAssembly.Memory`. Null stands for an engine without WebAssembly. */
  readonly constructMemory?: WasmMemoryConstructor | null;
  /** Where other copies of the library in this thread leave their memory; the default, null, is for a memory of one's own. */
  readonly mark?: MemoryMark | null;
}

/**
 * A linear memory, constructed on first use.
 *
 * Programs use the one that `linearMemory()` returns; separate ones are for tests. The constructor tries a shared memory of 4 GiB, then
 * halves the size down to 256 MiB, then tries 2 GiB to 256 MiB not shared. If nothing can be constructed, every use throws
 * RESOURCE_EXHAUSTED naming the sizes that were tried, and construction is not tried again. If another
 * copy of the library with another layout of the memory came first in the thread, every use throws FAILED_PRECONDITION.
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
  readonly #mark: MemoryMark | null;
  #memory: WasmMemory | null = null;
  #buffer: ArrayBufferLike | null = null;
  /** The length, which never changes. Reading it from a shared buffer takes longer than a small kernel runs. */
  #byteLength = 0;
  #isShared = false;
  /** The message of the error if construction failed. */
  #failure: string | null = null;
  /** Page 0 as 32-bit words. Word 0 is the top in units. */
  #words: Int32Array<ArrayBufferLike> | null = null;
  readonly #free = new FreeRanges();

  constructor(options: LinearMemoryOptions = {}) {
    checkObject(options, "options");
    this.#construct = options.constructMemory === undefined ? engineMemoryConstructor() : options.constructMemory;
    this.#mark = options.mark ?? null;
  }

  /** True if the memory exists already. Reading this does not construct it. */
  get isConstructed(): boolean {
    return this.#buffer !== null;
  }

  /** True if another copy of the library in this thread has a memory, which this one takes over when it first needs one. */
  get isOffered(): boolean {
    return this.#words === null && (this.#mark?.read() ?? null) !== null;
  }

  /** True if the memory exists. Constructs it if it does not. Never throws; a failed construction is not tried again. */
  get isAvailable(): boolean {
    if (this.#words === null) this.#failure ??= this.#takeOver() || this.#tryAll();
    return this.#words !== null;
  }

  /**
   * Uses a memory that another thread constructed and posted to this one. From then on both threads reserve regions in it.
   *
   * Throws INVALID_ARGUMENT if `memory` is not a shared memory of the engine, or if word 0 of its page 0 is not a valid top. Throws
   * FAILED_PRECONDITION if this thread has constructed or joined another memory already, because bytes in use cannot move. Joining
   * the same memory again changes nothing. A thread whose own construction failed may still join a memory. Copies: never.
   */
  join(memory: WasmMemory): void {
    this.checkJoin(memory);
    const { buffer } = memory;
    if (buffer === this.#buffer) return;
    this.#adopt(memory, buffer);
    this.#mark?.write(memory);
  }

  /** Throws what `join` would throw, and changes nothing. */
  checkJoin(memory: WasmMemory): void {
    const buffer = engineMemoryBuffer(memory);
    if (buffer === null || Object.prototype.toString.call(buffer) !== "[object SharedArrayBuffer]")
      throw new InvalidArgumentError(
        `only a shared WebAssembly.Memory can be joined, got ${buffer === null ? shownValue(memory) : "one that is not shared"}`,
      );
    const inUse = this.#buffer ?? this.#mark?.read()?.buffer ?? buffer;
    if (inUse !== buffer)
      throw new FailedPreconditionError(
        `this thread has a linear memory of ${inUse.byteLength} bytes in use and cannot join another one of ${buffer.byteLength} bytes`,
      );
    const words = buffer.byteLength > kPageBytes ? new Int32Array(buffer, 0, kPageBytes / 4) : null;
    const taken = words === null ? -1 : Atomics.load(words, 0);
    if (!(taken === 0 || (taken >= kFirstUnit && taken * kUnitBytes <= buffer.byteLength)))
      throw new InvalidArgumentError(
        `the memory of ${buffer.byteLength} bytes is not a LinearMemory: its page 0 says ${taken} units are taken`,
      );
  }

  /** The engine's memory object, which kernels import. Throws RESOURCE_EXHAUSTED if none can be constructed. */
  get memory(): WasmMemory {
    this.#page0();
    return this.#memory!;
  }

  /** The buffer of all bytes: always the same object, which is never detached and never grows. Throws as `memory` does. Copies: never. */
  get buffer(): ArrayBufferLike {
    return this.#buffer ?? this.#page0().buffer;
  }

  /** True if the memory is shared, so that other threads can join it. Throws as `memory` does. */
  get isShared(): boolean {
    this.#page0();
    return this.#isShared;
  }

  /** The length in bytes. It is reserved address space, not necessarily backed by pages. Throws as `memory` does. */
  get byteLength(): number {
    if (this.#buffer === null) this.#page0();
    return this.#byteLength;
  }

  /** The largest length it can have, which is `byteLength`: the memory never grows. Throws as `memory` does. */
  get maxByteLength(): number {
    return this.byteLength;
  }

  /** The number of bytes that `reserve` can hand out in total: all except page 0. Throws as `memory` does. */
  get reservableBytes(): number {
    return this.byteLength - kPageBytes;
  }

  /** The number of bytes that this thread and others have reserved, minus those that this thread has released. Throws as `memory` does. */
  get reservedBytes(): number {
    const top = Math.max(Atomics.load(this.#page0(), 0), kFirstUnit);
    return (top - kFirstUnit - this.#free.total) * kUnitBytes;
  }

  /**
   * Reserves a region of `numBytes` bytes at a multiple of `alignment`. Returns its offset, which is never 0, or null if there is no room.
   * The bytes are zero unless they were reserved before. Released regions are used first. After that the top moves up in one atomic
   * step, because other threads reserve regions in the same memory.
   *
   * Throws INVALID_ARGUMENT if `numBytes` is not a positive multiple of 256 or `alignment` is not a power of two up to 2^30, and as
   * `memory` does.
   */
  reserve(numBytes: number, alignment: number = kUnitBytes): number | null {
    if (!Number.isSafeInteger(numBytes) || numBytes <= 0 || numBytes % kUnitBytes !== 0)
      throw new InvalidArgumentError(`a region must be a positive multiple of ${kUnitBytes} bytes long, got ${shownValue(numBytes)}`);
    if (!(typeof alignment === "number" && alignment >= 1 && alignment <= 0x40000000) || !Number.isInteger(Math.log2(alignment)))
      throw new InvalidArgumentError(`alignment must be a power of two up to 2^30, got ${shownValue(alignment)}`);
    const words = this.#page0();
    const units = numBytes / kUnitBytes;
    const grain = Math.max(1, alignment / kUnitBytes);
    const reused = this.#free.take(units, grain);
    if (reused >= 0) return reused * kUnitBytes;
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
   * Releases `numBytes` bytes at `byteOffset`: a region, a part of one, or several adjacent ones. Their pages stay resident and are reused
   * first. Throws FAILED_PRECONDITION and changes nothing if some of the bytes are not reserved.
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
    // Lowers the top if no other thread has moved it in the meantime.
    const top = Atomics.load(words, 0);
    const tail = this.#free.takeTail(top);
    if (tail !== top && Atomics.compareExchange(words, 0, top, tail) !== top) this.#free.add(tail, top);
  }

  /** Returns page 0 as words. Constructs the memory on first use, and throws RESOURCE_EXHAUSTED if it cannot be constructed. */
  #page0(): Int32Array<ArrayBufferLike> {
    if (!this.isAvailable) {
      this.#mark?.read(); // throws if another copy is what stands in the way
      throw new ResourceExhaustedError(this.#failure!);
    }
    return this.#words!;
  }

  /** Sets the memory of this object, which never changes afterwards. */
  #adopt(memory: WasmMemory, buffer: ArrayBufferLike): void {
    this.#isShared = Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]";
    this.#memory = memory;
    this.#buffer = buffer;
    this.#byteLength = buffer.byteLength;
    this.#words = new Int32Array(buffer, 0, kPageBytes / 4);
  }

  /** Takes over the memory of another copy of the library in this thread, if there is one; returns why it cannot, or "". */
  #takeOver(): string {
    try {
      const memory = this.#mark?.read() ?? null;
      if (memory !== null) this.#adopt(memory, memory.buffer);
    } catch (error) {
      if (isStatusError(error)) return error.message;
      throw error;
    }
    return "";
  }

  /** Tries to construct a memory of each size in turn. Returns the error message if all fail, otherwise "". */
  #tryAll(): string {
    if (this.#words !== null) return "";
    if (this.#construct === null) return "no linear memory: this engine has no WebAssembly";
    let last: unknown = null;
    for (const shared of [true, false]) {
      for (const size of shared ? kSharedMiB : kUnsharedMiB) {
        const pages = (size * MiB) / kPageBytes;
        try {
          const memory = new this.#construct({ initial: pages, maximum: pages, shared });
          this.#adopt(memory, memory.buffer);
          this.#mark?.write(memory);
          return "";
        } catch (error) {
          // Not enough address space, a limit of the host, or no support for shared memories. The next attempt asks for less.
          last = error;
        }
      }
    }
    return `no linear memory could be constructed, shared (${kSharedMiB.join(", ")} MiB) or not (${kUnsharedMiB.join(", ")} MiB); the engine's last error: ${String(last)}`;
  }
}

const theMemory = new LinearMemory({ mark: memoryMarkOn(globalThis) });

/**
 * Returns the linear memory of this process or page. This call does not construct it; the first use of its bytes does.
 *
 * @example
 * linearMemory() === linearMemory(); // => true
 * linearMemory().buffer.byteLength === linearMemory().byteLength; // => true
 */
export function linearMemory(): LinearMemory {
  return theMemory;
}
