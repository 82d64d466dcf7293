// The bundles of `npm test`: what each test file imports, in some thirty files instead of 600 modules. Jest evaluates the modules of a test file
// anew for each of some forty files, in a context of its own, and to find, compile and link 600 takes half a second of processor time.
//
// A run of all tests has them. A run of certain files, one that measures coverage, and one that checks kernels load the modules themselves,
// so that a failure names the built file; so does `npm run long`.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundleBuilt } from "./bundle-built.mjs";
import { checksKernels } from "./checked-kernels/tests.mjs";
import { builtFile, testFiles } from "./test-files.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = fileURLToPath(new URL("../build/test-bundles/", import.meta.url));

/** The variable of the environment that has the folder of the bundles, if this run has them. */
export const kBundlesVariable = "ONEBUFFER_TEST_BUNDLES";

/** Packages that the tests' own context does not load, or that jest.config.js replaces. */
const kExternal = ["@jest/*", "jest-*", "fast-check", "@babel/parser", "esbuild", "typescript"];

/** Returns true if a run with Jest's options is one of all tests, which has the bundles. */
export function takesBundles({ testPathPatterns, runTestsByPath, onlyChanged, collectCoverage, watch, watchAll }) {
  const isWhole = testPathPatterns.patterns.length === 0 && !runTestsByPath && !onlyChanged;
  return isWhole && !collectCoverage && !watch && !watchAll && !checksKernels;
}

/** The programs under examples that a test runs in its own context, by names that are computed: those with the figures of a NumPy twin. */
const examples = () =>
  readdirSync(`${root}examples`)
    .filter((name) => existsSync(`${root}examples/${name}/expected.json`))
    .map((name) => `examples/${name}/${name}.js`);

/** Makes the bundles of the test files, of what runs before each of them and of examples, and notes their folder in the environment. */
export async function bundleTests() {
  const tests = testFiles().filter(({ path }) => /\.test\.[jt]s$/.test(path));
  const entries = ["jest-ledger.js", ...tests.map(({ path }) => builtFile(path)), ...examples()];
  await bundleBuilt({ entries, folder, inOwnPlace: /\.m?js$/, external: kExternal });
  process.env[kBundlesVariable] = folder;
}
