// Makes JavaScript of the tests without a look at their types, where the compiler would write it.
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundler.mjs";
import { builtFile } from "./test-files.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** esbuild's plugin that leaves imports as they are, but for the ending of a module beside the file: `./x.ts` is `./x.js` where it is built. */
const builtImports = {
  name: "built-imports",
  setup: ({ onResolve }) => {
    onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === "entry-point" ? undefined : { path: path.startsWith(".") ? path.replace(/\.ts$/, ".js") : path, external: true },
    );
  },
};

const isStale = (path) => {
  const built = root + builtFile(path);
  return !existsSync(built) || statSync(built).mtimeMs < statSync(root + path).mtimeMs;
};

/** Transpiles those of the given sources of tests, paths from the root, whose JavaScript is older than they are. */
export async function transpileTests(sources) {
  const stale = sources.filter(isStale);
  if (stale.length === 0) return;
  await bundle({
    entryPoints: stale.map((path) => ({ in: root + path, out: builtFile(path).replace(/\.js$/, "") })),
    absWorkingDir: root,
    outdir: ".",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    sourcemap: true,
    plugins: [builtImports],
    logLevel: "error",
  });
}
