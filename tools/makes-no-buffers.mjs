// makesNoBuffers: which test files run without the buffer ledger (jest-ledger.js).
import { relative } from "node:path";

/** The folders whose tests make no buffers. Loading the allocator would take longer than many of their test files do. */
const kFolders = /^(packages[\\/](base|shape|wasm|storage|expression|evaluator|kernels|compiler|eigen|slice|xla)|house)[\\/]/;

/**
 * Returns true if a test file is in a folder whose tests make no buffers. Both paths are absolute; only the part of the file's path
 * below `root`, the folder of the repository, counts.
 */
export function makesNoBuffers(root, testPath) {
  return kFolders.test(relative(root, testPath));
}
