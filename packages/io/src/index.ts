/** @onebuffer/io: file formats over one kind of byte source and one kind of byte sink. */
export type { ByteSink } from "./source/byte-sink.ts";
export type { ByteSource } from "./source/byte-source.ts";
export type { BytesInput } from "./source/byte-view.ts";
export type { FileSet } from "./source/file-set.ts";
export type { TransferOptions, TransferProgress } from "./source/transfer-options.ts";
export { maskCrc, unmaskCrc } from "./checksum/crc-mask.ts";
export { crc32c } from "./checksum/crc32c.ts";
export { NpyArray } from "./npy/npy-array.ts";
export type { NpyDType } from "./npy/npy-descr.ts";
export { parseNpyHeader } from "./npy/npy-header.ts";
export type { NpyHeader, NpyHeaderOptions } from "./npy/npy-header.ts";
export { readNpy } from "./npy/read-npy.ts";
export type { NpyKeepOptions, NpyReadOptions } from "./npy/read-npy.ts";
export { writeNpy } from "./npy/write-npy.ts";
