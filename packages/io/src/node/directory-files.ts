/** A folder on disk as a set of files. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { checkText, shownValue } from "@onebuffer/base/internal";
import { checkFileName } from "../source/file-name.ts";
import type { FileSet } from "../source/file-set.ts";
import { attempt } from "./file-error.ts";
import { fileSource } from "./file-source.ts";
import type { FileSource } from "./file-source.ts";

/**
 * Returns the files of a folder, for formats with several files. A name may lead into folders within it, never out of it; symbolic links
 * are followed. The files that were opened stay open until `close` or the end of a `using` declaration.
 *
 * Throws NOT_FOUND if there is no such folder, INVALID_ARGUMENT if the path is not a folder.
 *
 * @example
 * using files = directoryFiles(".");
 * await files.open("no-such-file.index"); // throws NOT_FOUND
 * await files.open("../secret"); // throws INVALID_ARGUMENT
 * directoryFiles("no-such-folder"); // throws NOT_FOUND
 */
export function directoryFiles(path: string): DirectoryFiles {
  checkText(path, "a path");
  return new DirectoryFiles(path);
}

/** The files of a folder. `directoryFiles` makes one. */
export class DirectoryFiles implements FileSet {
  readonly #folder: string;
  readonly #subject: string;
  readonly #open: Map<string, FileSource> = new Map();
  #closed = false;

  constructor(folder: string) {
    this.#folder = folder;
    this.#subject = `${shownValue(folder)}: `;
    if (!attempt(this.#subject, () => statSync(folder)).isDirectory()) throw new InvalidArgumentError(`${this.#subject}not a folder`);
  }

  /**
   * Opens a file, once: a second call for the same name returns the same source.
   *
   * Throws INVALID_ARGUMENT for a name that could lead out of the folder, FAILED_PRECONDITION after `close`, and what `fileSource` throws.
   */
  async open(name: string): Promise<FileSource> {
    checkFileName(name);
    if (this.#closed) throw new FailedPreconditionError(`${this.#subject}the files were closed`);
    const source = this.#open.get(name) ?? fileSource(join(this.#folder, name));
    this.#open.set(name, source);
    return source;
  }

  /** Returns the names of the files that are directly in the folder, sorted. */
  async list(): Promise<readonly string[]> {
    const entries = attempt(this.#subject, () => readdirSync(this.#folder, { withFileTypes: true }));
    const names = entries.filter((entry) => entry.isFile() || (entry.isSymbolicLink() && this.#isFile(entry.name)));
    return names.map(({ name }) => name).sort();
  }

  /** Closes the files that were opened. Later calls do nothing. */
  close(): void {
    this.#closed = true;
    for (const source of this.#open.values()) source.close();
    this.#open.clear();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #isFile(name: string): boolean {
    return statSync(join(this.#folder, name), { throwIfNoEntry: false })?.isFile() === true;
  }
}
