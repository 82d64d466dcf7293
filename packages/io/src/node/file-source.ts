/**
 * A byte source over a file on disk. Reads go straight into the target, which may be memory of the arena; while the file system
 * works, the thread does something else, for example the checksum of the bytes read before.
 */
import { closeSync, fstatSync, openSync, read, statSync } from "node:fs";
import { DataLossError, FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { byteView, checkInteger, checkText, shownValue } from "@onebuffer/base/internal";
import type { ByteSource } from "../source/byte-source.ts";
import { newBytes } from "../source/new-bytes.ts";
import type { AbortSignalLike } from "../source/transfer-options.ts";
import { checkSignal } from "../source/transfer-options.ts";
import { attempt, fileError } from "./file-error.ts";

/** The most bytes per call: the system call takes less than 2 GiB. */
const kMostPerCall = 2 ** 30;

/** An open file. It is a separate object, so that it can be closed after its FileSource was collected. */
interface OpenFile {
  readonly descriptor: number;
  readonly name: string;
  /** The number of reads under way. The descriptor must not be closed before: its number could then be that of another file. */
  reads: number;
  closing: boolean;
}

/** Closes the files of sources that were forgotten. */
const forgotten = new FinalizationRegistry<OpenFile>((file) => closeSoon(file));

/**
 * Opens a regular file for reading. The file stays open until `close`, the end of a `using` declaration, or the source is forgotten.
 *
 * Throws NOT_FOUND if there is no such file, INVALID_ARGUMENT if it is not a readable regular file.
 *
 * @example
 * fileSource("no-such-file.npz"); // throws NOT_FOUND
 * fileSource("."); // throws INVALID_ARGUMENT
 */
export function fileSource(path: string): FileSource {
  checkText(path, "a path");
  const name = shownValue(path);
  const subject = `${name}: `;
  // Checked before opening: opening a pipe would wait for its writer.
  if (!attempt(subject, () => statSync(path)).isFile()) throw new InvalidArgumentError(`${subject}not a regular file`);
  const descriptor = attempt(subject, () => openSync(path, "r"));
  try {
    const { size } = attempt(subject, () => fstatSync(descriptor));
    return new FileSource({ descriptor, name, reads: 0, closing: false }, size);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** An open file as a byte source. `fileSource` makes one. */
export class FileSource implements ByteSource {
  readonly size: number;
  readonly name: string;
  readonly #file: OpenFile;

  constructor(file: OpenFile, size: number) {
    this.#file = file;
    this.name = file.name;
    this.size = size;
    forgotten.register(this, file, this);
  }

  /**
   * Returns `length` bytes from `offset` in new memory.
   *
   * Throws FAILED_PRECONDITION after `close`, DATA_LOSS if the file has become shorter, CANCELLED if the signal is aborted.
   */
  async read(offset: number, length: number, signal?: AbortSignalLike): Promise<Uint8Array<ArrayBuffer>> {
    checkInteger(offset, "an offset", 0, this.size);
    checkInteger(length, "a length", 0, this.size - offset);
    const bytes = newBytes(length, this.name);
    await this.readInto(offset, bytes, signal);
    return bytes;
  }

  /**
   * Fills `target` with the bytes from `offset`, without a copy in between.
   *
   * Throws what `read` throws.
   */
  async readInto(offset: number, target: Uint8Array<ArrayBufferLike>, signal?: AbortSignalLike): Promise<void> {
    const bytes = byteView(target);
    checkInteger(offset, "an offset", 0, this.size - bytes.length);
    const file = this.#file;
    if (file.closing) throw new FailedPreconditionError(`${file.name}: the file was closed`);
    file.reads++;
    try {
      for (let at = 0; at < bytes.length; ) {
        checkSignal(signal, file.name);
        const got = await readSome(file, bytes.subarray(at, at + kMostPerCall), offset + at);
        if (got === 0)
          throw new DataLossError(`${file.name}: the file ended at ${offset + at}, it had ${this.size} bytes when it was opened`);
        at += got;
      }
    } finally {
      file.reads--;
      if (file.closing) closeSoon(file);
    }
  }

  /** Closes the file, after the reads that are under way. Later calls do nothing. */
  close(): void {
    if (this.#file.closing) return;
    forgotten.unregister(this);
    closeSoon(this.#file);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function closeSoon(file: OpenFile): void {
  file.closing = true;
  if (file.reads === 0) closeSync(file.descriptor);
}

/**
 * Reads up to the length of `target` and returns the number of bytes read, 0 at the end of the file. Node, Deno and Bun read into shared
 * memory, too.
 */
function readSome({ descriptor, name }: OpenFile, target: Uint8Array<ArrayBufferLike>, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, target, 0, target.length, position, (cause, got) => {
      if (cause === null) resolve(got);
      else reject(fileError(`${name}: `, cause));
    });
  });
}
