/** NumPy's .npz as a format. Members that are no arrays, and arrays that cannot be read, are notes. */
import { isStatusError } from "@onebuffer/base";
import type { Tensor } from "@onebuffer/core";
import { readNpy } from "../npy/read-npy.ts";
import { memberStart } from "../npz/member-source.ts";
import { NpzFile } from "../npz/npz-file.ts";
import { saveNpz } from "../npz/write-npz.ts";
import type { ZipMember } from "../npz/zip-directory.ts";
import { MemberChecksum } from "../npz/zip-member.ts";
import type { ByteSource } from "../source/byte-source.ts";
import { readAhead } from "../source/read-ahead.ts";
import { signalOf, transferOf } from "../source/transfer-options.ts";
import type { AbortSignalLike, TransferOptions } from "../source/transfer-options.ts";
import type { Format } from "./format.ts";
import { beginsWith, readToWrite, writeOneFile } from "./format.ts";
import { kMostHeaderBytes, readNpyEntry } from "./npy-entry.ts";
import type { NpyEntry } from "./npy-entry.ts";
import type { StoreNote, StoreReader } from "./checked-store.ts";
import type { StoredBytes } from "./tensor-store.ts";

/** Zip files: they begin with a member, or if they have none with the end record. */
export const npzFormat: Format = {
  name: "npz",
  names: /\.npz$/,
  sniff: ({ start }) => beginsWith(start, 0x50, 0x4b, 3, 4) || beginsWith(start, 0x50, 0x4b, 5, 6),
  async open({ source }, options): Promise<StoreReader> {
    const npz = await NpzFile.open(source, signalOf(options));
    const entries = new Map<string, NpyEntry>();
    const notes: StoreNote[] = [];
    const ahead = readAhead(source);
    for (const name of npz.names) {
      try {
        entries.set(name, await memberEntry(name, ahead, npz.members.get(`${name}.npy`) as ZipMember, options.signal));
      } catch (error) {
        if (!isStatusError(error, "UNIMPLEMENTED") && !isStatusError(error, "INVALID_ARGUMENT")) throw error;
        notes.push([name, `${error.code}: ${error.message}`]);
      }
    }
    for (const member of npz.members.keys()) if (!member.endsWith(".npy")) notes.push([`${member} is not an array`, ""]);
    const unchecked = await NpzFile.open(source, { verifyChecksums: false, ...signalOf(options) });
    return {
      format: "npz",
      names: [...entries.keys()],
      hasChecksums: true,
      notes,
      info: (name) => entries.get(name)?.info,
      async read(name, slice, more) {
        const { unreadable } = entries.get(name) as NpyEntry;
        if (unreadable !== null) throw unreadable;
        const kept = { ...more, boolBytes: "keep", strings: true } as const;
        return (slice === null ? await npz.tensor(name, kept) : await npz.slice(name, slice, kept)) as Tensor;
      },
      bytes: async (name, more) =>
        await memberBytes(unchecked, npz.members.get(`${name}.npy`) as ZipMember, entries.get(name) as NpyEntry, more),
    };
  },
  writer: {
    names: /\.npz$/,
    async write(tensors, files, name, { compressed = false, ...options }): Promise<void> {
      using all = await readToWrite(tensors);
      await writeOneFile(files, name, (sink) => saveNpz(all, sink, { compressed, voidTypes: true, ...transferOf(options) }));
    },
  },
};

/** Reads the header of a member; of a deflated one as much is inflated as that needs. */
async function memberEntry(name: string, source: ByteSource, member: ZipMember, signal: AbortSignalLike | undefined): Promise<NpyEntry> {
  return await readNpyEntry(name, await memberStart(source, member, kMostHeaderBytes, signal), signal);
}

/** Returns the bytes of an array of `npz`, whose checksums are not verified when it is read, and the verdict of the checksum. */
async function memberBytes(npz: NpzFile, member: ZipMember, entry: NpyEntry, options: TransferOptions): Promise<StoredBytes> {
  const { info, unreadable, isInOrder, dataOffset, dataBytes } = entry;
  if (unreadable !== null && !isInOrder) throw unreadable;
  const all = await npz.bytes(member.name, options);
  const checksum = isIntact(member, all) ? "ok" : "bad";
  if (unreadable !== null || info.dtype === "string") return { bytes: all.subarray(dataOffset, dataOffset + dataBytes), checksum };
  using tensor = readNpy(all, { boolBytes: "keep" });
  return { bytes: tensor.tensorData.slice(), checksum };
}

function isIntact(member: ZipMember, bytes: Uint8Array<ArrayBufferLike>): boolean {
  const checksum = new MemberChecksum(member, true);
  checksum.add(bytes);
  try {
    checksum.check();
    return true;
  } catch (error) {
    if (isStatusError(error, "DATA_LOSS")) return false;
    throw error;
  }
}
