/** Files in memory: what a writer of several files makes, for a page or a test. */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { ByteSink } from "./byte-sink.ts";
import { ChunkSink } from "./chunk-sink.ts";
import { checkFileName } from "./file-name.ts";
import type { FileSinks } from "./file-sinks.ts";

/**
 * Collects the files that a writer makes. Readers take its `files`.
 *
 * @example
 * const made = new MemoryFiles();
 * const sink = await made.create("m.index");
 * await sink.write(Uint8Array.of(1, 2));
 * await sink.close();
 * made.files; // throws FAILED_PRECONDITION
 * await made.commit();
 * made.files.get("m.index"); // => Uint8Array.of(1, 2)
 */
export class MemoryFiles implements FileSinks {
  readonly #sinks: Map<string, ChunkSink> = new Map();
  #files: ReadonlyMap<string, Uint8Array<ArrayBuffer>> | null = null;

  /** The bytes of all files by name. Throws FAILED_PRECONDITION before `commit`. */
  get files(): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
    if (this.#files === null) throw new FailedPreconditionError("the files are not complete: commit was not called");
    return this.#files;
  }

  /** Returns the sink of a new file. Throws INVALID_ARGUMENT for a name that was used before or is no name of a file. */
  async create(name: string): Promise<ByteSink> {
    checkFileName(name);
    if (this.#sinks.has(name)) throw new InvalidArgumentError(`there is a file ${shownValue(name)} already`);
    const sink = new ChunkSink();
    this.#sinks.set(name, sink);
    return sink;
  }

  /** Throws FAILED_PRECONDITION if a sink was not closed. */
  async commit(): Promise<void> {
    this.#files = new Map([...this.#sinks].map(([name, sink]) => [name, sink.toBytes()]));
  }

  async abort(): Promise<void> {
    for (const sink of this.#sinks.values()) sink.abort();
    this.#sinks.clear();
  }
}
