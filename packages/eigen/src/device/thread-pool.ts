/**
 * thread-pool: divides the work of kernels over the thread of the pool and its workers (Eigen's ThreadPoolDevice::parallelFor).
 *
 *     this thread                       workers
 *     records the parts of a job
 *     changes the job word ───────────→ awake, or spinning
 *     claims part 0, runs it            claim parts in the middle, run them
 *     claims the next …                 claim the next …
 *     waits for parts of others         park after a while
 *
 * A part is claimed by one compare-and-exchange of its state, which names the worker. So if a worker ends, it is known which part it was
 * in, and that part is run again. Parts write only elements of their own, each in the same order as on one thread.
 */
import { releaseScratch, reserveScratch } from "@onebuffer/allocator/internal";
import { DataLossError, InternalError, ResourceExhaustedError } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import {
  detachScratch,
  kBlockBytes,
  releaseScratch as releaseTo,
  scratchBlockAt,
  scratchMark,
  takeScratch,
} from "@onebuffer/kernels/internal";
import type { DividedLoops, PoolModule, ScratchBlock, WorkSplitter } from "@onebuffer/kernels/internal";
import { PoolAccounts } from "./pool-account.ts";
import type { PoolAccount } from "./pool-account.ts";
import { PoolJob } from "./pool-job.ts";
import { PoolModules } from "./pool-modules.ts";
import type { PoolCrew } from "./pool-crew.ts";
import type { PoolRecords } from "./pool-records.ts";
import * as at from "./pool-words.ts";

/** The limits by which a pool decides. Tests change them. */
export const poolLimits = {
  /** A part takes at least so many nanoseconds: a hand-off to a spinning worker takes one thousandth of a millisecond. */
  partNs: 6_000,
  /**
   * Work that takes less is not divided, if workers spin, and if they are parked: waking one takes up to thirty microseconds, on a busy
   * machine more.
   */
  leastSpinningNs: 12_000,
  leastParkedNs: 100_000,
  /** How long this thread waits for parts before the assignment is continued in a later task, if it may sleep, and if it has to spin. */
  sleepMs: 100,
  pageMs: 20,
  /** A worker that has not finished a part for so long is taken for dead. Parts take milliseconds. */
  lostMs: 5_000,
  /** False: work is divided however long that takes. */
  learns: true,
};
/** Parts per thread: so many that threads which began late or were interrupted hold up the others little. */
const kPartsPerThread = 4;
/** For how many looks this thread spins before it sleeps: about 20 microseconds. */
const kSpins = 2_000;

/** Thrown where an assignment has to wait for workers in a later task. It never reaches users. */
export const laterError: InternalError = new InternalError("parts of workers are not finished yet");

declare const performance: { now(): number };

/** Divides work over threads. */
export class ThreadPool implements WorkSplitter {
  readonly #crew: PoolCrew;
  readonly #words: Int32Array<ArrayBufferLike>;
  readonly #job: PoolJob = new PoolJob();
  readonly #modules: PoolModules = new PoolModules();
  /** The argument blocks of parts: some from the start, others when they are needed. */
  readonly #blocks: ScratchBlock[] = [];
  #number = 0;
  /** Releases the scratch memory of parts that workers still run after this thread has left them; null if there are none. */
  #left: (() => void) | null = null;
  /** Returns true if a wait may be continued later: see laterError. */
  mayLeave: () => boolean = () => false;
  /** Collects who ran which part; null if nobody wants to know. */
  readonly #records: PoolRecords | null;
  readonly #learns: boolean;
  readonly #accounts: PoolAccounts = new PoolAccounts();
  /** What the last call of `parts` decided on: its account, its estimate in milliseconds, and when. Null if nothing is to be learned. */
  #account: PoolAccount | null = null;
  #estimate = 0;
  #begin = 0;

  constructor(crew: PoolCrew, records: PoolRecords | null, learns: boolean) {
    this.#learns = learns;
    this.#crew = crew;
    this.#records = records;
    this.#words = crew.words;
    this.#words[at.kModuleTable] = this.#modules.address;
  }

