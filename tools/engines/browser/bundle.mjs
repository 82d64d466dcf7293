// Bundles the tests for browsers: an entry for each test file, with the harness, the ledger and the library in shared chunks.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { jestParts } from "../harness/bundle.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Modules of Node that a bundle has parts of; the others are empty, for code that a browser never runs. */
const kParts = { "node:path": join(here, "node-path.mjs"), "node:url": join(here, "node-url.mjs") };

/** The module of one page: it runs the tests of a file and posts the verdicts, then opens the next page. */
const pageModule = ({ path, built }, index) => `
import ${JSON.stringify(join(here, "node-globals.mjs"))};
import { expect, runTests } from "@jest/globals";
const post = (verdicts) => fetch("/verdicts?page=${index}", { method: "POST", body: JSON.stringify(verdicts) });
try {
  expect.setState({ testPath: ${JSON.stringify(`/${path}`)} });
  await import(${JSON.stringify(join(root, "jest-ledger.js"))});
  await import(${JSON.stringify(built)});
  await post(await runTests());
} catch (error) {
  await post([{ name: "the file loads", verdict: "failed", detail: String(error?.stack ?? error) }]);
}
location.replace("/page?n=${index + 1}");
`;

const forTests = (subjects) => ({
  name: "tests",
  setup({ onResolve, onLoad }) {
    const leftOut = new Set(subjects.flatMap((subject) => subject.leftOut));
    onResolve({ filter: /^page-\d+$/ }, ({ path }) => ({ path, namespace: "page" }));
    onLoad({ filter: /.*/, namespace: "page" }, ({ path }) => {
      const index = Number(path.slice("page-".length));
      return { contents: pageModule(subjects[index], index), resolveDir: root };
    });
    onResolve({ filter: /^@jest\/globals$/ }, () => ({ path: join(here, "../harness/globals.mjs") }));
    onResolve({ filter: /^fast-check$/ }, () => ({ path: join(root, "jest-fast-check.js") }));
    onResolve({ filter: /^node:/ }, ({ path }) => (path in kParts ? { path: kParts[path] } : { path, namespace: "absent" }));
    onLoad({ filter: /.*/, namespace: "absent" }, () => ({ contents: "module.exports = {};", loader: "js" }));
    onLoad({ filter: /\.suite\.js$/ }, ({ path }) => (leftOut.has(path) ? { contents: "", loader: "js" } : undefined));
  },
});

/** Writes the bundle of the subjects into `outdir`, which is emptied before: `page-0.js`, `page-1.js`, and so on. */
export async function bundleTests(subjects, outdir) {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  await build({
    entryPoints: subjects.map((_, index) => ({ in: `page-${index}`, out: `page-${index}` })),
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    nodePaths: [join(root, "node_modules")],
    define: { "process.cpuUsage": "cpuUsageOfPage", "process.env": "{}", "process.env.NODE_ENV": '"test"' },
    plugins: [forTests(subjects), jestParts],
    // `sideEffects: false` would leave out suites, which are imported for what they do.
    ignoreAnnotations: true,
    logLevel: "error",
  });
}
