/**
 * Lays out the parts of a zip file as Python's zipfile.py does for np.savez, byte for byte.
 *
 *     member       local header, 30 bytes; name; extra field 1 with both sizes; data
 *     directory    a central header per member; zip64 record and locator if needed; end record
 *
 * np.savez puts ffffffff and a zip64 field into every local header, because it does not know the size of the data in advance, and plain 32-bit
 * values into the directory as far as they fit. All members are from 1980-01-01, so that the same arrays give the same file.
 */

/** A member that is written. */
export interface WrittenMember {
  readonly name: string;
  /** 0 for stored bytes, 8 for deflate. */
  readonly method: 0 | 8;
  readonly crc32: number;
  readonly compressedSize: number;
  readonly size: number;
}

declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

/** Version 4.5 of the format: zip64. */
const kVersion = 45;
/** The writer's system, which tells what the attributes mean: Unix. */
const kUnix = 3;
/** A file that its owner reads and writes: 0600 in the upper half. */
const kAttributes = 0o600 << 16;
/** 1980-01-01 in MS-DOS's format. */
const kDate = 0x21;
const kUtf8 = 0x800;
/** The largest size or offset that Python writes in 32 bits. */
const kMost32 = 2 ** 31 - 1;
const kMost16 = 65535;
/** The most bytes of a name: its length has 16 bits. */
export const kMostNameBytes: number = kMost16;
const kUnset32 = 0xffffffff;
const kLocalBytes = 30;
const kExtraBytes = 20;
const kCentralBytes = 46;
const kEndBytes = 22;
const kRecord64Bytes = 56;
const kLocatorBytes = 20;

/** Writes little-endian integers one after another. */
class Fields {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  #at = 0;

  constructor(length: number) {
    this.bytes = new Uint8Array(length);
    this.#view = new DataView(this.bytes.buffer);
  }

  u16(...values: readonly number[]): this {
    for (const value of values) this.#view.setUint16((this.#at += 2) - 2, value, true);
    return this;
  }

  u32(...values: readonly number[]): this {
    for (const value of values) this.#view.setUint32((this.#at += 4) - 4, value, true);
    return this;
  }

  u64(...values: readonly number[]): this {
    for (const value of values) this.#view.setBigUint64((this.#at += 8) - 8, BigInt(value), true);
    return this;
  }

  put(bytes: Uint8Array): this {
    this.bytes.set(bytes, this.#at);
    this.#at += bytes.length;
    return this;
  }
}

/** The encoded name, and the flag for UTF-8 if it needs it. */
function nameOf(name: string): { readonly bytes: Uint8Array<ArrayBuffer>; readonly flags: number } {
  const bytes = new TextEncoder().encode(name);
  return { bytes, flags: bytes.some((byte) => byte > 127) ? kUtf8 : 0 };
}

/** Returns the number of bytes of a name in the file. */
export const nameBytes = (name: string): number => nameOf(name).bytes.length;

/** Returns what stands before the data of a member. Its name has at most kMostNameBytes. */
export function localHeader({ name, method, crc32, compressedSize, size }: WrittenMember): Uint8Array<ArrayBuffer> {
  const { bytes, flags } = nameOf(name);
  return new Fields(kLocalBytes + bytes.length + kExtraBytes)
    .u32(0x04034b50)
    .u16(kVersion, flags, method, 0, kDate)
    .u32(crc32, kUnset32, kUnset32)
    .u16(bytes.length, kExtraBytes)
    .put(bytes)
    .u16(1, kExtraBytes - 4)
    .u64(size, compressedSize).bytes;
}

/** Returns the directory of members with the offsets of their local headers, and the end of the file; `at` is where the directory begins. */
export function directoryBytes(
  members: readonly (readonly [member: WrittenMember, offset: number])[],
  at: number,
): Uint8Array<ArrayBuffer> {
  const entries = members.map(([member, offset]) => centralHeader(member, offset));
  const length = entries.reduce((sum, { length: bytes }) => sum + bytes, 0);
  const end = endOf(entries.length, length, at);
  const fields = new Fields(length + end.length);
  for (const entry of entries) fields.put(entry);
  return fields.put(end).bytes;
}

function centralHeader({ name, method, crc32, compressedSize, size }: WrittenMember, offset: number): Uint8Array<ArrayBuffer> {
  const { bytes, flags } = nameOf(name);
  const hasLargeSize = size > kMost32 || compressedSize > kMost32;
  const large = [...(hasLargeSize ? [size, compressedSize] : []), ...(offset > kMost32 ? [offset] : [])];
  const extraBytes = large.length === 0 ? 0 : 4 + 8 * large.length;
  const fields = new Fields(kCentralBytes + bytes.length + extraBytes)
    .u32(0x02014b50)
    .u16(kVersion | (kUnix << 8), kVersion, flags, method, 0, kDate)
    .u32(crc32, hasLargeSize ? kUnset32 : compressedSize, hasLargeSize ? kUnset32 : size)
    .u16(bytes.length, extraBytes, 0, 0, 0)
    .u32(kAttributes, offset > kMost32 ? kUnset32 : offset)
    .put(bytes);
  return (extraBytes === 0 ? fields : fields.u16(1, extraBytes - 4).u64(...large)).bytes;
}

function endOf(entries: number, length: number, at: number): Uint8Array<ArrayBuffer> {
  const is64 = entries > kMost16 || length > kMost32 || at > kMost32;
  const fields = new Fields((is64 ? kRecord64Bytes + kLocatorBytes : 0) + kEndBytes);
  if (is64) {
    fields
      .u32(0x06064b50)
      .u64(kRecord64Bytes - 12)
      .u16(kVersion, kVersion)
      .u32(0, 0)
      .u64(entries, entries, length, at);
    fields
      .u32(0x07064b50, 0)
      .u64(at + length)
      .u32(1);
  }
  const count = Math.min(entries, kMost16);
  return fields.u32(0x06054b50).u16(0, 0, count, count).u32(Math.min(length, kUnset32), Math.min(at, kUnset32)).u16(0).bytes;
}
