// Lists the test files of the workspace for tools and house tests. Each file that jest runs loads the library again, so small
// suites (`*.suite.ts`) are grouped: a `*.test.ts` on their theme imports them. Tests that read ONEBUFFER_LONG, or
// import `isLong` or `sampled` from test-support, do more in `npm run long`.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/** An import of the helpers of test-support that read ONEBUFFER_LONG. */
const kSampling = /^import \{[^}]*\b(?:isLong|sampled)\b[^}]*\} from "@onebuffer\/test-support";$/m;

const root = fileURLToPath(new URL("..", import.meta.url));

/** Returns the folders of tests in the packages and conformance, from the root. */
const testFolders = () =>
  [...readdirSync(join(root, "packages")).map((name) => `packages/${name}/test`), "conformance/test"].filter((folder) =>
    existsSync(join(root, folder)),
  );

/** Returns the paths of the files below a folder, from the root. */
const filesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name.replaceAll("\\", "/")}`);

/** Returns the paths of all TypeScript in the folders of tests: tests, suites, and what they import beside themselves. */
export const testSources = () =>
  testFolders()
    .flatMap(filesBelow)
    .filter((path) => /(?<!\.d)\.ts$/.test(path));

/**
 * Returns `{ path, text, suites }` of every `*.test.ts` and `*.suite.ts` of the packages, and of the house tests; paths are relative to
 * the root, `suites` are the suites it imports.
 */
export function testFiles() {
  return [...testFolders(), "house"]
    .flatMap(filesBelow)
    .filter((path) => /\.(test|suite)\.[jt]s$/.test(path))
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const suites = [...text.matchAll(/^import "(\.[\w./-]+\.suite\.[jt]s)";$/gm)].map(([, suite]) =>
        posix.join(posix.dirname(path), suite),
      );
      return { path, text, suites };
    });
}

/** Returns the files for jest that do more when ONEBUFFER_LONG is set, themselves or in a suite that they import. */
export function longTestFiles() {
  const files = testFiles();
  const hasMore = (text) => text.includes('process.env["ONEBUFFER_LONG"]') || kSampling.test(text);
  const longSuites = new Set(files.filter(({ path, text }) => /\.suite\.[jt]s$/.test(path) && hasMore(text)).map(({ path }) => path));
  return files
    .filter(({ path, text, suites }) => /\.test\.[jt]s$/.test(path) && (hasMore(text) || suites.some((suite) => longSuites.has(suite))))
    .map(({ path }) => path);
}

/** Returns the path of a compiled test file. */
export const builtFile = (path) => path.replace("/test/", "/dist/test/").replace(/\.ts$/, ".js");
