/**
 * NpyFile: an .npy file whose header is read first, and whose elements, or some of its rows, are read when they are asked for.
 *
 *     open       one read: the header
 *     tensor     the data, into the memory of the tensor; a view if the file is in memory
 *     rows       the bytes of these rows alone
 */
import { InvalidArgumentError, OutOfRangeError } from "@onebuffer/base";
import { checkMadeInside, kMadeInside, checkInteger, checkOptions } from "@onebuffer/base/internal";
import { deepCopy } from "@onebuffer/core";
import type { Tensor } from "@onebuffer/core";
import type { ByteSource } from "../source/byte-source.ts";
import { readPlanned } from "../source/read-plan.ts";
import { runSteps } from "../source/read-steps.ts";
import type { ReadSteps } from "../source/read-steps.ts";
import { toByteSource } from "../source/to-byte-source.ts";
import type { SourceInput } from "../source/to-byte-source.ts";
import { checkSignal } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { checkBoolBytes, kTensorReadOptions } from "../tensor/tensor-bytes.ts";
import type { TensorReadOptions } from "../tensor/tensor-bytes.ts";
import { isSameInBothOrders } from "./column-major.ts";
import { checkTypeOptions } from "./npy-descr.ts";
import type { NpyAnyDType, NpyDType, NpyTypeOptions } from "./npy-descr.ts";
import { checkDataBytes, npyDestination, tensorOverNpy } from "./npy-destination.ts";
import { dataOffsetOf, kDefaultMaxHeaderSize, readHeader, tooLongHeader } from "./npy-header.ts";
import type { NpyAnyHeader, NpyHeaderOptions } from "./npy-header.ts";
import { checkWanted, headerInMemory } from "./read-npy.ts";
import { NpyArray } from "./npy-array.ts";

/**
 * The options of `openNpy`.
 *
 * @example
 * using t = Tensor.from([[1, 2], [3, 4]]);
 * const options: NpyOpenOptions = { maxHeaderSize: 200 };
 * const file = await openNpy(new Blob([writeNpy(t)]), options);
 * file.shape; // => [2, 2]
 */
export interface NpyOpenOptions extends NpyHeaderOptions, NpyTypeOptions, TransferOptions {}

/**
 * The options of a read of an opened .npy file.
 *
 * @example
 * using t = Tensor.from([[1, 2], [3, 4]]);
 * const options: NpyFileReadOptions<"float32"> = { dtype: "float32" };
 * using read = await (await openNpy(writeNpy(t))).tensor(options);
 * read.matrix().at(1, 0); // => 3
 */
export interface NpyFileReadOptions<D extends NpyAnyDType = NpyAnyDType> extends TensorReadOptions, TransferOptions {
  /** The dtype that the file must have; any by default. With it, the tensor's type has the dtype. */
  readonly dtype?: D;
}

/** The bytes that are read first, enough for the header of nearly every file. */
const kFirstRead = 4096;
const kReadOptions: readonly string[] = ["dtype", "signal", "onProgress", ...kTensorReadOptions];

/**
 * An .npy file in a file, a Blob, on a server, or in memory. `openNpy` makes one.
 *
 * @example
 * using t = Tensor.from([[1, 2], [3, 4], [5, 6]]);
 * const file: NpyFile = await openNpy(new Blob([writeNpy(t)]));
 * [file.dtype, file.shape]; // => ["float32", [3, 2]]
 * using last = await file.rows(1, 3);
 * last.toArray(); // => [[3, 4], [5, 6]]
 */
export class NpyFile {
  readonly #source: ByteSource;
  readonly #header: NpyAnyHeader;

  private constructor(key: typeof kMadeInside, source: ByteSource, header: NpyAnyHeader) {
    checkMadeInside(key, "openNpy makes an NpyFile");
    this.#source = source;
    this.#header = header;
  }

  /** Reads the header: `openNpy`. */
  static async open(input: SourceInput, options: NpyOpenOptions = {}): Promise<NpyFile> {
    checkOptions("openNpy", options, ["maxHeaderSize", "strings", "voidAs", "signal", "onProgress"]);
    checkTypeOptions("openNpy", options);
    const source = toByteSource(input);
    return new NpyFile(kMadeInside, source, await runSteps(source, readNpyHeaderSteps(source.size, options), options.signal));
  }

  /** The element type. */
  get dtype(): NpyAnyDType {
    return this.#header.dtype;
  }

  /** The sizes of the dimensions. */
  get shape(): readonly number[] {
    return this.#header.shape;
  }

  /** True if the elements are in column-major order. */
  get fortranOrder(): boolean {
    return this.#header.fortranOrder;
  }

  /** The index of the data's first byte in the file. */
  get dataOffset(): number {
    return this.#header.dataOffset;
  }

  /** The number of bytes of data. */
  get dataBytes(): number {
    return this.#header.dataBytes;
  }

