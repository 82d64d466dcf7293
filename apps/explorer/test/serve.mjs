// A loopback server for the built explorer. It serves the page from a path below the root, as a static host may do, under a strict
// Content-Security-Policy, with or without the headers of cross-origin isolation.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chapters, coursePage } from "./course-pages.mjs";

const kBuilt = fileURLToPath(new URL("../dist", import.meta.url));
const kBase = "/some/path/";
const kTypes = { ".js": "text/javascript", ".html": "text/html", ".css": "text/css" };
const kPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; worker-src 'self'; connect-src 'self'; base-uri 'none'";

/** The playground runs programs that are typed, as modules of blobs, so its page and its worker need more. */
const kPlaygroundPolicy = kPolicy
  .replace("script-src 'self'", "script-src 'self' blob:")
  .replace("worker-src 'self'", "worker-src 'self' blob:")
  // Its editor, CodeMirror, sets styles of elements.
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

/** A page of another site that mounts panels: files beside those of the explorer. */
const kOther = {
  "other.html": `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Another page</title><link rel="icon" href="data:,"><link rel="stylesheet" href="./explorer.css"></head>
<body><main><h1>Another page</h1><div id="one"></div><div id="two"></div></main><script type="module" src="./other.js"></script></body></html>`,
  "other.js": `import { mountPanel } from "./mount.js";
window.changes = [];
window.panels = await Promise.all([
  mountPanel("layouts", document.getElementById("one"), { heading: 0, params: { shape: "u8[2,3]{0,1}" }, onChange: (panel) => window.changes.push(panel.state().letters) }),
  mountPanel("sixteen-bytes", document.getElementById("two"), { params: { shape: "5,6" } }),
]);`,
};

/** The policy of pages that run the programs of visitors: in workers, whose source is a blob. */
const kProgramPolicy = kPolicy.replace("worker-src 'self'", "worker-src 'self' blob:");

/** The chapters of the course below `course/`, and below `course/strict/` without the right to run programs. */
const kCoursePages = Object.fromEntries(
  chapters.flatMap((chapter) => {
    const page = coursePage(chapter);
    return [
      [`course/${chapter}.html`, page.replaceAll('"./', '"../')],
      [`course/strict/${chapter}.html`, page.replaceAll('"./', '"../../')],
    ];
  }),
);

/** Starts the server of `folder`, the built explorer by default. `requests` lists what was asked for, with the size of each answer in gzip. */
export async function serve({ isolated, folder = kBuilt }) {
  const requests = [];
  // Files do not change while they are served, so each is packed once.
  const packedByName = new Map();
  const packed = async (name) => {
    if (!packedByName.has(name)) {
      const file = kOther[name] ?? kCoursePages[name] ?? (await readFile(join(folder, name)).catch(() => null));
      packedByName.set(name, file === null ? null : gzipSync(file));
    }
    return packedByName.get(name);
  };
  const headers = {
    "content-security-policy": kPolicy,
    "cache-control": "no-store",
    ...(isolated ? { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" } : {}),
  };
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    const name = path.startsWith(kBase) ? path.slice(kBase.length) || "index.html" : "";
    const body = name === "" || name.startsWith("..") ? null : await packed(name);
    if (body === null) return void response.writeHead(404, headers).end();
    requests.push({ name, bytes: body.length });
    response.writeHead(200, {
      ...headers,
      ...(name.startsWith("playground/") ? { "content-security-policy": kPlaygroundPolicy } : {}),
      ...(/(?:^|\/)course\/[^/]*\.html$/.test(name) ? { "content-security-policy": kProgramPolicy } : {}),
      "content-type": kTypes[extname(name)] ?? "application/octet-stream",
      "content-encoding": "gzip",
    });
    response.end(body);
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
