/**
 * The entry of the `onebuffer` command: passes the process's arguments, streams and folder to `runCommandLine` and sets the exit code.
 *
 * npm runs scripts in the workspace's root and keeps the folder in which the user ran npm in INIT_CWD; relative paths start there.
 */
import { runCommandLine } from "./cli/command-line.ts";

const { env, stdout, stderr } = process;

/** Ignores writes to a closed pipe: `npm start | head` reads some lines and closes it. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
stdout.on("error", ignoreClosedPipe);
stderr.on("error", ignoreClosedPipe);

const cancel = new AbortController();
// A second Ctrl-C ends the process at once: the handler is gone by then.
process.once("SIGINT", () => cancel.abort());

process.exitCode = await runCommandLine(process.argv.slice(2), {
  print: (line) => stdout.write(`${line}\n`),
  printError: (line) => stderr.write(`${line}\n`),
  folder: env["INIT_CWD"] ?? process.cwd(),
  color: stdout.isTTY === true && (env["NO_COLOR"] ?? "") === "",
  terminal: stderr.isTTY === true ? stderr : null,
  signal: cancel.signal,
});
