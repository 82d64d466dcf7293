/** The verdict on a file, from what the readers found: the same findings that `onebuffer inspect` prints and ends with. */

/**
 * The verdict in words.
 *
 *     sound                   the index or header is whole, and so is every checksum that was verified      inspect ends with 0
 *     damaged                 bytes are missing or do not match a checksum                                   3, or 1 with DATA_LOSS
 *     malformed               the bytes show the format, but break its rules                                 1
 *     other types             the file is in order, but its type has no dtype here                           1 with UNIMPLEMENTED
 *     incomplete              a file that belongs to it is missing                                           1 with NOT_FOUND
 *     not a file of tensors   the bytes show no format                                                       1 with INVALID_ARGUMENT
 */
export type FileVerdict = "sound" | "damaged" | "malformed" | "other types" | "incomplete" | "not a file of tensors";

/** What the readers found. */
export interface Findings {
  /** The code and message of the error that the reader ended with; "" if it opened the file. */
  readonly error: string;
  /** True if the bytes show a format, whatever the name is. */
  readonly showsFormat: boolean;
  /** True if only the name speaks for a format without a magic number: of `.pb` files few are TensorProtos. */
  readonly isGuess?: boolean;
  /** The number of tensors whose checksums do not match. */
  readonly badChecksums: number;
}

/** Returns the verdict on a file. */
export function verdictOf({ error, showsFormat, isGuess = false, badChecksums }: Findings): FileVerdict {
  const code = /^[A-Z_]+(?=:)/.exec(error)?.[0] ?? "";
  if (error === "") return badChecksums > 0 ? "damaged" : "sound";
  if (isGuess) return "not a file of tensors";
  if (code === "DATA_LOSS") return "damaged";
  if (code === "NOT_FOUND") return "incomplete";
  if (code === "UNIMPLEMENTED") return "other types";
  return code === "INVALID_ARGUMENT" && !showsFormat ? "not a file of tensors" : "malformed";
}

/** What to do with such a file, in a sentence; "" for a sound one. */
export function adviceOf(verdict: FileVerdict, name: string): string {
  if (verdict === "sound") return "";
  if (verdict === "incomplete") return "Give the index and all its data files together: choose or drop them at once.";
  if (verdict === "other types") return "The file is whole. Its elements have a type that no tensor here has.";
  if (verdict === "not a file of tensors") {
    if (/(?:^|\/)saved_model\.pbt?(?:xt)?$/.test(name))
      return "This is the graph of a SavedModel. Its tensors are beside it, in variables.index and its data files: give those.";
    if (/\.(?:npy|csv|txt)$/.test(name)) return "If it is a table of numbers as text, NumPy's loadtxt and save make an .npy file of it.";
    return "Nothing in its bytes is of a format that holds tensors. Nothing is wrong with the file itself.";
  }
  return verdict === "damaged"
    ? "Fetch the file again if you can: its bytes are not those that were written."
    : "A program wrote it against the rules of its format.";
}
