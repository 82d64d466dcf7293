/** A folder that exists while a function runs, and the removal of those that were left behind. */
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isStatusError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { attemptFile, removeLeftovers, temporaryName } from "@onebuffer/io/node";

/**
 * Runs `act` with a new folder within `parent`, and removes the folder and its files at the end, also after an error.
 * Throws NOT_FOUND if there is no such parent, INVALID_ARGUMENT if nothing can be written there.
 */
export async function withTemporaryFolder<T>(parent: string, act: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(parent, temporaryName());
  attemptFile(`${shownValue(parent)}: `, () => mkdirSync(folder), "written");
  try {
    return await act(folder);
  } finally {
    removeFolder(folder);
  }
}

/** Removes a folder. Never throws, so that an error of what was done in it stays the one that is seen. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A later command removes it.
  }
}

/** Removes what killed commands left in the folder of the file `target`, and in that to which it leads if it is a symbolic link. */
export function removeLeftoversBeside(target: string): void {
  for (const folder of new Set([dirname(target), dirname(realPath(target))])) {
    try {
      removeLeftovers(folder);
    } catch (error) {
      // A folder that cannot be listed may still be written to. If it is not there, the writer says so.
      if (!isStatusError(error)) throw error;
    }
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
