/**
 * ThreadPoolDevice: computes assignments on several threads, which share the memory of the tensors (Eigen's ThreadPoolDevice, TensorFlow's
 * eigen_cpu_device).
 *
 * It shares the checks of assignments and the life of a device with BackendDevice, but is not a Backend (backend/backend.ts). Its arrays
 * are the maps themselves, so `put`, `take` and `release` would only make an object for each operand. Its programs are the kernels, which
 * the calling thread finds by the fast path of `map.assign` before the assignment is checked; a key of structure takes longer than a small
 * kernel. Kernels and evaluator together compute all of the op table, so there are no capabilities to ask for: to ask for each node took
 * another 7 to 18 % of the time of an assignment of 100 elements.
 */
import { FailedPreconditionError, InvalidArgumentError, isStatusError } from "@onebuffer/base";
import { checkCallback, checkOptions, shownValue } from "@onebuffer/base/internal";
import { assignExpression, computeAssignments, computeUpdates } from "../assign/assign.ts";
import { ready } from "../assign/ready.ts";
import { DeviceLife } from "../backend/device-life.ts";
import { checkAssignment, overlapWith } from "@onebuffer/evaluator/internal";
import type { AssignTarget, Update } from "@onebuffer/evaluator/internal";
import type { OtherOperand } from "@onebuffer/expression/internal";
import type { DeviceAssignment, SyncDevice } from "@onebuffer/expression";
import { oneThread, setWorkSplitter } from "@onebuffer/kernels/internal";
import { setDirectRoad } from "./direct-device.ts";
import { checkedAssignments } from "./checked-assignments.ts";
import { holdMemory } from "./hold-memory.ts";
import { checkShared, PoolCrew } from "./pool-crew.ts";
import { PoolRecords } from "./pool-records.ts";
import type { PoolJobRecord } from "./pool-records.ts";
import type { PoolWorker } from "./pool-threads.ts";
import { kMaxThreads } from "./pool-words.ts";
import { laterError, ThreadPool } from "./thread-pool.ts";

/**
 * The options of a pool.
 *
 * @example
 * const options: ThreadPoolOptions = { spinMs: 0 };
 * const pool = new ThreadPoolDevice(2, options);
 * await pool.dispose();
 */
export interface ThreadPoolOptions {
  /**
   * Returns a worker whose module calls `servePoolWorker` of `onebuffer/pool-worker`, for pages whose content security policy forbids workers
   * from blobs: `() => new Worker(new URL("./pool-worker.js", import.meta.url), { type: "module" })`. A worker of node:worker_threads with
   * such a module serves, too. By default the pool starts its workers itself.
   */
  readonly worker?: () => PoolWorker;
  /** For how many milliseconds a worker without work looks for more before it parks; 0.1 by default. A parked one uses no processor time. */
  readonly spinMs?: number;
  /** True if `jobs` is to list who ran which part of an assignment. This takes some tenths of a microsecond per part. False by default. */
  readonly recordsJobs?: boolean;
  /**
   * True: kernels that take longer divided than whole soon run whole, and are divided again only as a rare trial. False: the same work is
   * divided at every run, to show or to measure it. True by default.
   */
  readonly learns?: boolean;
}

/** How often an assignment is begun again after workers did not finish; after that this thread computes it alone. */
const kAttempts = 2;

/**
 * A device of several threads. Elementwise operations, reductions, products, convolutions and transposes are divided over them, if they are
 * large enough for threads to pay; the rest is computed on the calling thread. The results are the same bits for any number of threads.
 *
 * A pool belongs to the thread that made it. Its workers are parked when they have nothing to do, and do not keep a process alive. Where
 * memory cannot be shared, the pool has one thread, and `reason` says why.
 *
 * @example
 * const pool = new ThreadPoolDevice(2);
 * await pool.ready();
 * const [a, out] = [tensorMap("float32", Float32Array.of(1, 2), [2]), tensorMap("float32", new Float32Array(2), [2])];
 * await out.device(pool).assign(a.add(a));
 * out.toArray(); // => [2, 4]
 * await pool.dispose();
 * await out.device(pool).assign(a); // throws FAILED_PRECONDITION
 */
