// The package in browsers: a plain script from the one file, and what Vite serves in development and builds.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { kBrowsers, installed, verdictsOf } from "../../browser/launch.mjs";
import { viteServer } from "./bundlers.mjs";
import { Skip } from "./context.mjs";

const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".html": "text/html" };
const HEADERS = {
  "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** The programs over the one file for browsers, which a page without a bundler names by its address. */
async function plainSource(app, path) {
  const text = await readFile(join(app, path), "utf8").catch(() => null);
  return text?.replace('from "onebuffer"', 'from "/node_modules/onebuffer/browser/onebuffer.js"');
}

/** A server of the app's files under a strict policy; `verdicts` settles with what the page posts. */
async function plainServer({ app }) {
  let settle;
  const verdicts = new Promise((resolve) => {
    settle = resolve;
  });
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    if (request.method === "POST") {
      let body = "";
      for await (const chunk of request) body += chunk;
      response.writeHead(204, HEADERS).end();
      settle(JSON.parse(body));
      return;
    }
    const asked = path === "/" ? "/index.html" : path;
    const text = await plainSource(app, asked);
    if (text === undefined) response.writeHead(404, HEADERS).end();
    else response.writeHead(200, { ...HEADERS, "content-type": TYPES[extname(asked)] ?? "text/plain" }).end(text);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/?copies`,
    verdicts,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

function pageCheck({ name, commands, args }, serverOf, isQuick) {
  return async (context) => {
    if (!isQuick && !context.all) throw new Skip("only with --all");
    const command = installed(commands);
    if (command === undefined) throw new Skip(`${name} is not installed`);
    const verdicts = await verdictsOf({ command, args }, await serverOf(context));
    const wrong = verdicts.filter(({ ok }) => !ok);
    if (wrong.length > 0) throw new Error(wrong.map(({ name: check, detail }) => `${check}: ${detail}`).join("\n"));
    return verdicts.map(({ name: check }) => check).join(", ");
  };
}

export const PAGE_CHECKS = Object.fromEntries(
  kBrowsers.flatMap((browser) => [
    [`${browser.name}: a plain script from browser/onebuffer.js`, pageCheck(browser, plainServer, true)],
    [`${browser.name}: Vite in development`, pageCheck(browser, (context) => viteServer(context, "dev"), browser.name === "chromium")],
    [`${browser.name}: Vite's build`, pageCheck(browser, (context) => viteServer(context, "build"), browser.name === "chromium")],
  ]),
);
