// A loopback server for the browser checks: serves the page with its import map and the built packages, and accepts POST /verdicts.
//
// Every response has a strict Content-Security-Policy: scripts only from this server, inline scripts only with a nonce, no eval. It
// also allows 'wasm-unsafe-eval', without which WebAssembly cannot be compiled; a page without that permission can be requested,
// too.
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The types of files by the ends of their names. */
export const kTypes = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".html": "text/html",
  ".npy": "application/octet-stream",
  ".json": "application/json",
};

/** The headers of pages with shared memory. */
export const kIsolated = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/**
 * Returns a map from package names and their sub-paths to the addresses of their built entries, and from the one part of a foreign
 * package that ours import.
 */
export function addresses() {
  const imports = { "@bufbuild/protobuf/wire": "/node_modules/@bufbuild/protobuf/dist/esm/wire/index.js" };
  for (const folder of readdirSync(join(root, "packages"))) {
    const { name, exports } = JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"));
    for (const [path, { default: built }] of Object.entries(exports))
      if (built !== undefined) imports[name + path.slice(1)] = `/packages/${folder}${built.slice(1)}`;
  }
  return imports;
}

const importMap = () => JSON.stringify({ imports: addresses() });

/** Returns source with package names replaced by addresses below /resolved: workers do not support import maps. */
function resolved(source) {
  const imports = addresses();
  return source.replace(/(\bfrom |\bimport )"([^"./][^"]*)"/g, (whole, keyword, name) =>
    name in imports ? `${keyword}"/resolved${imports[name]}"` : whole,
  );
}

const page = (nonce, wasm) => `<!doctype html><meta charset="utf-8"><title>onebuffer checks</title>
<script type="importmap" nonce="${nonce}">${importMap()}</script>
<script type="module" nonce="${nonce}">
const post = (verdicts) => fetch("/verdicts", { method: "POST", body: JSON.stringify(verdicts) });
try {
  const { runChecks } = await import("/tools/browser/checks.mjs");
  await post(await runChecks(${JSON.stringify({ wasm })}));
} catch (error) {
  await post([{ name: "the page loads", ok: false, detail: String(error?.stack ?? error) }]);
}
</script>`;

const policy = (nonce, wasm) =>
  `default-src 'none'; script-src 'self' 'nonce-${nonce}'${wasm ? " 'wasm-unsafe-eval'" : ""}; worker-src 'self'; connect-src 'self'; base-uri 'none'`;

/** Starts the server. Its `verdicts` is a promise of what the page posts. */
export async function serve({ isolated, wasm }) {
  let settle;
  const verdicts = new Promise((resolve) => {
    settle = resolve;
  });
  const nonce = randomBytes(16).toString("base64");
  const headers = {
    "content-security-policy": policy(nonce, wasm),
    ...(isolated ? kIsolated : {}),
  };
  const server = createServer(async (request, response) => {
    const asked = normalize(new URL(request.url, "http://localhost").pathname);
    const path = asked.replace(/^\/resolved\//, "/");
    if (request.method === "POST" && path === "/verdicts") {
      let body = "";
      for await (const chunk of request) body += chunk;
      response.writeHead(204, headers).end();
      settle(JSON.parse(body));
      return;
    }
    if (path === "/") {
      response.writeHead(200, { ...headers, "content-type": "text/html" }).end(page(nonce, wasm));
      return;
    }
    const allowed = /^\/(packages\/[\w-]+\/dist\/src|node_modules\/@bufbuild\/protobuf\/dist\/esm|tools\/browser|examples\/data)\//.test(
      path,
    );
    const file = allowed ? await readFile(join(root, path)).catch(() => null) : null;
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    if (file === null) response.writeHead(404, headers).end();
    else if (first !== undefined)
      response
        .writeHead(206, { ...headers, "content-range": `bytes ${first}-${last}/${file.length}`, etag: '"1"' })
        .end(file.subarray(Number(first), Number(last) + 1));
    else
      response
        .writeHead(200, { ...headers, "content-type": kTypes[extname(path)] ?? "application/octet-stream" })
        .end(asked === path ? file : resolved(file.toString()));
  });
  return { verdicts, ...(await listening(server)) };
}

/** Starts a server on a free port of this machine alone. Returns its address, and `close`, which ends its connections, too. */
export async function listening(server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
