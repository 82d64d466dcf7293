/** Reads .npy files by path. */
import type { Tensor } from "@onebuffer/core";
import type { NpyArray } from "../npy/npy-array.ts";
import type { NpyDType } from "../npy/npy-descr.ts";
import { readNpy } from "../npy/read-npy.ts";
import type { NpyKeepOptions, NpyReadOptions } from "../npy/read-npy.ts";
import { readFileBytes } from "./read-file-bytes.ts";

/**
 * Reads an .npy file: `readNpy(readFileBytes(path), options)`. The tensor uses the bytes that were read, which are aligned, wherever
 * `readNpy` needs no copy.
 *
 * Throws the errors of `readFileBytes` and `readNpy`.
 *
 * @example
 * readNpyFile("no-such-file.npy"); // throws NOT_FOUND
 */
export function readNpyFile(path: string, options: NpyKeepOptions): NpyArray;
export function readNpyFile<D extends NpyDType = NpyDType>(path: string, options?: NpyReadOptions<D>): Tensor<D>;
export function readNpyFile(path: string, options?: NpyReadOptions | NpyKeepOptions): Tensor<NpyDType> | NpyArray {
  return readNpy(readFileBytes(path), options as NpyReadOptions);
}
