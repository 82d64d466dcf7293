/** BundleEntries: the entries of a bundle that is being written, by key, and the index file that is made of them. */
import { bundleEntryProtoCodec, bundleHeaderProtoCodec } from "@onebuffer/proto";
import type { BundleEntryProto, BundleHeaderProto } from "@onebuffer/proto";
import type { FileSinks } from "../source/file-sinks.ts";
import { writeToSink } from "../source/sink-writer.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { compareBytes } from "../table/compare-bytes.ts";
import { TableWriter } from "../table/table-writer.ts";
import { metaFilename } from "./bundle-names.ts";

interface KeyedEntry {
  readonly key: Uint8Array<ArrayBufferLike>;
  readonly entry: BundleEntryProto;
}

/** A map from keys, which are bytes, to entries. */
export class BundleEntries {
  readonly #entries: Map<string, KeyedEntry> = new Map();

  /** Returns a text that identifies a key: a character per byte. */
  static idOf(key: Uint8Array<ArrayBufferLike>): string {
    let id = "";
    for (const byte of key) id += String.fromCharCode(byte);
    return id;
  }

  has(key: Uint8Array<ArrayBufferLike>): boolean {
    return this.#entries.has(BundleEntries.idOf(key));
  }

  get(key: Uint8Array<ArrayBufferLike>): BundleEntryProto | undefined {
    return this.#entries.get(BundleEntries.idOf(key))?.entry;
  }

  /** Adds or replaces an entry. Keeps the key. */
  set(key: Uint8Array<ArrayBufferLike>, entry: BundleEntryProto): void {
    this.#entries.set(BundleEntries.idOf(key), { key, entry });
  }

  /** Returns the bytes of the index file, in pieces. */
  encode(header: BundleHeaderProto): Uint8Array<ArrayBuffer>[] {
    const table = new TableWriter();
    table.add(new Uint8Array(0), bundleHeaderProtoCodec.encode(header));
    const sorted = [...this.#entries.values()].sort((a, b) => compareBytes(a.key, b.key));
    for (const { key, entry } of sorted) table.add(key, bundleEntryProtoCodec.encode(entry));
    return table.finish();
  }
}

/** Writes the index file of the bundle `prefix`. */
export async function writeBundleIndex(
  files: FileSinks,
  prefix: string,
  header: BundleHeaderProto,
  entries: BundleEntries,
  { signal }: TransferOptions,
): Promise<void> {
  const pieces = entries.encode(header);
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  await writeToSink(await files.create(metaFilename(prefix)), size, signal === undefined ? {} : { signal }, async (writer) => {
    for (const piece of pieces) await writer.write(piece);
  });
}
