/**
 * Reads the header of an .npy file (NumPy's lib/format.py): version, element type, order, shape.
 *
 *     93 'N' 'U' 'M' 'P' 'Y'  major minor  length    text .............. \n  data
 *     0                       6     7      8         10 or 12                10 or 12 + length
 *                                          u16 in version 1.0, u32 in 2.0 and 3.0, little-endian
 *
 * The text is a Python dict with exactly the keys descr, fortran_order and shape, in latin-1, in version 3.0 in UTF-8.
 * Spaces after it align the data to a multiple of 64 (16 in old files), so that the data can be used in place.
 * This module does not read the data or check the file's length. docs/formats.md lists where it is stricter than NumPy.
 */
import { DataLossError, InvalidArgumentError } from "@onebuffer/base";
import { byteView, checkOptions, shownValue } from "@onebuffer/base/internal";
import type { BytesInput } from "../source/bytes-input.ts";
import { parseDescr } from "./npy-descr.ts";
import type { NpyAnyDType, NpyDType, NpyTypeOptions } from "./npy-descr.ts";
import { parsePythonLiteral } from "./python-literal.ts";
import type { PythonEntry, PythonValue } from "./python-literal.ts";

/**
 * The fields of an .npy header, and the sizes computed from them.
 *
 * @example
 * const text = "\x93NUMPY\x01\x00\x3c\x00{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }\n\x01\x02\x03\x04";
 * const header: NpyHeader = parseNpyHeader(Uint8Array.from(text, (character) => character.charCodeAt(0)));
 * [header.dtype, header.shape, header.dataOffset, header.dataBytes]; // => ["uint8", [2, 2], 70, 4]
 */
export interface NpyHeader {
  /** 1.0, 2.0 or 3.0 as `[major, minor]`. */
  readonly version: readonly [major: number, minor: number];
  /** The element type as written, quotes included: `'<f4'`. */
  readonly descr: string;
  readonly dtype: NpyDType;
  /** True if the data is little-endian; always true for one-byte types. */
  readonly littleEndian: boolean;
  /** True if the data is column-major. */
  readonly fortranOrder: boolean;
  /** The dimension sizes, at most 64. */
  readonly shape: readonly number[];
  readonly numElements: number;
  /** The index of the data's first byte. */
  readonly dataOffset: number;
  /** The number of bytes of data that the shape requires. */
  readonly dataBytes: number;
}

/**
 * Limits of the header reader.
 *
 * @example
 * const options: NpyHeaderOptions = { maxHeaderSize: 20 };
 * const text = "\x93NUMPY\x01\x00\x3c\x00{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }\n\x01\x02\x03\x04";
 * parseNpyHeader(Uint8Array.from(text, (character) => character.charCodeAt(0)), options); // throws INVALID_ARGUMENT
 */
export interface NpyHeaderOptions {
  /** The longest header text that is read, in characters; by default 10,000, as in NumPy. */
  readonly maxHeaderSize?: number;
}

/** A header whose type may be one that is read only on request. */
export interface NpyAnyHeader extends Omit<NpyHeader, "dtype"> {
  readonly dtype: NpyAnyDType;
  /** The bytes of an element in the file. */
  readonly itemSize: number;
  /** Four bytes per character of a string (`U`), not one (`S`). */
  readonly wide: boolean;
}

const kMagic: readonly number[] = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** The longest header text that is read by default: NumPy's limit. */
export const kDefaultMaxHeaderSize = 10_000;
/** The most dimensions: NumPy's limit; TensorFlow's is 254. */
export const kMaxRank = 64;
const kMaxInt64 = 2n ** 63n - 1n;

declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/**
 * Reads the header of an .npy file. `bytes` may end where the data begins. Copies only the header.
 *
 * Throws INVALID_ARGUMENT if the bytes are not an .npy file or NumPy refuses the header, DATA_LOSS if the header is truncated,
 * UNIMPLEMENTED with the descr if the element type has no dtype here.
 *
 * @example
 * const text = "\x93NUMPY\x01\x00\x3c\x00{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }\n";
 * const file = Uint8Array.from(text, (character) => character.charCodeAt(0));
 * const { dtype, littleEndian, shape, dataOffset } = parseNpyHeader(file);
 * [dtype, littleEndian, shape, dataOffset]; // => ["float32", false, [2, 3], 70]
 * parseNpyHeader(new Uint8Array(20)); // throws INVALID_ARGUMENT
 */
