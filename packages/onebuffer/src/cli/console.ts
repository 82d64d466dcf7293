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
  /** Standard input, which the argument `-` stands for. */
  readonly input: AsyncIterable<Uint8Array>;
  /** The folder in which relative paths start. */
  readonly folder: string;
  /** True if the output is a terminal that shows colors. */
  readonly color: boolean;
  /** The terminal that shows progress bars; null if standard error is not a terminal. */
  readonly terminal: NodeJS.WritableStream | null;
  /** Cancels the command. Its reason is the name of the system's signal, see exit-code.ts. */
  readonly signal: AbortSignal;
}

/** Returns a text in color if the output shows colors: green, red, bold or dim. */
export function paint({ color }: Pick<Surroundings, "color">, style: keyof typeof kStyles, text: string): string {
  return color ? `\x1b[${kStyles[style]}m${text}\x1b[0m` : text;
}

const kStyles = { bold: 1, dim: 2, red: 31, green: 32 } as const;
