/**
 * arena-options: the options with which this thread's arena will be made (TensorFlow reads a ConfigProto instead).
 *
 * configure-memory.ts writes them and thread-arena.ts reads them; this file exists so that both can import them.
 */
import type { CheckedOptions } from "../bfc/bfc-options.ts";

/** The options of an arena. */
export interface ArenaOptions {
  /** True, or options, to poison freed memory and quarantine it. */
  checked: boolean | CheckedOptions;
  /** The maximum number of bytes that this thread takes from the linear memory; null for no limit. */
  limit: number | null;
}

/** The options of this thread, read when its arena is made. */
export const arenaOptions: ArenaOptions = { checked: false, limit: null };
