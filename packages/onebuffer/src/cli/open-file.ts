/** Opens the files that the arguments name. */
import { resolve } from "node:path";
import { openTensorFile } from "../files/open-tensor-file.ts";
import type { TensorFile } from "../files/open-tensor-file.ts";
import { fileStatus } from "../files/file-status.ts";
import type { Surroundings } from "./console.ts";
import { byteText } from "./table.ts";

/** Files of fewer bytes are opened in less than half a second, whatever is in them. */
const kLargeFile = 8 * 2 ** 20;

/**
 * Opens the file of tensors of this path. For a large one the terminal shows a line meanwhile: a header may list a million tensors, and
 * while it is read nothing else runs. Throws the errors of `openTensorFile`.
 */
export async function openFile(path: string, { folder, signal, terminal }: Surroundings): Promise<TensorFile> {
  const full = resolve(folder, path);
  const size = terminal === null ? 0 : (fileStatus(full)?.size ?? 0);
  if (terminal === null || size < kLargeFile) return await openTensorFile(full, { signal });
  terminal.write(`opening a file of ${byteText(size)} ...`);
  try {
    return await openTensorFile(full, { signal });
  } finally {
    // Goes to the beginning of the line and erases it.
    terminal.write("\r\x1b[K");
  }
}
