/**
 * What a command needs of the world around it: where lines go, where paths begin, whether colours are wanted.
 *
 * Passed in, so that tests can run a command and read what it printed.
 */

/** Takes one line of output, without its line end. */
export type Print = (line: string) => void;

/** The surroundings of a command. */
export interface Surroundings {
  /** Lines for standard output. */
  readonly print: Print;
  /** Lines for standard error. */
  readonly printError: Print;
  /** The folder that relative paths are meant from. */
  readonly folder: string;
  /** Whether the output is a terminal that shows colours. */
  readonly color: boolean;
}
