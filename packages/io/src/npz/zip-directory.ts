/**
 * Reads the directory of a zip file, from its end (PKWARE's APPNOTE; Python's zipfile.py for what may stand before the first member).
 *
 *     [prefix] member member ... member  central directory  [zip64 record  zip64 locator]  end record  comment
 *
 *     end record, 22 bytes           06054b50 ... entries u16 @10, size u32 @12, offset u32 @16, comment length u16 @20
 *     zip64 locator, 20 bytes        07064b50 ... offset of the record u64 @8
 *     zip64 record, 56 bytes         06064b50 ... entries u64 @32, size u64 @40, offset u64 @48
 *     central header, 46 bytes       02014b50 ... flags u16 @8, method u16 @10, crc u32 @16, sizes u32 @20 @24, lengths u16 @28 @30 @32,
 *                                    offset u32 @42; then the name, the extra fields, a comment
 *     extra field 1                  for each of size, compressed size, offset that is ffffffff above, in this order, a u64
 *
 * Only the central directory's sizes count: np.savez writes ffffffff into the members' own headers. Bytes before the first member move all
 * offsets; the directory is known to end where the end record begins.
 */
import { DataLossError, InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { ReadSteps } from "../source/read-steps.ts";
import { zipName } from "./zip-name.ts";

/**
 * A member of a zip file.
 *
 * @example
 * using a = Tensor.from([1, 2, 3]);
 * const file = NpzFile.fromBytes(await writeNpz({ a }));
 * const { name, method, size }: ZipMember = file.members.get("a.npy")!;
 * [name, method, size]; // => ["a.npy", 0, 140]
 */
export interface ZipMember {
  readonly name: string;
  /** 0 for stored bytes, 8 for deflate. Members of other methods are listed, but not read. */
  readonly method: number;
  /** The general purpose flags: bit 0 is set for encrypted members. */
  readonly flags: number;
  /** The CRC-32 of the bytes, not compressed. */
  readonly crc32: number;
  /** The number of bytes in the file. */
  readonly compressedSize: number;
  /** The number of bytes, not compressed. */
  readonly size: number;
  /** The index of the member's own header in the file. */
  readonly headerOffset: number;
  /** The index at which the next member or the directory begins: the member ends before. */
  readonly limit: number;
  /** The name as the file has it, which the member's own header repeats. */
  readonly nameBytes: Uint8Array<ArrayBuffer>;
}

const kEndBytes = 22;
const kMaxComment = 65535;
const kLocatorBytes = 20;
const kRecord64Bytes = 56;
const kCentralBytes = 46;
/** The bytes of a member's own header before its name. */
export const kLocalBytes = 30;
const kEnd = 0x06054b50;
const kLocator = 0x07064b50;
const kRecord64 = 0x06064b50;
const kCentral = 0x02014b50;
const kUtf8 = 0x800;
/** What an .npy file begins with: 93 and "NUMPY". */
const kNpyMagic: readonly number[] = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const kUnset16 = 0xffff;
const kUnset32 = 0xffffffff;

/** Where the directory is. */
interface DirectoryPlace {
  readonly begin: number;
  readonly end: number;
  readonly entries: number;
  /** The number of bytes before the zip file's first byte, which is added to all offsets. */
  readonly prefix: number;
}

/** Returns a DataView of bytes. */
export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBufferLike>): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/**
 * Reads the members of a zip file of `size` bytes, by name, in the order of the directory.
 *
 * Throws DATA_LOSS if there is no end record or a part lies outside the file, INVALID_ARGUMENT if the directory is contradictory: sizes that
 * do not fit, members that overlap, a name twice.
 */
