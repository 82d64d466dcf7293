/** The entry `onebuffer/node`: files on disk, for Node, Deno and Bun. */
export { readFileBytes } from "../node/read-file-bytes.ts";
export type { ReadFileOptions } from "../node/read-file-bytes.ts";
export { readNpyFile } from "../node/read-npy-file.ts";
