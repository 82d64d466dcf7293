/**
 * A byte sink over a file on disk that is replaced as a whole: whoever opens the path finds the old file or the complete new one, also if
 * the program ends in the middle or the disk is full.
 *
 *     write       ->  a temporary file beside the file (temporary-name.ts)
 *     close       ->  fsync, rename to NAME, fsync of the folder
 *     abort       ->  the temporary file is removed
 *
 * Paths are bytes where the system gave them: names on disk need not be valid UTF-8.
 */
import { chmodSync, closeSync, fsync, fsyncSync, openSync, readlinkSync, realpathSync, renameSync, rmSync, statSync, write } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { FailedPreconditionError, InvalidArgumentError, NotFoundError } from "@onebuffer/base";
import { byteView, checkText, shownValue } from "@onebuffer/base/internal";
import type { ByteSink } from "../source/byte-sink.ts";
import { attempt, fileError } from "./file-error.ts";
import { temporaryName } from "./temporary-name.ts";

/** Small writes are collected until there are this many bytes. */
const kBlock = 2 ** 18;

/** The most bytes per call: the system call takes less than 2 GiB. */
const kMostPerCall = 2 ** 30;

/**
 * Makes the sink of a file, which replaces the file of this path, if there is one, when it is closed. The file that is replaced keeps
 * its access rights; if the path is a symbolic link, the file that it leads to is replaced, or made if there is none.
 *
 * Throws NOT_FOUND if the folder does not exist, INVALID_ARGUMENT if nothing can be written there, the path is not a regular file, or it is a
 * link to a name that is not UTF-8.
 *
 * @example
 * fileSink("no-such-folder/weights.npy"); // throws NOT_FOUND
 * fileSink("."); // throws INVALID_ARGUMENT
 */
export function fileSink(path: string): FileSink {
  checkText(path, "a path");
  return new FileSink(path, true);
}

/** A file that is being written. `fileSink` makes one. */
export class FileSink implements ByteSink {
  readonly name: string;
  readonly #target: Buffer;
  /** The folder of the file, with the separator at its end; empty for the current folder. */
  readonly #folder: Buffer;
  readonly #temporary: Buffer;
  readonly #mode: number | null;
  readonly #renamesOnClose: boolean;
  /** The open temporary file, from the first bytes that are written to it until the last. */
  #descriptor: number | null = null;
  #block: Uint8Array<ArrayBuffer> | null = null;
  #used = 0;
  #state: "open" | "written" | "closed" | "aborted" = "open";
  #underWay = false;
  /** Called when the system call that is under way has returned, and an aborted file was removed. */
  #settled: (() => void)[] = [];

  /** With `renamesOnClose` false, `close` leaves the temporary file, and `rename` makes it the file of the path. */
  constructor(path: string, renamesOnClose: boolean) {
    this.name = shownValue(path);
    this.#renamesOnClose = renamesOnClose;
    const { target, mode } = replaced(path, this.name);
    this.#target = target;
    this.#folder = target.subarray(0, 1 + lastSeparator(target));
    this.#temporary = Buffer.concat([this.#folder, Buffer.from(temporaryName())]);
    this.#mode = mode;
  }

