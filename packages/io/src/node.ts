/** @onebuffer/io/node: files on disk, for Node, Deno and Bun. It re-exports the room `io/node`, the only one that imports `node:`. */
export { appendNpyFile } from "./node/append-npy-file.ts";
export type { NpyAppendOptions } from "./node/append-npy-file.ts";
export { directoryFiles } from "./node/directory-files.ts";
export type { DirectoryFiles } from "./node/directory-files.ts";
export { directorySinks } from "./node/directory-sinks.ts";
export type { DirectorySinks } from "./node/directory-sinks.ts";
export { attempt as attemptFile } from "./node/file-error.ts";
export { fileSink } from "./node/file-sink.ts";
export type { FileSink } from "./node/file-sink.ts";
export { fileSource } from "./node/file-source.ts";
export type { FileSource } from "./node/file-source.ts";
export { readFileBytes } from "./node/read-file-bytes.ts";
export type { ReadFileOptions } from "./node/read-file-bytes.ts";
export { readNpyFile } from "./node/read-npy-file.ts";
export { removeLeftovers } from "./node/remove-leftovers.ts";
export { readRegularFile } from "./node/read-regular-file.ts";
export { temporaryName } from "./node/temporary-name.ts";
export { readAhead } from "./source/read-ahead.ts";
