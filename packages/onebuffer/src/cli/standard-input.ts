/** Standard input as a file: readers take the parts of a file in any order, so the bytes are kept in a temporary file meanwhile. */
import { createWriteStream } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { InvalidArgumentError } from "@onebuffer/base";
import type { Surroundings } from "./console.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

/** The argument that stands for standard input. */
export const kStandardInput = "-";

/**
 * Calls `act` with the arguments, in which `-` is the path of a file with the bytes of standard input. The file is removed at the end.
 *
 * Throws INVALID_ARGUMENT if `-` stands there twice: the bytes can be read once.
 */
export async function withStandardInput<T>(
  files: readonly string[],
  { input, signal }: Surroundings,
  act: (files: readonly string[]) => Promise<T>,
): Promise<T> {
  const count = files.filter((file) => file === kStandardInput).length;
  if (count === 0) return await act(files);
  if (count > 1) throw new InvalidArgumentError("standard input, -, can be read once only");
  return await withTemporaryFolder(tmpdir(), async (folder) => {
    const path = join(folder, "standard-input");
    await pipeline(input, createWriteStream(path), { signal });
    return await act(files.map((file) => (file === kStandardInput ? path : file)));
  });
}
