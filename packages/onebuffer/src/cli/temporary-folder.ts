/** A folder that exists while a function runs. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Runs `act` with a new folder within `parent`, and removes the folder and its files at the end, also after an error. */
export async function withTemporaryFolder<T>(parent: string, act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(parent, ".onebuffer-"));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
