/**
 * A file's bytes in an ArrayBuffer of their own, so that the data of an .npy file, or of a message that ends with it, is aligned
 * and can be used in place.
 *
 * What the file system has to say comes out as a StatusError with the file system's own word for it in the message.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { DataLossError, InvalidArgumentError, NotFoundError, ResourceExhaustedError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";

/** The most that is asked of one read; the system call takes less than 2 GiB. */
const kChunk = 2 ** 30;

/**
 * Reads a whole regular file. Its bytes begin at byte 0 of their ArrayBuffer; with an `endAlignment` they end it instead, at a multiple.
 *
 * Throws NOT_FOUND, INVALID_ARGUMENT for what is no readable file, RESOURCE_EXHAUSTED when there is no room for it,
 * DATA_LOSS when it grew shorter meanwhile.
 */
export function readFileBytes(path: string, endAlignment: number = 1): Uint8Array<ArrayBuffer> {
  // Asked before opening: to open a pipe is to wait for its writer.
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

/** Runs `act`; what the engine throws becomes a StatusError. */
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
  // An ArrayBuffer that is too long is a RangeError without a code.
  if (code === undefined || code === "ENOMEM") return new ResourceExhaustedError(`no room for the bytes of ${path}`, { cause });
  return new InvalidArgumentError(`cannot be read (${String(code)})`, { cause });
}
