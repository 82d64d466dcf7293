/**
 * The exit codes of the command:
 *
 *     0    success; `diff` found no difference
 *     1    a file could not be read or written
 *     2    the arguments are invalid
 *     3    `diff` found differences, or `inspect` a wrong checksum
 *     129  cancelled by SIGHUP: the terminal was closed
 *     130  cancelled by SIGINT: Ctrl-C
 *     143  cancelled by SIGTERM
 */
export type ExitCode = 0 | 1 | 2 | 3 | CancelCode;

/** The exit code of a command that a signal has cancelled: 128 and the signal's number, as shells have it. */
export type CancelCode = 129 | 130 | 143;

/** The signals that cancel the command. The reason of the command's AbortSignal is the name of one of them. */
export const kCancelSignals = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/** Returns the exit code of a command that was cancelled for this reason. */
export function cancelCode(reason: unknown): CancelCode {
  return reason === "SIGHUP" ? 129 : reason === "SIGTERM" ? 143 : 130;
}