  /**
   * Reads all elements, in row-major order. A view if the file is in memory and its bytes can be used in place; else the bytes are read into
   * memory of the allocator, and big-endian ones swapped there. A column-major file takes other memory of its size while it is read.
   *
   * Throws INVALID_ARGUMENT if the file has another dtype than `options.dtype`, RESOURCE_EXHAUSTED, CANCELLED, and the errors of the source.
   */
  async tensor<D extends NpyAnyDType = NpyDType>(options: NpyFileReadOptions<D> = {}): Promise<Tensor<D>> {
    this.#check("tensor", options);
    return (await this.#read(this.#header, 0, options)) as Tensor as Tensor<D>;
  }

  /** Reads all elements in the file's order, as `readNpy` does with `order: "keep"`. Throws what `tensor` throws. */
  async array(options: NpyFileReadOptions = {}): Promise<NpyArray> {
    this.#check("array", options);
    const tensor = await this.#read(headerInMemory(this.#header), 0, options);
    return new NpyArray(tensor as Tensor as Tensor<NpyDType>, this.#header.fortranOrder);
  }

  /**
   * Reads the rows from `begin` to before `end`, by default the last: elements of the first dimension. Reads only their bytes, unless the file
   * is column-major, where a row's elements are scattered over the whole file.
   *
   * Throws what `tensor` throws, OUT_OF_RANGE for rows that the file does not have, INVALID_ARGUMENT for a scalar.
   */
  async rows<D extends NpyAnyDType = NpyDType>(begin: number, end?: number, options: NpyFileReadOptions<D> = {}): Promise<Tensor<D>> {
    const header = this.#header;
    const [count, ...inner] = header.shape;
    if (count === undefined) throw new InvalidArgumentError("npy: a scalar has no rows");
    const limit = end ?? count;
    checkInteger(begin, "a row");
    checkInteger(limit, "a row");
    if (begin > limit || limit > count) throw new OutOfRangeError(`npy: no rows from ${begin} to ${limit}, the file has ${count}`);
    this.#check("rows", options);
    if (header.fortranOrder && !isSameInBothOrders(header.shape)) {
      using whole = await this.#read(header, 0, options);
      using rows = whole.slice(begin, limit);
      return deepCopy(rows) as Tensor as Tensor<D>;
    }
    const rowElements = count === 0 ? 0 : header.numElements / count;
    const rowBytes = rowElements * header.itemSize;
    const numElements = rowElements * (limit - begin);
    const part = {
      ...header,
      fortranOrder: false,
      shape: [limit - begin, ...inner],
      numElements,
      dataBytes: numElements * header.itemSize,
    };
    return (await this.#read(part, begin * rowBytes, options)) as Tensor as Tensor<D>;
  }

  #check(call: string, options: NpyFileReadOptions): void {
    checkOptions(call, options, kReadOptions);
    checkBoolBytes(call, options.boolBytes);
    checkWanted(this.#header, options.dtype);
  }

  /** Reads the data of `header`, which begins `from` bytes after the file's. */
  async #read(header: NpyAnyHeader, from: number, options: NpyFileReadOptions): Promise<Tensor> {
    return await readNpyData(this.#source, { ...header, dataOffset: header.dataOffset + from }, options);
  }
}

/**
 * Opens an .npy file in a file, a Blob, on a server, or in memory: reads its header, and checks that all data is there.
 *
 * Throws what `parseNpyHeader` throws, DATA_LOSS if the file is shorter than its header says, CANCELLED, and the errors of the source.
 *
 * @example
 * using t = Tensor.from([1, 2, 3]);
 * const file = await openNpy(new Blob([writeNpy(t)]));
 * using read = await file.tensor({ dtype: "float32" });
 * read.toArray(); // => [1, 2, 3]
 * await openNpy(writeNpy(t).subarray(0, 139)); // throws DATA_LOSS
 */
export async function openNpy(input: SourceInput, options: NpyOpenOptions = {}): Promise<NpyFile> {
  return await NpyFile.open(input, options);
}

/** Reads the header of an .npy file of `size` bytes, and checks that the data is there. */
export function* readNpyHeaderSteps(size: number, options: NpyHeaderOptions & NpyTypeOptions): ReadSteps<NpyAnyHeader> {
  const what = "the header of the .npy file";
  let start = yield { offset: 0, length: Math.min(size, kFirstRead), what };
  const dataOffset = dataOffsetOf(start);
  if (dataOffset > start.length && dataOffset <= size) {
    checkHeaderSize(dataOffset, options.maxHeaderSize);
    start = yield { offset: 0, length: dataOffset, what };
  }
  const header = readHeader(start, options);
  checkDataBytes(header, size - header.dataOffset);
  return header;
}

/** Throws INVALID_ARGUMENT if a header is longer than one of `maxHeaderSize` characters can be, before it is read. */
export function checkHeaderSize(dataOffset: number, maxHeaderSize: number = kDefaultMaxHeaderSize): void {
  if (dataOffset > 12 + 4 * maxHeaderSize) throw tooLongHeader(`${dataOffset} bytes`, maxHeaderSize);
}

/**
 * Reads the data of a header whose `dataOffset` is the place in the source, which has all of it. `onBytes` gets the bytes of the data in order.
 */
export async function readNpyData(
  source: ByteSource,
  header: NpyAnyHeader,
  options: TensorReadOptions & TransferOptions,
  onBytes?: (part: Uint8Array<ArrayBufferLike>) => void,
): Promise<Tensor> {
  const { dataOffset: offset, dataBytes } = header;
  const { signal, onProgress } = options;
  checkSignal(signal, "reading an .npy file");
  if (source.bytes !== undefined) {
    const data = source.bytes.subarray(offset, offset + dataBytes);
    onBytes?.(data);
    return tensorOverNpy(data, header, options);
  }
  const destination = npyDestination(header, options);
  try {
    const target = destination.bytes;
    const read = { source, offset, target, what: "the data of the .npy file", ...(onBytes === undefined ? {} : { onBytes }) };
    await readPlanned([read], { ...(signal === undefined ? {} : { signal }), ...(onProgress === undefined ? {} : { onProgress }) });
  } catch (error) {
    destination.abandon();
    throw error;
  }
  return destination.finish();
}
