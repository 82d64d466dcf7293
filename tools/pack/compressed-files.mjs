// Large scripts and styles of the explorer as brotli files, which `onebuffer explore` decompresses: gzip looks back 32 kB only, so that in the
// tarball the page would take a fifth more.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

/** Below this size a file is kept as it is. */
const LEAST_BYTES = 2000;

/** Replaces each large script or style below a folder by a compressed file with `.br` behind its name. */
export function compressFiles(folder) {
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, file);
    if (!/\.(?:js|css)$/.test(file)) continue;
    const bytes = readFileSync(path);
    if (bytes.length < LEAST_BYTES) continue;
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
    rmSync(path);
  }
}