export function* readZipDirectory(size: number): ReadSteps<Map<string, ZipMember>> {
  const place = yield* findDirectory(size);
  const bytes = yield { offset: place.begin, length: place.end - place.begin, what: "the directory of the zip" };
  const view = viewOf(bytes);
  const members: (Omit<ZipMember, "limit"> & { limit: number })[] = [];
  let at = 0;
  for (let i = 0; i < place.entries; i++) {
    if (bytes.length - at < kCentralBytes || view.getUint32(at, true) !== kCentral)
      throw new InvalidArgumentError(`npz: entry ${i} of ${place.entries} of the zip's directory is not one`);
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const next = at + kCentralBytes + nameLength + extraLength + view.getUint16(at + 32, true);
    if (next > bytes.length) throw new InvalidArgumentError(`npz: entry ${i} of the zip's directory exceeds it`);
    const extra = bytes.subarray(at + kCentralBytes + nameLength, at + kCentralBytes + nameLength + extraLength);
    members.push(readEntry(bytes.subarray(at, at + kCentralBytes + nameLength), extra, place.prefix));
    at = next;
  }
  if (at !== bytes.length)
    throw new InvalidArgumentError(`npz: the zip's directory has ${bytes.length} bytes, its ${place.entries} entries have ${at}`);
  setLimits(members, place.begin);
  const byName = new Map<string, ZipMember>();
  for (const member of members) {
    if (byName.has(member.name)) throw new InvalidArgumentError(`npz: the zip has two members called ${shownValue(member.name)}`);
    byName.set(member.name, member);
  }
  return byName;
}

/** Finds the end record, and the zip64 record if there is one. */
function* findDirectory(size: number): ReadSteps<DirectoryPlace> {
  const tailBytes = Math.min(size, kEndBytes + kMaxComment);
  // Nearly all files have no comment, so the last bytes are enough.
  let tail = yield {
    offset: Math.max(0, size - kEndBytes - kLocatorBytes),
    length: Math.min(size, kEndBytes + kLocatorBytes),
    what: "the end of the zip",
  };
  if (endRecordIn(tail) < 0) tail = yield { offset: size - tailBytes, length: tailBytes, what: "the end of the zip" };
  const found = endRecordIn(tail);
  if (found < 0) {
    const start = yield { offset: 0, length: Math.min(size, kNpyMagic.length), what: "the beginning of the file" };
    if (kNpyMagic.every((byte, i) => start[i] === byte))
      throw new InvalidArgumentError("npz: this is an .npy file, of one array: use readNpy or openNpy");
    throw new DataLossError(`npz: no end record in the last ${tail.length} bytes: not a zip file, or not all of one`);
  }
  const view = viewOf(tail);
  const endAt = size - tail.length + found;
  const entries = view.getUint16(found + 10, true);
  const length = view.getUint32(found + 12, true);
  const offset = view.getUint32(found + 16, true);
  if (entries === kUnset16 || length === kUnset32 || offset === kUnset32) {
    const record = yield* findRecord64(endAt);
    if (record !== undefined) return record;
  }
  if (view.getUint16(found + 4, true) !== 0 || view.getUint16(found + 6, true) !== 0 || view.getUint16(found + 8, true) !== entries)
    throw new InvalidArgumentError("npz: the zip is a part of one that is split over several files");
  return placed(endAt, entries, length, offset);
}

/** Returns the index of the end record in the last bytes of a file: the record whose comment ends where the file ends, or -1. */
function endRecordIn(tail: Uint8Array<ArrayBufferLike>): number {
  const view = viewOf(tail);
  for (let at = tail.length - kEndBytes; at >= 0; at--) {
    if (tail[at] === 0x50 && view.getUint32(at, true) === kEnd && at + kEndBytes + view.getUint16(at + 20, true) === tail.length) return at;
  }
  return -1;
}

/** Reads the zip64 record before the end record at `endAt`; undefined if there is none, and a size is ffff by chance. */
function* findRecord64(endAt: number): ReadSteps<DirectoryPlace | undefined> {
  if (endAt < kLocatorBytes + kRecord64Bytes) return undefined;
  const recordAt = endAt - kLocatorBytes - kRecord64Bytes;
  const view = viewOf(yield { offset: recordAt, length: kLocatorBytes + kRecord64Bytes, what: "the zip64 record" });
  if (view.getUint32(kRecord64Bytes, true) !== kLocator) return undefined;
  // A record with more fields would be longer. No writer makes one.
  if (view.getUint32(0, true) !== kRecord64 || integer64(view, 4) !== kRecord64Bytes - 12)
    throw new InvalidArgumentError("npz: the zip64 record is not where it is expected, or has fields of its own");
  if (view.getUint32(kRecord64Bytes + 16, true) > 1 || view.getUint32(16, true) !== 0 || view.getUint32(20, true) !== 0)
    throw new InvalidArgumentError("npz: the zip is a part of one that is split over several files");
  return placed(recordAt, integer64(view, 32), integer64(view, 40), integer64(view, 48));
}

