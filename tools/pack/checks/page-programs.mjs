// The programs of the Markdown pages (docs/workers.md, docs/bundlers.md) against the installed package: in Node, Deno and Bun, bundled
// by esbuild, and in browsers. Each prints, or shows in its `<output>`, what the page says.
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { kBrowsers, installed, verdictsOf } from "../../browser/launch.mjs";
import { pagePaths, programsOf } from "../../pages.mjs";
import { equal, run, Skip } from "./context.mjs";
import { programOf } from "./runtimes.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const TYPES = { ".js": "text/javascript", ".html": "text/html" };

/** Writes the programs of all pages into the app. Returns `[folder, file, expected]` of each file whose output a page has. */
function writtenPrograms({ app, write }) {
  return pagePaths(root).flatMap((page) => {
    const programs = programsOf(root, page);
    if (programs === null) return [];
    const folder = join("pages", page.slice(0, -".md".length));
    for (const [file, code] of programs.files) write(join(folder, file), code);
    return [...programs.outputs].map(([file, expected]) => [join(app, folder), file, expected.trim()]);
  });
}

const ofKind = (context, ending) => writtenPrograms(context).filter(([, file]) => file.endsWith(ending));

/** Runs the programs of all pages by a command; returns how many there are. */
function runAll(context, command, args, env) {
  const programs = ofKind(context, ".mjs");
  for (const [folder, file, expected] of programs) equal(run(command, [...args, file], folder, env).trim(), expected, file);
  return `${programs.length} programs`;
}

/** The module of a page that posts what its `<output>` has got, with whether the page is isolated. */
const REPORT = `
const output = document.querySelector("output");
const start = Date.now();
while (output.textContent === "" && Date.now() - start < 30000) await new Promise((resolve) => setTimeout(resolve, 20));
await fetch("/verdicts", { method: "POST", body: JSON.stringify([{ text: output.textContent, isolated: crossOriginIsolated }]) });`;

/** A promise of the body that is posted to "/verdicts", and the handler that receives it. */
function posted() {
  let settle;
  const verdicts = new Promise((resolve) => {
    settle = resolve;
  });
  const receive = async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    response.end();
    settle(JSON.parse(body));
  };
  return { verdicts, receive };
}

/** Serves the app's files as they are, without a header. */
async function plainServer({ app }, folder, file) {
  const { verdicts, receive } = posted();
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    if (request.method === "POST") return void receive(request, response);
    // `./node_modules` of the page is that of the app.
    const asked = path.startsWith("/node_modules/") ? join(app, path) : join(folder, path);
    if (!existsSync(asked)) return void response.writeHead(404).end();
    const report = path.endsWith(file) ? `<script type="module">${REPORT}</script>` : "";
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/plain" }).end(readFileSync(asked, "utf8") + report);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    });
  return { url: `http://127.0.0.1:${server.address().port}/${file}`, verdicts, close };
}

/** Vite's development server, or the preview of its build, with the page's own settings or with none. */
async function viteServer({ app, tool }, folder, { isBuilt, hasSettings }) {
  const vite = await import(pathToFileURL(join(tool("vite"), "dist/node/index.js")));
  const { verdicts, receive } = posted();
  const listen = ({ middlewares }) => void middlewares.use("/verdicts", receive);
  const report = {
    name: "report",
    configureServer: listen,
    configurePreviewServer: listen,
    transformIndexHtml: () => [{ tag: "script", attrs: { type: "module" }, children: REPORT, injectTo: "body" }],
  };
  const address = { host: "127.0.0.1", port: 0 };
  const config = {
    root: folder,
    configFile: hasSettings ? join(folder, "vite.config.js") : false,
    logLevel: "error",
    plugins: [report],
    server: { ...address, fs: { allow: [app] } },
    preview: address,
    ...(hasSettings ? {} : { worker: { format: "es" } }),
    build: { emptyOutDir: true },
  };
  let server;
  if (isBuilt) {
    await vite.build(config);
    server = await vite.preview(config);
  } else server = await (await vite.createServer(config)).listen();
  return { url: `http://127.0.0.1:${server.httpServer.address().port}/`, verdicts, close: () => server.close() };
}

async function shows(command, args, server, expected, isIsolated) {
  const [{ text, isolated, detail }] = await verdictsOf({ command, args }, server);
  equal(text ?? detail, expected, server.url);
  equal(isolated, isIsolated, "cross-origin isolated");
}

/** The pages in one browser; the slower ones only on demand. */
function browserCheck({ name, commands, args }) {
  return async (context) => {
    if (name !== "chromium" && !context.all) throw new Skip("only with --all");
    const command = installed(commands);
    if (command === undefined) throw new Skip(`${name} is not installed`);
    for (const [folder, file, expected] of ofKind(context, ".html")) {
      if (!existsSync(join(folder, "vite.config.js"))) {
        await shows(command, args, await plainServer(context, folder, file), expected, false);
        continue;
      }
      const kinds = [
        { isBuilt: false, hasSettings: true },
        { isBuilt: true, hasSettings: true },
        { isBuilt: true, hasSettings: false },
      ];
      for (const kind of kinds) await shows(command, args, await viteServer(context, folder, kind), expected, kind.hasSettings);
    }
  };
}

export const PAGE_PROGRAM_CHECKS = {
  "the pages' programs in Node": (context) => runAll(context, process.execPath, []),
  "the pages' programs in Deno": (context) =>
    runAll(context, programOf(context.tool, "@deno", "deno"), ["run", "--allow-read", "--cached-only"], {
      DENO_DIR: join(context.app, ".deno"),
      DENO_NO_UPDATE_CHECK: "1",
    }),
  "the pages' programs in Bun": (context) => runAll(context, programOf(context.tool, "@oven", "bun"), []),
  "the pages' build with esbuild"({ app, tool, node, write }) {
    const [folder, , expected] = ofKind({ app, write }, ".mjs").find(([each]) => existsSync(join(each, "build.mjs")));
    const link = join(app, "node_modules/esbuild");
    if (!existsSync(link)) symlinkSync(tool("esbuild"), link, "junction");
    run(process.execPath, ["build.mjs"], folder);
    equal(node(join(folder, "out/app.js")), expected, "the bundle");
  },
  ...Object.fromEntries(kBrowsers.map((browser) => [`${browser.name}: the pages' programs`, browserCheck(browser)])),
};
