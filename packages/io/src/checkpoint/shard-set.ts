/** ShardSet: the data files of a bundle. Each is opened when a tensor in it is first read. */
import type { ByteSource } from "../source/byte-source.ts";
import { checkRange } from "../source/checked-read.ts";
import type { FileSet } from "../source/file-set.ts";
import type { StoredRange } from "./bundle-entry.ts";
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
    const opened = this.#files.open(dataFilename(this.#prefix, shardId, this.numShards));
    this.#open.set(shardId, opened);
    opened.catch(() => this.#open.delete(shardId));
    return opened;
  }

  /** Throws DATA_LOSS unless the shard has the range. Readers call it before they allocate memory for the range. */
  async check({ shardId, offset, size }: StoredRange, what: string): Promise<void> {
    checkRange(await this.open(shardId), offset, size, what);
  }
}
