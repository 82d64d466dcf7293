// Runs the command as a process in a pseudo-terminal, through the system's `script`.
import type { SpawnSyncReturns } from "node:child_process";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The program of the command. */
export const main: string = fileURLToPath(new URL("../../bin/onebuffer.js", import.meta.url));

/** True where there is a `script`. */
export const hasTerminal: boolean = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

/** Runs a command of the shell in a pseudo-terminal. */
export const inTerminal = (command: string, cwd: string, env: Readonly<Record<string, string>> = {}): SpawnSyncReturns<string> =>
  spawnSync("script", ["-qec", command, "/dev/null"], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm", ...env },
    encoding: "utf8",
  });
