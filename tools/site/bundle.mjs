// Bundles the scripts of the site: client/ as it runs in pages, each entry with the chunks that it loads later.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Writes the scripts of the pages to the folder `client` of the site. */
export async function bundleScripts(out) {
  const common = { bundle: true, minify: true, target: "es2022", logLevel: "warning" };
  await build({ ...common, entryPoints: [here("client/scheme.js")], format: "iife", outdir: `${out}/client` });
  await build({
    ...common,
    entryPoints: [here("client/site.js")],
    format: "esm",
    splitting: true,
    outdir: `${out}/client`,
    chunkNames: "[name]-[hash]",
  });
}

/**
 * Writes the playground and the picture of the first page: their scripts, the editor, and the worker that runs programs, with the library in
 * chunks. `onebuffer` is the package of this repository.
 */
export async function bundlePlayground(out) {
  await build({
    bundle: true,
    minify: true,
    target: "es2022",
    logLevel: "warning",
    entryPoints: ["playground", "worker", "live-buffer"].map((name) => here(`client/playground/${name}.js`)),
    format: "esm",
    splitting: true,
    external: ["node:*"],
    // Modules without side effects that the library's compiler output imports for their types alone.
    logOverride: { "ignored-bare-import": "silent" },
    outdir: `${out}/playground`,
    chunkNames: "chunks/[name]-[hash]",
  });
}

/** Writes the style sheet of the site: the explorer's colors and typefaces, then the files of style/ in their order. */
export async function bundleStyles(out, files) {
  const contents = files.map((file) => `@import ${JSON.stringify(file)};`).join("\n");
  await build({
    stdin: { contents, loader: "css", resolveDir: here("style") },
    bundle: true,
    minify: true,
    target: ["chrome123", "firefox120", "safari17.5"],
    outfile: `${out}/site.css`,
    logLevel: "warning",
  });
}
