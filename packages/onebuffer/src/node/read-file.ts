/**
 * Reads a file into a new ArrayBuffer, so that the elements of an .npy file, or the elements at the end of a message, are aligned and can
 * be used in place.
 *
 * An error of the file system becomes a StatusError with the file system's error code in the message.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { DataLossError, InvalidArgumentError, NotFoundError, ResourceExhaustedError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";

/** The most bytes per read call: the system call takes less than 2 GiB. */
const kChunk = 2 ** 30;

/**
 * Reads a whole regular file. Its bytes begin at byte 0 of their ArrayBuffer. With an `endAlignment` they are the last bytes of the
 * ArrayBuffer instead, whose length is a multiple of `endAlignment`.
 *
 * Throws NOT_FOUND if there is no such file, INVALID_ARGUMENT if it is not a readable regular file, RESOURCE_EXHAUSTED if there is no
 * memory for it, DATA_LOSS if it became shorter while it was read.
 */
export function readFileBytes(path: string, endAlignment: number = 1): Uint8Array<ArrayBuffer> {
  // Checked before opening: opening a pipe would wait for its writer.
  if (!attempt(path, () => statSync(path)).isFile()) throw new InvalidArgumentError("not a regular file");
  const file = attempt(path, () => openSync(path, "r"));
  try {
    const { size } = attempt(path, () => fstatSync(file));
    const end = Math.ceil(size / endAlignment) * endAlignment;
    const bytes = attempt(path, () => new Uint8Array(new ArrayBuffer(end), end - size));
    let at = 0;
    while (at < bytes.length) {
      const got = attempt(path, () => readSync(file, bytes, at, Math.min(kChunk, bytes.length - at), at));
      if (got === 0) throw new DataLossError(`the file ended after ${at} of ${bytes.length} bytes`);
      at += got;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Runs `act`; an error of the file system or the engine becomes a StatusError. */
function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    throw asStatus(path, cause);
  }
}

function asStatus(path: string, cause: unknown): StatusError {
  const code = (cause as { readonly code?: unknown }).code;
  if (code === "ENOENT") return new NotFoundError("no such file", { cause });
  // The RangeError of an ArrayBuffer that is too long has no code.
  if (code === undefined || code === "ENOMEM") return new ResourceExhaustedError(`no memory for the bytes of ${path}`, { cause });
  return new InvalidArgumentError(`cannot be read (${String(code)})`, { cause });
}
