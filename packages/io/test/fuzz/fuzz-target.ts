/** A reader that the fuzzer gives mutated files to. */
export interface FuzzTarget {
  readonly name: string;
  /** The share of all mutants that this target gets. A reader that waits for the platform's inflate gets few. */
  readonly share: number;
  /** Well-formed files, small, of as many kinds as the format has. */
  readonly seeds: () => Promise<readonly Uint8Array<ArrayBuffer>[]>;
  /** Texts and bytes of the format, which are put into files. */
  readonly words?: readonly (string | Uint8Array)[];
  /**
   * Reads a file and frees everything again. Returns the bytes of elements that it held. Throws a StatusError if it refuses the file, and
   * another Error if what was read contradicts itself.
   */
  readonly read: (file: Uint8Array<ArrayBuffer>) => number | Promise<number>;
  /** The most bytes that a file of `size` bytes may be read to. */
  readonly mostBytes?: (size: number) => number;
}
