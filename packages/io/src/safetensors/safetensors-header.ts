/**
 * Reads the header of a safetensors file and checks it as the reference does (`Metadata::validate` of safetensors' lib.rs).
 *
 *     N as u64      JSON of N bytes                                                                      data
 *     0             8                                                                                    8 + N
 *                   {"__metadata__":{...},"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}, ...}
 *
 * Offsets count from the beginning of the data. The tensors, sorted by offset, must cover the data exactly: no gap, no overlap, no bytes
 * after the last one. docs/formats.md lists where this reader is stricter than the reference.
 */
import { DataLossError, InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { JsonScanner } from "./json-scanner.ts";
import { typeTraits } from "./safetensors-type.ts";
import type { SafetensorsDType, SafetensorsType, SafetensorsTypeTraits } from "./safetensors-type.ts";

/**
 * One tensor of a safetensors file.
 *
 * @example
 * using weights = Tensor.from([[1, 2], [3, 4]]);
 * const file = SafetensorsFile.fromBytes(writeSafetensors({ weights }));
 * const { type, dtype, shape, byteLength }: SafetensorsEntry = file.entry("weights");
 * [type, dtype, shape, byteLength]; // => ["F32", "float32", [2, 2], 16]
 */
export interface SafetensorsEntry {
  readonly name: string;
  /** The element type as written: "F32", "BF16". */
  readonly type: SafetensorsType;
  /** The dtype of the tensor; undefined for F6_E2M3, F6_E3M2 and F8_E8M0, whose bytes alone can be read. */
  readonly dtype: SafetensorsDType | undefined;
  readonly shape: readonly number[];
  readonly numElements: number;
  /** The index of the first byte in the file. */
  readonly byteOffset: number;
  /** The number of bytes in the file. */
  readonly byteLength: number;
}

/**
 * The options of the header reader.
 *
 * @example
 * const options: SafetensorsHeaderOptions = { duplicates: "last" };
 * options.duplicates; // => "last"
 */
export interface SafetensorsHeaderOptions {
  /**
   * What happens if a tensor's name or a key of the metadata is written twice: `"refuse"`, the default, throws INVALID_ARGUMENT, as the format
   * demands; `"last"` takes the last one, as the reference does.
   */
  readonly duplicates?: "refuse" | "last";
}

/** The checked header. */
export interface SafetensorsHeader {
  readonly metadata: ReadonlyMap<string, string>;
  /** In the order of the data. */
  readonly entries: ReadonlyMap<string, SafetensorsEntry>;
}

/** The bytes before the header: its length. */
export const kLengthBytes = 8;
/** The longest header: the reference's limit. */
const kMaxHeaderBytes = 100_000_000;
/** The first byte of a header: `{`. */
const kBrace = 0x7b;
/** The bytes that a message shows of a file of another format. */
const kShownBytes = 16;
/** The beginnings of other formats, as a message shows them, and the advice for them. */
const kOtherFormats: readonly (readonly [string, string])[] = [
  ["\\x93NUMPY", "use readNpy for .npy files"],
  ["PK\\x03\\x04", "use readNpz for .npz files"],
  ["version https://", "a pointer of Git LFS: git lfs pull fetches the file"],
];
const kMaxUint64 = 2n ** 64n - 1n;
/** So many elements of 64 bits have fewer than 2^53 bits. */
const kMostElements = 2 ** 46;
const kMetadata = "__metadata__";
const kFields: readonly string[] = ["dtype", "shape", "data_offsets"];

/** Checks the options of every function that reads a header. */
export function checkDuplicates(call: string, duplicates: unknown): void {
  if (duplicates !== undefined && duplicates !== "refuse" && duplicates !== "last")
    throw new InvalidArgumentError(`${call}: duplicates is "refuse" or "last", got ${shownValue(duplicates)}`);
}

/**
 * Returns the length of the header in a file of `size` bytes, of which `start` has the first eight, or all if there are fewer.
 * Throws DATA_LOSS if the file ends before the header does, INVALID_ARGUMENT if the header is longer than the reference reads.
 */
export function headerLength(start: Uint8Array<ArrayBufferLike>, size: number): number {
  if (size < kLengthBytes)
    throw new DataLossError(`safetensors: the file has ${size} bytes, fewer than the ${kLengthBytes} of the header's length`);
  let length = 0n;
  for (let i = kLengthBytes - 1; i >= 0; i--) length = length * 256n + BigInt(start[i] ?? 0);
  if (length > kMaxHeaderBytes) {
    if (start[kLengthBytes] !== kBrace) throw new InvalidArgumentError(`safetensors: not a safetensors file: ${beginning(start)}`);
    throw new InvalidArgumentError(`safetensors: the header would have ${length} bytes, more than the ${kMaxHeaderBytes} that are read`);
  }
  if (kLengthBytes + Number(length) > size)
    throw new DataLossError(`safetensors: expected ${length} bytes of header, got ${size - kLengthBytes}`);
  return Number(length);
}

/** Returns the beginning of a file of another format, with advice for known formats. */
function beginning(start: Uint8Array<ArrayBufferLike>): string {
  const shown = Array.from(start.subarray(0, kShownBytes), (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`,
  ).join("");
  const advice = kOtherFormats.find(([magic]) => shown.startsWith(magic))?.[1];
  return `it begins with "${shown}"${advice === undefined ? "" : `, ${advice}`}`;
}

/** A tensor as the header has it, before the offsets are checked. */
interface Written {
  readonly name: string;
  readonly traits: SafetensorsTypeTraits;
  readonly shape: readonly (number | bigint)[];
  readonly begin: number | bigint;
  readonly end: number | bigint;
}

/**
 * Reads and checks the text of a header, `bytes`, in a file of `size` bytes. Throws INVALID_ARGUMENT if the header is invalid, DATA_LOSS if
 * the file ends before the data of its tensors.
 */
export function readSafetensorsHeader(
  bytes: Uint8Array<ArrayBufferLike>,
  size: number,
  options: SafetensorsHeaderOptions,
): SafetensorsHeader {
  const scanner = JsonScanner.ofBytes(bytes, "safetensors header");
  const keepLast = options.duplicates === "last";
  const written = new Map<string, Written>();
  let metadata: Map<string, string> | undefined;
  scanner.object((name) => {
    if (name === kMetadata) {
      if (metadata !== undefined) throw new InvalidArgumentError(`safetensors header: ${kMetadata} is written twice`);
      metadata = readMetadata(scanner, keepLast);
      return;
    }
    const before = written.size;
    written.set(name, readEntry(scanner, name));
    if (written.size === before && !keepLast) throw duplicateError("tensor", name);
  });
  scanner.end();
  return { metadata: metadata ?? new Map(), entries: checkedEntries([...written.values()], kLengthBytes + bytes.length, size) };
}

const duplicateError = (what: string, name: string): InvalidArgumentError =>
  new InvalidArgumentError(`safetensors header: ${what} ${shownValue(name)} is written twice; duplicates: "last" takes the last one`);

/** Reads an object of strings, or null. */
function readMetadata(scanner: JsonScanner, keepLast: boolean): Map<string, string> {
  const metadata = new Map<string, string>();
  if (scanner.peek() === "n") {
    scanner.null();
    return metadata;
  }
  scanner.object((key) => {
    if (metadata.has(key) && !keepLast) throw duplicateError("the metadata key", key);
    metadata.set(key, scanner.string());
  });
  return metadata;
}

/** Reads a tensor: an object with the three fields and any others, or, as the reference does, an array of the three values. */
function readEntry(scanner: JsonScanner, name: string): Written {
  let traits: SafetensorsTypeTraits | undefined;
  let shape: (number | bigint)[] | undefined;
  let offsets: (number | bigint)[] | undefined;
  const readField = (field: string): void => {
    const seen = field === "dtype" ? traits : field === "shape" ? shape : field === "data_offsets" ? offsets : undefined;
    if (seen !== undefined) throw new InvalidArgumentError(`safetensors header: tensor ${shownValue(name)} has ${field} twice`);
    if (field === "dtype") traits = readType(scanner, name);
    else if (field === "shape") shape = readIntegers(scanner);
    else if (field === "data_offsets") offsets = readIntegers(scanner);
    else scanner.skip();
  };
  if (scanner.peek() === "[") {
    scanner.array((index) => {
      if (index >= kFields.length) throw scanner.error(`the end of tensor ${shownValue(name)}`);
      readField(kFields[index] as string);
    });
  } else {
    scanner.object(readField);
  }
  if (traits === undefined || shape === undefined || offsets === undefined) {
    const missing = kFields[[traits, shape, offsets].indexOf(undefined)];
    throw new InvalidArgumentError(`safetensors header: tensor ${shownValue(name)} has no ${missing}`);
  }
  const [begin, end, ...more] = offsets as (number | bigint)[];
  if (begin === undefined || end === undefined || more.length > 0)
    throw new InvalidArgumentError(
      `safetensors header: tensor ${shownValue(name)} has ${(offsets as (number | bigint)[]).length} data_offsets, expected 2`,
    );
  return { name, traits, shape, begin, end };
}

function readIntegers(scanner: JsonScanner): (number | bigint)[] {
  const integers: (number | bigint)[] = [];
  scanner.array(() => integers.push(scanner.unsigned()));
  return integers;
}

function readType(scanner: JsonScanner, name: string): SafetensorsTypeTraits {
  const type = scanner.string();
  const traits = typeTraits(type);
  if (traits === undefined)
    throw new InvalidArgumentError(`safetensors header: tensor ${shownValue(name)}: ${shownValue(type)} is no type of safetensors`);
  return traits;
}

/** Checks that the tensors cover the data exactly and that each has the bytes of its shape. Returns them in the order of the data. */
function checkedEntries(written: Written[], dataOffset: number, size: number): Map<string, SafetensorsEntry> {
  written.sort((a, b) => compare(a.begin, b.begin) || compare(a.end, b.end));
  const entries = new Map<string, SafetensorsEntry>();
  let start = 0;
  for (const { name, traits, shape, begin, end } of written) {
    const subject = (): string => `safetensors header: tensor ${shownValue(name)}`;
    if (begin !== start || end < begin)
      throw new InvalidArgumentError(
        `${subject()} has the bytes from ${begin} to ${end}, expected them to begin at ${start}: no gap, no overlap`,
      );
    const { numElements, byteLength } = sizeOf(subject, traits, shape);
    // The difference is exact: if one of them is above 2^53, so is the difference, and no size is.
    if (Number(end) - begin !== byteLength)
      throw new InvalidArgumentError(
        `${subject()} of ${traits.type} [${shape.join(", ")}] has ${BigInt(end) - BigInt(begin)} bytes, expected ${byteLength}`,
      );
    if (end > size - dataOffset)
      throw new DataLossError(`${subject()} ends at byte ${end} of the data, of which the file has ${size - dataOffset}`);
    const large = shape.find((dimension) => typeof dimension === "bigint");
    if (large !== undefined)
      throw new InvalidArgumentError(
        `${subject()} has a dimension of ${large}, more than the ${Number.MAX_SAFE_INTEGER} that can be counted here`,
      );
    const { type, dtype } = traits;
    entries.set(name, { name, type, dtype, shape: shape as readonly number[], numElements, byteOffset: dataOffset + start, byteLength });
    start = Number(end);
  }
  if (start !== size - dataOffset)
    throw new InvalidArgumentError(`safetensors: the tensors have ${start} bytes, the file has ${size - dataOffset} after its header`);
  return entries;
}

const compare = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the elements and bytes of a shape. Like the reference, refuses a product that exceeds 64 bits even if a later size is 0. */
function sizeOf(
  subject: () => string,
  { type, bits }: SafetensorsTypeTraits,
  shape: readonly (number | bigint)[],
): { readonly numElements: number; readonly byteLength: number } {
  let elements = 1;
  let isExact = true;
  for (const dimension of shape) {
    elements *= Number(dimension);
    if (elements > kMostElements) isExact = false;
  }
  if (!isExact) checkProduct(subject, type, bits, shape);
  // A product above 2^53 may be rounded here. It is larger than any file, which the caller finds, or it becomes 0, which is exact.
  const total = elements * bits;
  if (total % 8 !== 0)
    throw new InvalidArgumentError(`${subject()} of ${type} [${shape.join(", ")}] has ${total} bits, not a whole number of bytes`);
  return { numElements: elements, byteLength: total / 8 };
}

/** Throws INVALID_ARGUMENT if the elements, multiplied in order, or their bits exceed 64 bits. */
function checkProduct(subject: () => string, type: string, bits: number, shape: readonly (number | bigint)[]): void {
  let elements = 1n;
  for (const dimension of shape) {
    elements *= BigInt(dimension);
    if (elements > kMaxUint64) break;
  }
  if (elements * BigInt(bits) > kMaxUint64)
    throw new InvalidArgumentError(`${subject()} of ${type} [${shape.join(", ")}] has more than 2^64 - 1 bits`);
}

/** The names of the header's options. */
export const kHeaderOptions: readonly string[] = ["duplicates"];
