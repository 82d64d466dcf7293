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

/** How scripts are bundled with the library in chunks. `onebuffer` is the package of this repository. */
const kWithLibrary = {
  bundle: true,
  minify: true,
  target: "es2022",
  logLevel: "warning",
  format: "esm",
  splitting: true,
  external: ["node:*"],
  // Modules without side effects that the library's compiler output imports for their types alone.
  logOverride: { "ignored-bare-import": "silent" },
  chunkNames: "chunks/[name]-[hash]",
};

/** Writes the playground and the picture of the first page: their scripts, the editor, and the worker that runs programs. */
export async function bundlePlayground(out) {
  const entryPoints = ["playground", "worker", "live-buffer"].map((name) => here(`client/playground/${name}.js`));
  await build({ ...kWithLibrary, entryPoints, outdir: `${out}/playground` });
}

/** Writes the script of the page examples/camera-filter. */
export async function bundleCamera(out) {
  const entryPoints = [here("../../examples/camera-filter/page.mjs")];
  await build({ ...kWithLibrary, entryPoints, outdir: `${out}/examples/camera-filter` });
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
