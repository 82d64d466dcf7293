/** Appends rows to an .npy file on disk, in place. */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { DataLossError, FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, checkText, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { OperandLike } from "@onebuffer/eigen";
import { appendRows } from "../npy/append-npy.ts";
import type { NpyDType } from "../npy/npy-descr.ts";
import { readNpyHeaderSteps } from "../npy/read-npy-data.ts";
import { attempt } from "./file-error.ts";

/** The most bytes per call: the system call takes less than 2 GiB. */
const kMostPerCall = 2 ** 30;

/**
 * The options of `appendNpyFile`.
 *
 * @example
 * const options: NpyAppendOptions = { overwriteTrailing: true };
 * using rows = Tensor.zeros([1, 2]);
 * appendNpyFile("no-such-file.npy", rows, options); // throws NOT_FOUND
 */
export interface NpyAppendOptions {
  /**
   * True to overwrite bytes after the file's data, which an append leaves if the machine stops in the middle of it. They could also be the
   * next array of several in one file, so they are refused by default.
   */
  readonly overwriteTrailing?: boolean;
}

/**
 * Appends rows, elements of the first dimension, to an .npy file, and returns the number of rows that it then has. The data that is there is
 * not read or moved: the rows are written behind it, and the header, in which NumPy leaves room for this, is changed last. Who reads the file
 * meanwhile finds the old rows. The bytes are those that `np.save` writes for all rows.
 *
 * Throws NOT_FOUND if there is no such file, INVALID_ARGUMENT if it is not an .npy file, or if the rows have another dtype or other sizes;
 * FAILED_PRECONDITION if it is in Fortran order, has bytes after its data, or its header has no room (NumPy before 1.23 left less);
 * RESOURCE_EXHAUSTED if the disk is full: the file is then as before.
 *
 * @example
 * using rows = Tensor.from([[1, 2], [3, 4]]);
 * appendNpyFile("no-such-file.npy", rows); // throws NOT_FOUND
 */
export function appendNpyFile(
  path: string,
  rows: Tensor<NpyDType> | OperandLike<NpyDType, number>,
  options: NpyAppendOptions = {},
): number {
  checkText(path, "a path");
  checkOptions("appendNpyFile", options, ["overwriteTrailing"]);
  const subject = `${shownValue(path)}: `;
  if (!attempt(subject, () => statSync(path)).isFile()) throw new InvalidArgumentError(`${subject}not a regular file`);
  const file = attempt(subject, () => openSync(path, "r+"), "written");
  try {
    const { size } = attempt(subject, () => fstatSync(file));
    const steps = readNpyHeaderSteps(size, {});
    let next = steps.next();
    while (next.done !== true) next = steps.next(readAt(file, subject, next.value.offset, next.value.length));
    return appendRows(next.value, size, rows, ({ end, data, text, textOffset, rows: total }) => {
      if (size > end && options.overwriteTrailing !== true)
        throw new FailedPreconditionError(
          `${subject}${size - end} bytes follow the data, the rest of an append or another array; overwriteTrailing: true overwrites them`,
        );
      try {
        writeAt(file, subject, end, data);
        if (size > end + data.length) attempt(subject, () => ftruncateSync(file, end + data.length), "written");
        attempt(subject, () => fsyncSync(file), "written");
      } catch (error) {
        // The header was not changed: the old rows are all there.
        attempt(subject, () => ftruncateSync(file, end), "written");
        throw error;
      }
      writeAt(file, subject, textOffset, text);
      attempt(subject, () => fsyncSync(file), "written");
      return total;
    });
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, subject: string, offset: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const got = attempt(subject, () => readSync(file, bytes, at, length - at, offset + at));
    if (got === 0) throw new DataLossError(`${subject}the file ended at ${offset + at}`);
    at += got;
  }
  return bytes;
}

function writeAt(file: number, subject: string, offset: number, bytes: Uint8Array<ArrayBufferLike>): void {
  for (let at = 0; at < bytes.length; )
    at += attempt(subject, () => writeSync(file, bytes, at, Math.min(kMostPerCall, bytes.length - at), offset + at), "written");
}
