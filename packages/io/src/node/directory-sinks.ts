/** Several files of a folder on disk that are written together and appear together. */
import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { checkText, shownValue } from "@onebuffer/base/internal";
import type { ByteSink } from "../source/byte-sink.ts";
import { checkFileName } from "../source/file-name.ts";
import type { FileSinks } from "../source/file-sinks.ts";
import { attempt } from "./file-error.ts";
import { FileSink } from "./file-sink.ts";

/**
 * Returns the sinks of the files of a folder, for formats with several files. Files are written under temporary names; `commit` renames
 * them in the order in which they were created, so a format's index, created last, never names a file that is not there yet. Folders
 * within the folder are made when they are needed.
 *
 * Throws NOT_FOUND if there is no such folder, INVALID_ARGUMENT if the path is not a folder.
 *
 * @example
 * using files = directorySinks(".");
 * await files.create("../m.index"); // throws INVALID_ARGUMENT
 * directorySinks("no-such-folder"); // throws NOT_FOUND
 */
export function directorySinks(path: string): DirectorySinks {
  checkText(path, "a path");
  return new DirectorySinks(path);
}

/** Files of a folder that are being written. `directorySinks` makes one. */
export class DirectorySinks implements FileSinks {
  readonly #folder: string;
  readonly #subject: string;
  readonly #sinks: Map<string, FileSink> = new Map();
  #ended = false;

  constructor(folder: string) {
    this.#folder = folder;
    this.#subject = `${shownValue(folder)}: `;
    if (!attempt(this.#subject, () => statSync(folder)).isDirectory()) throw new InvalidArgumentError(`${this.#subject}not a folder`);
  }

  /**
   * Returns the sink of a new file.
   *
   * Throws INVALID_ARGUMENT for a name that was used before or could lead out of the folder, FAILED_PRECONDITION after `commit` or
   * `abort`, and what `fileSink` throws.
   */
  async create(name: string): Promise<ByteSink> {
    checkFileName(name);
    this.#checkOpen();
    if (this.#sinks.has(name)) throw new InvalidArgumentError(`${this.#subject}there is a file ${shownValue(name)} already`);
    const path = join(this.#folder, name);
    if (name.includes("/")) attempt(this.#subject, () => mkdirSync(dirname(path), { recursive: true }), "written");
    const sink = new FileSink(path, false);
    this.#sinks.set(name, sink);
    return sink;
  }

  /**
   * Renames all files.
   *
   * Throws FAILED_PRECONDITION if a sink was not closed; then no file is renamed. If renaming itself fails, the files before that one
   * are in place and the others are removed.
   */
  async commit(): Promise<void> {
    this.#checkOpen();
    for (const sink of this.#sinks.values()) sink.checkWritten();
    this.#ended = true;
    try {
      for (const sink of this.#sinks.values()) sink.rename();
    } finally {
      for (const sink of this.#sinks.values()) void sink.abort();
    }
  }

  /** Removes the temporary files, after the writes that are under way. Does nothing after `commit`. */
  async abort(): Promise<void> {
    this.#ended = true;
    await Promise.all(Array.from(this.#sinks.values(), (sink) => sink.abort()));
  }

  /** Aborts, unless the files were committed. */
  [Symbol.dispose](): void {
    void this.abort();
  }

  #checkOpen(): void {
    if (this.#ended) throw new FailedPreconditionError(`${this.#subject}the files were committed or aborted`);
  }
}
