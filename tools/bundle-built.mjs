// Bundles built files for tests, with what several of them import in files that they share.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundle } from "./bundler.mjs";
import { writeChanged } from "./write-changed.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Where a module has its URL as an argument. */
const kURL = /\bimport\.meta\.url(?=\))/g;

/** esbuild's plugin that gives modules with paths of a pattern the URL of the file that they are made of: they find files beside themselves. */
const ownPlaces = (pattern) => ({
  name: "own-places",
  setup: ({ onLoad }) => {
    onLoad({ filter: pattern, namespace: "file" }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      return text.search(kURL) >= 0 ? { contents: text.replaceAll(kURL, JSON.stringify(pathToFileURL(path))) } : undefined;
    });
  },
});

/** Removes the files of earlier bundles: what several files import is in files whose names change with their text. */
function removeOthers(folder, paths) {
  const kept = new Set(paths);
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    if (path.endsWith(".js") && !kept.has(path)) rmSync(path);
  }
}

/** Bundles the entries, paths from the root, into a folder, where each has the path that it has in the root. */
export async function bundleBuilt({ entries, folder, inOwnPlace, external = [] }) {
  const { outputFiles } = await bundle({
    entryPoints: entries,
    absWorkingDir: root,
    outbase: root,
    outdir: folder,
    bundle: true,
    splitting: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "esnext",
    // A module that is imported for what it does is kept, as without a bundle.
    ignoreAnnotations: true,
    external,
    plugins: [ownPlaces(inOwnPlace)],
    logLevel: "error",
  });
  writeChanged(outputFiles.map(({ path, text }) => [path, text]));
  removeOthers(
    folder,
    outputFiles.map(({ path }) => path),
  );
}
