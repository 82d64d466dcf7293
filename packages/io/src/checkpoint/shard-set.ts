/** ShardSet: the data files of a bundle. Each is opened when a tensor in it is first read. */
import type { ByteSource } from "../source/byte-source.ts";
import { checkRange } from "../source/checked-read.ts";
import type { FileSet } from "../source/file-set.ts";
import { openFile } from "../source/named-file.ts";
import { abortable } from "../source/transfer-options.ts";
import type { AbortSignalLike } from "../source/transfer-options.ts";
import { storedRange } from "./bundle-entry.ts";
import type { BundleEntry, StoredRange } from "./bundle-entry.ts";
import { dataFilename } from "./bundle-names.ts";

/** The shards of one bundle. */
export class ShardSet {
  readonly numShards: number;
  readonly #files: FileSet;
  readonly #prefix: string;
  readonly #open: Map<number, Promise<ByteSource>> = new Map();

  constructor(files: FileSet, prefix: string, numShards: number) {
    this.#files = files;
    this.#prefix = prefix;
    this.numShards = numShards;
  }

  /** Returns a shard. Throws NOT_FOUND if its file does not exist; the next call tries again. */
  open(shardId: number): Promise<ByteSource> {
    const known = this.#open.get(shardId);
    if (known !== undefined) return known;
    const opened = openFile(this.#files, this.#name(shardId));
    this.#open.set(shardId, opened);
    opened.catch(() => this.#open.delete(shardId));
    return opened;
  }

  /**
   * Returns where the bytes of an entry are and their shard, after checking that the shard has them. Readers call it before they allocate
   * memory for them. Throws as `storedRange` does, DATA_LOSS if the shard is too short, CANCELLED if the signal is aborted.
   */
  async find(
    entry: BundleEntry,
    signal: AbortSignalLike | undefined,
  ): Promise<{ readonly range: StoredRange; readonly source: ByteSource }> {
    const range = storedRange(entry, this.numShards);
    const { shardId, offset, size } = range;
    const source = await abortable(this.#name(shardId), signal, this.open(shardId));
    if (offset + size > source.size) checkRange(source, offset, size, entry.what);
    return { range, source };
  }

  #name(shardId: number): string {
    return dataFilename(this.#prefix, shardId, this.numShards);
  }
}
