/** Makes a set of files of whatever a caller has: inputs by name, a function from a name to an input, a FileSet. */
import { InvalidArgumentError, NotFoundError } from "@onebuffer/base";
import { isClass, shownValue } from "@onebuffer/base/internal";
import type { FileSet } from "./file-set.ts";
import { toByteSource } from "./to-byte-source.ts";
import type { SourceInput } from "./to-byte-source.ts";

/**
 * What readers of formats with several files take: a FileSet, for example `directoryFiles` of `onebuffer/node`; a Map or an object of
 * inputs by name; or a function that returns the input of a name, or undefined if there is none.
 *
 * @example
 * const input: FileSetInput = { "m.index": new Uint8Array(3), "m.data-00000-of-00001": new Blob(["1234"]) };
 * await toFileSet(input).list?.(); // => ["m.index", "m.data-00000-of-00001"]
 */
export type FileSetInput =
  | FileSet
  | ReadonlyMap<string, SourceInput>
  | Readonly<Record<string, SourceInput>>
  | ((name: string) => SourceInput | undefined | Promise<SourceInput | undefined>);

/**
 * Returns `input` as a set of files. A FileSet is returned as it is. Inputs are looked at when their file is opened.
 *
 * Throws INVALID_ARGUMENT for anything else; opening throws NOT_FOUND for an unknown name, and what `toByteSource` throws.
 *
 * @example
 * const files = toFileSet(new Map([["weights.npy", Uint8Array.of(1, 2, 3)]]));
 * (await files.open("weights.npy")).size; // => 3
 * await files.open("other.npy"); // throws NOT_FOUND
 * const remote = toFileSet((name) => httpSource(`data:,${name}`, { wholeUpTo: 100 }));
 * (await remote.open("abc")).size; // => 3
 */
export function toFileSet(input: FileSetInput): FileSet {
  if (typeof input === "function" && !isClass(input)) return { open: async (name) => opened(await input(name), name) };
  if (typeof input !== "object" || input === null || ArrayBuffer.isView(input))
    throw new InvalidArgumentError(`expected a FileSet, a Map or object of files by name, or a function, got ${shownValue(input)}`);
  if (typeof (input as Partial<FileSet>).open === "function") return input as FileSet;
  const byName = Object.prototype.toString.call(input) === "[object Map]" ? (input as Map<string, SourceInput>) : recordMap(input);
  return {
    open: async (name) => opened(byName.get(name), name),
    list: async () => [...byName.keys()],
  };
}

/** Only an object's own properties are files: an input named "constructor" must be there to be found. */
function recordMap(record: object): ReadonlyMap<string, SourceInput> {
  return new Map(Object.entries(record as Readonly<Record<string, SourceInput>>));
}

function opened(input: SourceInput | undefined, name: string): ReturnType<typeof toByteSource> {
  if (input === undefined) throw new NotFoundError(`no file ${shownValue(name)}`);
  return toByteSource(input);
}
