/** Checks the names of files, which may come from a file: an index that names its shards must not lead out of its folder. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkText, shownValue } from "@onebuffer/base/internal";

/** The most characters of a name; file systems allow fewer. */
const kMostCharacters = 4096;

/**
 * Throws INVALID_ARGUMENT unless `name` is relative, stays within its folder and means the same on every system: parts that are divided
 * by "/", none of them empty, "." or "..", without backslash, NUL or the letter of a drive.
 */
export function checkFileName(name: string): void {
  checkText(name, "the name of a file");
  const isInside = name.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  if (!isInside || /^[a-z]:|[\\\0]/i.test(name) || name.length > kMostCharacters)
    throw new InvalidArgumentError(
      `expected the name of a file in the folder, such as "a.index" or "part/a.index", got ${shownValue(name)}`,
    );
}
