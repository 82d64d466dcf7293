/** Removes the temporary files of processes that were killed. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkText, shownValue } from "@onebuffer/base/internal";
import { attempt } from "./file-error.ts";
import { hasEnded, ownerOf } from "./temporary-name.ts";

/**
 * Removes the temporary files that `fileSink` and `directorySinks` of killed processes left in a folder, and returns how many there were. A
 * process that is killed by the system, or by `kill -9`, cannot remove them itself.
 *
 * The names of temporary files tell the process that made them. A file is removed only if that process ran on this machine since its last
 * start, in the same container, and has ended; files of other machines, of running processes and of other names stay. Only Linux tells
 * enough about processes: elsewhere this function removes nothing.
 *
 * Throws NOT_FOUND if there is no such folder, INVALID_ARGUMENT if it cannot be listed.
 *
 * @example
 * removeLeftovers("."); // => 0
 * removeLeftovers("no-such-folder"); // throws NOT_FOUND
 */
export function removeLeftovers(folder: string): number {
  checkText(folder, "a path");
  let removed = 0;
  for (const entry of attempt(`${shownValue(folder)}: `, () => readdirSync(folder, { withFileTypes: true }))) {
    const owner = ownerOf(entry.name);
    if (owner === null || !(entry.isFile() || entry.isDirectory()) || !hasEnded(owner)) continue;
    try {
      rmSync(join(folder, entry.name), { recursive: true });
      removed++;
    } catch {
      // Another process removed it first, or this user may not.
    }
  }
  return removed;
}
