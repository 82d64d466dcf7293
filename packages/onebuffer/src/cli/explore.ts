/** `onebuffer explore`: serves the explorer, the page that shows the bytes, on this machine alone. */
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { InvalidArgumentError, NotFoundError } from "@onebuffer/base";
import type { Surroundings } from "./console.ts";

/**
 * The folders that may hold the built page: in the installed package (this module is in `node/`), and in the repository. In the package a large
 * file is kept compressed, with the ending `.br`: gzip, which compresses tarballs, would take a fifth more.
 */
const kFolders: readonly string[] = ["../explorer/", "../../../../../apps/explorer/dist/"];

const kTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** With these headers a page is isolated from other origins, so that it may share memory with its workers. */
const kIsolation: Readonly<Record<string, string>> = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
};

/** Returns the folder of the built page. Throws NOT_FOUND if it was not built. */
export function explorerFolder(): string {
  const folders = kFolders.map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
  const folder = folders.find((each) => existsSync(join(each, "index.html")));
  if (folder === undefined) throw new NotFoundError("the explorer is not built: run `npm run explorer` in the repository first");
  return folder;
}

/**
 * Serves the files of `folder` on 127.0.0.1 until the signal is aborted. `port` 0 takes a free one. Prints the address.
 *
 * Throws INVALID_ARGUMENT if the port cannot be used.
 */
export async function explore(folder: string, port: number, { print, signal }: Surroundings): Promise<void> {
  const root = realpathSync(folder);
  const server = createServer((request, response) => answer(root, request, response));
  await listen(server, port);
  const address = server.address();
  print(`http://127.0.0.1:${typeof address === "object" ? address?.port : port}/  (Ctrl-C ends it)`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  server.closeAllConnections();
  server.close();
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => reject(new InvalidArgumentError(`port ${port} cannot be used: ${cause.message}`, { cause })));
    server.listen(port, "127.0.0.1", resolve);
  });
}

function answer(root: string, { method, url = "/", headers, socket }: IncomingMessage, response: ServerResponse): void {
  const refuse = (status: number): void => void response.writeHead(status, kIsolation).end();
  if (!isOwnHost(headers.host, socket.localPort)) return refuse(403);
  if (method !== "GET" && method !== "HEAD") return refuse(405);
  const path = fileOf(root, url);
  if (path === null) return refuse(404);
  const bytes = bytesOf(path);
  if (bytes === null) return refuse(404);
  response.writeHead(200, {
    ...kIsolation,
    "content-type": kTypes[extname(path.replace(/\.br$/, ""))] ?? "application/octet-stream",
    "content-length": bytes.length,
  });
  response.end(method === "HEAD" ? undefined : bytes);
}

/** Returns the bytes of a file, decompressed; null if they cannot be read. */
function bytesOf(path: string): Uint8Array | null {
  try {
    const bytes = readFileSync(path);
    return path.endsWith(".br") ? brotliDecompressSync(bytes) : bytes;
  } catch {
    return null;
  }
}

/**
 * Returns true if a request was sent to a name of this machine. A page of another origin could give its own name the address 127.0.0.1
 * (DNS rebinding), and would then read the answers as those of its origin; its requests have its name as Host.
 */
function isOwnHost(host: string | undefined, port: number | undefined): boolean {
  const [, name, given = "80"] = /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/i.exec(host ?? "") ?? [];
  return name !== undefined && Number(given) === port;
}

/** Returns the file of an address, or the compressed one, or null if there is none within the folder. */
function fileOf(root: string, url: string): string | null {
  try {
    const path = join(root, normalize(decodeURIComponent(new URL(url, "http://localhost").pathname)));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
    const real = realpathSync(existsSync(file) ? file : `${file}.br`);
    return real.startsWith(root + sep) && statSync(real).isFile() ? real : null;
  } catch {
    return null;
  }
}
