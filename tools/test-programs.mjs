// One file of each program that tests run in processes and threads of their own, and of the packages that such programs import by name. Loading
// the 600 modules of the library one by one takes 0.4 s of processor time, 30 times in `npm test`; one file takes a quarter of it. Bundled are
// the built files as they are when Jest starts. Tests find the files with `builtProgram` of test-support; without Jest's setup, as in other test
// runners, they run the built files themselves.
import { fileURLToPath } from "node:url";
import { bundleBuilt } from "./bundle-built.mjs";

const folder = fileURLToPath(new URL("../build/test-programs/", import.meta.url));

/** The programs, and the entries of packages that the programs of `inProcess` import. One that is missing is a second copy of what it imports. */
const kEntries = [
  "packages/core/dist/test/threads/actor.js",
  "packages/core/dist/test/threads/soak.js",
  "packages/core/dist/test/lifetime/run-property.js",
  "packages/onebuffer/dist/test/wrong-calls/wrong-calls.js",
  ...["allocator", "core", "wasm"].map((name) => `packages/${name}/dist/src/index.js`),
  "packages/kernels/dist/src/internal.js",
];

/** Modules that find files beside themselves. Programs keep the URL of the bundle, because they start themselves again. */
const kFinders = /\/(surface|command-line|explore|runner-path)\.js$/;

/** Makes the files, and notes their folder in the environment. */
export async function bundlePrograms() {
  await bundleBuilt({ entries: kEntries, folder, inOwnPlace: kFinders });
  process.env.ONEBUFFER_TEST_PROGRAMS = folder;
}
