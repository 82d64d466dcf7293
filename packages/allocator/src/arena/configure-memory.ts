/**
 * configureMemory: how this thread's memory behaves (TensorFlow's counterpart: GPUOptions in protobuf/config.proto, fields like
 * per_process_gpu_memory_fraction).
 */
import { FailedPreconditionError, InvalidArgumentError, shownValue } from "@onebuffer/base";
import { arenaOptions } from "./arena-options.ts";
import type { CheckedOptions } from "../bfc/bfc-options.ts";
import type { SweepMode } from "../lifetime/sweep-policy.ts";
import { setNetGrowth } from "../lifetime/sweep-policy.ts";
import { isArenaDecided } from "./thread-arena.ts";

/** What `configureMemory` can set; what is not given stays as it is. */
export interface MemoryOptions {
  /**
   * Whether freed memory is poisoned and held back, so that writes after free are found and a second free throws; off at the
   * start. For tests and debugging: every free writes all its bytes. Only before the arena exists.
   */
  readonly checked?: boolean | CheckedOptions;
  /** The most bytes this thread takes from the linear memory; all of them at the start. Only before the arena exists. */
  readonly limit?: number;
  /**
   * When forgotten tensors are looked for in the middle of a job: a sweep calls the collector, and targets of the program's own
   * WeakRefs may vanish earlier than the language promises. Only Node can; in browsers no value changes anything.
   *
   * - `true`, at the start: as a last resort, before RESOURCE_EXHAUSTED or when this thread's tensors hold more than a quarter of the
   *   memory that the machine or its container has, or their records more than a quarter of the JavaScript heap's limit.
   * - `"eager"`: also when as much was added as was live after the last sweep, at least 96 MiB: a synchronous loop that forgets its
   *   tensors stays near that.
   * - `false`: never. A synchronous loop that forgets ends in RESOURCE_EXHAUSTED.
   */
  readonly sweep?: SweepMode;
  /**
   * Scales the untouched ArrayBuffers by which the collector feels the arena's bytes: 1 at the start, about a byte for a byte; 0
   * makes none. Systems that charge untouched pages may want less.
   */
  readonly ballast?: number;
}

/**
 * Sets how this thread's memory behaves.
 *
 * Throws INVALID_ARGUMENT for options that are no object and for a value that an option cannot have, FAILED_PRECONDITION for `checked` and `limit` once the arena exists, which is
 * from the first tensor or `defaultAllocator()` on; nothing is changed then.
 *
 * @example
 * configureMemory({ sweep: "eager", ballast: 0.25 });
 * configureMemory({ sweep: true, ballast: 1 });
 * configureMemory({ ballast: -1 }); // throws INVALID_ARGUMENT
 * defaultAllocator().name; // => "bfc"
 * configureMemory({ limit: 2 ** 30 }); // throws FAILED_PRECONDITION
 */
export function configureMemory(options: MemoryOptions): void {
  if (!isRecord(options)) throw new InvalidArgumentError(`configureMemory takes an object of options, not ${shownValue(options)}`);
  const { checked: given, limit, sweep, ballast } = options;
  checkKind("checked", given, typeof given === "boolean" || isRecord(given));
  const checked = isRecord(given) ? checkedOptions(given) : given;
  checkKind("limit", limit, Number.isSafeInteger(limit) && limit! >= 0);
  checkKind("sweep", sweep, typeof sweep === "boolean" || sweep === "eager");
  checkKind("ballast", ballast, typeof ballast === "number" && ballast >= 0 && ballast < Infinity);
  if ((checked !== undefined || limit !== undefined) && isArenaDecided())
    throw new FailedPreconditionError("checked and limit can be set only before the arena exists, which is from the first tensor on");
  if (checked !== undefined) arenaOptions.checked = checked;
  if (limit !== undefined) arenaOptions.limit = limit;
  setNetGrowth(sweep, ballast);
}

/** A copy of what checked mode is told, which is read when the arena is made. */
function checkedOptions({ quarantineBytes, onWriteAfterFree }: CheckedOptions): CheckedOptions {
  checkKind("checked.quarantineBytes", quarantineBytes, typeof quarantineBytes === "number" && quarantineBytes >= 0);
  checkKind("checked.onWriteAfterFree", onWriteAfterFree, typeof onWriteAfterFree === "function");
  return { ...(quarantineBytes === undefined ? {} : { quarantineBytes }), ...(onWriteAfterFree === undefined ? {} : { onWriteAfterFree }) };
}

/** Whether a value is an object and no list. */
function isRecord<T>(value: T): value is T & object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** INVALID_ARGUMENT with the value, unless it is not given or fine. */
function checkKind(name: string, value: unknown, isFine: boolean): void {
  if (value !== undefined && !isFine) throw new InvalidArgumentError(`configureMemory: ${name} cannot be ${shownValue(value)}`);
}
