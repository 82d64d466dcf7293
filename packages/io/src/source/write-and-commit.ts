/** Files that are all there in the end, or none of them. */
import type { FileSinks } from "./file-sinks.ts";

/** Calls `write`, which makes files and closes them, and commits them. After an error aborts them and throws it. */
export async function writeAndCommit(files: FileSinks, write: () => Promise<void>): Promise<void> {
  try {
    await write();
    await files.commit();
  } catch (error) {
    try {
      await files.abort?.(error);
    } catch {
      // The first error is thrown.
    }
    throw error;
  }
}