  /**
   * Takes the next bytes. Small writes are collected and return at once.
   *
   * Throws FAILED_PRECONDITION after `close` or `abort` or during another write, RESOURCE_EXHAUSTED if the disk is full. After a
   * write that failed, the file is aborted.
   */
  write(bytes: Uint8Array<ArrayBufferLike>): void | Promise<void> {
    this.#checkOpen("written to");
    const view = byteView(bytes);
    if (this.#used + view.length > kBlock) return this.#writeOut(view);
    this.#block ??= new Uint8Array(kBlock);
    this.#block.set(view, this.#used);
    this.#used += view.length;
  }

  /** Writes what is left to the disk, and replaces the file. Throws what `write` throws; the temporary file is then removed. */
  async close(): Promise<void> {
    this.#checkOpen("closed");
    try {
      await this.#writeOut(null);
      this.#attempt(() => this.#closeDescriptor());
    } catch (error) {
      await this.abort();
      throw error;
    }
    this.#state = "written";
    if (this.#renamesOnClose) this.rename();
  }

  /** Replaces the file of the path by the written one. Throws FAILED_PRECONDITION before `close`. */
  rename(): void {
    this.checkWritten();
    try {
      this.#attempt(() => renameSync(this.#temporary, this.#target));
    } catch (error) {
      void this.abort();
      throw error;
    }
    this.#state = "closed";
    syncFolder(this.#folder);
  }

  /** Throws FAILED_PRECONDITION unless the file can be renamed. */
  checkWritten(): void {
    if (this.#state !== "written") throw new FailedPreconditionError(`${this.name}: the file is ${this.#state}, it cannot be renamed`);
  }

  /** Removes the temporary file; during a write, when that has ended: the promise then resolves. Does nothing after the file was replaced. */
  abort(): void | Promise<void> {
    if (this.#state === "closed") return;
    const wasAborted = this.#state === "aborted";
    this.#state = "aborted";
    if (this.#underWay) return new Promise((resolve) => this.#settled.push(resolve));
    if (!wasAborted) this.#remove();
  }

  /** Aborts, unless the file was closed. */
  [Symbol.dispose](): void {
    void this.abort();
  }

  #checkOpen(verb: string): void {
    const state = this.#underWay ? "being written to" : this.#state;
    if (state !== "open") throw new FailedPreconditionError(`${this.name}: a file that is ${state} cannot be ${verb}`);
  }

  #attempt<T>(act: () => T): T {
    return attempt(`${this.name}: `, act, "written");
  }

  /** Writes the collected bytes and then `bytes` to the end of the file, or with null waits until all is on the disk. */
  async #writeOut(bytes: Uint8Array<ArrayBufferLike> | null): Promise<void> {
    this.#underWay = true;
    try {
      const descriptor = this.#opened();
      if (this.#block !== null) await writeAll(descriptor, this.#block.subarray(0, this.#used));
      this.#used = 0;
      if (bytes === null) await promised((done) => fsync(descriptor, done));
      else await writeAll(descriptor, bytes);
    } catch (cause) {
      // Part of the bytes may be in the file: nothing can be added to it.
      this.#state = "aborted";
      throw fileError(`${this.name}: `, cause, "written");
    } finally {
      this.#underWay = false;
      // `abort` leaves the file until the system call has returned.
      if (this.#isAborted()) this.#remove();
      for (const settled of this.#settled.splice(0)) settled();
    }
    if (this.#isAborted()) throw new FailedPreconditionError(`${this.name}: the file was aborted during a write`);
  }

  /** Opens the temporary file, once. */
  #opened(): number {
    if (this.#descriptor !== null) return this.#descriptor;
    this.#descriptor = openSync(this.#temporary, "wx");
    try {
      if (this.#mode !== null) chmodSync(this.#temporary, this.#mode);
    } catch {
      // A file system without access rights.
    }
    return this.#descriptor;
  }

  #closeDescriptor(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = null;
    if (descriptor !== null) closeSync(descriptor);
  }

  /** Removes the temporary file. Never throws: the caller has an error of its own, which says more. */
  #remove(): void {
    for (const act of [() => this.#closeDescriptor(), () => rmSync(this.#temporary, { force: true })]) {
      try {
        act();
      } catch {
        // The file stays; a later `removeLeftovers` may remove it.
      }
    }
  }

  /** A method, because the compiler takes for granted that a field is not changed by another call meanwhile. */
  #isAborted(): boolean {
    return this.#state === "aborted";
  }
}

/** Returns the path of the file that a new one replaces, and its access rights, or null if there is none. */
function replaced(path: string, name: string): { readonly target: Buffer; readonly mode: number | null } {
  const subject = `${name}: `;
  const status = attempt(subject, () => statSync(path, { throwIfNoEntry: false }), "written");
  if (status === undefined) {
    // "" and "folder/" name no file.
    if (lastSeparator(Buffer.from(path)) === Buffer.byteLength(path) - 1) throw new InvalidArgumentError(`${name}: not the name of a file`);
    const folder = attempt(subject, () => statSync(dirname(path), { throwIfNoEntry: false }), "written");
    if (folder === undefined) throw new NotFoundError(`${name}: no such folder`);
    // Later versions of Node take a path below a file for one that leads nowhere.
    if (!folder.isDirectory()) throw new InvalidArgumentError(`${name}: cannot be written (ENOTDIR)`);
    const link = linkedPath(path, name);
    return link === null ? { target: Buffer.from(path), mode: null } : replaced(link, name);
  }
  if (!status.isFile()) throw new InvalidArgumentError(`${name}: not a regular file`);
  return { target: attempt(subject, () => realpathSync.native(path, "buffer"), "written"), mode: status.mode & 0o777 };
}

/** Returns where a symbolic link leads, of which there is no file yet; null for other paths. Links that lead to themselves are refused before. */
function linkedPath(path: string, name: string): string | null {
  let bytes: Buffer;
  try {
    bytes = readlinkSync(path, "buffer");
  } catch {
    return null;
  }
  const text = bytes.toString();
  if (!bytes.equals(Buffer.from(text))) throw new InvalidArgumentError(`${name}: a link to a name that is not UTF-8`);
  return resolve(dirname(path), text);
}

/** Returns the index of the last separator in a path, or -1. In UTF-8 the byte of a separator is never part of another character. */
function lastSeparator(path: Buffer): number {
  // On Windows "C:name" is in the current folder of that drive.
  const separators = sep === "/" ? ["/"] : ["/", sep, ":"];
  return Math.max(...separators.map((each) => path.lastIndexOf(each)));
}

/** Makes the rename durable. Windows cannot open folders, and some file systems cannot sync them. */
function syncFolder(folder: Buffer): void {
  try {
    const descriptor = openSync(folder.length === 0 ? "." : folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The file is complete in any case.
  }
}

async function writeAll(descriptor: number, bytes: Uint8Array<ArrayBufferLike>): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const piece = bytes.subarray(at, at + kMostPerCall);
    at += await promised<number>((done) => write(descriptor, piece, 0, piece.length, null, done));
  }
}

/** Calls a function of `node:fs` and returns what it gives to its callback. */
function promised<T>(act: (done: (error: Error | null, result?: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    act((error, result) => (error === null ? resolve(result as T) : reject(error)));
  });
}
