// The harness as one module without imports, for engines in which Jest's packages cannot be loaded as they are.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** An esbuild plugin: Jest's helpers are the few functions of jest-parts.mjs. */
export const jestParts = {
  name: "jest-parts",
  setup: ({ onResolve }) => void onResolve({ filter: /^jest-(util|message-util)$/ }, () => ({ path: `${here}jest-parts.mjs` })),
};

/** Writes the harness to a file. */
export async function bundleHarness(outfile) {
  await build({
    entryPoints: [`${here}globals.mjs`],
    nodePaths: [`${root}node_modules`],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    outfile,
    plugins: [jestParts],
    define: { "process.env": "{}", "process.env.NODE_ENV": '"test"' },
    logLevel: "warning",
  });
}
