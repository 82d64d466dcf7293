/**
 * Reads a file into a new ArrayBuffer. An error of the file system becomes a StatusError with the file system's error code in the message.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { DataLossError, InvalidArgumentError } from "@onebuffer/base";
import { attempt } from "./file-error.ts";

/** The most bytes per read call: the system call takes less than 2 GiB. */
const kChunk = 2 ** 30;

/**
 * Reads a whole regular file. Its bytes are the last ones of their ArrayBuffer, whose length is a multiple of `endAlignment`: with 1 they
 * are the whole ArrayBuffer.
 *
 * Throws NOT_FOUND if there is no such file, INVALID_ARGUMENT if it is not a readable regular file, RESOURCE_EXHAUSTED if there is no
 * memory for it, DATA_LOSS if it became shorter while it was read. The messages begin with `subject`.
 *
 * @example
 * readRegularFile("no-such-file.npy", 1, "weights: "); // throws NOT_FOUND
 */
export function readRegularFile(path: string, endAlignment: number, subject: string = ""): Uint8Array<ArrayBuffer> {
  // Checked before opening: opening a pipe would wait for its writer.
  if (!attempt(subject, () => statSync(path)).isFile()) throw new InvalidArgumentError(`${subject}not a regular file`);
  const file = attempt(subject, () => openSync(path, "r"));
  try {
    const { size } = attempt(subject, () => fstatSync(file));
    const end = Math.ceil(size / endAlignment) * endAlignment;
    const bytes = attempt(subject, () => new Uint8Array(new ArrayBuffer(end), end - size));
    let at = 0;
    while (at < bytes.length) {
      const got = attempt(subject, () => readSync(file, bytes, at, Math.min(kChunk, bytes.length - at), at));
      if (got === 0) throw new DataLossError(`${subject}the file ended after ${at} of ${bytes.length} bytes`);
      at += got;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}
