// Apps that a bundler makes of the installed package: esbuild and Vite, for Node and, in pages.mjs, for browsers.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BUNDLES, bundleSizes, kB, overBudget } from "../bundle-sizes.mjs";
import { equal } from "./context.mjs";
import { expected } from "./programs/program.mjs";

/** Bundles programs with esbuild into a folder, as a server's build does. */
async function esbuildTo({ app, tool }, folder, entries, options = {}) {
  const { build } = await import(pathToFileURL(join(tool("esbuild"), "lib/main.js")));
  await build({
    entryPoints: entries.map((entry) => join(app, entry)),
    outdir: join(app, folder),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    logLevel: "error",
    ...options,
  });
}

/** The text of all files of a folder. */
const allText = (folder) =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");

const vite = (tool) => import(pathToFileURL(join(tool("vite"), "dist/node/index.js")));

export const BUNDLER_CHECKS = {
  async "esbuild: a program for Node, one for browsers, and threads after bundling"(context) {
    const { node } = context;
    await esbuildTo(context, "bundled-node", ["run-program.mjs", "run-pool.mjs", "threads.mjs", "threads-worker.mjs"], {
      platform: "node",
    });
    equal(node("bundled-node/run-program.mjs"), expected, "for Node");
    equal(node("bundled-node/threads.mjs"), "[4000,2,0]", "threads");
    equal(node("bundled-node/run-pool.mjs"), "[3,true]", "a pool");
    // The text of a function must stand alone even where the bundler lowers syntax and keeps names.
    await esbuildTo(context, "bundled-old", ["run-pool.mjs"], {
      platform: "node",
      target: "es2020",
      keepNames: true,
      supported: { "top-level-await": true },
    });
    equal(node("bundled-old/run-pool.mjs"), "[3,true]", "a pool in old syntax");
    // The modules for browsers, in Node: nothing of Node is imported by name.
    await esbuildTo(context, "bundled-browser", ["run-program.mjs"], { platform: "browser" });
    equal(node("bundled-browser/run-program.mjs"), expected, "for browsers");
  },
  async "esbuild: kernels in a file of their own"(context) {
    const { app, node } = context;
    const reason = '"the kernels have not been loaded yet"';
    const early = `[[2,3,4,false],null,[2,3,4,true],${reason}]`;
    equal(node("run-later.mjs"), "[[2,3,4,true],null,[2,3,4,true]]", "in Node");
    await esbuildTo(context, "bundled-later", ["run-later.mjs"], { platform: "browser", splitting: true });
    equal(node("bundled-later/run-later.mjs"), early, "in two files");
    await esbuildTo(context, "bundled-whole", ["run-later.mjs"], { platform: "browser" });
    equal(node("bundled-whole/run-later.mjs"), early, "in one file");
    // Without the file the evaluator goes on computing, and `ready` says so.
    const [, missing] = /import\("\.\/(kernels-\w+\.mjs)"\)/.exec(allText(join(app, "bundled-later"))) ?? [];
    rmSync(join(app, "bundled-later", missing));
    equal(node("bundled-later/run-later.mjs"), `[[2,3,4,false],"UNAVAILABLE",[2,3,4,false],${reason}]`, "without the file");
  },
  async "esbuild: kernels of linear algebra and of transforms in files of their own"(context) {
    const numbers = "[[1,1],[2,0,0,4],[2,4],[7,-2]]";
    equal(context.node("run-later-matrices.mjs"), `[[${numbers},true],[${numbers},true]]`, "in Node");
    await esbuildTo(context, "bundled-matrices", ["run-later-matrices.mjs"], { platform: "browser", splitting: true });
    equal(context.node("bundled-matrices/run-later-matrices.mjs"), `[[${numbers},false],[${numbers},true]]`, "in several files");
    await esbuildTo(context, "bundled-matrices-whole", ["run-later-matrices.mjs"], { platform: "browser" });
    equal(context.node("bundled-matrices-whole/run-later-matrices.mjs"), `[[${numbers},false],[${numbers},true]]`, "in one file");
  },
  async "esbuild: the sizes of bundles are in their budgets"({ app, tool }) {
    const { build } = await import(pathToFileURL(join(tool("esbuild"), "lib/main.js")));
    const found = [];
    for (const program of BUNDLES) {
      const sizes = await bundleSizes(build, program, app);
      equal(overBudget(program, sizes).join(), "", "over the budget");
      found.push(`${kB(sizes.gz)} + ${kB(sizes.later)} kB`);
    }
    return found.join(", ");
  },
  async "Vite: server-side rendering, in development and built"({ app, tool, node }) {
    const { build, createServer } = await vite(tool);
    const server = await createServer({
      root: app,
      logLevel: "error",
      configFile: false,
      server: { middlewareMode: true, ws: false },
      appType: "custom",
    });
    try {
      const { report } = await server.ssrLoadModule("/program.mjs");
      equal(report(), expected, "in development");
    } finally {
      await server.close();
    }
    for (const noExternal of [undefined, true]) {
      const outDir = join(app, noExternal ? "ssr-whole" : "ssr");
      await build({
        root: app,
        logLevel: "error",
        configFile: false,
        ssr: { noExternal },
        build: { ssr: "run-program.mjs", outDir },
      });
      equal(
        node(
          join(
            outDir,
            readdirSync(outDir).find((name) => name.startsWith("run-program")),
          ),
        ),
        expected,
        `built, ${outDir}`,
      );
    }
  },
};

/** Vite's development server or the preview of its build; `verdicts` settles with what the page posts. */
export async function viteServer({ app, tool }, kind) {
  const { build, createServer, preview } = await vite(tool);
  let settle;
  const verdicts = new Promise((resolve) => {
    settle = resolve;
  });
  const collect = ({ middlewares }) =>
    void middlewares.use("/verdicts", async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      response.end();
      settle(JSON.parse(body));
    });
  const address = {
    host: "127.0.0.1",
    port: 0,
    headers: { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" },
  };
  const config = {
    root: app,
    logLevel: "error",
    configFile: false,
    plugins: [{ name: "verdicts", configureServer: collect, configurePreviewServer: collect }],
    server: address,
    preview: address,
    worker: { format: "es" },
    build: { outDir: join(app, "site"), target: "es2022" },
  };
  let server;
  if (kind === "dev") server = await (await createServer(config)).listen();
  else {
    await build(config);
    server = await preview(config);
  }
  const { port } = server.httpServer.address();
  return { url: `http://127.0.0.1:${port}/`, verdicts, close: () => server.close() };
}
