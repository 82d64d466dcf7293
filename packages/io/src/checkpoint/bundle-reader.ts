/**
 * BundleReader: reads TensorFlow's checkpoints of version 2, the format of `tf.train.Checkpoint` and of a SavedModel's variables
 * (tensorflow/core/util/tensor_bundle/tensor_bundle.h).
 *
 *     model.ckpt.index                  table:  ""       -> 2 shards, little-endian, version
 *                                               "bias"   -> float32 [10], shard 0, 40 bytes at 0, crc32c
 *                                               "kernel" -> float32 [784, 10], shard 1, 31360 bytes at 0, crc32c
 *     model.ckpt.data-00000-of-00002            the bytes of "bias", little-endian, row-major
 *     model.ckpt.data-00001-of-00002            the bytes of "kernel"
 *
 * The index is read whole by `open`; a tensor is read when it is looked up, straight into its own memory. docs/formats.md has the rules.
 */
import { InvalidArgumentError, NotFoundError, dtypeSize, isObjectDType } from "@onebuffer/base";
import type { DType, RawDType } from "@onebuffer/base";
import { checkMadeInside, kMadeInside, checkOptions, checkText, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { TensorShape } from "@onebuffer/shape";
import type { TensorSlice } from "@onebuffer/slice";
import { checkedRead } from "../source/checked-read.ts";
import { openFile } from "../source/named-file.ts";
import type { FileSetInput } from "../source/to-file-set.ts";
import { toFileSet } from "../source/to-file-set.ts";
import { checkTransfer } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { NamedTensors } from "../tensor/named-tensors.ts";
import { shownKey } from "../table/compare-bytes.ts";
import type { BundleEntry } from "./bundle-entry.ts";
import { BundleIndex, keyBytes, keyText } from "./bundle-index.ts";
import type { CheckpointKey } from "./bundle-index.ts";
import { metaFilename } from "./bundle-names.ts";
import { kLookupKeys, kLookupOneKeys, kOpenKeys } from "./lookup-options.ts";
import type { BundleReaderOptions, LookupOneOptions, LookupOptions } from "./lookup-options.ts";
import { clonedSlice } from "../tensor/region.ts";
import { ShardSet } from "./shard-set.ts";
import { StoredCrc } from "./stored-crc.ts";
import { TensorLoad } from "./tensor-load.ts";

/**
 * A checkpoint that is open for reading.
 *
 * Tensors are found by their keys: text, or bytes where a key is not UTF-8. A reader keeps no file open and needs no closing.
 *
 * @example
 * const made = new MemoryFiles();
 * const writer = new BundleWriter(made, "model.ckpt");
 * using weights = Tensor.from([[1, 2], [3, 4], [5, 6]]);
 * await writer.add("weights", weights);
 * await writer.finish();
 *
 * const reader = await BundleReader.open(made.files, "model.ckpt");
 * reader.keys; // => ["weights"]
 * reader.lookupDtypeAndShape("weights").shape.dimSizes; // => [3, 2]
 * using tensor = await reader.lookup("weights", { dtype: "float32" });
 * tensor.toArray(); // => [[1, 2], [3, 4], [5, 6]]
 * using rows = await reader.lookupSlice("weights", TensorSlice.parse("1,2:-"));
 * rows.toArray(); // => [[3, 4], [5, 6]]
 * await reader.lookup("bias"); // throws NOT_FOUND
 */
export class BundleReader {
  /** The name of the checkpoint: that of its files without `.index` and `.data-…`. */
  readonly prefix: string;
  readonly #index: BundleIndex;
  readonly #shards: ShardSet;
  readonly #verify: boolean;

  private constructor(key: typeof kMadeInside, prefix: string, index: BundleIndex, shards: ShardSet, verify: boolean) {
    checkMadeInside(key, "BundleReader.open makes a BundleReader");
    this.prefix = prefix;
    this.#index = index;
    this.#shards = shards;
    this.#verify = verify;
  }

  /**
   * Opens the checkpoint `prefix` of `files` and reads its index, `prefix.index`.
   *
   * Throws NOT_FOUND if there is no such file, DATA_LOSS if it is damaged, INVALID_ARGUMENT if it is of a version that cannot be read,
   * CANCELLED if the signal is aborted.
   */
  static async open(files: FileSetInput, prefix: string, options: BundleReaderOptions = {}): Promise<BundleReader> {
    checkText(prefix, "the prefix of a checkpoint");
    checkOptions("BundleReader.open", options, kOpenKeys);
    checkTransfer(options);
    const { verifyChecksums = true, signal } = options;
    const set = toFileSet(files);
    const name = metaFilename(prefix);
    const index = await BundleIndex.read(await openFile(set, name, signal), name, signal);
    return new BundleReader(kMadeInside, prefix, index, new ShardSet(set, prefix, index.numShards), verifyChecksums);
  }

  /** The number of data files. */
  get numShards(): number {
    return this.#index.numShards;
  }

  /** True if the numbers in the data files are big-endian; tensors are little-endian all the same. */
  get isBigEndian(): boolean {
    return this.#index.bigEndian;
  }

  /** The keys of all tensors, in the order of their bytes. A key that is not UTF-8 is shown with U+FFFD; `keyBytes` has it exactly. */
  get keys(): string[] {
    return Array.from(this.#index.keys(), keyText);
  }

  /** The keys of all tensors as bytes, in the order of `keys`. Copies them. */
  get keyBytes(): Uint8Array<ArrayBuffer>[] {
    return Array.from(this.#index.keys(), (key) => new Uint8Array(key));
  }

  /** Returns true if there is a tensor with this key. */
  contains(key: CheckpointKey): boolean {
    return this.#index.findBytes(keyBytes(key)) !== null;
  }

  /** Returns the dtype and the shape of a tensor. Throws NOT_FOUND if there is none, INVALID_ARGUMENT if its entry is malformed. */
  lookupDtypeAndShape(key: CheckpointKey): { dtype: DType; shape: TensorShape } {
    const { dtype, shape } = this.#entry(keyBytes(key));
    return { dtype, shape: shape.clone() };
  }

  /** Returns the slices in which a tensor is stored; none if it is stored whole. Throws as `lookupDtypeAndShape`. */
  lookupTensorSlices(key: CheckpointKey): TensorSlice[] {
    return this.#entry(keyBytes(key)).slices.map((slice) => slice.clone());
  }

  /**
   * Returns the number of bytes that a tensor takes in the data files: of strings, their lengths included; of a tensor that is stored in
   * slices, the bytes of all its elements. Reads nothing. Throws as `lookupDtypeAndShape`.
   */
  storedSize(key: CheckpointKey): number {
    const { dtype, shape, size, slices } = this.#entry(keyBytes(key));
    return slices.length === 0 || isObjectDType(dtype) ? Number(size) : shape.numElements * dtypeSize(dtype as RawDType);
  }

  /**
   * Reads a tensor. The caller disposes it. A variant tensor is returned as a string tensor, whose elements are the serialized
   * VariantTensorDataProto messages.
   *
   * Throws NOT_FOUND if there is no such tensor or a data file is missing, INVALID_ARGUMENT if its entry or its slices cannot be right or
   * it is not of `options.dtype`, DATA_LOSS for damaged files, RESOURCE_EXHAUSTED without memory, CANCELLED if the signal is aborted.
   */
  async lookup<D extends DType = DType>(key: CheckpointKey, options: LookupOneOptions<D> = {}): Promise<Tensor<D>> {
    checkOptions("BundleReader.lookup", options, kLookupOneKeys);
    checkTransfer(options);
    return this.#lookupOne(key, null, options);
  }

  /**
   * Reads a slice of a tensor, and of the data files only what the slice needs: the rows of a slice of rows, stored slices that it meets.
   * A checksum covers a whole stored tensor, so it is verified only where the slice has all of it.
   *
   * Throws INTERNAL if the slice does not fit the shape, otherwise as `lookup`.
   */
  async lookupSlice<D extends DType = DType>(
    key: CheckpointKey,
    slice: TensorSlice,
    options: LookupOneOptions<D> = {},
  ): Promise<Tensor<D>> {
    checkOptions("BundleReader.lookupSlice", options, kLookupOneKeys);
    checkTransfer(options);
    return this.#lookupOne(key, clonedSlice(slice), options);
  }

  /**
   * Reads several tensors, by default all: in the order of the data files, small ones together. The result has them by their keys as
   * text, in the order of `keys`, and disposes all of them together. If anything fails, none is left.
   *
   * Throws INVALID_ARGUMENT if two keys are the same as text, otherwise as `lookup`.
   */
  async lookupAll(keys?: Iterable<CheckpointKey>, given: LookupOptions = {}): Promise<NamedTensors> {
    checkOptions("BundleReader.lookupAll", given, kLookupKeys);
    // A getter could return another value when it is read again.
    const options = { ...given };
    checkTransfer(options);
    if (
      keys !== undefined &&
      (typeof keys === "string" ||
        ArrayBuffer.isView(keys) ||
        typeof (keys as Partial<Iterable<unknown>> | null)?.[Symbol.iterator] !== "function")
    )
      throw new InvalidArgumentError(`BundleReader.lookupAll: expected a list of keys, got ${shownValue(keys)}`);
    const load = this.#newLoad(options);
    const tensors = new NamedTensors();
    try {
      // One after the other: a list of keys may have no end, but repeats a key then, or names one that does not exist.
      for (const [key, entry] of keys === undefined ? this.#index.tensors() : this.#entriesOf(keys)) {
        const text = keyText(key);
        if (tensors.has(text))
          throw new InvalidArgumentError(`two keys are ${shownValue(text)} as text: look them up one by one, as bytes`);
        tensors.set(text, await load.add(key, entry, null));
      }
      await load.run(options);
      return tensors;
    } catch (error) {
      load.dispose();
      throw error;
    }
  }

  /**
   * Returns the bytes of a tensor as they are stored in the data file, without looking at them except for the checksum of numbers. Copies
   * them. Throws as `lookup`, and INVALID_ARGUMENT for a tensor that is stored in slices.
   */
  async lookupStoredBytes(key: CheckpointKey, options: TransferOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    checkOptions("BundleReader.lookupStoredBytes", options, ["signal", "onProgress"]);
    checkTransfer(options);
    const entry = this.#entry(keyBytes(key));
    if (entry.slices.length > 0) throw new InvalidArgumentError(`${entry.what}: the tensor is stored in ${entry.slices.length} slices`);
    const { range, source } = await this.#shards.find(entry, options.signal);
    const bytes = new Uint8Array(await checkedRead(source, range.offset, range.size, entry.what, options.signal));
    const isNumbers = entry.dtype !== "string" && entry.dtype !== "variant";
    new StoredCrc(this.#verify && isNumbers ? entry.crc32c : null, bytes.length, entry).add(bytes);
    options.onProgress?.({ bytes: bytes.length, totalBytes: bytes.length, name: keyText(keyBytes(key)) });
    return bytes;
  }

  async #lookupOne<D extends DType>(key: CheckpointKey, slice: TensorSlice | null, options: LookupOneOptions<D>): Promise<Tensor<D>> {
    const bytes = keyBytes(key);
    const entry = this.#entry(bytes);
    const { dtype } = options;
    if (dtype !== undefined && dtype !== (entry.dtype === "variant" ? "string" : entry.dtype))
      throw new InvalidArgumentError(`${entry.what}: the tensor is ${entry.dtype}, expected ${shownValue(dtype)}`);
    const load = this.#newLoad(options);
    try {
      const tensor = await load.add(bytes, entry, slice);
      await load.run(options);
      return tensor as Tensor<D>;
    } catch (error) {
      load.dispose();
      throw error;
    }
  }

  #newLoad({ allocator, signal }: LookupOptions): TensorLoad {
    return new TensorLoad(this.#index, this.#shards, this.#verify, allocator, signal);
  }

  *#entriesOf(keys: Iterable<CheckpointKey>): Generator<[key: Uint8Array<ArrayBufferLike>, entry: BundleEntry], void, undefined> {
    for (const each of keys) {
      const key = keyBytes(each);
      yield [key, this.#entry(key)];
    }
  }

  #entry(key: Uint8Array<ArrayBufferLike>): BundleEntry {
    const entry = this.#index.find(key);
    if (entry === null) throw new NotFoundError(`Key ${shownKey(key)} not found in checkpoint ${shownValue(this.prefix)}`);
    return entry;
  }
}
