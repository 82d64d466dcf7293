/** The entry `onebuffer/node`: files on disk, for Node, Deno and Bun. */
export {
  appendNpyFile,
  directoryFiles,
  directorySinks,
  fileSink,
  fileSource,
  readFileBytes,
  readNpyFile,
  removeLeftovers,
} from "@onebuffer/io/node";
export type { DirectoryFiles, DirectorySinks, FileSink, FileSource, NpyAppendOptions, ReadFileOptions } from "@onebuffer/io/node";
