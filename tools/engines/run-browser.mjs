// Runs the bundle of tests in a browser, one page for each test file. A page that is silent for too long has failed, and the browser is started
// again at the next one.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { verdictsOf } from "../browser/launch.mjs";
import { kIsolated, listening } from "../browser/server.mjs";

/** The longest time for the tests of one page, in milliseconds. */
const kLimitMs = 240_000;

const pageText = (index) =>
  `<!doctype html><meta charset="utf-8"><title>tests</title><script type="module" src="/page-${index}.js"></script>`;

/**
 * Serves the pages from number `first` on. Its `verdicts` is a promise of `{ page, verdicts }` of the pages that posted, in order: it is settled
 * when all have, or when one is silent.
 */
async function servePages({ folder, count, isolated, first }) {
  const posted = [];
  let settle;
  const verdicts = new Promise((resolve) => {
    settle = resolve;
  });
  let timer;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => settle(posted), kLimitMs);
  };
  const headers = isolated ? kIsolated : {};
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://localhost");
    if (request.method === "POST") {
      let body = "";
      for await (const chunk of request) body += chunk;
      response.writeHead(204, headers).end();
      posted.push({ page: Number(url.searchParams.get("page")), verdicts: JSON.parse(body) });
      wait();
      if (first + posted.length === count) settle(posted);
    } else if (url.pathname.endsWith(".js")) {
      const file = await readFile(join(folder, basename(url.pathname))).catch(() => null);
      response.writeHead(file === null ? 404 : 200, { ...headers, "content-type": "text/javascript" }).end(file ?? "");
    } else {
      const index = Number(url.searchParams.get("n") ?? first);
      response.writeHead(200, { ...headers, "content-type": "text/html" }).end(index < count ? pageText(index) : "");
    }
  });
  wait();
  const { url, close } = await listening(server);
  const end = () => {
    clearTimeout(timer);
    return close();
  };
  return { verdicts, url, close: end };
}

/** The verdicts of the subjects, whose bundle is in `folder`. */
export async function runInBrowser({ command, args, isolated }, { folder, subjects }) {
  const found = [];
  let first = 0;
  while (first < subjects.length) {
    const server = await servePages({ folder, count: subjects.length, isolated, first });
    const posted = await verdictsOf({ command, args, limit: 2 ** 30 }, server);
    for (const { page, verdicts } of posted) found.push(...verdicts.map((verdict) => ({ file: subjects[page].path, ...verdict })));
    first += posted.length;
    if (first === subjects.length) break;
    const detail = `nothing within ${kLimitMs} ms`;
    found.push({ file: subjects[first].path, name: "the page answers", verdict: "failed", detail });
    first++;
  }
  return found;
}
