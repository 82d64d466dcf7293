// A loopback server for the built explorer. It serves the page from a path below the root, as a static host may do, under a strict
// Content-Security-Policy, with or without the headers of cross-origin isolation.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const kBuilt = fileURLToPath(new URL("../../../out/explorer", import.meta.url));
const kBase = "/some/path/";
const kTypes = { ".js": "text/javascript", ".html": "text/html", ".css": "text/css" };
const kPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; worker-src 'self'; connect-src 'self'; base-uri 'none'";

/** Starts the server. `requests` lists what was asked for, with the size of each answer in gzip. */
export async function serve({ isolated }) {
  const requests = [];
  const headers = {
    "content-security-policy": kPolicy,
    "cache-control": "no-store",
    ...(isolated ? { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" } : {}),
  };
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    const name = path.startsWith(kBase) ? path.slice(kBase.length) || "index.html" : "";
    const file = name === "" || name.startsWith("..") ? null : await readFile(join(kBuilt, name)).catch(() => null);
    if (file === null) return void response.writeHead(404, headers).end();
    const packed = gzipSync(file);
    requests.push({ name, bytes: packed.length });
    response.writeHead(200, {
      ...headers,
      "content-type": kTypes[extname(name)] ?? "application/octet-stream",
      "content-encoding": "gzip",
    });
    response.end(packed);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${kBase}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
