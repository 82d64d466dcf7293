/**
 * The exit codes of the command:
 *
 *     0    success; `diff` found no difference
 *     1    a file could not be read or written
 *     2    the arguments are invalid
 *     3    `diff` found differences, or `inspect` a wrong checksum
 *     130  cancelled by Ctrl-C
 */
export type ExitCode = 0 | 1 | 2 | 3 | 130;
