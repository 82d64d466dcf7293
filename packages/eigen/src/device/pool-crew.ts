/**
 * pool-crew: the workers of a pool: starts them, replaces those that ended by themselves, ends them.
 *
 *     index 0 .. n - 2      the first workers
 *     n - 1 …               replacements of workers that may still write, until the host has ended them
 *
 * An index is used again once its worker certainly writes nothing any more, and the parts that the worker had claimed are marked as cut off:
 * what is claimed with an index belongs to one worker. Browsers do not report when a terminated worker has stopped, so its index is lost.
 */
import { releaseScratch, reserveScratch } from "@onebuffer/allocator/internal";
import { FailedPreconditionError, isStatusError, ResourceExhaustedError } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import { startPoolThread } from "./pool-threads.ts";
import type { PoolThread, PoolWorker } from "./pool-threads.ts";
import {
  kCallPlaces,
  kClaimed,
  kEnded,
  kFailed,
  kJob,
  kNumWords,
  kPartStates,
  kReady,
  kStop,
  kWaiter,
  kWorkerStates,
} from "./pool-words.ts";

/** The bytes of the words, a multiple of 256. */
const kWordBytes = Math.ceil(kNumWords / 64) * 256;
/** How long a worker may take before nobody waits for it any longer. Tests change the times. */
export const crewLimits = {
  /** To end, if the host does not report the end of workers. */
  endMs: 1_000,
  /** To be ready. */
  startMs: 10_000,
};
/** In so many waits a worker is given the time to be ready. */
const kWaits = 2;
/** So many workers in a row that end before they are ready get a successor. */
const kRetries = 8;
/** Waits for shared words are looked after at least so often: the end of a worker does not change a word. */
const kLookMs = 50;

