/**
 * arena-options: how this thread's arena is to be made, as `configureMemory` was told (no counterpart in TensorFlow, which reads
 * a ConfigProto).
 *
 * Apart from the arena, so that both who tells and who makes can import it.
 */
import type { CheckedOptions } from "../bfc/bfc-options.ts";

/** What the arena is made by. */
export interface ArenaOptions {
  /** Whether freed memory is poisoned and held back. */
  checked: boolean | CheckedOptions;
  /** The most bytes this thread takes from the linear memory; null for all of them. */
  limit: number | null;
}

/** The one record of them, read when the arena is made. */
export const arenaOptions: ArenaOptions = { checked: false, limit: null };
