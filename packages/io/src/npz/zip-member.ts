/** Finds and reads the bytes of a member of a zip file. */
import { DataLossError, InvalidArgumentError, UnimplementedError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { extendCrc32 } from "../checksum/crc32.ts";
import { checkExpansion, inflateChunks } from "../compress/inflate.ts";
import type { ByteSource } from "../source/byte-source.ts";
import { checkedRead } from "../source/checked-read.ts";
import type { ReadSteps } from "../source/read-steps.ts";
import type { AbortSignalLike, TransferOptions } from "../source/transfer-options.ts";
import { kLocalBytes, viewOf } from "./zip-directory.ts";
import type { ZipMember } from "./zip-directory.ts";

const kLocal = 0x04034b50;
const kEncrypted = 1;
const kStored = 0;
const kDeflated = 8;
/** The names of methods that some zip files have. */
const kMethods: Readonly<Record<number, string>> = { 9: "deflate64", 12: "bzip2", 14: "lzma", 93: "zstd", 95: "xz" };
/** The bytes of a compressed member that are read at once. */
const kPiece = 1 << 20;

/** Returns true for a member whose bytes are in the file as they are. */
export const isStored = ({ method }: ZipMember): boolean => method === kStored;

/** The name of a member in messages. */
export const memberText = ({ name }: ZipMember): string => `npz: member ${shownValue(name)}`;

/**
 * Returns the index of the member's first byte in the file.
 *
 * Throws UNIMPLEMENTED if the member is encrypted or compressed by another method, INVALID_ARGUMENT if its own header is another member's, or
 * its bytes reach into what follows.
 */
export function* memberOffset(member: ZipMember): ReadSteps<number> {
  const { headerOffset, nameBytes, limit, compressedSize, size, method, flags } = member;
  const text = memberText(member);
  if ((flags & kEncrypted) !== 0) throw new UnimplementedError(`${text} is encrypted`);
  if (method !== kStored && method !== kDeflated)
    throw new UnimplementedError(
      `${text} is compressed by method ${method}${method in kMethods ? ` (${kMethods[method]})` : ""}, only stored and deflated ones are read`,
    );
  if (method === kStored && compressedSize !== size)
    throw new InvalidArgumentError(`${text} is stored, with ${size} bytes in ${compressedSize}`);
  const header = yield { offset: headerOffset, length: kLocalBytes + nameBytes.length, what: text };
  const view = viewOf(header);
  if (view.getUint32(0, true) !== kLocal) throw new InvalidArgumentError(`${text} has no header of its own at byte ${headerOffset}`);
  const name = header.subarray(kLocalBytes);
  if (view.getUint16(26, true) !== name.length || name.some((byte, i) => byte !== nameBytes[i]))
    throw new InvalidArgumentError(`${text} has another name in its own header at byte ${headerOffset}`);
  const offset = headerOffset + kLocalBytes + name.length + view.getUint16(28, true);
  if (offset + compressedSize > limit)
    throw new InvalidArgumentError(`${text} ends at byte ${offset + compressedSize}, but the next one or the directory begins at ${limit}`);
  return offset;
}

/** The checksum of a member's bytes, computed as they are read. */
export class MemberChecksum {
  readonly #member: ZipMember;
  readonly #verify: boolean;
  #crc = 0;

  constructor(member: ZipMember, verify: boolean) {
    this.#member = member;
    this.#verify = verify;
  }

  /** Takes the next bytes. */
  readonly add = (bytes: Uint8Array<ArrayBufferLike>): void => {
    if (this.#verify) this.#crc = extendCrc32(bytes, this.#crc);
  };

  /** Throws DATA_LOSS if all bytes were added and they have another checksum. */
  check(): void {
    if (!this.#verify || this.#crc === this.#member.crc32) return;
    const [got, expected] = [this.#crc, this.#member.crc32].map((crc) => crc.toString(16).padStart(8, "0"));
    throw new DataLossError(`${memberText(this.#member)} has the CRC-32 ${got}, the zip's directory has ${expected}`);
  }
}

/**
 * Yields the bytes of a deflated member, whose first byte is at `offset`.
 *
 * Throws DATA_LOSS if they are damaged, do not inflate to the member's size, or have another checksum, and CANCELLED.
 */
export async function* inflatedMember(
  source: ByteSource,
  member: ZipMember,
  offset: number,
  verify: boolean,
  options: TransferOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { signal, onProgress } = options;
  const text = memberText(member);
  checkExpansion(member.compressedSize, member.size, text);
  const checksum = new MemberChecksum(member, verify);
  const chunks = piecesOf(source, offset, member.compressedSize, text, signal);
  let bytes = 0;
  for await (const piece of inflateChunks(chunks, "deflate-raw", member.size, { what: text, signal })) {
    checksum.add(piece);
    bytes += piece.length;
    yield piece;
    onProgress?.({ bytes, totalBytes: member.size, ...(bytes === member.size ? { name: member.name } : {}) });
  }
  if (bytes !== member.size) throw new DataLossError(`${text} inflates to ${bytes} bytes, the zip's directory has ${member.size}`);
  checksum.check();
}

async function* piecesOf(
  source: ByteSource,
  offset: number,
  length: number,
  what: string,
  signal: AbortSignalLike | undefined,
): AsyncGenerator<Uint8Array<ArrayBufferLike>, void, undefined> {
  for (let at = 0; at < length; at += kPiece) yield await checkedRead(source, offset + at, Math.min(kPiece, length - at), what, signal);
}
