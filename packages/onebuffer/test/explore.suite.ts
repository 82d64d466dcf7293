// Tests the server of the explorer against a small folder.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders, RequestOptions } from "node:http";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { explore } from "../src/cli/explore.ts";
import { noInput } from "./run-command.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-"));
  writeFileSync(join(folder, "secret"), "x");
});
afterAll(() => rmSync(folder, { recursive: true }));

test("explore serves the files of its folder with the headers of isolation, and nothing else", async () => {
  const site = join(folder, "site");
  mkdirSync(join(site, "panels"), { recursive: true });
  writeFileSync(join(site, "index.html"), "<p>page");
  writeFileSync(join(site, "panels/index.html"), "<p>panels");
  writeFileSync(join(site, "app.js.br"), brotliCompressSync("let a;"));
  writeFileSync(join(site, "damaged.js.br"), "no brotli");
  const cancel = new AbortController();
  let serve = (_: string): void => undefined;
  const printed = new Promise<string>((resolve) => (serve = resolve));
  const print = (line: string): void => serve(line);
  const ended = explore(site, 0, { print, printError: print, folder, color: false, input: noInput, terminal: null, signal: cancel.signal });
  const address = /^(http:\/\/127\.0\.0\.1:\d+\/)/.exec(await printed)?.[1] ?? "";
  const { port } = new URL(address);
  const page = await answerOf(port, "");
  expect([page.status, page.text, page.headers["cross-origin-embedder-policy"]]).toEqual([200, "<p>page", "require-corp"]);
  expect((await answerOf(port, "panels/")).text).toBe("<p>panels");
  const script = await answerOf(port, "app.js");
  expect([script.text, script.headers["content-type"], script.headers["content-encoding"]]).toEqual([
    "let a;",
    "text/javascript; charset=utf-8",
    undefined,
  ]);
  for (const path of ["damaged.js", "missing.js", "%2e%2e/secret", "..%2fsecret", "%zz"]) {
    expect([path, (await answerOf(port, path)).status]).toEqual([path, 404]);
  }
  expect((await answerOf(port, "", { method: "POST" }, "x")).status).toBe(405);
  // Pages of other origins must not read the answers, under whatever name they reach this machine (DNS rebinding).
  const statusFor = async (host: string): Promise<number | undefined> => (await answerOf(port, "", { headers: { host } })).status;
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
    expect([host, await statusFor(host)]).toEqual([host, 200]);
  for (const host of [
    "evil.example",
    `evil.example:${port}`,
    "localhost",
    "127.0.0.1",
    `127.0.0.1:${Number(port) + 1}`,
    `localhost.evil.example:${port}`,
    `127.0.0.1:${port}.evil.example`,
    `0.0.0.0:${port}`,
  ])
    expect([host, await statusFor(host)]).toEqual([host, 403]);
  cancel.abort();
  await ended;
});

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** Asks the server for a path as it is written. `fetch` would add headers, and takes long to load. */
function answerOf(port: string, path: string, options: RequestOptions = {}, body = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: `/${path}`, ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("end", () => resolve({ status: response.statusCode, text, headers: response.headers }));
    });
    sent.on("error", reject).end(body);
  });
}
