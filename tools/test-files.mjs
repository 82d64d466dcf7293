// The test files of the workspace, as far as others than jest ask for them. Small suites, `*.suite.ts`, are imported by a `*.test.ts` of
// their theme, for each file that jest runs loads the library anew. What reads ONEBUFFER_LONG has more to do in `npm run long`.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** `{ path, text, suites }` of every `*.test.ts`, and of every `*.suite.ts`; paths relative to the root, `suites` those it imports. */
export function testFiles() {
  const folders = [...readdirSync(join(root, "packages")).map((name) => `packages/${name}/test`), "conformance/test"];
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true })
        .filter((name) => /\.(test|suite)\.ts$/.test(name))
        .map((name) => {
          const path = `${folder}/${name.replaceAll("\\", "/")}`;
          const text = readFileSync(join(root, path), "utf8");
          const suites = [...text.matchAll(/^import "(\.[\w./-]+\.suite\.ts)";$/gm)].map(([, suite]) =>
            posix.join(posix.dirname(path), suite),
          );
          return { path, text, suites };
        }),
    );
}

/** The files jest runs that do more when ONEBUFFER_LONG is set, by themselves or in a suite of theirs. */
export function longTestFiles() {
  const files = testFiles();
  const hasMore = (text) => text.includes('process.env["ONEBUFFER_LONG"]');
  const longSuites = new Set(files.filter(({ path, text }) => path.endsWith(".suite.ts") && hasMore(text)).map(({ path }) => path));
  return files
    .filter(({ path, text, suites }) => path.endsWith(".test.ts") && (hasMore(text) || suites.some((suite) => longSuites.has(suite))))
    .map(({ path }) => path);
}

/** Where the compiler puts a test file. */
export const builtFile = (path) => path.replace("/test/", "/dist/test/").replace(/\.ts$/, ".js");
