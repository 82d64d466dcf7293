/**
 * SharedMemory: files of shared memory through which elements go to the runner and back, in slots.
 *
 *     segment 0         kStagingBytes for arrays that come or go in pieces, one piece at a time
 *     segments 1, 2, …  slots for whole arrays; on CPU devices an array then lies in its slot until it is freed
 *
 * Node cannot map a file, so it writes and reads them: one copy on this side. The files are removed as soon as both processes have
 * opened them, so nothing is left behind even if both are killed. The space of the file system is checked first: that of a container
 * may be 64 MiB. Where no slot can be had, arrays go through the staging segment in pieces.
 */
import { randomBytes } from "node:crypto";
import { accessSync, closeSync, constants, ftruncateSync, openSync, readSync, statfsSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FailedPreconditionError, isStatusError, ResourceExhaustedError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";
import { kRequest } from "./frame.ts";
import type { RunnerProcess } from "./runner-process.ts";
import { SlotList, slotBytes } from "./slot-list.ts";

/** The bytes of the staging segment: as many as Node writes in a millisecond or two. */
export const kStagingBytes: number = 4 * 2 ** 20;
/** New segments have at least these bytes, and at most double what there is, up to kLargeSegment if the slot is not larger. */
const kSmallSegment = 2 ** 20;
const kLargeSegment = 64 * 2 ** 20;
/** Free space that is left to others. */
const kKeptSpace = 2 ** 20;
/** Empty segments are closed while there are more than these bytes of them. */
const kKeptEmpty = 256 * 2 ** 20;

/** A file of shared memory that both processes have open. */
interface Segment {
  readonly number: number;
  readonly file: number;
  readonly slots: SlotList;
}

/** A range of a segment that is in use. */
export interface Slot {
  readonly number: number;
  readonly segment: Segment;
  readonly offset: number;
  readonly bytes: number;
}

/** The segments of one runner. */
export class SharedMemory {
  readonly #runner: RunnerProcess;
  readonly #folder: string;
  readonly #limit: number;
  readonly #segments: Map<number, Segment> = new Map();
  readonly #slots: Map<number, Slot> = new Map();
  #lastSegment = -1;
  #lastSlot = 0;
  #closed: StatusError | null = null;
  #staging: Promise<unknown> = Promise.resolve();

  /** `limit` is the most bytes of all segments together. */
  constructor(runner: RunnerProcess, folder: string | undefined, limit: number) {
    this.#runner = runner;
    this.#folder = folder ?? sharedFolder();
    this.#limit = limit;
    runner.onReleased = (numbers) => {
      for (const number of numbers) {
        const slot = this.#slots.get(number);
        if (slot !== undefined) this.free(slot);
      }
    };
  }

  /** Makes the staging segment. Rejects with RESOURCE_EXHAUSTED if there is not even room for that. */
  async open(): Promise<void> {
    const segment = await this.#openSegment(Math.min(kStagingBytes, Math.floor(this.#limit / 64) * 64));
    if (segment === null)
      throw new ResourceExhaustedError(
        `XlaDevice: ${this.#folder} has no room for ${kStagingBytes} bytes: name another folder with the option sharedMemory`,
      );
  }

  /** The bytes of all segments. */
  get bytes(): number {
    let sum = 0;
    for (const { slots } of this.#segments.values()) sum += slots.bytes;
    return sum;
  }

  /** The number of slots in use. */
  get slotCount(): number {
    return this.#slots.size;
  }

  /** Returns a slot of an open segment, or null. */
  takeNow(bytes: number): Slot | null {
    for (const segment of this.#segments.values()) {
      if (segment.number === 0) continue;
      const slot = this.#take(segment, bytes);
      if (slot !== null) return slot;
    }
    return null;
  }

  /** Returns a slot, in a new segment if necessary, or null if there is no room for it. */
  async take(bytes: number): Promise<Slot | null> {
    const now = this.takeNow(bytes);
    if (now !== null) return now;
    const grown = Math.min(Math.max(this.bytes - kStagingBytes, kSmallSegment), kLargeSegment);
    const needed = slotBytes(bytes);
    const segment = (grown > needed ? await this.#openSegment(grown) : null) ?? (await this.#openSegment(needed));
    return segment === null ? null : this.#take(segment, bytes);
  }

  /** Runs `use` with a slot of the staging segment; other uses wait. */
  staged<T>(use: (slot: Slot) => Promise<T>): Promise<T> {
    const turn = this.#staging.then(() => {
      if (this.#closed !== null) throw this.#closed;
      const segment = this.#segments.get(0) as Segment;
      return use({ number: 0, segment, offset: 0, bytes: segment.slots.bytes });
    });
    this.#staging = turn.catch(() => {});
    return turn;
  }

  /** Gives a slot back. Does nothing for one that was given back before. */
  free(slot: Slot): void {
    if (!this.#slots.delete(slot.number)) return;
    const { segment } = slot;
    segment.slots.give(slot.offset, slot.bytes);
    if (segment.slots.isEmpty && this.#emptyBytes() > kKeptEmpty) this.#closeSegment(segment);
  }

  /** Copies bytes into a slot, `at` bytes behind its begin. */
  write({ segment, offset }: Slot, at: number, bytes: Uint8Array<ArrayBufferLike>): void {
    this.#checkOpen();
    attempt("cannot be written", () => {
      for (let done = 0; done < bytes.length; ) done += writeSync(segment.file, bytes, done, bytes.length - done, offset + at + done);
    });
  }

  /** Copies bytes of a slot, `at` bytes behind its begin, into `bytes`. */
  read({ segment, offset }: Slot, at: number, bytes: Uint8Array<ArrayBufferLike>): void {
    this.#checkOpen();
    attempt("cannot be read", () => {
      for (let done = 0; done < bytes.length; ) {
        const count = readSync(segment.file, bytes, done, bytes.length - done, offset + at + done);
        if (count === 0) throw new FailedPreconditionError("XlaDevice: a file of shared memory has become shorter");
        done += count;
      }
    });
  }

  /** Closes all files; `error` is that of later uses. */
  close(error: StatusError): void {
    if (this.#closed !== null) return;
    this.#closed = error;
    for (const { file } of this.#segments.values()) closeSync(file);
    this.#segments.clear();
    this.#slots.clear();
  }

  #checkOpen(): void {
    if (this.#closed !== null) throw this.#closed;
  }

  #take(segment: Segment, bytes: number): Slot | null {
    const offset = segment.slots.take(bytes);
    if (offset < 0) return null;
    do this.#lastSlot = (this.#lastSlot % 0xffffffff) + 1;
    while (this.#slots.has(this.#lastSlot));
    const slot = { number: this.#lastSlot, segment, offset, bytes };
    this.#slots.set(slot.number, slot);
    return slot;
  }

  /** Returns a new segment, or null if the limit, the file system or the memory has no room for it. */
  async #openSegment(bytes: number): Promise<Segment | null> {
    this.#checkOpen();
    if (bytes <= 0 || this.bytes + bytes > this.#limit || bytes > freeBytes(this.#folder) - kKeptSpace) return null;
    const path = join(this.#folder, `onebuffer-${process.pid}-${randomBytes(8).toString("hex")}`);
    const file = attempt("cannot be made", () => openSync(path, "wx+", 0o600));
    const number = ++this.#lastSegment;
    try {
      attempt("cannot be made", () => ftruncateSync(file, bytes));
      await this.#runner.requestJson(kRequest.segment, { segment: number, path, bytes });
      this.#checkOpen();
    } catch (error) {
      closeSync(file);
      if (isStatusError(error, "RESOURCE_EXHAUSTED")) return null;
      throw error;
    } finally {
      removeFile(path);
    }
    const segment = { number, file, slots: new SlotList(bytes) };
    this.#segments.set(number, segment);
    return segment;
  }

  #closeSegment(segment: Segment): void {
    this.#segments.delete(segment.number);
    closeSync(segment.file);
    this.#runner.requestJson(kRequest.dropSegment, { segment: segment.number }).catch(() => {});
  }

  #emptyBytes(): number {
    let sum = 0;
    for (const { number, slots } of this.#segments.values()) if (number > 0 && slots.isEmpty) sum += slots.bytes;
    return sum;
  }
}

/** Removes a file. Never throws: an error before it says more. */
function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Something else removed it, or the folder.
  }
}

/** Runs `act`; an error of the file system becomes a StatusError. */
function attempt<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (isStatusError(cause)) throw cause;
    const { code } = cause as { readonly code?: unknown };
    const Kind = code === "ENOSPC" || code === "ENOMEM" || code === "EMFILE" ? ResourceExhaustedError : FailedPreconditionError;
    throw new Kind(`XlaDevice: a file of shared memory ${what} (${String(code)})`, { cause });
  }
}

/** Returns the folder of shared memory, or that of temporary files where there is none. */
function sharedFolder(): string {
  try {
    accessSync("/dev/shm", constants.W_OK);
    return "/dev/shm";
  } catch {
    return tmpdir();
  }
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch (cause) {
    throw new FailedPreconditionError(`XlaDevice: the folder ${JSON.stringify(folder)} for shared memory cannot be used`, { cause });
  }
}
