/**
 * CheckpointReader: reads checkpoints of both versions (tensorflow/c/checkpoint_reader.h, `tf.train.load_checkpoint`).
 *
 *     model.ckpt.index exists     version 2, read by BundleReader
 *     model.ckpt exists           version 1, read by TensorSliceReader; so are model.ckpt-00000-of-00002 and so on
 */
import type { DType } from "@onebuffer/base";
import { dataTypeName, dataTypeOf, InvalidArgumentError, NotFoundError } from "@onebuffer/base";
import { checkMadeInside, kMadeInside, checkOptions, checkText, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { TensorShape } from "@onebuffer/shape";
import type { ByteSource } from "../source/byte-source.ts";
import { fileOrNull, openFile } from "../source/named-file.ts";
import type { FileSetInput } from "../source/to-file-set.ts";
import { toFileSet } from "../source/to-file-set.ts";
import { checkTransfer } from "../source/transfer-options.ts";
import { BundleReader } from "./bundle-reader.ts";
import { metaFilename } from "./bundle-names.ts";
import { kLookupOneKeys, kOpenKeys } from "./lookup-options.ts";
import type { BundleReaderOptions, LookupOneOptions } from "./lookup-options.ts";
import { TensorSliceReader } from "./tensor-slice-reader.ts";

/** The suffix of a shard of version 1. */
const kShard = /^-\d{5}-of-\d{5}$/;

/** What a reader of either version knows of a tensor. */
interface TensorInfo {
  readonly dtype: DType;
  readonly shape: TensorShape;
  readonly numSlices: number;
}

/**
 * A checkpoint of version 1 or 2 that is open for reading. `BundleReader` can do more with version 2.
 *
 * @example
 * const made = new MemoryFiles();
 * const writer = new BundleWriter(made, "model.ckpt");
 * using bias = Tensor.from([1, 2, 3]);
 * await writer.add("bias", bias);
 * await writer.finish();
 *
 * const reader = await CheckpointReader.open(made.files, "model.ckpt");
 * [...reader.variableToDataTypeMap]; // => [["bias", "float32"]]
 * reader.debugString(); // => "bias (DT_FLOAT) [3]\n"
 * using tensor = await reader.getTensor("bias");
 * tensor.toArray(); // => [1, 2, 3]
 * await CheckpointReader.open(made.files, "other.ckpt"); // throws NOT_FOUND
 */
export class CheckpointReader {
  readonly #bundle: BundleReader | null;
  readonly #slices: TensorSliceReader | null;

  private constructor(key: typeof kMadeInside, bundle: BundleReader | null, slices: TensorSliceReader | null) {
    checkMadeInside(key, "CheckpointReader.open makes a CheckpointReader");
    this.#bundle = bundle;
    this.#slices = slices;
  }

  /**
   * Opens the checkpoint `name` of `files`, of whichever version it is. Shards of version 1 are found if the files can be listed.
   *
   * Throws NOT_FOUND if there is no such checkpoint, and the errors of `BundleReader.open`.
   */
  static async open(files: FileSetInput, name: string, options: BundleReaderOptions = {}): Promise<CheckpointReader> {
    checkText(name, "the name of a checkpoint");
    checkOptions("CheckpointReader.open", options, kOpenKeys);
    checkTransfer(options);
    const set = toFileSet(files);
    const index = await fileOrNull(set, metaFilename(name), options.signal);
    if (index !== null) return new CheckpointReader(kMadeInside, await BundleReader.open(set, name, options), null);
    const shards = new Map<string, ByteSource>();
    const single = await fileOrNull(set, name, options.signal);
    if (single !== null) shards.set(name, single);
    else {
      const names = (await set.list?.()) ?? [];
      const found = names.filter((each) => each.startsWith(name) && kShard.test(each.slice(name.length))).sort();
      for (const each of found) shards.set(each, await openFile(set, each, options.signal));
    }
    if (shards.size === 0)
      throw new NotFoundError(
        `no checkpoint ${shownValue(name)}: there is neither ${shownValue(metaFilename(name))} nor a file of its name`,
      );
    return new CheckpointReader(kMadeInside, null, await TensorSliceReader.open(shards, options.signal));
  }

  /** The version of the format: 1 or 2. */
  get version(): 1 | 2 {
    return this.#bundle === null ? 1 : 2;
  }

  /** Returns true if there is a tensor of this name. */
  hasTensor(name: string): boolean {
    checkText(name, "the name of a tensor");
    return this.#bundle === null ? this.#slices?.tensors.has(name) === true : this.#bundle.contains(name);
  }

  /** The shape of every tensor, by name. Throws INVALID_ARGUMENT if an entry is malformed. */
  get variableToShapeMap(): Map<string, TensorShape> {
    return new Map([...this.#infos()].map(([name, { shape }]) => [name, shape.clone()]));
  }

  /** The dtype of every tensor, by name. Throws INVALID_ARGUMENT if an entry is malformed. */
  get variableToDataTypeMap(): Map<string, DType> {
    return new Map([...this.#infos()].map(([name, { dtype }]) => [name, dtype]));
  }

  /** Reads a tensor. The caller disposes it. Throws as `BundleReader.lookup`. */
  async getTensor<D extends DType = DType>(name: string, options: LookupOneOptions<D> = {}): Promise<Tensor<D>> {
    checkText(name, "the name of a tensor");
    checkOptions("CheckpointReader.getTensor", options, kLookupOneKeys);
    checkTransfer(options);
    if (this.#bundle !== null) return this.#bundle.lookup(name, options);
    const { dtype, allocator, ...transfer } = options;
    const slices = this.#slices as TensorSliceReader;
    const stored = slices.tensors.get(name)?.dtype;
    if (dtype !== undefined && stored !== undefined && dtype !== stored)
      throw new InvalidArgumentError(`${shownValue(name)} is ${stored}, expected ${shownValue(dtype)}`);
    return (await slices.getTensor(name, allocator, transfer)) as Tensor<D>;
  }

  /** Returns a line per tensor, as TensorFlow does: `kernel (DT_FLOAT) [784,10]`. */
  debugString(): string {
    let text = "";
    for (const [name, { dtype, shape, numSlices }] of this.#infos()) {
      const slices = numSlices > 1 ? `, ${numSlices} slices` : "";
      text += `${name} (${dataTypeName(dataTypeOf(dtype))}) ${shape.debugString()}${slices}\n`;
    }
    return text;
  }

  *#infos(): Generator<[string, TensorInfo], void, undefined> {
    if (this.#bundle !== null) {
      const names = this.#bundle.keys;
      for (const [i, key] of this.#bundle.keyBytes.entries())
        yield [names[i] as string, { ...this.#bundle.lookupDtypeAndShape(key), numSlices: this.#bundle.lookupTensorSlices(key).length }];
    }
    for (const [name, set] of this.#slices?.tensors ?? []) yield [name, { dtype: set.dtype, shape: set.shape, numSlices: set.slices.size }];
  }
}