function placed(end: number, entries: number, length: number, offset: number): DirectoryPlace {
  const begin = end - length;
  if (begin < offset) throw new DataLossError(`npz: the zip's directory of ${length} bytes at ${offset} does not fit before ${end}`);
  if (entries * kCentralBytes > length)
    throw new InvalidArgumentError(`npz: ${entries} entries do not fit the zip's directory of ${length} bytes`);
  return { begin, end, entries, prefix: begin - offset };
}

function integer64(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true);
  if (value > Number.MAX_SAFE_INTEGER) throw new InvalidArgumentError(`npz: the zip has a size or offset of ${value}`);
  return Number(value);
}

function readEntry(
  header: Uint8Array<ArrayBufferLike>,
  extra: Uint8Array<ArrayBufferLike>,
  prefix: number,
): Omit<ZipMember, "limit"> & { limit: number } {
  const view = viewOf(header);
  const flags = view.getUint16(8, true);
  const nameBytes = header.slice(kCentralBytes);
  const name = zipName(nameBytes, (flags & kUtf8) !== 0);
  const large = new Extra64(extra, name);
  const size = large.or(view.getUint32(24, true));
  const compressedSize = large.or(view.getUint32(20, true));
  const headerOffset = prefix + large.or(view.getUint32(42, true));
  return {
    name,
    method: view.getUint16(10, true),
    flags,
    crc32: view.getUint32(16, true),
    compressedSize,
    size,
    headerOffset,
    limit: 0,
    nameBytes,
  };
}

/** The 64-bit values of an entry, which are read in order. */
class Extra64 {
  readonly #name: string;
  readonly #view: DataView;
  #at = 0;

  constructor(extra: Uint8Array<ArrayBufferLike>, name: string) {
    this.#name = name;
    this.#view = viewOf(extra.subarray(0, 0));
    const view = viewOf(extra);
    for (let at = 0; at + 4 <= extra.length; ) {
      const end = at + 4 + view.getUint16(at + 2, true);
      if (end > extra.length) throw new InvalidArgumentError(`npz: an extra field of member ${shownValue(name)} exceeds the others`);
      if (view.getUint16(at, true) === 1) {
        this.#view = viewOf(extra.subarray(at + 4, end));
        return;
      }
      at = end;
    }
  }

  /** Returns the value, or the next 64-bit value if it is ffffffff. */
  or(value: number): number {
    if (value !== kUnset32) return value;
    if (this.#at + 8 > this.#view.byteLength)
      throw new InvalidArgumentError(`npz: member ${shownValue(this.#name)} has no zip64 size or offset`);
    const large = integer64(this.#view, this.#at);
    this.#at += 8;
    return large;
  }
}

/** Sets where each member ends at the latest. Throws INVALID_ARGUMENT if two overlap: several members on the same bytes are a zip bomb. */
function setLimits(members: readonly (Omit<ZipMember, "limit"> & { limit: number })[], directoryAt: number): void {
  const sorted = [...members].sort((a, b) => a.headerOffset - b.headerOffset);
  for (const [i, member] of sorted.entries()) {
    member.limit = sorted[i + 1]?.headerOffset ?? directoryAt;
    const least = member.headerOffset + kLocalBytes + member.nameBytes.length + member.compressedSize;
    if (least > member.limit)
      throw new InvalidArgumentError(
        `npz: member ${shownValue(member.name)} ends at byte ${least} or later, but the next one or the directory begins at ${member.limit}`,
      );
  }
}
