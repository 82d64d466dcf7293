/**
 * pool-worker: what a worker of a ThreadPoolDevice runs: parts of kernels, in the memory that it shares with the pool's thread
 * (the worker loop of Eigen's NonBlockingThreadPool).
 *
 *     wait for a job ─→ compile its new modules ─→ claim a part ─→ make the part's calls ─→ claim the next part …
 *
 * A worker loads no library and owns no tensors. A parked worker receives no messages, so all it needs comes through the shared words
 * (pool-words.ts), modules included.
 */

/** What a worker is started with. */
export interface PoolWorkerStart {
  /** The linear memory. */
  readonly memory: { readonly buffer: ArrayBufferLike };
  /** The address of the pool's words, and their number. */
  readonly control: number;
  readonly numWords: number;
  /** The number of this worker. */
  readonly index: number;
  /** For how many milliseconds it looks for another job before it parks. */
  readonly spinMs: number;
}

/** The functions of the engine that a worker uses; this package is compiled without the types of workers. */
interface Engine {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, (...args: number[]) => number>> };
}

/**
 * Runs jobs until the pool is disposed. `post` sends a message to the pool's thread.
 *
 * The pool starts workers with the text of this function. So it uses nothing from outside of itself but globals, its numbers are those
 * of pool-words.ts, and its syntax is such that bundlers and compilers for old engines put no helper functions in its place.
 */
export function servePool(start: PoolWorkerStart, post: (message: unknown) => void): void {
  const { memory, index } = start;
  const words = new Int32Array(memory.buffer, start.control, start.numWords);
  const engine = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;
  const clock = (globalThis as unknown as { performance: { now(): number } }).performance;
  let modules: ((...args: number[]) => number)[][] = [];
  let age = 0;

  // Methods, because compilers that keep the names of functions put a helper function around others.
  const steps = {
    setState(state: number): void {
      Atomics.store(words, 16 + index, state);
      Atomics.notify(words, 16 + index);
    },
    compileNew(): void {
      const count = Atomics.load(words, 4);
      if (Atomics.load(words, 8) === age && modules.length >= count) return;
      if (Atomics.load(words, 8) !== age) modules = [];
      age = Atomics.load(words, 8);
      const table = new Uint32Array(memory.buffer, words[5]! >>> 0, 2 * count);
      while (modules.length < count) {
        const at = 2 * modules.length;
        // A copy, because engines do not compile shared bytes.
        const bytes = new Uint8Array(new Uint8Array(memory.buffer, table[at], table[at + 1]));
        const { exports } = new engine.Instance(new engine.Module(bytes), { k: { m: memory } });
        modules.push(Object.keys(exports).map((name) => exports[name]!));
      }
    },
    makeCalls(address: number, length: number): number {
      const calls = new Int32Array(memory.buffer, address, length);
      let result = 0;
      for (let at = 0; at < length; ) {
        const run = modules[calls[at]!]![calls[at + 1]!]!;
        const end = at + 3 + calls[at + 2]!;
        if (end === at + 4) result |= run(calls[at + 3]!);
        else result |= run.apply(null, Array.prototype.slice.call(calls, at + 3, end));
        at = end;
      }
      return result;
    },
    runParts(job: number): void {
      const count = words[2]!;
      const free = job * 256;
      // Each thread begins elsewhere, and goes through the parts that are next to each other.
      const first = Math.floor(((index + 1) * count) / words[6]!);
      for (let k = 0; k < count; k++) {
        const part = (first + k) % count;
        const state = 128 + part;
        if (Atomics.load(words, state) !== free || Atomics.compareExchange(words, state, free, free + 16 + index) !== free) continue;
        const most = (start.numWords - 128) / 5;
        const offset = 128 + most + 2 * part;
        let end = free + 3;
        try {
          // The job may have been another one before the claim; from now on its modules stay.
          steps.compileNew();
          const begin = words[9] === 1 ? clock.now() : 0;
          end = steps.makeCalls(words[offset]! >>> 0, words[offset + 1]!) === 0 ? free + 1 : free + 2;
          if (words[9] === 1) {
            words[128 + 3 * most + part] = index + 1;
            words[128 + 4 * most + part] = 1000 * (clock.now() - begin);
          }
        } finally {
          Atomics.store(words, state, end);
          const waiter = Atomics.load(words, 7);
          if (waiter > 0) Atomics.notify(words, state);
          if (waiter > 1) post({ part: part });
        }
      }
    },
    nextJob(last: number): number {
      const until = clock.now() + start.spinMs;
      for (let k = 1; Atomics.load(words, 0) === last && Atomics.load(words, 1) === 0; k++) {
        if ((k & 255) !== 0 || clock.now() < until) continue;
        Atomics.add(words, 3, 1);
        Atomics.wait(words, 0, last);
        Atomics.sub(words, 3, 1);
      }
      return Atomics.load(words, 0);
    },
  };

  try {
    let job = -1;
    steps.setState(1);
    post({ ready: true });
    while (Atomics.load(words, 1) === 0) {
      job = steps.nextJob(job);
      if (Atomics.load(words, 1) === 0) steps.runParts(job);
    }
    steps.setState(3);
    post({ ended: true });
  } catch (error) {
    steps.setState(2);
    post({ error: String(error) });
  }
}
