/** Helpers of the checkpoint tests: bundles in memory, and index files that are made entry by entry. */
import type { Tensor } from "@onebuffer/core";
import { BundleWriter, ChunkSink, crc32c, maskCrc, MemoryFiles } from "@onebuffer/io";
import type { BundleEntryProto, BundleHeaderProto } from "@onebuffer/proto";
import { bundleEntryProtoCodec, bundleHeaderProtoCodec } from "@onebuffer/proto";
import { TableWriter } from "../../src/table/table-writer.ts";

/** Files by name. */
export type Files = Map<string, Uint8Array>;

/** Collects the files that a writer makes. */
export class MemoryFolder {
  readonly sinks: Map<string, ChunkSink> = new Map();
  readonly create = (name: string): ChunkSink => {
    const sink = new ChunkSink();
    this.sinks.set(name, sink);
    return sink;
  };

  /** The files that were closed. */
  get files(): Files {
    return new Map([...this.sinks].map(([name, sink]) => [name, sink.toBytes()]));
  }
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(pieces));
}

/** A table of the entries, which are in order. */
export function tableOf(entries: readonly (readonly [key: Uint8Array, value: Uint8Array])[]): Uint8Array<ArrayBuffer> {
  const table = new TableWriter();
  for (const [key, value] of entries) table.add(key, value);
  return joined(table.finish());
}

/** The entries of an index: messages or their bytes, by key. */
export type IndexEntries = Readonly<Record<string, BundleEntryProto | Uint8Array>>;

/** The bytes of a bundle's index: of `entries`, and of those of `byKey` whose keys are not text. They are sorted; null is no header. */
export function indexOf(
  entries: IndexEntries,
  header: BundleHeaderProto | null = { numShards: 1, version: { producer: 1 } },
  byKey: readonly (readonly [key: Uint8Array, entry: BundleEntryProto])[] = [],
): Uint8Array<ArrayBuffer> {
  const all = [...Object.entries(entries).map(([key, entry]) => [utf8(key), entry] as const), ...byKey];
  const encoded = all.map(([key, entry]): [Uint8Array, Uint8Array] => [
    key,
    ArrayBuffer.isView(entry) ? (entry as Uint8Array) : bundleEntryProtoCodec.encode(entry),
  ]);
  encoded.sort(([a], [b]) => Buffer.compare(a, b));
  return tableOf([...(header === null ? [] : [[new Uint8Array(0), bundleHeaderProtoCodec.encode(header)] as const]), ...encoded]);
}

/** A bundle of one shard. */
export function bundleOf(entries: IndexEntries, data: Uint8Array, header?: BundleHeaderProto): Files {
  return new Map([
    ["m.index", indexOf(entries, header)],
    ["m.data-00000-of-00001", data],
  ]);
}

/** The masked checksum of bytes. */
export const masked = (bytes: Uint8Array): number => maskCrc(crc32c(bytes));

/** Writes a bundle of these tensors. Returns its files. */
export async function bundleWith(prefix: string, tensors: Readonly<Record<string, Tensor>>): Promise<MemoryFiles> {
  const files = new MemoryFiles();
  const writer = new BundleWriter(files, prefix);
  for (const [name, tensor] of Object.entries(tensors)) await writer.add(name, tensor);
  await writer.finish();
  return files;
}