  /** See WorkSplitter. */
  get numThreads(): number {
    return this.#crew.numThreads;
  }

  /** True if workers still run parts of a job that this thread has left. */
  get isLeft(): boolean {
    return this.#left !== null;
  }

  /** See WorkSplitter. */
  divides(subject: object, nanoseconds: number): boolean {
    this.#account = null;
    if (nanoseconds < poolLimits.leastSpinningNs || this.#left !== null) return false;
    const { numReady } = this.#crew;
    if (numReady === 0 || (nanoseconds < poolLimits.leastParkedNs && this.#areParked(numReady))) return false;
    this.#estimate = nanoseconds / 1e6;
    if (!this.#learns || !poolLimits.learns) return true;
    this.#account = this.#accounts.of(subject, this.#estimate);
    this.#begin = performance.now();
    return this.#account.divides(this.#estimate);
  }

  /** See WorkSplitter. */
  ranWhole(): void {
    this.#account?.ranWhole(this.#estimate, performance.now() - this.#begin);
    this.#account = null;
  }

  /** See WorkSplitter. */
  parts(most: number): number {
    const { numReady } = this.#crew;
    this.#job.clear();
    if (this.#modules.isFull) {
      if (!this.#areParked(numReady)) return 1;
      this.#modules.clear();
      Atomics.store(this.#words, at.kModules, 0);
      Atomics.add(this.#words, at.kModuleAge, 1);
    }
    const worth = Math.floor((this.#estimate * 1e6) / poolLimits.partNs);
    return Math.max(1, Math.min(most, (numReady + 1) * kPartsPerThread, worth, at.kMaxParts / 4));
  }

  /** Returns true if all of these workers wait to be woken. */
  #areParked(numReady: number): boolean {
    return Atomics.load(this.#words, at.kParked) >= numReady;
  }

  /** See WorkSplitter. */
  begin(): ScratchBlock {
    const part = this.#job.begin();
    if (part === this.#blocks.length) {
      const address = reserveScratch(kBlockBytes);
      if (address === null) throw new ResourceExhaustedError("the linear memory has no room for the arguments of a pool's kernels");
      this.#blocks.push(scratchBlockAt(address));
    }
    return this.#blocks[part]!;
  }

  /** See WorkSplitter. */
  call(module: PoolModule, name: string, ...args: readonly number[]): void {
    this.#job.add(this.#modules, module, name, args);
  }

  /** See WorkSplitter. */
  run(isRepeatable: boolean, describe: () => DividedLoops): boolean {
    const mark = scratchMark();
    try {
      this.#publish();
      const { parts } = this.#job;
      const free = this.#number * 256;
      let result = false;
      let own = 0;
      const begin = this.#account === null ? 0 : performance.now();
      for (let part = 0; part < parts; part++) {
        const state = at.kPartStates + part;
        if (Atomics.compareExchange(this.#words, state, free, free + at.kOwn) !== free) continue;
        result = this.#runOwn(part) || result;
        Atomics.store(this.#words, state, free + at.kDone);
        own++;
      }
      const end = this.#account === null ? 0 : performance.now();
      for (let part = 0; part < parts; part++) result = this.#finish(part, isRepeatable) || result;
      this.#learn(own === 0 ? this.#estimate : ((end - begin) * parts) / own);
      this.#records?.add(describe());
      return result;
    } finally {
      releaseTo(mark);
    }
  }

  /** Notes the time of a divided run; `byOne` is the time of all parts if each took as long as those of this thread. */
  #learn(byOne: number): void {
    this.#account?.ranDivided(this.#estimate, performance.now() - this.#begin, byOne);
    this.#account = null;
  }

  /** Writes the job where workers see it, and wakes them. */
  #publish(): void {
    const words = this.#words;
    const { parts } = this.#job;
    const calls = this.#job.words;
    const address = takeScratch(calls.length * 4);
    new Int32Array(linearMemory().buffer, address, calls.length).set(calls);
    this.#number = (this.#number % at.kMaxJob) + 1;
    for (let part = 0; part < parts; part++) {
      const [begin, end] = this.#job.range(part);
      words[at.kCallPlaces + 2 * part] = address + 4 * begin;
      words[at.kCallPlaces + 2 * part + 1] = end - begin;
      Atomics.store(words, at.kPartStates + part, this.#number * 256);
    }
    words[at.kParts] = parts;
    words[at.kThreads] = this.#crew.numThreads;
    Atomics.store(words, at.kModules, this.#modules.count);
    Atomics.store(words, at.kJob, this.#number);
    if (Atomics.load(words, at.kParked) > 0) Atomics.notify(words, at.kJob);
  }

  /** Runs a part on this thread. Returns true if one of its calls returned a nonzero number. */
  #runOwn(part: number): boolean {
    return this.#records === null ? this.#job.run(part) : this.#records.runOwn(part, () => this.#job.run(part));
  }

  /** Waits until a part is done, or does it again if its worker has ended. Returns true if one of its calls returned a nonzero number. */
  #finish(part: number, isRepeatable: boolean): boolean {
    const base = this.#number * 256;
    const code = this.#await(at.kPartStates + part) - base;
    if (code === at.kDone || code === at.kDoneNonzero) return code === at.kDoneNonzero;
    if (!isRepeatable) {
      throw new DataLossError("a thread of the pool ended while it updated a target in place: the target's elements are undefined");
    }
    const result = this.#runOwn(part);
    Atomics.store(this.#words, at.kPartStates + part, base + at.kDone);
    return result;
  }

  /** Waits for the worker that has claimed a part. Returns the state, which still is the worker's if that has ended. */
  #await(state: number): number {
    const words = this.#words;
    for (let k = 0; k < kSpins; k++) if (isOver(Atomics.load(words, state))) return Atomics.load(words, state);
    const begin = performance.now();
    const mayLeave = this.mayLeave();
    const limit = !mayLeave ? poolLimits.lostMs : this.#crew.maySleep ? poolLimits.sleepMs : poolLimits.pageMs;
    for (;;) {
      const seen = Atomics.load(words, state);
      if (isOver(seen) || this.#crew.hasEnded((seen & 255) - at.kClaimed)) return seen;
      if (performance.now() - begin > limit) break;
      if (!this.#crew.maySleep) continue;
      Atomics.store(words, at.kWaiter, 1);
      Atomics.wait(words, state, seen, 20);
      Atomics.store(words, at.kWaiter, 0);
    }
    if (mayLeave) this.#leave();
    this.#crew.lose((Atomics.load(words, state) & 255) - at.kClaimed);
    return Atomics.load(words, state);
  }

  /** Leaves parts to their workers: their scratch memory stays theirs until `settle`. */
  #leave(): never {
    this.#left = detachScratch();
    throw laterError;
  }

  /** Waits for the workers of parts that this thread has left. A worker that does not finish is ended. */
  async settle(): Promise<void> {
    if (this.#left === null) return;
    const begin = performance.now();
    const base = this.#number * 256;
    for (let part = 0; part < this.#job.parts; part++) {
      const state = at.kPartStates + part;
      for (;;) {
        const seen = Atomics.load(this.#words, state);
        const worker = (seen & 255) - at.kClaimed;
        if (isOver(seen) || seen - base < 0 || this.#crew.hasEnded(worker)) break;
        if (performance.now() - begin > poolLimits.lostMs) this.#crew.lose(worker);
        else await this.#crew.change(state, seen);
      }
    }
    this.#left();
    this.#left = null;
  }

  /** Releases the memory of the pool. Its workers have ended. */
  release(): void {
    for (const { address } of this.#blocks.splice(0)) releaseScratch(address, kBlockBytes);
    this.#modules.release();
  }
}

/** True for the state of a part that no worker runs. */
const isOver = (state: number): boolean => (state & 255) < at.kClaimed;
