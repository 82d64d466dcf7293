/** A member of a zip file as a byte source of its own. */
import { OutOfRangeError } from "@onebuffer/base";
import type { ByteSource } from "../source/byte-source.ts";
import { concatBytes } from "../source/concat-bytes.ts";
import { runSteps } from "../source/read-steps.ts";
import type { AbortSignalLike } from "../source/transfer-options.ts";
import type { ZipMember } from "./zip-directory.ts";
import { inflatedMember, isStored, memberOffset, memberText } from "./zip-member.ts";

/** Returns a source over a part of another one. Reading it reads that one. */
export function partOf(source: ByteSource, begin: number, size: number, name: string): ByteSource {
  const { bytes, readInto } = source;
  return {
    size,
    name,
    ...(bytes === undefined ? {} : { bytes: bytes.subarray(begin, begin + size) }),
    read: (offset, length, signal) => source.read(begin + offset, length, signal),
    ...(readInto === undefined ? {} : { readInto: (offset, target, signal) => readInto.call(source, begin + offset, target, signal) }),
  };
}

/**
 * Returns a member as a source of which the first `most` bytes can be read, for its header. A deflated member is inflated so far. The checksum,
 * which covers the whole member, is not verified. Throws what reading the member throws.
 */
export async function memberStart(
  source: ByteSource,
  member: ZipMember,
  most: number,
  signal: AbortSignalLike | undefined,
): Promise<ByteSource> {
  const offset = await runSteps(source, memberOffset(member), signal);
  const { size } = member;
  const name = memberText(member);
  if (isStored(member)) return partOf(source, offset, size, name);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let inflated = 0;
  for await (const piece of inflatedMember(source, member, offset, false, signal === undefined ? {} : { signal })) {
    pieces.push(piece);
    inflated += piece.length;
    if (inflated >= most) break;
  }
  const start = concatBytes(pieces);
  return {
    size,
    name,
    read: async (from, length) => {
      if (from + length > start.length) throw new OutOfRangeError(`${name}: only its first ${start.length} bytes are inflated`);
      return start.subarray(from, from + length);
    },
  };
}
