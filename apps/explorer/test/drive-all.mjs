// Drives all panels in the installed browsers and prints a line per browser, and one per failed check.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { installed, kBrowsers } from "../../../tools/browser/launch.mjs";
import { kSwiftShader } from "../../../tools/webgpu/environments.mjs";
import { checks } from "./checks/checks.mjs";
import { serve } from "./serve.mjs";
import { Visit } from "./visit.mjs";

const kSize = { width: 1280, height: 900 };
const kPasses = [
  { title: "isolated", isolated: true, webgpu: false },
  { title: "not isolated", isolated: false, webgpu: false },
  { title: "with WebGPU", isolated: true, webgpu: true },
];
const kChromiumFlags = ["--no-sandbox", "--js-flags=--expose-gc"];
const executableOf = (command) =>
  (process.env.PATH ?? "")
    .split(":")
    .map((folder) => join(folder, command))
    .find((path) => {
      try {
        return createRequire(import.meta.url)("node:fs")
          .statSync(path)
          .isFile();
      } catch {
        return false;
      }
    });

/** Runs the checks of one pass in one browser; resolves to the number of failures. */
async function drive(name, command, { title, isolated, webgpu }, words) {
  const chosen = checks.filter(
    (check) =>
      (check.isolated ?? true) === isolated &&
      (check.webgpu ?? false) === webgpu &&
      (check.browsers ?? (webgpu ? ["chromium"] : ["chromium", "firefox"])).includes(name) &&
      (words.length === 0 || words.some((word) => check.name.includes(word))),
  );
  if (chosen.length === 0) return 0;
  const server = await serve({ isolated });
  const profile = mkdtempSync(join(tmpdir(), "onebuffer-explorer-"));
  const started = Date.now();
  const browser = await puppeteer.launch({
    browser: name === "firefox" ? "firefox" : "chrome",
    executablePath: executableOf(command),
    headless: true,
    userDataDir: profile,
    args: name === "firefox" ? [] : [...kChromiumFlags, ...(webgpu ? kSwiftShader : ["--disable-gpu"])],
    defaultViewport: kSize,
    protocolTimeout: 60_000,
  });
  const failures = [];
  try {
    const visit = new Visit(await browser.newPage(), name, server.url);
    for (const { name: what, run } of chosen) {
      try {
        await run(visit, server);
        const problems = visit.problems();
        if (problems.length > 0) failures.push([what, problems.join("; ")]);
      } catch (error) {
        failures.push([what, `${error.stack ?? error} ${visit.problems().join("; ")}`]);
        await visit.shot(`failed-${what.replaceAll(/\W+/g, "-")}`).catch(() => {});
      }
    }
  } finally {
    await browser.close().catch(() => {});
    await server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(`explorer in ${name}, ${title}: ${chosen.length - failures.length} of ${chosen.length} checks hold, ${seconds} s\n`);
  for (const [what, detail] of failures) process.stdout.write(`  FAILED ${what}: ${detail}\n`);
  return failures.length;
}

/** Runs the checks of all passes in one browser; resolves to the number of failures. */
async function driveBrowser({ name, commands }, words) {
  const command = installed(commands);
  if (command === undefined) {
    process.stdout.write(`explorer in ${name}: not installed, skipped\n`);
    return process.env.ONEBUFFER_REQUIRE_BROWSERS === "1" ? 1 : 0;
  }
  let failed = 0;
  for (const pass of kPasses) failed += await drive(name, command, pass, words);
  return failed;
}

/** Runs the checks whose names contain one of the words, all without words; the browsers side by side. Resolves to true if all hold. */
export async function driveAll(words) {
  const failed = await Promise.all(kBrowsers.map((browser) => driveBrowser(browser, words)));
  return failed.every((count) => count === 0);
}
