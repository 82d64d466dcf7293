/**
 * BundleIndex: the entries of a bundle's index file, by key.
 *
 *     key ""                 BundleHeaderProto: the number of shards, the byte order, the version
 *     key 00 ...             the entry of a slice of a tensor
 *     any other key          the entry of a tensor: the key is its name
 *
 * Keys are bytes. Nearly all are UTF-8, and text as a key means its UTF-8 bytes; other keys are given as bytes. The messages of entries
 * are decoded when they are asked for.
 */
import { DataLossError, InvalidArgumentError, isStatusError } from "@onebuffer/base";
import { argumentError, byteView, typedArrayKind } from "@onebuffer/base/internal";
import { BundleEndianness, bundleHeaderProtoCodec } from "@onebuffer/proto";
import type { BundleHeaderProto } from "@onebuffer/proto";
import type { ByteSource } from "../source/byte-source.ts";
import { checkedRead } from "../source/checked-read.ts";
import { memorySource } from "../source/memory-source.ts";
import type { AbortSignalLike } from "../source/transfer-options.ts";
import { compareBytes } from "../table/compare-bytes.ts";
import type { TableBlock } from "../table/table-block.ts";
import { TableReader } from "../table/table-reader.ts";
import type { BundleEntry } from "./bundle-entry.ts";
import { decodeBundleEntry } from "./bundle-entry.ts";
import { checkVersions } from "./check-versions.ts";

/** Declared here because Node and browsers have them, but the library's types must not depend on the types of either. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };
declare const TextDecoder: new (label: string, options: { ignoreBOM: boolean }) => { decode(bytes: Uint8Array<ArrayBufferLike>): string };

/**
 * The name of a tensor in a checkpoint: text, which means its UTF-8 bytes, or the bytes themselves.
 *
 * @example
 * const keys: CheckpointKey[] = ["layer/kernel", Uint8Array.of(0x6e, 0xff)];
 * keys.map((key) => key.length); // => [12, 2]
 */
export type CheckpointKey = string | Uint8Array<ArrayBufferLike>;

/** An index of up to 8 MiB, which is nearly every one, is read with one call. */
const kReadWhole: number = 2 ** 23;

/** The first byte of the keys of slices. */
const kSliceKey = 0;

/** The entries of an index file. */
export class BundleIndex {
  readonly numShards: number;
  /** True if the numbers in the shards are big-endian. */
  readonly bigEndian: boolean;
  readonly header: BundleHeaderProto;
  readonly #what: string;
  readonly #blocks: readonly TableBlock[];

  private constructor(what: string, header: BundleHeaderProto, blocks: readonly TableBlock[]) {
    this.#what = what;
    this.#blocks = blocks;
    this.header = header;
    this.numShards = header.numShards ?? 0;
    this.bigEndian = header.endianness === BundleEndianness.BIG;
  }

  /** Reads an index file. Throws DATA_LOSS if it is damaged, INVALID_ARGUMENT if it is no index of a version that can be read. */
  static async read(source: ByteSource, what: string, signal?: AbortSignalLike): Promise<BundleIndex> {
    const isShort = source.bytes === undefined && source.size <= kReadWhole;
    const whole = isShort ? memorySource(await checkedRead(source, 0, source.size, what, signal)) : source;
    const blocks = await (await TableReader.open(whole, what, signal)).blocks(signal);
    const first = blocks.find((block) => block.count > 0);
    if (first === undefined || first.key(0).length > 0)
      throw new DataLossError(`${what}: the header is missing: the first key of a checkpoint's index is empty`);
    const header = decodeHeader(first.value(0), what);
    checkVersions(header.version ?? {}, what);
    if ((header.numShards ?? 0) < 0) throw new InvalidArgumentError(`${what}: the header has ${header.numShards} shards`);
    return new BundleIndex(what, header, blocks);
  }

  /** Yields the keys of tensors, in order, or those of slices. They are views. */
  *keys(ofSlices: boolean = false): Generator<Uint8Array<ArrayBufferLike>, void, undefined> {
    for (const [key] of this.#entries(ofSlices)) yield key;
  }

  /** Yields the keys of tensors, in order, with their entries. Throws as `find`. */
  *tensors(): Generator<[key: Uint8Array<ArrayBufferLike>, entry: BundleEntry], void, undefined> {
    for (const [key, block, i] of this.#entries(false)) yield [key, decodeBundleEntry(block.value(i), key, this.#what)];
  }

  *#entries(ofSlices: boolean): Generator<[key: Uint8Array<ArrayBufferLike>, block: TableBlock, i: number], void, undefined> {
    for (const block of this.#blocks) {
      for (let i = 0; i < block.count; i++) {
        const key = block.key(i);
        if (key.length > 0 && (key[0] === kSliceKey) === ofSlices) yield [key, block, i];
      }
    }
  }

  /** Returns the encoded entry of a key, or null if there is none. */
  findBytes(key: Uint8Array<ArrayBufferLike>): Uint8Array<ArrayBufferLike> | null {
    if (key.length === 0) return null;
    const blocks = this.#blocks;
    // The last block whose first key is not after `key`.
    let low = 0;
    let high = blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const block = blocks[middle] as TableBlock;
      if (block.count > 0 && compareBytes(block.key(0), key) > 0) high = middle;
      else low = middle + 1;
    }
    const block = blocks[low - 1];
    const i = block === undefined ? -1 : block.find(key);
    return i < 0 ? null : (block as TableBlock).value(i);
  }

  /** Returns the entry of a key, or null if there is none. Throws INVALID_ARGUMENT or DATA_LOSS if the entry is malformed. */
  find(key: Uint8Array<ArrayBufferLike>): BundleEntry | null {
    const bytes = this.findBytes(key);
    return bytes === null ? null : decodeBundleEntry(bytes, key, this.#what);
  }
}

function decodeHeader(bytes: Uint8Array<ArrayBufferLike>, what: string): BundleHeaderProto {
  try {
    return bundleHeaderProtoCodec.decode(bytes);
  } catch (cause) {
    throw new InvalidArgumentError(`${what}: unable to parse the header${isStatusError(cause) ? `: ${cause.message}` : ""}`, { cause });
  }
}

/** Returns the bytes of a key in new memory. Throws INVALID_ARGUMENT for anything but well-formed text and bytes. */
export function keyBytes(key: CheckpointKey): Uint8Array<ArrayBufferLike> {
  if (typeof key === "string") {
    // UTF-8 has no lone surrogates; encoding them as U+FFFD would give two names one key.
    if (!key.isWellFormed()) throw new InvalidArgumentError(`Expected a well-formed tensor name, got ${JSON.stringify(key)}`);
    return new TextEncoder().encode(key);
  }
  if (typedArrayKind(key) !== "Uint8Array") throw argumentError("the name of a tensor as text or a Uint8Array", key);
  return new Uint8Array(byteView(key));
}

const decoder: { decode(bytes: Uint8Array<ArrayBufferLike>): string } = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns a key as text. Bytes that are not UTF-8 become U+FFFD. */
export function keyText(key: Uint8Array<ArrayBufferLike>): string {
  return decoder.decode(key);
}
