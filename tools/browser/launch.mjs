// Starts the browsers that are installed, without a driver: a loopback server hands out the page, the page posts its verdicts back.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const kLimitMs = 90_000;
/** The browsers, the commands that may start each, and their arguments. */
export const kBrowsers = [
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

/** The first of the commands that is installed, or undefined. */
export const installed = (commands) => commands.find((command) => spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0);

const kSilent = (why) => [{ name: "the page answers", ok: false, detail: why }];

/**
 * The verdicts that a page posts: a list of `{ name, ok, detail }`, or what `silent` returns for the reason when it never does within `limit`
 * milliseconds. `server` has the page's `url`, a promise of its `verdicts`, and `close`. `isRuntime` is true for a runtime, such as Node: it
 * posts by itself, so that there are no verdicts once it has ended, and says its errors.
 */
export async function verdictsOf({ command, args, env = process.env, isRuntime = false, limit = kLimitMs, silent = kSilent }, server) {
  const profile = mkdtempSync(join(tmpdir(), "onebuffer-browser-"));
  const child = spawn(command, args(profile, server.url), {
    stdio: ["ignore", "ignore", isRuntime ? "inherit" : "ignore"],
    detached: true,
    env,
  });
  const silence = new Promise((resolve) => {
    setTimeout(() => resolve(silent(`nothing within ${limit} ms`)), limit).unref();
    if (isRuntime) child.once("exit", (code, signal) => setTimeout(() => resolve(silent(`it ended with ${code ?? signal}`)), 1000));
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const verdicts = await Promise.race([server.verdicts, silence]);
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
  await Promise.all([gone, server.close()]);
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  } catch {
    // A helper process of the browser that is still ending writes into it; the system clears its temporary folder.
  }
  return verdicts;
}
