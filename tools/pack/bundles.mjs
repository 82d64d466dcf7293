// The files that Node loads, with shared chunks so that all entries share one state, and the one file for a page without a bundler.
import { cpSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { assetsOf } from "../assets.mjs";
import { ENTRIES, nodeFile } from "./entries.mjs";

/** Node prints the whole line of an uncaught throw before its message, so lines are short. */
const LINE_LIMIT = 80;

const COMMON = {
  bundle: true,
  format: "esm",
  target: "es2022",
  external: ["node:*"],
  logLevel: "error",
  sourcemap: true,
  sourcesContent: false,
};

/** Writes `node/`: a file for each entry and for the command, the chunks that they share, and the files that these find beside themselves. */
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
  });
  for (const path of assetsOf(join(target, "esm"))) cpSync(join(target, "esm", path), join(target, "node", basename(path)));
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
