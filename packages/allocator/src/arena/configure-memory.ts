/**
 * configureMemory: sets the options of this thread's memory (TensorFlow's counterpart: GPUOptions in
 * tensorflow/core/protobuf/config.proto, with fields like per_process_gpu_memory_fraction).
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, isClass, shownValue } from "@onebuffer/base/internal";
import { arenaOptions } from "./arena-options.ts";
import type { CheckedOptions } from "../bfc/bfc-options.ts";
import { kCheckedKeys } from "../bfc/bfc-options.ts";
import type { SweepMode } from "../lifetime/sweep-policy.ts";
import { setNetGrowth } from "../lifetime/sweep-policy.ts";
import { isArenaDecided } from "./thread-arena.ts";

/**
 * The options of `configureMemory`; an option that is not given keeps its value.
 *
 * @example
 * const options: MemoryOptions = { sweep: true, ballast: 1 }; // the defaults
 * configureMemory(options);
 */
export interface MemoryOptions {
  /**
   * If true, freed memory is poisoned and quarantined, so that writes after free are detected and a second free throws. The default
   * is false. For tests and debugging: every free overwrites all its bytes. Can be set only before the arena exists.
   */
  readonly checked?: boolean | CheckedOptions;
  /** The maximum number of bytes that this thread takes from the linear memory, by default all. Only before the arena exists. */
  readonly limit?: number;
  /**
   * When a sweep for dropped tensors may interrupt a running job. A sweep calls the garbage collector, so the targets of the program's
   * own WeakRefs may disappear earlier than the language promises. Sweeps exist only in Node; in browsers this option does nothing.
   *
   * - `true` (the default): as a last resort, before RESOURCE_EXHAUSTED, or when this thread's tensors hold more than a quarter of the
   *   memory of the machine or container, or their records more than a quarter of the JavaScript heap's limit.
   * - `"eager"`: also when the bytes added since the last sweep exceed those that were live after it, at least 96 MiB. A synchronous
   *   loop that drops its tensors without disposing them then stays near that amount.
   * - `false`: never. A synchronous loop that drops its tensors ends with RESOURCE_EXHAUSTED.
   */
  readonly sweep?: SweepMode;
  /**
   * Scales the ballast: untouched ArrayBuffers that make the garbage collector aware of the arena's bytes. The default 1 is about one
   * byte of ballast per byte; 0 makes none. Use less on systems that charge for untouched pages.
   */
  readonly ballast?: number;
}

/**
 * Sets options of this thread's memory.
 *
 * Throws INVALID_ARGUMENT if the options are not an object or a value is invalid. Throws FAILED_PRECONDITION for `checked` and `limit`
 * if the arena exists already; the first tensor or call of `defaultAllocator()` makes it. Nothing is changed then.
 *
 * @example
 * configureMemory({ sweep: "eager", ballast: 0.25 });
 * configureMemory({ sweep: true, ballast: 1 });
 * configureMemory({ ballast: -1 }); // throws INVALID_ARGUMENT
 * defaultAllocator().name; // => "bfc"
 * configureMemory({ limit: 2 ** 30 }); // throws FAILED_PRECONDITION
 */
export function configureMemory(options: MemoryOptions): void {
  checkOptions("configureMemory", options, ["checked", "limit", "sweep", "ballast"]);
  const { checked: given, limit, sweep, ballast } = options;
  checkKind("checked", given, typeof given === "boolean" || isRecord(given));
  const checked = isRecord(given) ? checkedOptions(given) : given;
  checkKind("limit", limit, Number.isSafeInteger(limit) && limit! >= 0);
  checkKind("sweep", sweep, typeof sweep === "boolean" || sweep === "eager");
  checkKind("ballast", ballast, typeof ballast === "number" && ballast >= 0 && ballast < Infinity);
  if ((checked !== undefined || limit !== undefined) && isArenaDecided())
    throw new FailedPreconditionError("checked and limit can be set only before the arena exists; the first tensor makes it");
  if (checked !== undefined) arenaOptions.checked = checked;
  if (limit !== undefined) arenaOptions.limit = limit;
  setNetGrowth(sweep, ballast);
}

/** Checks and copies the options of checked mode, which are read later, when the arena is made. */
function checkedOptions(options: CheckedOptions): CheckedOptions {
  checkOptions("configureMemory: checked", options, kCheckedKeys);
  const { quarantineBytes, onWriteAfterFree } = options;
  checkKind("checked.quarantineBytes", quarantineBytes, typeof quarantineBytes === "number" && quarantineBytes >= 0);
  checkKind("checked.onWriteAfterFree", onWriteAfterFree, typeof onWriteAfterFree === "function" && !isClass(onWriteAfterFree));
  return { ...(quarantineBytes === undefined ? {} : { quarantineBytes }), ...(onWriteAfterFree === undefined ? {} : { onWriteAfterFree }) };
}

/** Returns true if a value is an object and not an array. */
function isRecord<T>(value: T): value is T & object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throws INVALID_ARGUMENT naming the option and its value if the value is given and not valid. */
function checkKind(name: string, value: unknown, isValid: boolean): void {
  if (value !== undefined && !isValid) throw new InvalidArgumentError(`configureMemory: ${name} cannot be ${shownValue(value)}`);
}
