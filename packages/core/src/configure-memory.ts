/**
 * configureMemory: how this thread's memory behaves (TensorFlow's counterpart: GPUOptions in protobuf/config.proto, fields like
 * per_process_gpu_memory_fraction).
 */
import { FailedPreconditionError, InvalidArgumentError, shownValue } from "@onebuffer/base";
import { arenaOptions } from "./arena-options.ts";
import type { CheckedOptions } from "./bfc-options.ts";
import { setNetGrowth } from "./net-growth.ts";
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
   * Whether forgotten tensors are looked for in the middle of a job, when much has been added or the arena is full; on at the
   * start. Only Node can; there it makes targets of the program's own WeakRefs vanish earlier than the language promises.
   */
  readonly sweep?: boolean;
  /**
   * Scales the untouched ArrayBuffers by which the collector feels the arena's bytes: 1 at the start, about a byte for a byte; 0
   * makes none. Systems that charge untouched pages may want less.
   */
  readonly ballast?: number;
}

/**
 * Sets how this thread's memory behaves.
 *
 * Throws INVALID_ARGUMENT for a value that is none, FAILED_PRECONDITION for `checked` and `limit` once the arena exists, which is
 * from the first tensor or `defaultAllocator()` on; nothing is changed then.
 *
 * @example
 * configureMemory({ sweep: true, ballast: 0.25 });
 * configureMemory({ ballast: 1 });
 * configureMemory({ ballast: -1 }); // throws INVALID_ARGUMENT
 * defaultAllocator().name; // => "bfc"
 * configureMemory({ limit: 2 ** 30 }); // throws FAILED_PRECONDITION
 */
export function configureMemory(options: MemoryOptions): void {
  const { checked, limit, sweep, ballast } = options;
  checkKind("checked", checked, typeof checked === "boolean" || (typeof checked === "object" && checked !== null));
  checkKind("limit", limit, Number.isSafeInteger(limit) && limit! >= 0);
  checkKind("sweep", sweep, typeof sweep === "boolean");
  checkKind("ballast", ballast, typeof ballast === "number" && ballast >= 0 && ballast < Infinity);
  if ((checked !== undefined || limit !== undefined) && isArenaDecided())
    throw new FailedPreconditionError("checked and limit can be set only before the arena exists, which is from the first tensor on");
  if (checked !== undefined) arenaOptions.checked = checked;
  if (limit !== undefined) arenaOptions.limit = limit;
  setNetGrowth(sweep, ballast);
}

/** INVALID_ARGUMENT with the value, unless it is not given or fine. */
function checkKind(name: string, value: unknown, isFine: boolean): void {
  if (value !== undefined && !isFine) throw new InvalidArgumentError(`configureMemory: ${name} cannot be ${shownValue(value)}`);
}