export class ThreadPoolDevice implements SyncDevice {
  readonly name: string;
  readonly #crew: PoolCrew | null;
  readonly #pool: ThreadPool | null;
  readonly #records: PoolRecords | null;
  readonly #reason: string | null = null;
  readonly #life: DeviceLife;
  /** Assignments that wait for workers in a later task. */
  readonly #waiting: Set<Promise<void>> = new Set();

  /**
   * Starts `numThreads` - 1 workers: the calling thread is one of the threads. Throws INVALID_ARGUMENT if `numThreads` is not an integer
   * from 1 to 64 or the options are invalid, and RESOURCE_EXHAUSTED if the linear memory is full.
   */
  constructor(numThreads: number, options: ThreadPoolOptions = {}) {
    if (!Number.isInteger(numThreads) || numThreads < 1 || numThreads > kMaxThreads) {
      throw new InvalidArgumentError(`a pool has 1 to ${kMaxThreads} threads, got ${shownValue(numThreads)}`);
    }
    checkOptions("ThreadPoolDevice", options, ["worker", "spinMs", "recordsJobs", "learns"]);
    const { worker, spinMs = 0.1, recordsJobs = false, learns = true } = options;
    if (worker !== undefined) checkCallback(worker, "a function as worker");
    if (!(typeof spinMs === "number" && spinMs >= 0)) throw new InvalidArgumentError(`spinMs: ${shownValue(spinMs)} is not a time`);
    if (typeof recordsJobs !== "boolean") throw new InvalidArgumentError(`recordsJobs: ${shownValue(recordsJobs)} is not a boolean`);
    if (typeof learns !== "boolean") throw new InvalidArgumentError(`learns: ${shownValue(learns)} is not a boolean`);
    this.name = `ThreadPoolDevice(${numThreads})`;
    this.#life = new DeviceLife(this.name);
    let crew: PoolCrew | null = null;
    try {
      if (numThreads > 1) {
        checkShared();
        crew = new PoolCrew(numThreads - 1, { worker: worker ?? null, spinMs });
      }
    } catch (error) {
      if (!isStatusError(error, "FAILED_PRECONDITION")) throw error;
      this.#reason = error.message;
    }
    this.#crew = crew;
    this.#records = crew === null || !recordsJobs ? null : new PoolRecords(crew.words);
    this.#pool = crew === null ? null : new ThreadPool(crew, this.#records, learns);
    setDirectRoad(this, {
      soon: (target, source, update) => this.#assignSoon(target, source, update),
      now: (target, source, update) => this.#assignNow(target, source, update),
    });
  }

  /** The number of threads: fewer than were asked for if workers could not be started. */
  get numThreads(): number {
    return this.#crew?.numThreads ?? 1;
  }

  /** Why the pool has fewer threads than were asked for; null if it has not. */
  get reason(): string | null {
    return this.#reason ?? this.#crew?.reason ?? null;
  }

  /**
   * The jobs of the latest assignment, in order: which part of each was run by which thread. What is in no job was computed by the calling
   * thread. Empty without the option `recordsJobs`.
   *
   * @example
   * const pool = new ThreadPoolDevice(2, { recordsJobs: true });
   * const out = tensorMap("float32", new Float32Array(3), [3]);
   * await out.device(pool).assign(1); // too small to be divided
   * pool.jobs; // => []
   * await pool.dispose();
   */
  get jobs(): readonly PoolJobRecord[] {
    return this.#records?.jobs ?? [];
  }

