/** The objects of the part "A pool of threads": a ThreadPoolDevice, what it computed last, and how that compares with one thread. */
import { Tensor, ThreadPoolDevice } from "onebuffer";
import type { OperandLike } from "onebuffer";
import type { PoolJobRecord } from "onebuffer/eigen";
import type { PanelState, Params } from "../../../panel.ts";
import { Computation } from "../../../parts/computation.ts";
import { startWorker } from "../../../parts/start-worker.ts";
import { kWorkNames, kWorks, operandsOf } from "./works.ts";
import type { WorkName } from "./works.ts";

/** Runs of which the fastest counts; the first one before them compiles the kernels. */
const kRuns = 9;
/** The most threads that can be chosen. */
const kMostThreads = 16;
/** What the bytes of the target are before each run, so that bytes of the run before cannot pass for results. */
const kStale = 0x5a;

/** What the runs gave. */
export interface PoolResult {
  readonly work: WorkName;
  /** The threads of the pool, this page's included, and why there are fewer than were asked for; null if there are not. */
  readonly numThreads: number;
  readonly reason: string | null;
  /** The fastest runs with one thread and with the pool, in milliseconds. */
  readonly alone: number;
  readonly together: number;
  /** The jobs of the pool's fastest run. */
  readonly jobs: readonly PoolJobRecord[];
  readonly runs: number;
  /** The bytes of the result, and how many of them differed in some run. */
  readonly bytes: number;
  readonly different: number;
}

/** Returns the numbers of threads to choose from: powers of two, and the number of processors. */
export function threadChoices(): readonly number[] {
  const processors = Math.min(kMostThreads, navigator.hardwareConcurrency || 1);
  const powers = [1, 2, 4, 8, 16].filter((count) => count <= Math.max(4, processors));
  return [...new Set([...powers, processors])].sort((a, b) => a - b);
}

/** The model. */
export class PoolRuns {
  readonly #changed: () => void;
  readonly computation: Computation;
  #pool: ThreadPoolDevice | null = null;
  #isDisposed = false;
  work: WorkName;
  threads: number;
  result: PoolResult | null = null;

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.computation = new Computation(changed);
    this.work = kWorkNames.find((name) => name === params["work"]) ?? "exp";
    const choices = threadChoices();
    const processors = navigator.hardwareConcurrency || 1;
    const fitting = choices.filter((count) => count <= Math.min(4, processors)).at(-1) ?? 1;
    this.threads = choices.find((count) => String(count) === params["threads"]) ?? fitting;
  }

  setWork(work: WorkName): void {
    this.work = work;
    this.result = null;
    this.#changed();
  }

  /** Chooses the number of threads. The pool of another number is ended. */
  setThreads(threads: number): void {
    this.threads = threads;
    this.result = null;
    if (!this.computation.isRunning) this.#endPool();
    this.#changed();
  }

  /** Runs the expression with one thread and with the pool. */
  async run(): Promise<void> {
    const { work, threads } = this;
    await this.computation.run(async () => {
      let result: PoolResult | null = null;
      try {
        result = await this.#measure(work, threads);
      } finally {
        if (this.threads !== threads) this.#endPool();
        // A choice made meanwhile wants another result.
        if (this.work === work && this.threads === threads) this.result = result;
      }
    });
  }

  async #measure(work: WorkName, threads: number): Promise<PoolResult | null> {
    const pool = (this.#pool ??= new ThreadPoolDevice(threads, {
      worker: () => startWorker("pool-worker"),
      recordsJobs: true,
      learns: false,
    }));
    // A pool of one thread, not `assign`: pools add long sums in blocks, so that their bits do not depend on the number of threads.
    const single = new ThreadPoolDevice(1);
    await pool.ready();
    if (this.#isDisposed) return null;
    const { result: sizes, make } = kWorks[work];
    const operands = operandsOf(kWorks[work]);
    const [one, several] = [Tensor.zeros(sizes), Tensor.zeros(sizes)];
    try {
      const expression = make(...operands);
      await timed(one, single, expression);
      await timed(several, pool, expression);
      let [alone, together, different] = [Infinity, Infinity, 0];
      let jobs: readonly PoolJobRecord[] = [];
      for (let run = 0; run < kRuns; run++) {
        // The page stays alive between two runs.
        await new Promise((resolve) => setTimeout(resolve));
        if (this.#isDisposed) return null;
        bytesOf(one).fill(kStale + 1);
        bytesOf(several).fill(kStale);
        alone = Math.min(alone, await timed(one, single, expression));
        const time = await timed(several, pool, expression);
        if (time < together) [together, jobs] = [time, pool.jobs];
        different = Math.max(different, differences(bytesOf(one), bytesOf(several)));
      }
      const { numThreads, reason } = pool;
      return { work, numThreads, reason, alone, together, jobs, runs: kRuns, bytes: bytesOf(one).length, different };
    } finally {
      for (const tensor of [...operands, one, several]) tensor.dispose();
      await single.dispose();
    }
  }

  #endPool(): void {
    void this.#pool?.dispose();
    this.#pool = null;
  }

  params(): Params {
    return { work: this.work, threads: String(this.threads) };
  }

  state(): PanelState {
    const { work, threads, result } = this;
    const { isRunning, error } = this.computation;
    return { work, threads, isRunning, result, error };
  }

  dispose(): void {
    this.#isDisposed = true;
    this.computation.dispose();
    this.#endPool();
  }
}

/** Computes an expression on a device. Resolves to the milliseconds. */
async function timed(target: Tensor<"float32">, device: ThreadPoolDevice, expression: OperandLike<"float32", number>): Promise<number> {
  const begin = performance.now();
  await target.device(device).assign(expression);
  return performance.now() - begin;
}

/** Returns the bytes of a tensor, as they are in memory until that grows. */
function bytesOf({ tensorData }: Tensor<"float32">): Uint8Array {
  const { buffer, byteOffset, byteLength } = tensorData;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Returns how many bytes of two arrays of one length differ. */
function differences(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) count++;
  return count;
}
