/**
 * The command's entry: hands the process's arguments, streams and folder to the command line and takes its exit code.
 *
 * npm runs scripts in the workspace's root and keeps the folder the user called from in INIT_CWD; paths are meant from there.
 */
import { runCommandLine } from "./cli/command-line.ts";

const { env, stdout, stderr } = process;

/** `npm start | head` reads some lines and closes the pipe; what is written after that has no reader, which is no error. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
stdout.on("error", ignoreClosedPipe);
stderr.on("error", ignoreClosedPipe);

process.exitCode = runCommandLine(process.argv.slice(2), {
  print: (line) => stdout.write(`${line}\n`),
  printError: (line) => stderr.write(`${line}\n`),
  folder: env["INIT_CWD"] ?? process.cwd(),
  color: stdout.isTTY === true && (env["NO_COLOR"] ?? "") === "",
});
