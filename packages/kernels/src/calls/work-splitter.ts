/**
 * WorkSplitter: what divides the work of kernels over threads, seen from the code that runs kernels (Eigen's `parallelFor` of
 * ThreadPoolDevice). There is one only while a device with threads computes an assignment; otherwise kernels run whole.
 *
 *     divides(cost)    false: run the kernel whole, on the same road as without threads, then call ranWhole
 *     parts(most)      how many parts are worth it
 *     begin()          a part begins: the calls that follow belong to it
 *     call(f, args)    a call of a function of a compiled module, to be made by the thread that takes the part
 *     run()            all parts run; returns when all are done
 *
 * Parts write different elements, and each has its own argument block and scratch memory. So it does not matter which thread runs a part,
 * nor when: the results are the same bits.
 */
import { InternalError } from "@onebuffer/base";
import type { WasmExports } from "@onebuffer/wasm/internal";
import type { KernelForm } from "./loop-nest.ts";
import type { ScratchBlock } from "./scratch.ts";

/** A compiled module whose functions other threads can run: they compile its bytes again. All modules import the linear memory. */
export interface PoolModule {
  /** Returns the bytes that the module was compiled from. */
  bytes(): Uint8Array<ArrayBuffer>;
  /** The module's functions, as exported. */
  readonly functions: WasmExports;
}

/** The loops of divided work, and the part of each loop that each part of the work runs. */
export interface DividedLoops {
  /** The form of the kernel, or "contraction" for products of matrices. */
  readonly by: KernelForm | "contraction";
  /** The sizes of the loops, outermost first. */
  readonly sizes: readonly number[];
  /** For each part where it begins and ends in each loop. */
  readonly parts: readonly { readonly begin: readonly number[]; readonly end: readonly number[] }[];
}

/** Divides work over threads. */
export interface WorkSplitter {
  /**
   * Returns true if work that takes one thread about so many nanoseconds is to be divided. `subject` is the kernel: what is learned of its
   * times is kept as long as the kernel is.
   */
  divides(subject: object, nanoseconds: number): boolean;
  /** Notes that the work of the last call of `divides` has been run whole. */
  ranWhole(): void;
  /** Returns the number of parts for the work of the last call of `divides`, which returned true: at most `most`. It may be 1. */
  parts(most: number): number;
  /** The number of threads. */
  readonly numThreads: number;
  /** Begins the next part. Returns its argument block. */
  begin(): ScratchBlock;
  /** Adds a call to the part. */
  call(module: PoolModule, name: string, ...args: readonly number[]): void;
  /**
   * Runs all parts. Returns true if a call returned a nonzero number. `isRepeatable` is false if a part reads what it writes, so that a part
   * cut off in the middle cannot be run again. `describe` returns the loops of the parts; it is called only if somebody wants to know.
   */
  run(isRepeatable: boolean, describe: () => DividedLoops): boolean;
}

/** What a pool without workers has: nothing is divided. Long reductions are computed in blocks as with several threads. */
export const oneThread: WorkSplitter = {
  numThreads: 1,
  divides: () => false,
  ranWhole() {},
  parts: refuse,
  begin: refuse,
  call: refuse,
  run: refuse,
};

function refuse(): never {
  throw new InternalError("work of one thread is divided");
}

/** The splitter of the device that computes at present. */
const present: { splitter: WorkSplitter | null } = { splitter: null };

/** Returns what divides work at present; null if kernels run whole. */
export function workSplitter(): WorkSplitter | null {
  return present.splitter;
}

/** Has `splitter` divide the work of kernels. Returns what did before, which the caller puts back when it is done. */
export function setWorkSplitter(splitter: WorkSplitter | null): WorkSplitter | null {
  const before = present.splitter;
  present.splitter = splitter;
  return before;
}
