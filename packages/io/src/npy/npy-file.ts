/**
 * NpyFile: an .npy file whose header is read first, and whose elements, or some of its rows, are read when they are asked for.
 *
 *     open       one read: the header
 *     tensor     the data, into the memory of the tensor; a view if the file is in memory
 *     rows       the bytes of these rows alone
 *     slice      the bytes from the first element of the slice to the last, or fewer
 */
import { InvalidArgumentError, OutOfRangeError } from "@onebuffer/base";
import { checkMadeInside, kMadeInside, checkInteger, checkOptions } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { TensorSlice } from "@onebuffer/slice";
import type { ByteSource } from "../source/byte-source.ts";
import { runSteps } from "../source/read-steps.ts";
import { toByteSource } from "../source/to-byte-source.ts";
import type { SourceInput } from "../source/to-byte-source.ts";
import { checkTransfer } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { regionOfSlice } from "../tensor/region.ts";
import { checkBoolBytes, kTensorReadOptions } from "../tensor/tensor-bytes.ts";
import type { TensorReadOptions } from "../tensor/tensor-bytes.ts";
import { checkTypeOptions } from "./npy-descr.ts";
import type { NpyAnyDType, NpyDType, NpyTypeOptions } from "./npy-descr.ts";
import type { NpyAnyHeader, NpyHeaderOptions } from "./npy-header.ts";
import { NpyArray } from "./npy-array.ts";
import { readNpyRegion } from "./npy-region.ts";
import { readNpyData, readNpyHeaderSteps } from "./read-npy-data.ts";
import { checkWanted, headerInMemory } from "./read-npy.ts";

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
    checkTransfer(options);
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
    return (await readNpyData(this.#source, this.#header, options)) as Tensor as Tensor<D>;
  }

  /** Reads all elements in the file's order, as `readNpy` does with `order: "keep"`. Throws what `tensor` throws. */
  async array(options: NpyFileReadOptions = {}): Promise<NpyArray> {
    this.#check("array", options);
    const tensor = await readNpyData(this.#source, headerInMemory(this.#header), options);
    return new NpyArray(tensor as Tensor as Tensor<NpyDType>, this.#header.fortranOrder);
  }

  /**
   * Reads the rows from `begin` to before `end`, by default the last: elements of the first dimension. Reads only their bytes; in a
   * column-major file, where the elements of a row are scattered, those from the first to the last.
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
    const region = { starts: [begin, ...inner.map(() => 0)], sizes: [limit - begin, ...inner] };
    return (await readNpyRegion(this.#source, header, region, options)) as Tensor as Tensor<D>;
  }

  /**
   * Reads a slice: a start and a length for each dimension. Reads only the bytes from its first element to its last; of these, rows that lie
   * more than 64 KiB apart are read one by one.
   *
   * Throws what `tensor` throws, INVALID_ARGUMENT if the slice has other dimensions than the file, OUT_OF_RANGE if it ends behind them.
   */
  async slice<D extends NpyAnyDType = NpyDType>(slice: TensorSlice, options: NpyFileReadOptions<D> = {}): Promise<Tensor<D>> {
    this.#check("slice", options);
    const region = regionOfSlice("npy", slice, this.#header.shape);
    return (await readNpyRegion(this.#source, this.#header, region, options)) as Tensor as Tensor<D>;
  }

  #check(call: string, options: NpyFileReadOptions): void {
    checkOptions(call, options, kReadOptions);
    checkTransfer(options);
    checkBoolBytes(call, options.boolBytes);
    checkWanted(this.#header, options.dtype);
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
