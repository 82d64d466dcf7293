/** @onebuffer/io: file formats. So far it reads and writes NumPy's .npy. */
export type { BytesInput } from "./byte-view.ts";
export { NpyArray } from "./npy-array.ts";
export type { NpyDType } from "./npy-descr.ts";
export { parseNpyHeader } from "./npy-header.ts";
export type { NpyHeader, NpyHeaderOptions } from "./npy-header.ts";
export { readNpy } from "./read-npy.ts";
export type { NpyKeepOptions, NpyReadOptions } from "./read-npy.ts";
export { writeNpy } from "./write-npy.ts";
