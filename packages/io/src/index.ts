/** @onebuffer/io: files in and out. So far: NumPy's .npy, in. */
export type { BytesInput } from "./byte-view.ts";
export type { NpyDType } from "./npy-descr.ts";
export { parseNpyHeader } from "./npy-header.ts";
export type { NpyHeader, NpyHeaderOptions } from "./npy-header.ts";
export { readNpy } from "./read-npy.ts";
export type { NpyReadOptions } from "./read-npy.ts";
