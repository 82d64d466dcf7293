// Runs the command line in this process.
import { expect } from "@jest/globals";
import { liveBuffers } from "onebuffer";
import { runCommandLine } from "../src/cli/command-line.ts";

/** What a command printed, and its exit code. */
export interface CommandResult {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command in a folder, without a terminal, and checks that it leaves no buffer alive. */
export async function runCommand(folder: string, ...args: readonly string[]): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const live = liveBuffers();
  const around = { print: (line: string) => out.push(line), printError: (line: string) => err.push(line), folder, color: false };
  const exit = await runCommandLine(args, { ...around, terminal: null, signal: new AbortController().signal });
  expect(liveBuffers()).toBe(live);
  return { exit, out: out.join("\n"), err: err.join("\n") };
}