export function parseNpyHeader(bytes: BytesInput, options?: NpyHeaderOptions): NpyHeader {
  if (options !== undefined) checkOptions("parseNpyHeader", options, ["maxHeaderSize"]);
  const { version, descr, dtype, littleEndian, fortranOrder, shape, numElements, dataOffset, dataBytes } = readHeader(byteView(bytes), {
    maxHeaderSize: options?.maxHeaderSize,
  });
  return { version, descr, dtype: dtype as NpyDType, littleEndian, fortranOrder, shape, numElements, dataOffset, dataBytes };
}

/** The options of `readHeader`. */
export interface ReadHeaderOptions extends NpyTypeOptions {
  readonly maxHeaderSize?: number | undefined;
}

/**
 * Returns the index of the first byte of data in a file that begins with `start`, at least 12 bytes or the whole file. Throws as
 * parseNpyHeader does if these bytes are not the beginning of an .npy file.
 */
export function dataOffsetOf(start: Uint8Array<ArrayBufferLike>): number {
  const version = readVersion(start);
  const lengthBytes = version[0] === 1 ? 2 : 4;
  const textOffset = 8 + lengthBytes;
  if (start.length < textOffset)
    throw new DataLossError(`npy header: the file ends after ${start.length} bytes, within the ${textOffset} bytes before the header text`);
  let length = 0;
  for (let i = lengthBytes - 1; i >= 0; i--) length = length * 256 + (start[8 + i] ?? 0);
  return textOffset + length;
}

/** Returns the error for a header text that is too long. */
export function tooLongHeader(length: string, limit: number): InvalidArgumentError {
  return new InvalidArgumentError(`npy header: the header text is ${length} long, more than the ${limit} characters that are read`);
}

/** Returns the option, or its default. Throws INVALID_ARGUMENT unless it is a number from 0. */
export function checkedMaxHeaderSize(maxHeaderSize: number = kDefaultMaxHeaderSize): number {
  if (typeof maxHeaderSize === "number" && maxHeaderSize >= 0) return maxHeaderSize;
  throw new InvalidArgumentError(`npy header: maxHeaderSize is a number of characters, got ${shownValue(maxHeaderSize)}`);
}

/** Reads the header at the beginning of `all`. Throws as parseNpyHeader does. */
export function readHeader(all: Uint8Array<ArrayBufferLike>, options: ReadHeaderOptions = {}): NpyAnyHeader {
  const version = readVersion(all);
  const textOffset = version[0] === 1 ? 10 : 12;
  const dataOffset = dataOffsetOf(all);
  if (all.length < dataOffset)
    throw new DataLossError(`npy header: expected ${dataOffset - textOffset} bytes of header text, got ${all.length - textOffset}`);
  const text = decodeText(all.subarray(textOffset, dataOffset), version[0], checkedMaxHeaderSize(options.maxHeaderSize));
  const fields = readFields(parsePythonLiteral(text, version[0] < 3));
  const fortranOrder = fields.fortran_order.value;
  if (typeof fortranOrder !== "boolean")
    throw new InvalidArgumentError(`npy header: fortran_order is not a valid bool: ${quoted(fields.fortran_order)}`);
  const sizes = readShape(fields.shape);
  const { dtype, littleEndian, itemSize, wide } = parseDescr(fields.descr.value, fields.descr.source, options);
  const { shape, numElements, dataBytes } = checkShape(sizes, itemSize);
  const descr = fields.descr.source;
  return { version, descr, dtype, littleEndian, itemSize, wide, fortranOrder, shape, numElements, dataOffset, dataBytes };
}

