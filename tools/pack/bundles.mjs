// The files that Node loads, with shared chunks so that all entries share one state, and the one file for a page without a bundler.
import { join } from "node:path";
import { build } from "esbuild";
import { directImports } from "./direct-imports.mjs";
import { ENTRIES, nodeFile } from "./entries.mjs";

/** Node prints the whole line of an uncaught throw before its message, so lines are short. */
const LINE_LIMIT = 160;

const COMMON = {
  bundle: true,
  format: "esm",
  target: "es2022",
  external: ["node:*"],
  logLevel: "error",
  sourcemap: true,
  sourcesContent: false,
};

/** Writes `node/`: a file for each entry and for the command, and the chunks that they share. */
export async function bundleForNode(target) {
  const entries = Object.entries(ENTRIES).map(([path, module]) => ({
    in: join(target, "esm", `${module}.js`),
    out: nodeFile(path).replace(/\.js$/, ""),
  }));
  entries.push({ in: join(target, "esm/onebuffer/main.js"), out: "main" });
  await build({
    ...COMMON,
    entryPoints: entries,
    outdir: join(target, "node"),
    splitting: true,
    platform: "node",
    chunkNames: "chunk-[hash]",
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: LINE_LIMIT,
    plugins: [directImports(join(target, "esm/onebuffer/index.js"))],
  });
}

/** Writes `browser/onebuffer.js`: everything of the face in one minified file. */
export async function bundleForBrowser(target) {
  await build({
    ...COMMON,
    entryPoints: [join(target, "esm/onebuffer/index.js")],
    outfile: join(target, "browser/onebuffer.js"),
    platform: "browser",
    minify: true,
  });
}
