/** The entry `onebuffer/node`: files on disk, for Node, Deno and Bun. */
export { directoryFiles, directorySinks, fileSink, fileSource, readFileBytes, readNpyFile } from "@onebuffer/io/node";
export type { DirectoryFiles, DirectorySinks, FileSink, FileSource, ReadFileOptions } from "@onebuffer/io/node";
