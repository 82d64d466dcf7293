// Jest's global setup: makes one file of each program that tests run in processes and threads of their own, and of the packages that such
// programs import by name. Loading the 600 modules of the library one by one takes 0.4 s of processor time, 30 times in `npm test`; one file
// takes a quarter of it. Bundled are the built files as they are when Jest starts. Tests find the files with `builtProgram` of test-support;
// without this setup, as in other test runners, they run the built files themselves.
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { writeChanged } from "./write-changed.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = fileURLToPath(new URL("../build/test-programs/", import.meta.url));

/** The programs, and the indexes of packages that the programs of `inProcess` import. */
const kEntries = [
  "packages/core/dist/test/threads/actor.js",
  "packages/core/dist/test/threads/soak.js",
  "packages/core/dist/test/lifetime/run-property.js",
  "packages/onebuffer/dist/test/wrong-calls/wrong-calls.js",
  ...["allocator", "core", "wasm"].map((name) => `packages/${name}/dist/src/index.js`),
];

/** Modules that find files beside themselves have the URL of the built file. Programs have their own, because they start themselves again. */
const kOwnPlaces = {
  name: "own-places",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(surface|command-line|explore|runner-path)\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path))),
    }));
  },
};

export default async function bundlePrograms() {
  const { outputFiles } = await build({
    entryPoints: kEntries.map((path) => root + path),
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
    plugins: [kOwnPlaces],
    logLevel: "error",
  });
  writeChanged(outputFiles.map(({ path, text }) => [path, text]));
  process.env.ONEBUFFER_TEST_PROGRAMS = folder;
}
