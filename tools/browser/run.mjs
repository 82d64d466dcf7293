// Builds the packages and runs checks.mjs over them in Chromium and Firefox, each with and without cross-origin isolation, all
// under a strict Content-Security-Policy; and once more with a policy that does not let WebAssembly compile.
//
// No driver is needed: a loopback server serves the page, and the page posts its verdicts back. A browser that is not installed is
// skipped with a message; under ONEBUFFER_REQUIRE_BROWSERS=1 that is a failure.
import "../build.mjs";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "./server.mjs";

const kLimitMs = 90_000;
const kBrowsers = [
  {
    name: "chromium",
    commands: ["chromium", "chromium-browser", "google-chrome"],
    args: (profile, url) => [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--user-data-dir=${profile}`,
      url,
    ],
  },
  {
    name: "firefox",
    commands: ["firefox-esr", "firefox"],
    args: (profile, url) => ["--headless", "--no-remote", "--profile", profile, url],
  },
];

const kPages = [
  { title: "isolated", isolated: true, wasm: true },
  { title: "not isolated", isolated: false, wasm: true },
  { title: "no WebAssembly compiled", isolated: false, wasm: false },
];

const installed = (commands) => commands.find((command) => spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0);

/** Returns the verdicts that a page posts, a list of `{ name, ok, detail }`, or one failed verdict if it posts none in time. */
async function verdictsOf(command, args, page) {
  const profile = mkdtempSync(join(tmpdir(), "onebuffer-browser-"));
  const server = await serve(page);
  const child = spawn(command, args(profile, server.url), { stdio: "ignore", detached: true });
  const silence = new Promise((resolve) => {
    setTimeout(() => resolve([{ name: "the page answers", ok: false, detail: `nothing within ${kLimitMs} ms` }]), kLimitMs).unref();
  });
  const verdicts = await Promise.race([server.verdicts, silence]);
  const gone = new Promise((resolve) => child.once("exit", resolve));
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
  await Promise.all([gone, server.close()]);
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  } catch {
    // A helper process of the browser may still be writing into the folder; the system empties its temporary folder later.
  }
  return verdicts;
}

// Importing build.mjs has built the packages; its exit code is not 0 if they do not compile.
let failed = process.exitCode ? 1 : 0;
for (const { name, commands, args } of kBrowsers) {
  const command = installed(commands);
  if (command === undefined) {
    process.stdout.write(`${name}: not installed, skipped\n`);
    if (process.env.ONEBUFFER_REQUIRE_BROWSERS === "1") failed++;
    continue;
  }
  for (const page of kPages) {
    const verdicts = await verdictsOf(command, args, page);
    const wrong = verdicts.filter((verdict) => !verdict.ok);
    failed += wrong.length;
    process.stdout.write(`${name}, ${page.title}: ${verdicts.length - wrong.length} of ${verdicts.length} checks hold\n`);
    for (const { name: check, detail } of wrong) process.stdout.write(`  FAILED ${check}: ${detail}\n`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
