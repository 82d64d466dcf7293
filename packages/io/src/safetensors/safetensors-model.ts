/**
 * SafetensorsModel: the tensors of a model in several safetensors files, found through its index.
 *
 *     open       the index
 *     tensor     the header of the tensor's file, once, and the tensor
 */
import { DataLossError, InvalidArgumentError, isStatusError } from "@onebuffer/base";
import { checkMadeInside, kMadeInside, checkObject, checkOptions, checkText, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { TensorSlice } from "@onebuffer/slice";
import { checkedRead } from "../source/checked-read.ts";
import type { FileSet } from "../source/file-set.ts";
import { openFile } from "../source/named-file.ts";
import { toFileSet } from "../source/to-file-set.ts";
import type { FileSetInput } from "../source/to-file-set.ts";
import { abortable, checkSignal, checkTransfer } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { missingError, NamedTensors } from "../tensor/named-tensors.ts";
import { checkNames } from "../tensor/tensors-by-name.ts";
import { kIndexName, kMaxIndexBytes, readModelIndex } from "./model-index.ts";
import { checkDuplicates } from "./safetensors-header.ts";
import type { SafetensorsEntry, SafetensorsHeaderOptions } from "./safetensors-header.ts";
import { checkTensorOptions, SafetensorsFile } from "./safetensors-file.ts";
import type { SafetensorsTensorOptions } from "./safetensors-file.ts";
import type { SafetensorsDType } from "./safetensors-type.ts";

/**
 * The options of `openSafetensorsModel`.
 *
 * @example
 * using weights = Tensor.from([1, 2]);
 * const made = new MemoryFiles();
 * await saveSafetensorsModel({ weights }, made, { name: "adapter" });
 * const options: SafetensorsModelOptions = { name: "adapter" };
 * (await openSafetensorsModel(made.files, options)).names; // => ["weights"]
 */
export interface SafetensorsModelOptions extends SafetensorsHeaderOptions, TransferOptions {
  /** The model's name, with which the names of its files begin; "model" by default. */
  readonly name?: string;
}

/**
 * The tensors of a model in one or several safetensors files. `openSafetensorsModel` makes one.
 *
 * @example
 * using a = Tensor.zeros([100]);
 * using b = Tensor.ones([100]);
 * const made = new MemoryFiles();
 * await saveSafetensorsModel({ a, b }, made, { maxShardBytes: 500 });
 * const model: SafetensorsModel = await openSafetensorsModel(made.files);
 * model.weightMap.get("b"); // => "model-00002-of-00002.safetensors"
 * using read = await model.tensor("b");
 * read.vec().at(99); // => 1
 */
export class SafetensorsModel {
  /** The file of each tensor by its name, in the order of the index. */
  readonly weightMap: ReadonlyMap<string, string>;
  readonly #files: FileSet;
  readonly #options: SafetensorsHeaderOptions;
  readonly #open: Map<string, Promise<SafetensorsFile>> = new Map();

  private constructor(key: typeof kMadeInside, files: FileSet, weightMap: ReadonlyMap<string, string>, options: SafetensorsHeaderOptions) {
    checkMadeInside(key, "openSafetensorsModel makes a SafetensorsModel");
    this.#files = files;
    this.weightMap = weightMap;
    this.#options = options;
  }

  /** Reads the index, or the header of the only file: `openSafetensorsModel`. */
  static async open(input: FileSetInput, options: SafetensorsModelOptions = {}): Promise<SafetensorsModel> {
    checkOptions("openSafetensorsModel", options, ["name", "duplicates", "signal", "onProgress"]);
    checkTransfer(options);
    const { name = "model", duplicates, signal } = options;
    checkText(name, "the name of a model");
    checkDuplicates("openSafetensorsModel", duplicates);
    const files = toFileSet(input);
    const header: SafetensorsHeaderOptions = duplicates === undefined ? {} : { duplicates };
    let index: Awaited<ReturnType<FileSet["open"]>>;
    try {
      index = await openFile(files, indexNameOf(name), signal);
    } catch (error) {
      // A model in one file has no index.
      if (!isStatusError(error, "NOT_FOUND")) throw error;
      const only = `${name}.safetensors`;
      const file = await openIn(files, only, header, signal, error);
      const model = new SafetensorsModel(kMadeInside, files, new Map(file.names.map((tensor) => [tensor, only])), header);
      model.#open.set(only, Promise.resolve(file));
      return model;
    }
    if (index.size > kMaxIndexBytes)
      throw new InvalidArgumentError(`safetensors index: it has ${index.size} bytes, more than the ${kMaxIndexBytes} that are read`);
    const bytes = await checkedRead(index, 0, index.size, "the index", signal);
    return new SafetensorsModel(kMadeInside, files, readModelIndex(bytes), header);
  }

  /** The names of the tensors, in the order of the index. */
  get names(): readonly string[] {
    return [...this.weightMap.keys()];
  }

  /** Returns the type, shape and place of a tensor in its file. Throws what `tensor` throws. */
  async entry(name: string, options: TransferOptions = {}): Promise<SafetensorsEntry> {
    return (await this.#fileOf(name, options)).entry(name);
  }

  /**
   * Reads a tensor, as `SafetensorsFile`'s `tensor` does. Throws what that throws, NOT_FOUND also if there is no such file, and DATA_LOSS if
   * the file does not have the tensor.
   */
  async tensor<D extends SafetensorsDType = SafetensorsDType>(name: string, options: SafetensorsTensorOptions<D> = {}): Promise<Tensor<D>> {
    return await (await this.#fileOf(name, options)).tensor(name, options);
  }

  /** Reads a slice of a tensor, as `SafetensorsFile`'s `slice` does. Throws what that and `tensor` throw. */
  async slice<D extends SafetensorsDType = SafetensorsDType>(
    name: string,
    slice: TensorSlice,
    options: SafetensorsTensorOptions<D> = {},
  ): Promise<Tensor<D>> {
    return await (await this.#fileOf(name, options)).slice(name, slice, options);
  }

  /** Returns the bytes of a tensor as the file has them. Throws what `tensor` throws. */
  async bytes(name: string, options: TransferOptions = {}): Promise<Uint8Array<ArrayBufferLike>> {
    return await (await this.#fileOf(name, options)).bytes(name, options);
  }

  /**
   * Reads several tensors, by default all, file by file. Progress counts the bytes of all of them. Throws what `tensor` throws; nothing is held
   * if a read fails.
   */
  async tensors(names: readonly string[] = this.names, options: Omit<SafetensorsTensorOptions, "dtype"> = {}): Promise<NamedTensors> {
    checkNames(names);
    checkTensorOptions("tensors", options, []);
    const byFile = new Map<SafetensorsFile, string[]>();
    let totalBytes = 0;
    for (const name of new Set(names)) {
      const file = await this.#fileOf(name, options);
      byFile.set(file, [...(byFile.get(file) ?? []), name]);
      totalBytes += file.entry(name).byteLength;
    }
    const all = new NamedTensors();
    let before = 0;
    try {
      for (const [file, wanted] of byFile) {
        const { onProgress } = options;
        const shifted = onProgress === undefined ? options : { ...options, onProgress: shift(onProgress, before, totalBytes) };
        for (const [name, tensor] of await file.tensors(wanted, shifted)) all.set(name, tensor);
        before += wanted.reduce((sum, name) => sum + file.entry(name).byteLength, 0);
      }
      return all;
    } catch (error) {
      all.dispose();
      throw error;
    }
  }

  /** Opens the file of a tensor, once. */
  async #fileOf(name: string, options: TransferOptions): Promise<SafetensorsFile> {
    checkObject(options, "options");
    checkTransfer(options);
    const shard = this.weightMap.get(name);
    if (shard === undefined) throw missingError(name, this.weightMap.keys());
    const file = await this.#opened(shard, options.signal);
    if (!file.entries.has(name))
      throw new DataLossError(`safetensors index: tensor ${shownValue(name)} is not in its file ${shownValue(shard)}`);
    return file;
  }

  /** Opens a file. Calls that overlap wait for the same opening; if the signal of the call that began it ends it, one of the others begins anew. */
  async #opened(shard: string, signal: TransferOptions["signal"]): Promise<SafetensorsFile> {
    for (;;) {
      const others = this.#open.get(shard);
      if (others === undefined) break;
      try {
        return await abortable(shard, signal, others);
      } catch (error) {
        checkSignal(signal, shard);
        if (!isStatusError(error, "CANCELLED")) throw error;
      }
    }
    const own = openIn(this.#files, shard, this.#options, signal);
    this.#open.set(shard, own);
    // A file that could not be opened is tried again the next time.
    own.catch(() => this.#open.delete(shard));
    return await own;
  }
}

/**
 * Opens a model in several safetensors files: reads its index, `model.safetensors.index.json`. Without an index the model is the one file
 * `model.safetensors`.
 *
 * Throws NOT_FOUND if there is neither, INVALID_ARGUMENT if the index is invalid, CANCELLED, and the errors of the files.
 *
 * @example
 * using a = Tensor.from([1, 2, 3]);
 * const model = await openSafetensorsModel({ "model.safetensors": writeSafetensors({ a }) });
 * using tensors = await model.tensors();
 * tensors.tensor("a").toArray(); // => [1, 2, 3]
 * await openSafetensorsModel({}); // throws NOT_FOUND
 */
export async function openSafetensorsModel(files: FileSetInput, options: SafetensorsModelOptions = {}): Promise<SafetensorsModel> {
  return await SafetensorsModel.open(files, options);
}

/** Returns the name of a model's index. */
export function indexNameOf(name: string): string {
  return name === "model" ? kIndexName : `${name}.safetensors.index.json`;
}

async function openIn(
  files: FileSet,
  name: string,
  options: SafetensorsHeaderOptions,
  signal: TransferOptions["signal"],
  instead?: unknown,
): Promise<SafetensorsFile> {
  let source: Awaited<ReturnType<FileSet["open"]>>;
  try {
    source = await openFile(files, name, signal);
  } catch (error) {
    // The missing index is the better message, if neither is there.
    throw instead !== undefined && isStatusError(error, "NOT_FOUND") ? instead : error;
  }
  return await SafetensorsFile.open(source, signal === undefined ? options : { ...options, signal });
}

type Listener = NonNullable<TransferOptions["onProgress"]>;

function shift(onProgress: Listener, before: number, totalBytes: number): Listener {
  return ({ bytes, name }) => onProgress({ bytes: before + bytes, totalBytes, ...(name === undefined ? {} : { name }) });
}
