/** Where a writer of several files puts them: the counterpart of FileSet. */
import type { ByteSink } from "./byte-sink.ts";

/**
 * The files that a writer makes, for example a checkpoint's shards and index.
 *
 * A writer creates files one by one, closes each, and then calls `commit` once, or `abort` once if anything failed.
 *
 * @example
 * const files: FileSinks = new MemoryFiles();
 * await (await files.create("m.index")).close();
 * await files.commit();
 */
export interface FileSinks {
  /** Returns the sink of a new file. Throws INVALID_ARGUMENT if the name was used before or would be outside the folder. */
  create(name: string): Promise<ByteSink>;
  /** Makes the files visible, in the order in which they were created. Called once, after all sinks were closed. */
  commit(): Promise<void>;
  /** Called once, instead of `commit`, if writing failed. The files are removed. */
  abort?(reason: unknown): Promise<void>;
}