  /**
   * Resolves to the number of threads once all workers run or have failed to, and the kernels are loaded (see `ready`). Assignments need
   * not wait for this: the threads that are there compute them. The promise is rejected with UNAVAILABLE as that of `ready` is.
   */
  async ready(): Promise<number> {
    await Promise.all([this.#crew?.ready(), ready()]);
    return this.numThreads;
  }

  /**
   * See Device. The calling thread computes its share before the call returns. It waits for the others' shares a short while without
   * letting other tasks run; if they take longer, it lets them run, and then computes again what was left over.
   *
   * The promise is rejected with FAILED_PRECONDITION after `dispose`, and with DATA_LOSS if a worker was ended from outside while it updated
   * a target in place.
   */
  async assign(assignments: readonly DeviceAssignment[]): Promise<void> {
    this.#life.check();
    const checked = checkedAssignments(assignments);
    if (!this.#isComputed(checked, 0)) await this.#finishLater(checked);
  }

  /** See Device. The calling thread waits for the others' shares. The promise is rejected as that of `assign`. */
  async update(assignments: readonly DeviceAssignment[]): Promise<void> {
    this.#life.check();
    const checked = checkedAssignments(assignments);
    this.#compute(() => computeUpdates(checked), never);
  }

  /** Assigns an expression that has not been checked yet as `assign` does. */
  #assignSoon(target: AssignTarget, source: OtherOperand, update: Update | null): Promise<void> | null {
    this.#life.check();
    const assignments = (): readonly DeviceAssignment[] => [{ target, ...checkAssignment(target, source, update) }];
    const isDone = this.#isDone(
      () => assignExpression(target, source, update),
      () => areApart(assignments()),
    );
    return isDone ? null : this.#finishLater(assignments());
  }

  /** Computes assignments that this thread has left. A disposal waits for them. */
  async #finishLater(assignments: readonly DeviceAssignment[]): Promise<void> {
    const rest = this.#finish(assignments);
    this.#waiting.add(rest);
    try {
      await rest;
    } finally {
      this.#waiting.delete(rest);
    }
  }

  /** Computes assignments that this thread has left, once the workers have finished their parts. */
  async #finish(assignments: readonly DeviceAssignment[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const release = holdMemory(assignments);
      try {
        await this.#pool!.settle();
      } finally {
        release();
      }
      if (this.#isComputed(assignments, attempt)) return;
    }
  }

  /** Computes assignments. Returns false if workers have not finished their parts in time. */
  #isComputed(assignments: readonly DeviceAssignment[], attempt: number): boolean {
    // Once operands may have been overwritten, the assignment cannot begin again.
    return this.#isDone(
      () => computeAssignments(assignments),
      () => attempt < kAttempts && areApart(assignments),
    );
  }

  /** Does the work of assignments. Returns false if workers have not finished their parts in time, and `mayLeave` returns true. */
  #isDone(work: () => void, mayLeave: () => boolean): boolean {
    try {
      this.#compute(work, mayLeave);
      return true;
    } catch (error) {
      if (error !== laterError) throw error;
      return false;
    }
  }

  /** See SyncDevice. Throws FAILED_PRECONDITION on the main thread of a page, which may not wait, and after `dispose`. */
  assignSync(assignments: readonly DeviceAssignment[]): void {
    this.#checkMayWait();
    const checked = checkedAssignments(assignments);
    this.#compute(() => computeAssignments(checked), never);
  }

  /** Assigns an expression that has not been checked yet as `assignSync` does. */
  #assignNow(target: AssignTarget, source: OtherOperand, update: Update | null): void {
    this.#checkMayWait();
    this.#records?.clear();
    const before = setWorkSplitter(this.#pool ?? oneThread);
    try {
      assignExpression(target, source, update);
    } finally {
      setWorkSplitter(before);
    }
  }

  /** Ends the workers. Resolves when they have ended. Assignments that are under way are finished first. Further calls have no effect. */
  dispose(): Promise<void> {
    return this.#life.end(() => this.#end());
  }

  /** Does what `dispose` does, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #end(): Promise<void> {
    await Promise.allSettled([...this.#waiting]);
    await this.#crew?.stop();
    this.#pool?.release();
  }

  #checkMayWait(): void {
    this.#life.check();
    if (this.#crew?.maySleep === false) {
      throw new FailedPreconditionError("assignSync: the main thread of a page may not wait for others, await assign");
    }
  }

  #compute(work: () => void, mayLeave: () => boolean): void {
    const pool = this.#pool;
    if (pool !== null) pool.mayLeave = mayLeave;
    this.#records?.clear();
    const before = setWorkSplitter(pool ?? oneThread);
    try {
      work();
    } finally {
      setWorkSplitter(before);
      // The function refers to the assignment, and with it to memory.
      if (pool !== null) pool.mayLeave = never;
    }
  }
}

const never = (): boolean => false;

/** Returns true if no expression reads what an assignment writes. */
function areApart(assignments: readonly DeviceAssignment[]): boolean {
  return assignments.every(({ places }) => assignments.every(({ tree }) => overlapWith(places, tree) === "apart"));
}
