/**
 * pool-records: who ran which part of a job, and for how long (in TensorFlow, ThreadPool::ParallelForWithWorkerId tells a part's function the
 * number of its thread).
 *
 *     a product of [512, 512]      | part 0: this thread, 1.7 ms | part 1: worker 1, 1.6 ms |
 *                                  | part 2: worker 1, 1.6 ms    | part 3: this thread, …   |
 *
 * Each thread writes its number and its time into the shared words before it marks a part as done. So the records are what the threads did,
 * not what was planned: which thread claims a part is decided while the job runs.
 */
import type { DividedLoops } from "@onebuffer/kernels/internal";
import { kPartThreads, kPartTimes, kRecords } from "./pool-words.ts";

/**
 * A part of a job.
 *
 * @example
 * const part: PoolPartRecord = { begin: [0, 0], end: [500, 1000], thread: 1, milliseconds: 0.4 };
 * part.end.map((end, loop) => end - part.begin[loop]!); // => [500, 1000]
 */
export interface PoolPartRecord {
  /** Where the part begins in each loop of the job. */
  readonly begin: readonly number[];
  /** Where it ends in each loop. */
  readonly end: readonly number[];
  /** The thread that ran the part: 0 for the pool's own, 1 and more for its workers. A worker that replaces another has a new number. */
  readonly thread: number;
  /** How long the thread ran the part: as exact as the host's clock. */
  readonly milliseconds: number;
}

/**
 * A job: the work of one kernel, or of the products of matrices of one operation, that was divided over threads.
 *
 * @example
 * const upper: PoolPartRecord = { begin: [0, 0], end: [500, 1000], thread: 0, milliseconds: 0.4 };
 * const lower: PoolPartRecord = { begin: [500, 0], end: [1000, 1000], thread: 1, milliseconds: 0.4 };
 * const job: PoolJobRecord = { by: "rows", sizes: [1000, 1000], parts: [upper, lower] }; // sums of 1000 rows, half of them by a worker
 * job.parts.filter(({ thread }) => thread > 0).length; // => 1
 */
export interface PoolJobRecord {
  /** The form of the kernel as `explain` names it, or "contraction" for products of matrices. */
  readonly by: "map" | "tile" | "rows" | "columns" | "windows" | "contraction";
  /**
   * The sizes of the loops, outermost first: of a product its rows and columns, of several products also their number. Loops that walk
   * memory in one go are one loop: an elementwise operation on dense maps has one loop over all elements.
   */
  readonly sizes: readonly number[];
  /** The parts. They cover the loops, and no two overlap. */
  readonly parts: readonly PoolPartRecord[];
}

declare const performance: { now(): number };

/** Collects the records of an assignment's jobs. */
export class PoolRecords {
  readonly #words: Int32Array<ArrayBufferLike>;
  /** The jobs of the latest assignment. */
  jobs: readonly PoolJobRecord[] = [];

  /** Has the threads that use these words record the parts that they run. */
  constructor(words: Int32Array<ArrayBufferLike>) {
    this.#words = words;
    words[kRecords] = 1;
  }

  /** Forgets the jobs: an assignment begins. */
  clear(): void {
    this.jobs = [];
  }

  /** Runs a part on the pool's own thread, and notes this. Returns what `run` returns. */
  runOwn(part: number, run: () => boolean): boolean {
    const begin = performance.now();
    const result = run();
    this.#words[kPartThreads + part] = 0;
    this.#words[kPartTimes + part] = 1000 * (performance.now() - begin);
    return result;
  }

  /** Adds a job whose parts are all done. */
  add({ by, sizes, parts }: DividedLoops): void {
    const words = this.#words;
    const records = parts.map(({ begin, end }, part) => ({
      begin,
      end,
      thread: words[kPartThreads + part] as number,
      milliseconds: (words[kPartTimes + part] as number) / 1000,
    }));
    this.jobs = [...this.jobs, { by, sizes, parts: records }];
  }
}