function readVersion(bytes: Uint8Array): readonly [number, number] {
  for (const [i, expected] of kMagic.entries()) {
    if (i >= bytes.length) throw new DataLossError(`npy header: the file ends after ${bytes.length} bytes, within the magic`);
    if (bytes[i] !== expected) {
      const got = Array.from(bytes.subarray(0, 6), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
      throw new InvalidArgumentError(`npy header: not an .npy file: it begins with ${got}, expected 93 4e 55 4d 50 59 ("\\x93NUMPY")`);
    }
  }
  const [major, minor] = bytes.subarray(6, 8);
  if (major === undefined || minor === undefined)
    throw new DataLossError(`npy header: the file ends after ${bytes.length} bytes, within the version`);
  if (major < 1 || major > 3 || minor !== 0) {
    throw new InvalidArgumentError(`npy header: format version (${major}, ${minor}), only (1, 0), (2, 0) and (3, 0) are read`);
  }
  return [major, minor];
}

/** Decodes the header text. Throws INVALID_ARGUMENT if it is longer than `limit` characters. */
function decodeText(bytes: Uint8Array, major: number, limit: number): string {
  // A character is one byte in latin-1 and at most four in UTF-8, so a text with too many bytes is refused without decoding.
  const tooLong = (length: string): InvalidArgumentError => tooLongHeader(length, limit);
  if (major < 3) {
    if (bytes.length > limit) throw tooLong(`${bytes.length} characters`);
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return text;
  }
  if (bytes.length > 4 * limit) throw tooLong(`${bytes.length} bytes`);
  let text: string;
  try {
    // Copied with `slice`, because browsers' TextDecoder refuses shared memory.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.slice());
  } catch (cause) {
    throw new InvalidArgumentError(`npy header: the ${bytes.length} bytes of header text are not valid UTF-8`, { cause });
  }
  let characters = 0;
  for (const _ of text) characters++;
  if (characters > limit) throw tooLong(`${characters} characters`);
  return text;
}

interface Fields {
  readonly descr: PythonEntry;
  readonly fortran_order: PythonEntry;
  readonly shape: PythonEntry;
}

/** Returns the three entries. If a key is written twice, the last entry counts, as in Python. */
function readFields(value: PythonValue): Fields {
  if (typeof value !== "object" || value.kind !== "dict") throw new InvalidArgumentError(`npy header: the header is not a dictionary`);
  const entries = new Map<PythonValue, PythonEntry>();
  for (const entry of value.entries) {
    if (typeof entry.key === "object") throw new InvalidArgumentError(`npy header: a ${entry.key.kind} is not a valid key`);
    entries.set(entry.key, entry);
  }
  const descr = entries.get("descr");
  const fortranOrder = entries.get("fortran_order");
  const shape = entries.get("shape");
  if (descr === undefined || fortranOrder === undefined || shape === undefined || entries.size !== 3) {
    const keys = Array.from(entries.keys(), (key) => JSON.stringify(String(key))).join(", ");
    throw new InvalidArgumentError(`npy header: expected the keys "descr", "fortran_order", "shape", got ${keys.slice(0, 200)}`);
  }
  return { descr, fortran_order: fortranOrder, shape };
}

function readShape(entry: PythonEntry): readonly bigint[] {
  const { value } = entry;
  if (typeof value !== "object" || value.kind !== "tuple")
    throw new InvalidArgumentError(`npy header: shape is not a tuple: ${quoted(entry)}`);
  if (value.items.length > kMaxRank)
    throw new InvalidArgumentError(`npy header: the shape has ${value.items.length} dimensions, at most ${kMaxRank} are read`);
  return value.items.map((size, d) => {
    if (typeof size !== "bigint") throw new InvalidArgumentError(`npy header: dimension ${d} of the shape is not an int: ${quoted(entry)}`);
    if (size < 0n) throw new InvalidArgumentError(`npy header: dimension ${d} of the shape is negative: ${size}`);
    if (size > Number.MAX_SAFE_INTEGER) {
      throw new InvalidArgumentError(
        `npy header: dimension ${d} of the shape is ${brief(size)}, more than the ${Number.MAX_SAFE_INTEGER} that can be counted here`,
      );
    }
    return size;
  });
}

/** Returns the numbers of elements and bytes. Like NumPy, refuses a shape whose other dimensions' product is too large even if one is 0. */
function checkShape(sizes: readonly bigint[], itemSize: number): Pick<NpyHeader, "shape" | "numElements" | "dataBytes"> {
  let elements = 1n;
  let nonEmpty = BigInt(itemSize);
  for (const size of sizes) {
    elements *= size;
    if (size > 0n) nonEmpty *= size;
  }
  const dataBytes = elements * BigInt(itemSize);
  if (nonEmpty > kMaxInt64 || dataBytes > Number.MAX_SAFE_INTEGER) {
    throw new InvalidArgumentError(`npy header: the shape (${sizes.join(", ")}) of ${itemSize}-byte elements is too large`);
  }
  return { shape: sizes.map(Number), numElements: Number(elements), dataBytes: Number(dataBytes) };
}

const quoted = ({ source }: PythonEntry): string => (source.length <= 200 ? source : `${source.slice(0, 200)}...`);

const brief = (value: bigint): string => (value < 10n ** 30n ? `${value}` : "an int of more than 30 digits");
