// A loopback server for the checks: hands out the options, takes what is said and the totals, and serves pages the built packages with
// their tests.
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { addresses, kIsolated, kTypes, listening } from "../browser/server.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const kServed =
  /^\/(packages\/[\w-]+\/dist\/(src|test)|packages\/expression\/dist|node_modules\/@bufbuild\/protobuf\/dist\/esm|tools\/(browser|interop|webgpu)|examples\/camera-filter)\//;

/** Returns a map from the specifiers that a page imports to addresses: packages, their files for tests, and the one part of node:fs. */
function imports() {
  const all = { ...addresses(), "node:fs": "/tools/webgpu/read-file-in-page.mjs" };
  for (const folder of readdirSync(join(root, "packages")))
    for (const path of readdirSync(join(root, "packages", folder, "dist/src"), { recursive: true }))
      if (path.endsWith(".js"))
        all[`@onebuffer/${folder}/src/${path.slice(0, -3).replaceAll("\\", "/")}`] =
          `/packages/${folder}/dist/src/${path.replaceAll("\\", "/")}`;
  return all;
}

const page = () => `<!doctype html><meta charset="utf-8"><title>WebGpuDevice</title>
<script type="importmap">${JSON.stringify({ imports: imports() })}</script>
<script type="module">
const url = new URL("/", location.href).href;
try {
  const { checkFor } = await import("/tools/webgpu/client.mjs");
  await checkFor(url, navigator.gpu);
} catch (error) {
  await fetch(url + "said", { method: "POST", body: JSON.stringify("FAILED  the page loads\\n        " + error?.stack) });
  await fetch(url + "totals", { method: "POST", body: JSON.stringify({ passed: 0, failed: 1, skipped: [], hashes: {} }) });
}
</script>`;

/** Starts the server. `verdicts` of it is a promise of the totals; `say` is called with what is said. */
export async function serveChecks(options, say) {
  let settle;
  const verdicts = new Promise((resolve) => {
    settle = resolve;
  });
  const answers = {
    "GET /": async () => [page(), "text/html"],
    "GET /options": async () => [JSON.stringify(options), "application/json"],
    "POST /said": async (body) => void say(body),
    "POST /totals": async (body) => void settle(body),
  };
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    const answer = answers[`${request.method} ${path}`];
    const file = answer === undefined && kServed.test(path) ? await readFile(join(root, path)).catch(() => null) : null;
    if (answer === undefined && file === null) {
      response.writeHead(404, kIsolated).end();
      return;
    }
    let body = "";
    for await (const chunk of request) body += chunk;
    const [text, type] = (await answer?.(body === "" ? null : JSON.parse(body))) ?? [file ?? "", kTypes[extname(path)] ?? "text/plain"];
    // A connection that waits for the next words longer than the server keeps it would be closed just as they are sent.
    const connection = answer === undefined ? {} : { connection: "close" };
    response.writeHead(200, { ...kIsolated, ...connection, "content-type": type }).end(text);
  });
  return { verdicts, ...(await listening(server)) };
}
