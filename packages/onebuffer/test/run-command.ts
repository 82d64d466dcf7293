// Runs the command line in this process.
import { Readable } from "node:stream";
import { expect } from "@jest/globals";
import { liveBuffers } from "onebuffer";
import { runCommandLine } from "../src/cli/command-line.ts";

/** What a command printed, and its exit code. */
export interface CommandResult {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Standard input without bytes. */
export const noInput: AsyncIterable<Uint8Array> = Readable.from([]);

/** Runs the command in a folder, without a terminal and without input, and checks that it leaves no buffer alive. */
export const runCommand = (folder: string, ...args: readonly string[]): Promise<CommandResult> => runCommandOn(noInput, folder, ...args);

/** Runs the command like `runCommand`, with bytes on standard input. */
export async function runCommandOn(input: AsyncIterable<Uint8Array>, folder: string, ...args: readonly string[]): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const live = liveBuffers();
  const around = { print: (line: string) => out.push(line), printError: (line: string) => err.push(line), input, folder, color: false };
  const exit = await runCommandLine(args, { ...around, terminal: null, signal: new AbortController().signal });
  expect(liveBuffers()).toBe(live);
  return { exit, out: out.join("\n"), err: err.join("\n") };
}
