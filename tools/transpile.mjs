// Makes JavaScript of the workspace without a look at its types, where the compiler would write it.
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundler.mjs";
import { builtFile, testSources } from "./test-files.mjs";

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

/** Returns the paths of the TypeScript below a folder, from the root. */
const sourcesBelow = (folder) =>
  readdirSync(root + folder, { recursive: true })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => /(?<!\.d)\.ts$/.test(path));

/** Returns pairs of a source and what the compiler makes of it, paths from the root: of packages, their tests, conformance and examples. */
function outputs() {
  const folders = [...readdirSync(`${root}packages`).map((name) => `packages/${name}`), "conformance", "test-support"];
  const library = folders.flatMap((folder) => sourcesBelow(`${folder}/src`));
  const examples = sourcesBelow("examples").filter((path) => !path.startsWith("examples/dist/"));
  return [
    ...testSources().map((path) => [path, builtFile(path)]),
    ...library.map((path) => [path, path.replace("/src/", "/dist/src/").replace(/\.ts$/, ".js")]),
    ...examples.map((path) => [path, path.replace(/\.ts$/, ".js")]),
  ];
}

const isStale = ([source, built]) => !existsSync(root + built) || statSync(root + built).mtimeMs < statSync(root + source).mtimeMs;

/** Transpiles the sources whose JavaScript is older than they are. */
export async function transpile() {
  const stale = outputs().filter(isStale);
  if (stale.length === 0) return;
  await bundle({
    entryPoints: stale.map(([source, built]) => ({ in: root + source, out: built.replace(/\.js$/, "") })),
    absWorkingDir: root,
    outdir: ".",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    // Names that a module does not use stay, as the compiler leaves them.
    treeShaking: false,
    plugins: [builtImports],
    logLevel: "error",
  });
}
