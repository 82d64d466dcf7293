/**
 * SafetensorsFile: a safetensors file whose tensors are read when they are asked for.
 *
 *     open        the length and the header
 *     tensor      one read, into the memory of the tensor; a view if the file is in memory
 *     slice       the bytes from the first element of the slice to the last, or fewer
 *     tensors     neighbors in the file are read together
 */
import { FailedPreconditionError } from "@onebuffer/base";
import { checkMadeInside, kMadeInside, checkOptions, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { TensorSlice } from "@onebuffer/slice";
import type { ByteSource } from "../source/byte-source.ts";
import type { BytesInput } from "../source/bytes-input.ts";
import { checkedRead } from "../source/checked-read.ts";
import { memorySource } from "../source/memory-source.ts";
import { newBytes } from "../source/new-bytes.ts";
import { readPlanned } from "../source/read-plan.ts";
import type { PlannedRead } from "../source/read-plan.ts";
import { toByteSource } from "../source/to-byte-source.ts";
import type { SourceInput } from "../source/to-byte-source.ts";
import { checkSignal, checkTransfer, transferOf } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { checkDType, missingError, NamedTensors } from "../tensor/named-tensors.ts";
import { regionOfSlice } from "../tensor/region.ts";
import { checkNames } from "../tensor/tensors-by-name.ts";
import { blankTensor, checkBoolBytes, kTensorReadOptions, normalizeBools } from "../tensor/tensor-bytes.ts";
import type { TensorReadOptions } from "../tensor/tensor-bytes.ts";
import { unpackNibbles } from "./packed-nibbles.ts";
import { readEntryRegion } from "./entry-slice.ts";
import { dtypeOfEntry, isPacked, tensorOfEntry } from "./entry-tensor.ts";
import { headerOfBytes } from "./read-safetensors.ts";
import { checkDuplicates, headerLength, kHeaderOptions, kLengthBytes, readSafetensorsHeader } from "./safetensors-header.ts";
import type { SafetensorsEntry, SafetensorsHeader, SafetensorsHeaderOptions } from "./safetensors-header.ts";
import type { SafetensorsDType } from "./safetensors-type.ts";

/**
 * The options of a read of one tensor.
 *
 * @example
 * using weights = Tensor.from([1, 2]);
 * const file = SafetensorsFile.fromBytes(writeSafetensors({ weights }));
 * const options: SafetensorsTensorOptions<"float32"> = { dtype: "float32" };
 * using read = await file.tensor("weights", options);
 * read.vec().at(1); // => 2
 */
export interface SafetensorsTensorOptions<D extends SafetensorsDType = SafetensorsDType> extends TensorReadOptions, TransferOptions {
  /** The dtype that the tensor must have; any by default. With it, the tensor's type has the dtype. */
  readonly dtype?: D;
}

const kTransferOptions: readonly string[] = ["signal", "onProgress"];
/** The bytes that are read first: the header's length, and all of most headers. */
const kFirstRead = 16384;

/**
 * A safetensors file: its metadata, the dtype and shape of each tensor, and the tensors themselves on demand. `openSafetensors` makes one of
 * a file, a Blob or a server, `SafetensorsFile.fromBytes` of bytes in memory.
 *
 * @example
 * using weights = Tensor.from([[1, 2], [3, 4]]);
 * using bias = Tensor.zeros([2]);
 * const file = await openSafetensors(new Blob([writeSafetensors({ weights, bias }, { metadata: { format: "pt" } })]));
 * file.names; // => ["bias", "weights"]
 * file.metadata.get("format"); // => "pt"
 * file.entry("weights").shape; // => [2, 2]
 * using read = await file.tensor("weights");
 * read.toArray(); // => [[1, 2], [3, 4]]
 */
export class SafetensorsFile {
  /** The texts of `__metadata__`. */
  readonly metadata: ReadonlyMap<string, string>;
  /** The tensors by name, in the order of the data. */
  readonly entries: ReadonlyMap<string, SafetensorsEntry>;
  readonly #source: ByteSource;

  private constructor(key: typeof kMadeInside, source: ByteSource, header: SafetensorsHeader) {
    checkMadeInside(key, "openSafetensors and SafetensorsFile.fromBytes make a SafetensorsFile");
    this.#source = source;
    this.metadata = header.metadata;
    this.entries = header.entries;
  }

  /**
   * Opens a file whose bytes are in memory. Its tensors are views where their elements are aligned. Throws what `readSafetensors` throws for
   * the header.
   *
   * @example
   * using flags = Tensor.from([true, false]);
   * const file = SafetensorsFile.fromBytes(writeSafetensors({ flags }));
   * using read = file.tensorSync("flags");
   * read.toArray(); // => [true, false]
   */
  static fromBytes(bytes: BytesInput, options: SafetensorsHeaderOptions = {}): SafetensorsFile {
    checkHeaderOptions("SafetensorsFile.fromBytes", options);
    const source = memorySource(bytes);
    return new SafetensorsFile(kMadeInside, source, headerOfBytes(source.bytes as Uint8Array, options));
  }

  /** Reads the header of a source: `openSafetensors`. */
  static async open(input: SourceInput, options: SafetensorsHeaderOptions & TransferOptions = {}): Promise<SafetensorsFile> {
    checkHeaderOptions("openSafetensors", options, kTransferOptions);
    const source = toByteSource(input);
    const { size } = source;
    const start = await checkedRead(source, 0, Math.min(size, kFirstRead), "the header", options.signal);
    const length = headerLength(start, size);
    const header =
      kLengthBytes + length <= start.length
        ? start.subarray(kLengthBytes, kLengthBytes + length)
        : await checkedRead(source, kLengthBytes, length, "the header", options.signal);
    return new SafetensorsFile(kMadeInside, source, readSafetensorsHeader(header, size, options));
  }

  /** The names of the tensors, in the order of the data. */
  get names(): readonly string[] {
    return [...this.entries.keys()];
  }

  /** Returns the type, shape and place of a tensor. Throws NOT_FOUND if there is no tensor of this name. */
  entry(name: string): SafetensorsEntry {
    const entry = this.entries.get(name);
    if (entry === undefined) throw missingError(name, this.entries.keys());
    return entry;
  }

  /**
   * Reads a tensor into memory of the allocator, or makes a view of bytes that are in memory. The caller disposes it.
   *
   * Throws NOT_FOUND, INVALID_ARGUMENT if it has another dtype than `options.dtype`, UNIMPLEMENTED for F6_E2M3, F6_E3M2 and F8_E8M0,
   * RESOURCE_EXHAUSTED, CANCELLED, and the errors of the source.
   */
  async tensor<D extends SafetensorsDType = SafetensorsDType>(name: string, options: SafetensorsTensorOptions<D> = {}): Promise<Tensor<D>> {
    checkTensorOptions("tensor", options);
    const entry = this.#wanted(name, options.dtype);
    checkSignal(options.signal, `reading tensor ${shownValue(name)}`);
    if (this.#source.bytes !== undefined) return tensorOfEntry(entry, this.#inMemory(entry), options) as Tensor<D>;
    using tensors = await this.#read([entry], options);
    return tensors.take(name) as Tensor as Tensor<D>;
  }

  /**
   * Reads a slice of a tensor: only the bytes from its first element to its last; of these, rows that lie more than 64 KiB apart are read one
   * by one. A view of bytes that are in memory, if they are adjacent.
   *
   * Throws what `tensor` throws, INVALID_ARGUMENT if the slice has other dimensions than the tensor, OUT_OF_RANGE if it ends behind them.
   */
  async slice<D extends SafetensorsDType = SafetensorsDType>(
    name: string,
    slice: TensorSlice,
    options: SafetensorsTensorOptions<D> = {},
  ): Promise<Tensor<D>> {
    checkTensorOptions("slice", options);
    const entry = this.#wanted(name, options.dtype);
    const what = `tensor ${shownValue(name)}`;
    const region = regionOfSlice(`safetensors: ${what}`, slice, entry.shape);
    checkSignal(options.signal, `reading ${what}`);
    return (await readEntryRegion(this.#source, entry, region, options)) as Tensor as Tensor<D>;
  }

  /**
   * Returns a tensor of a file that is in memory, without waiting. Throws what `tensor` throws, and FAILED_PRECONDITION if the file is not in
   * memory.
   */
  tensorSync<D extends SafetensorsDType = SafetensorsDType>(name: string, options: SafetensorsTensorOptions<D> = {}): Tensor<D> {
    checkTensorOptions("tensorSync", options);
    const entry = this.#wanted(name, options.dtype);
    return tensorOfEntry(entry, this.#inMemory(entry), options) as Tensor<D>;
  }

  /** Returns the bytes of a tensor as the file has them, of every type; a view if the file is in memory. Throws NOT_FOUND, CANCELLED. */
  async bytes(name: string, options: TransferOptions = {}): Promise<Uint8Array<ArrayBufferLike>> {
    checkOptions("bytes", options, kTransferOptions);
    checkTransfer(options);
    const { byteOffset, byteLength } = this.entry(name);
    return await checkedRead(this.#source, byteOffset, byteLength, `tensor ${shownValue(name)}`, options.signal);
  }

  /**
   * Reads several tensors, by default all, in the order of the file; neighbors are read together. Progress counts bytes of the file.
   *
   * Throws what `tensor` throws, before anything is read; nothing is held if a read fails.
   */
  async tensors(names: readonly string[] = this.names, options: Omit<SafetensorsTensorOptions, "dtype"> = {}): Promise<NamedTensors> {
    checkNames(names);
    checkTensorOptions("tensors", options, []);
    const entries = [...new Set(names)].map((name) => this.entry(name));
    entries.sort((a, b) => a.byteOffset - b.byteOffset);
    for (const entry of entries) dtypeOfEntry(entry);
    checkSignal(options.signal, "reading tensors");
    if (this.#source.bytes === undefined) return await this.#read(entries, options);
    const tensors = new NamedTensors();
    try {
      for (const entry of entries) tensors.set(entry.name, tensorOfEntry(entry, this.#inMemory(entry), options));
      return tensors;
    } catch (error) {
      tensors.dispose();
      throw error;
    }
  }

  #wanted(name: string, dtype: unknown): SafetensorsEntry {
    const entry = this.entry(name);
    const stored = dtypeOfEntry(entry);
    if (dtype !== undefined) checkDType(name, stored, dtype);
    return entry;
  }

  #inMemory({ name, byteOffset, byteLength }: SafetensorsEntry): Uint8Array<ArrayBufferLike> {
    const { bytes } = this.#source;
    if (bytes === undefined)
      throw new FailedPreconditionError(`tensor ${shownValue(name)} is not in memory: await tensor(${shownValue(name)}) reads it`);
    return bytes.subarray(byteOffset, byteOffset + byteLength);
  }

  /** Reads entries into new memory. A packed tensor is read into memory beside it, and then unpacked. */
  async #read(entries: readonly SafetensorsEntry[], options: TensorReadOptions & TransferOptions): Promise<NamedTensors> {
    const tensors = new NamedTensors();
    try {
      const reads = entries.map((entry): PlannedRead => {
        const { name, shape, byteOffset: offset, byteLength } = entry;
        const what = `tensor ${shownValue(name)}`;
        const dtype = dtypeOfEntry(entry);
        const tensor = blankTensor(`safetensors: ${what}`, dtype, shape, options.allocator);
        tensors.set(name, tensor);
        const elements = byteLength === 0 ? new Uint8Array(0) : tensor.tensorData;
        const target = isPacked(entry) ? newBytes(byteLength, `safetensors: ${what}`) : elements;
        const onDone = (): void => {
          if (isPacked(entry)) unpackNibbles(target, elements);
          if (dtype === "bool" && options.boolBytes !== "keep") normalizeBools(elements);
        };
        return { source: this.#source, offset, target, what, onDone };
      });
      await readPlanned(reads, transferOf(options));
      return tensors;
    } catch (error) {
      tensors.dispose();
      throw error;
    }
  }
}

/**
 * Opens a safetensors file in a file, a Blob, on a server, or in memory: reads its header. Tensors are read when they are asked for.
 *
 * Throws what `readSafetensors` throws for the header, CANCELLED, and the errors of the source.
 *
 * @example
 * using weights = Tensor.from([1, 2, 3]);
 * const file = await openSafetensors(new Blob([writeSafetensors({ weights })]));
 * using tensors = await file.tensors(["weights"], { onProgress: ({ bytes, totalBytes }) => bytes / totalBytes });
 * tensors.tensor("weights").toArray(); // => [1, 2, 3]
 * await openSafetensors(new Uint8Array(5)); // throws DATA_LOSS
 */
export async function openSafetensors(
  input: SourceInput,
  options: SafetensorsHeaderOptions & TransferOptions = {},
): Promise<SafetensorsFile> {
  return await SafetensorsFile.open(input, options);
}

function checkHeaderOptions(call: string, options: SafetensorsHeaderOptions, more: readonly string[] = []): void {
  checkOptions(call, options, [...kHeaderOptions, ...more]);
  if (more.length > 0) checkTransfer(options as TransferOptions);
  checkDuplicates(call, options.duplicates);
}

/** Throws INVALID_ARGUMENT for options that a read of tensors does not have, or values of other types. */
export function checkTensorOptions(call: string, options: SafetensorsTensorOptions, more: readonly string[] = ["dtype"]): void {
  checkOptions(call, options, [...kTensorReadOptions, ...kTransferOptions, ...more]);
  checkTransfer(options);
  checkBoolBytes(call, options.boolBytes);
}
