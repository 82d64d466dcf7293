/** The status of a path. */
import { statSync } from "node:fs";
import type { Stats } from "node:fs";
import { attemptFile } from "@onebuffer/io/node";

/** Returns the status of a file or folder, or undefined if there is none. Throws INVALID_ARGUMENT for a path that cannot be looked at. */
export function fileStatus(path: string): Stats | undefined {
  return attemptFile("", () => statSync(path, { throwIfNoEntry: false }));
}
