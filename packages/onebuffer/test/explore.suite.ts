// Tests the server of the explorer against a small folder.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
  const page = await fetch(address);
  expect([page.status, await page.text(), page.headers.get("cross-origin-embedder-policy")]).toEqual([200, "<p>page", "require-corp"]);
  expect(await (await fetch(`${address}panels/`)).text()).toBe("<p>panels");
  const script = await fetch(`${address}app.js`);
  expect([await script.text(), script.headers.get("content-type"), script.headers.get("content-encoding")]).toEqual([
    "let a;",
    "text/javascript; charset=utf-8",
    null,
  ]);
  for (const path of ["damaged.js", "missing.js", "%2e%2e/secret", "..%2fsecret", "%zz"]) {
    const answer = await fetch(address + path);
    await answer.arrayBuffer();
    expect([path, answer.status]).toEqual([path, 404]);
  }
  expect((await fetch(address, { method: "POST", body: "x" })).status).toBe(405);
  // Pages of other origins must not read the answers, under whatever name they reach this machine (DNS rebinding).
  const { port } = new URL(address);
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
    expect([host, await statusFor(port, host)]).toEqual([host, 200]);
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
    expect([host, await statusFor(port, host)]).toEqual([host, 403]);
  cancel.abort();
  await ended;
});

/** Returns the status of a request whose header Host is `host`. */
function statusFor(port: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: "/", headers: { host } }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    sent.on("error", reject).end();
  });
}