declare function setTimeout(run: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** What the crew knows of a worker. */
interface Member {
  readonly index: number;
  thread: PoolThread;
  state: "starting" | "ready" | "ended";
  /** True if its thread writes nothing any more. */
  isGone: boolean;
}

/** The options of a crew. */
export interface CrewOptions {
  readonly worker: (() => PoolWorker) | null;
  readonly spinMs: number;
}

/** The workers of a pool. */
export class PoolCrew {
  readonly words: Int32Array<ArrayBufferLike>;
  readonly #members: Member[] = [];
  readonly #options: CrewOptions;
  readonly #wanted: number;
  /** Functions to call when a worker is ready or has ended. */
  #listeners: (() => void)[] = [];
  #isStopped = false;
  /** How many workers in a row ended before they were ready. */
  #failures = 0;
  /** Why a thread is missing, or was. */
  #reason: string | null = null;
  /** True if this thread may sleep: not that of a page. */
  readonly maySleep: boolean;

  /** Starts workers. Throws RESOURCE_EXHAUSTED if there is no memory for the words. */
  constructor(numWorkers: number, options: CrewOptions) {
    const address = reserveScratch(kWordBytes);
    if (address === null) throw new ResourceExhaustedError("the linear memory has no room for the words of a pool");
    this.words = new Int32Array(linearMemory().buffer, address, kNumWords);
    this.words.fill(0);
    this.#options = options;
    this.#wanted = numWorkers;
    this.maySleep = canSleep(this.words);
    for (let k = 0; k < numWorkers && this.#reason === null; k++) this.#start();
  }

  /** Why there are fewer threads than wanted; null if there are not. */
  get reason(): string | null {
    return this.numThreads > this.#wanted ? null : this.#reason;
  }

  /** The number of threads that are there or are starting, this one included. */
  get numThreads(): number {
    return 1 + this.#members.filter(({ state }) => state !== "ended").length;
  }

  /** The number of workers that can claim parts. */
  get numReady(): number {
    let count = 0;
    for (const { index, state } of this.#members) if (state !== "ended" && this.#stateOf(index) === kReady) count++;
    return count;
  }

  /** True if the worker with this index has ended: nobody waits for it any more. */
  hasEnded(index: number): boolean {
    return this.#members[index]?.state === "ended";
  }

  /** Ends a worker that does not finish its part, and starts another one in its place. */
  lose(index: number): void {
    const member = this.#members[index];
    if (member !== undefined) this.#end(member, null);
  }

  /** Resolves when all workers are ready or have ended. Keeps the process alive until then. */
  async ready(): Promise<void> {
    const starting = (): readonly Member[] => this.#members.filter(({ state }) => state === "starting");
    while (starting().length > 0) {
      for (const { thread } of starting()) thread.keepAlive(true);
      await this.#event(null);
    }
  }

  /** Resolves when a word no longer is `seen`, when a worker ends, or after a while. */
  async change(word: number, seen: number): Promise<void> {
    Atomics.store(this.words, kWaiter, waitAsync === null ? 2 : 1);
    await this.#event(waitAsync?.(this.words, word, seen, kLookMs) ?? null);
    Atomics.store(this.words, kWaiter, 0);
  }

  /** Ends all workers. Resolves when they have ended, and the words are released. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    Atomics.store(this.words, kStop, 1);
    Atomics.notify(this.words, kJob);
    const begin = Date.now();
    const left = (): readonly Member[] => this.#members.filter(({ isGone }) => !isGone);
    while (left().length > 0) {
      const isLate = Date.now() - begin > crewLimits.endMs;
      for (const member of left()) {
        member.thread.keepAlive(true);
        if (isLate) member.thread.terminate();
        if (!member.thread.reportsExit && (isLate || this.#stateOf(member.index) > kReady)) this.#clear(member, null);
      }
      if (left().length > 0) await this.#event(null);
    }
    releaseScratch(this.words.byteOffset, kWordBytes);
  }

  #start(): void {
    let index = 0;
    while (this.#members[index]?.isGone === false) index++;
    if (kWorkerStates + index >= kPartStates) {
      this.#reason = "too many workers ended";
      return;
    }
    Atomics.store(this.words, kWorkerStates + index, 0);
    const start = {
      memory: linearMemory().memory,
      control: this.words.byteOffset,
      numWords: kNumWords,
      index,
      spinMs: this.#options.spinMs,
    };
    try {
      const thread = startPoolThread(start, this.#options.worker, {
        message: () => this.#look(member),
        exit: (reason) => this.#clear(member, reason),
      });
      const member: Member = { index, thread, state: "starting", isGone: false };
      this.#members[index] = member;
      this.#expect(member, kWaits);
      thread.keepAlive(false);
    } catch (error) {
      this.#reason = isStatusError(error) ? error.message : String(error);
    }
  }

  /**
   * Ends a worker that is not ready in time, after a number of waits. A thread that is busy all the time notices the end of one wait only: a
   * browser starts workers between tasks.
   */
  #expect(member: Member, waits: number): void {
    const timer = setTimeout(() => {
      this.#look(member);
      if (member.state !== "starting") return;
      if (waits > 1) this.#expect(member, waits - 1);
      else this.#end(member, "it does not answer");
    }, crewLimits.startMs / kWaits);
    // In browsers a timer is a number, and keeps nothing alive.
    (timer as { unref?(): void }).unref?.();
  }

  /** Notes the state that a worker has written. Its messages only say that there is news: a program of the user's own may post anything. */
  #look(member: Member): void {
    if (member.state === "ended") return;
    const seen = this.#stateOf(member.index);
    if (member.state === "starting" && seen > 0) {
      member.state = "ready";
      this.#failures = 0;
      member.thread.keepAlive(false);
    }
    // It writes nothing more. A host that reports the end of workers will do so.
    if (seen > kReady && !member.thread.reportsExit) this.#clear(member, null);
    this.#tell();
  }

  /** The state that a worker has written. */
  #stateOf(index: number): number {
    return Atomics.load(this.words, kWorkerStates + index);
  }

  /** Notes that a worker writes nothing any more, and marks the parts that it had claimed as cut off: another one may have its index. */
  #clear(member: Member, reason: string | null): void {
    if (member.isGone) return;
    member.isGone = true;
    const claimed = kClaimed + member.index;
    this.words.subarray(kPartStates, kCallPlaces).forEach((state, part, states) => {
      if ((state & 255) === claimed) Atomics.store(states, part, state - claimed + kFailed);
    });
    this.#end(member, reason);
  }

  /**
   * Ends a worker at once. One that had been ready gets a successor; one that had not, too, but only a few times in a row, and not if it
   * failed for a reason, which would be that of the next one.
   */
  #end(member: Member, reason: string | null): void {
    const { state, thread } = member;
    if (state === "ended") return;
    thread.terminate();
    member.state = "ended";
    Atomics.store(this.words, kWorkerStates + member.index, kEnded);
    if (!this.#isStopped) {
      if (state === "ready" || (reason === null && this.#failures++ < kRetries)) this.#start();
      else this.#reason = `a worker could not be started: ${reason ?? "it ended"}`;
    }
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }

  /** Resolves at the next event of a worker, when `other` does, or after a while. */
  async #event(other: Promise<unknown> | null): Promise<void> {
    let timer: unknown;
    const next = new Promise<void>((resolve) => {
      this.#listeners.push(resolve);
      timer = setTimeout(resolve, kLookMs);
      void other?.then(() => resolve());
    });
    await next;
    clearTimeout(timer);
  }
}

/** Returns true if this thread may sleep. That of a page may not: there Atomics.wait throws. */
function canSleep(words: Int32Array<ArrayBufferLike>): boolean {
  try {
    Atomics.wait(words, kStop, 1, 0);
    return true;
  } catch {
    return false;
  }
}

type WaitAsync = (
  words: Int32Array<ArrayBufferLike>,
  word: number,
  seen: number,
  milliseconds: number,
) => { readonly value: Promise<unknown> | string };

/** Atomics.waitAsync as a promise; null where the engine does not have it: messages of workers take its place. */
const waitAsync = ((): ((...args: Parameters<WaitAsync>) => Promise<unknown>) | null => {
  const wait = (Atomics as unknown as { readonly waitAsync?: WaitAsync }).waitAsync;
  return wait === undefined ? null : (...args) => Promise.resolve(wait.apply(Atomics, args).value);
})();

/** Throws FAILED_PRECONDITION where no memory can be shared, with the reason. */
export function checkShared(): void {
  const memory = linearMemory();
  if (!memory.isAvailable) throw new FailedPreconditionError("there is no linear memory");
  if (!memory.isShared) throw new FailedPreconditionError("the memory is not shared");
  if ((globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated === false)
    throw new FailedPreconditionError("the page is not cross-origin isolated, so its workers cannot share memory");
}
