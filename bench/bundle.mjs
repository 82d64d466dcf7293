// Measures the bytes of a bundle: the code minified by esbuild, then gzipped at the level that web servers use for static files.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/** Returns the gzipped bytes of `contents`, an ES module's source; packages in `external` are left out. */
export function bundleBytes(contents, external = []) {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: here },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    external,
    write: false,
    logLevel: "silent",
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}
