// A command that stands for Python and starts fake-runner.ts.
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "@jest/globals";

const folder = mkdtempSync(join(tmpdir(), "onebuffer-fake-python-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the path of a program that is a runner with this behavior. */
export function fakePython(mode: string): string {
  const path = join(folder, mode.replaceAll(" ", "-"));
  const runner = fileURLToPath(new URL("./fake-runner.js", import.meta.url));
  // The runner is a program for Node, also where another engine runs the tests.
  const node = process.env["ONEBUFFER_HELPER_NODE"] ?? process.execPath;
  writeFileSync(path, `#!/bin/sh\nexec '${node}' '${runner}' '${mode}'\n`);
  chmodSync(path, 0o755);
  return path;
}

/** True if a process with this number exists. */
export function isRunning(pid: number | undefined): boolean {
  try {
    process.kill(pid as number, 0);
    return true;
  } catch {
    return false;
  }
}

/** The files of shared memory and the open files of this process, as a text. */
export function resources(shared: string): string {
  const files = readdirSync(shared).filter((name) => name.startsWith("onebuffer-") && name.includes(`-${process.pid}-`));
  const open = process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
  return `${files.length} files, ${open} open`;
}

/** A new folder for shared memory. */
export function sharedFolder(): string {
  return mkdtempSync(join(folder, "shared-"));
}
