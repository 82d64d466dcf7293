/**
 * The environment of a command: where its output goes, the folder of relative paths, and whether the output shows colors.
 *
 * It is a parameter, so that tests can run a command and read its output.
 */

/** Takes one line of output, without its line end. */
export type Print = (line: string) => void;

/** The environment of a command. */
export interface Surroundings {
  /** Prints to standard output. */
  readonly print: Print;
  /** Prints to standard error. */
  readonly printError: Print;
  /** The folder in which relative paths start. */
  readonly folder: string;
  /** True if the output is a terminal that shows colors. */
  readonly color: boolean;
}
