/**
 * The entry of the `onebuffer` command: passes the process's arguments, streams and folder to `runCommandLine` and sets the exit code.
 *
 * npm runs scripts in the workspace's root and keeps the folder in which the user ran npm in INIT_CWD; relative paths start there.
 */
import { runCommandLine } from "./cli/command-line.ts";
import { kCancelSignals } from "./cli/exit-code.ts";

const { env, stdin, stdout, stderr } = process;

const cancel = new AbortController();

/**
 * Ignores writes to a pipe or terminal that was closed: `npm start | head` reads some lines and closes the pipe. Another error, as of a full
 * disk, is one line, ends the command and makes the exit code 1.
 */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE" || error.code === "EIO") return;
  process.exitCode = 1;
  stderr.write(`onebuffer: standard output: cannot be written (${error.code})\n`);
  cancel.abort(error);
}
stdout.on("error", onOutputError);
stderr.on("error", () => {
  // There is no other place to report it.
});

/** Cancels the command. A second signal ends the process at once: there are no handlers by then. */
function cancelBy(signal: NodeJS.Signals): void {
  for (const each of kCancelSignals) process.off(each, cancelBy);
  cancel.abort(signal);
}
for (const each of kCancelSignals) process.on(each, cancelBy);

const exitCode = await runCommandLine(process.argv.slice(2), {
  print: (line) => stdout.write(`${line}\n`),
  printError: (line) => stderr.write(`${line}\n`),
  input: stdin,
  folder: env["INIT_CWD"] ?? process.cwd(),
  color: stdout.isTTY === true && (env["NO_COLOR"] ?? "") === "",
  terminal: stderr.isTTY === true ? stderr : null,
  signal: cancel.signal,
});
process.exitCode ??= exitCode;
