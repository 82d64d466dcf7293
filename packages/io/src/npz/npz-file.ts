/**
 * NpzFile: NumPy's .npz, a zip of .npy files, whose arrays are read when they are asked for.
 *
 *     open        the directory at the end of the file
 *     tensor      the member's two headers and its data; a view if the file is in memory and the member is stored
 *     bytes       a member's bytes, inflated
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { checkMadeInside, kMadeInside, checkOptions, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { TensorSlice } from "@onebuffer/slice";
import type { NpyAnyDType, NpyDType } from "../npy/npy-descr.ts";
import { readNpyRegion } from "../npy/npy-region.ts";
import { readNpyData, readNpyHeaderSteps } from "../npy/read-npy-data.ts";
import { checkReadOptions, checkWanted, kNpyReadOptions, readNpy } from "../npy/read-npy.ts";
import type { NpyReadOptions } from "../npy/read-npy.ts";
import type { ByteSource } from "../source/byte-source.ts";
import type { BytesInput } from "../source/bytes-input.ts";
import { checkedRead } from "../source/checked-read.ts";
import { memorySource } from "../source/memory-source.ts";
import { newBytes } from "../source/new-bytes.ts";
import { readAhead } from "../source/read-ahead.ts";
import { runSteps, runStepsSync } from "../source/read-steps.ts";
import { toByteSource } from "../source/to-byte-source.ts";
import type { SourceInput } from "../source/to-byte-source.ts";
import { checkSignal, checkTransfer } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { missingError, NamedTensors } from "../tensor/named-tensors.ts";
import { isWholeRegion, regionOfSlice } from "../tensor/region.ts";
import { allocationOf } from "../tensor/tensor-bytes.ts";
import { checkNames } from "../tensor/tensors-by-name.ts";
import { partOf } from "./member-source.ts";
import { NpyAssembler } from "./npy-assembler.ts";
import { readZipDirectory } from "./zip-directory.ts";
import type { ZipMember } from "./zip-directory.ts";
import { inflatedMember, isStored, MemberChecksum, memberOffset, memberText } from "./zip-member.ts";

/**
 * The options of `openNpz`.
 *
 * @example
 * using a = Tensor.from([1, 2, 3]);
 * const options: NpzOpenOptions = { verifyChecksums: false };
 * const file = NpzFile.fromBytes(await writeNpz({ a }), options);
 * file.names; // => ["a"]
 */
export interface NpzOpenOptions {
  /** Whether the CRC-32 of each member is checked when all of it is read; true by default. */
  readonly verifyChecksums?: boolean;
}

/**
 * The options of a read of one array: those of `readNpy`, except `order`, and those of a transfer.
 *
 * @example
 * using a = Tensor.from([1, 2, 3]);
 * const file = NpzFile.fromBytes(await writeNpz({ a }, { compressed: true }));
 * const options: NpzTensorOptions<"float32"> = { dtype: "float32" };
 * using read = await file.tensor("a", options);
 * read.vec().at(2); // => 3
 */
export interface NpzTensorOptions<D extends NpyAnyDType = NpyDType> extends Omit<NpyReadOptions<D>, "order">, TransferOptions {}

const kSuffix = ".npy";
const kTransferOptions: readonly string[] = ["signal", "onProgress"];
const kTensorOptions: readonly string[] = [...kNpyReadOptions.filter((name) => name !== "order"), ...kTransferOptions];
/** The bytes after an array's data that are read at once for the checksum. NumPy writes none. */
const kPiece = 1 << 20;

/**
 * An .npz file. An array's name is its member's without `.npy`; members without it are no arrays and can be read by `bytes`. `openNpz` makes
 * one of a file, a Blob or a server, `NpzFile.fromBytes` of bytes in memory.
 *
 * @example
 * using weights = Tensor.from([[1, 2], [3, 4]]);
 * using bias = Tensor.zeros([2]);
 * const file: NpzFile = await openNpz(new Blob([await writeNpz({ weights, bias })]));
 * file.names; // => ["weights", "bias"]
 * using read = await file.tensor("weights");
 * read.toArray(); // => [[1, 2], [3, 4]]
 */
export class NpzFile {
  /** All members of the zip by their whole names, in the order of its directory. */
  readonly members: ReadonlyMap<string, ZipMember>;
  readonly #source: ByteSource;
  readonly #verify: boolean;

  private constructor(key: typeof kMadeInside, source: ByteSource, members: ReadonlyMap<string, ZipMember>, options: NpzOpenOptions) {
    checkMadeInside(key, "openNpz and NpzFile.fromBytes make an NpzFile");
    this.#source = source;
    this.#verify = options.verifyChecksums ?? true;
    this.members = members;
  }

  /**
   * Opens a file whose bytes are in memory. Arrays of stored members are views where their elements are aligned. Throws what `openNpz` throws.
   *
   * @example
   * using a = Tensor.from([1, 2, 3]);
   * const file = NpzFile.fromBytes(await writeNpz([a, a]));
   * file.names; // => ["arr_0", "arr_1"]
   * using read = file.tensorSync("arr_1");
   * read.toArray(); // => [1, 2, 3]
   */
  static fromBytes(bytes: BytesInput, options: NpzOpenOptions = {}): NpzFile {
    checkOpenOptions("NpzFile.fromBytes", options);
    const source = memorySource(bytes) as ByteSource & { readonly bytes: Uint8Array };
    return new NpzFile(kMadeInside, source, runStepsSync(source, readZipDirectory(source.size)), options);
  }

  /** Reads the directory of a source: `openNpz`. */
  static async open(input: SourceInput, options: NpzOpenOptions & TransferOptions = {}): Promise<NpzFile> {
    checkOpenOptions("openNpz", options, kTransferOptions);
    const source = toByteSource(input);
    return new NpzFile(kMadeInside, source, await runSteps(source, readZipDirectory(source.size), options.signal), options);
  }

  /** The names of the arrays, in the order of the directory. */
  get names(): readonly string[] {
    return [...this.members.keys()].filter((name) => name.endsWith(kSuffix)).map((name) => name.slice(0, -kSuffix.length));
  }

  /**
   * Reads an array. The tensor is a view if the file is in memory, the member is stored, and `readNpy` needs no copy of it; else its data goes
   * into memory of the allocator. The caller disposes it.
   *
   * Throws NOT_FOUND if there is no array of this name, the errors of `readNpy`, UNIMPLEMENTED if the member is encrypted or compressed by
   * another method than deflate, DATA_LOSS if its bytes are damaged, CANCELLED, and the errors of the source.
   */
  async tensor<D extends NpyAnyDType = NpyDType>(name: string, options: NpzTensorOptions<D> = {}): Promise<Tensor<D>> {
    checkTensorOptions("tensor", options);
    return (await this.#read(this.#member(name), readAhead(this.#source), options)) as Tensor as Tensor<D>;
  }

  /**
   * Returns an array of a stored member of a file in memory, without waiting. Throws what `tensor` throws, and FAILED_PRECONDITION if the file
   * is not in memory or the member is compressed.
   */
  tensorSync<D extends NpyAnyDType = NpyDType>(name: string, options: NpzTensorOptions<D> = {}): Tensor<D> {
    checkTensorOptions("tensorSync", options);
    const member = this.#member(name);
    const { bytes } = this.#source;
    if (bytes === undefined || member.method === 8) {
      const why = bytes === undefined ? "is not in memory" : "is compressed";
      throw new FailedPreconditionError(`npz: array ${shownValue(name)} ${why}: await tensor(${shownValue(name)}) reads it`);
    }
    const offset = runStepsSync({ ...this.#source, bytes }, memberOffset(member));
    return this.#inMemory(member, bytes.subarray(offset, offset + member.size), options) as Tensor<D>;
  }

  /**
   * Reads a slice of an array. Of a stored member only the headers and the bytes from the slice's first element to its last are read; a
   * deflated member is inflated whole. The checksum covers a whole member, so it is verified where all of it is read.
   *
   * Throws what `tensor` throws, INVALID_ARGUMENT if the slice has other dimensions than the array, OUT_OF_RANGE if it ends behind them.
   */
  async slice<D extends NpyAnyDType = NpyDType>(name: string, slice: TensorSlice, options: NpzTensorOptions<D> = {}): Promise<Tensor<D>> {
    checkTensorOptions("slice", options);
    const member = this.#member(name);
    const subject = `npz: array ${shownValue(name)}`;
    checkSignal(options.signal, `reading ${memberText(member)}`);
    const offset = await runSteps(this.#source, memberOffset(member), options.signal);
    if (!isStored(member)) {
      using whole = await this.#inflated(member, this.#source, offset, options);
      regionOfSlice(subject, slice, whole.shape.dimSizes);
      return whole.copySlice(slice, allocationOf(options)) as Tensor as Tensor<D>;
    }
    const part = partOf(this.#source, offset, member.size, memberText(member));
    const header = await runSteps(part, readNpyHeaderSteps(part.size, options), options.signal);
    checkWanted(header, options.dtype);
    const region = regionOfSlice(subject, slice, header.shape);
    if (isWholeRegion(region, header.shape)) return (await this.#read(member, this.#source, options)) as Tensor as Tensor<D>;
    return (await readNpyRegion(part, header, region, options)) as Tensor as Tensor<D>;
  }

  /**
   * Reads several arrays, by default all, in the order of the file; short reads of neighbors are put together. Progress counts the bytes of
   * the members, inflated.
   *
   * Throws what `tensor` throws; nothing is held if a read fails. With `strings` and without names, members with text are read, too.
   */
  async tensors(names: readonly string[] = this.names, options: Omit<NpzTensorOptions, "dtype"> = {}): Promise<NamedTensors> {
    checkNames(names);
    checkTensorOptions("tensors", options);
    const wanted = [...new Set(names)].map((name) => ({ name, member: this.#member(name) }));
    wanted.sort((a, b) => a.member.headerOffset - b.member.headerOffset);
    const totalBytes = wanted.reduce((sum, { member }) => sum + member.size, 0);
    const source = readAhead(this.#source);
    const tensors = new NamedTensors();
    let bytes = 0;
    try {
      for (const { name, member } of wanted) {
        const { onProgress, ...others } = options;
        const listener =
          onProgress === undefined
            ? {}
            : { onProgress: (part: { readonly bytes: number }) => onProgress({ bytes: bytes + part.bytes, totalBytes }) };
        tensors.set(name, await this.#read(member, source, { ...others, ...listener }));
        bytes += member.size;
        onProgress?.({ bytes, totalBytes, name });
      }
      return tensors;
    } catch (error) {
      tensors.dispose();
      throw error;
    }
  }

  /**
   * Returns the bytes of a member by its whole name (`"a.npy"`), inflated; a view if the file is in memory and the member is stored. Throws
   * what `tensor` throws for the member.
   */
  async bytes(member: string, options: TransferOptions = {}): Promise<Uint8Array<ArrayBufferLike>> {
    checkOptions("bytes", options, kTransferOptions);
    checkTransfer(options);
    const found = this.members.get(member);
    if (found === undefined) throw missingError(member, this.members.keys(), "member");
    const offset = await runSteps(this.#source, memberOffset(found), options.signal);
    if (isStored(found)) {
      const bytes = await checkedRead(this.#source, offset, found.size, memberText(found), options.signal);
      this.#checkAll(found, bytes);
      return bytes;
    }
    // The generator refuses an impossible size before it yields anything; until then nothing is allocated.
    let whole: Uint8Array<ArrayBuffer> | undefined;
    let at = 0;
    for await (const piece of inflatedMember(this.#source, found, offset, this.#verify, options)) {
      whole ??= newBytes(found.size, memberText(found));
      whole.set(piece, at);
      at += piece.length;
    }
    return whole ?? new Uint8Array(0);
  }

  /** Returns the member of an array. */
  #member(name: string): ZipMember {
    const member = this.members.get(`${name}${kSuffix}`);
    if (member === undefined) throw missingError(name, this.names, "array");
    return member;
  }

  async #read(member: ZipMember, source: ByteSource, options: NpzTensorOptions<NpyAnyDType>): Promise<Tensor> {
    const { signal } = options;
    checkSignal(signal, `reading ${memberText(member)}`);
    const offset = await runSteps(source, memberOffset(member), signal);
    if (!isStored(member)) return await this.#inflated(member, source, offset, options);
    const part = partOf(source, offset, member.size, memberText(member));
    return part.bytes === undefined ? await this.#stored(member, part, options) : this.#inMemory(member, part.bytes, options);
  }

  /** Makes the tensor of a member whose bytes are in memory. */
  #inMemory(
    member: ZipMember,
    bytes: Uint8Array<ArrayBufferLike>,
    { signal: _, onProgress: __, ...options }: NpzTensorOptions<NpyAnyDType>,
  ): Tensor {
    this.#checkAll(member, bytes);
    return readNpy(bytes, options as NpyReadOptions) as Tensor;
  }

  #checkAll(member: ZipMember, bytes: Uint8Array<ArrayBufferLike>): void {
    const checksum = new MemberChecksum(member, this.#verify);
    checksum.add(bytes);
    checksum.check();
  }

  /** Reads the data of a stored member into the memory of its tensor. */
  async #stored(member: ZipMember, part: ByteSource, options: NpzTensorOptions<NpyAnyDType>): Promise<Tensor> {
    const { signal } = options;
    const header = await runSteps(part, readNpyHeaderSteps(part.size, options), signal);
    checkWanted(header, options.dtype);
    const checksum = new MemberChecksum(member, this.#verify);
    const text = memberText(member);
    if (this.#verify) checksum.add(await checkedRead(part, 0, header.dataOffset, text, signal));
    const tensor = await readNpyData(part, header, options, checksum.add);
    try {
      const end = header.dataOffset + header.dataBytes;
      for (let at = end; this.#verify && at < part.size; at += kPiece)
        checksum.add(await checkedRead(part, at, Math.min(kPiece, part.size - at), text, signal));
      checksum.check();
      return tensor;
    } catch (error) {
      tensor.dispose();
      throw error;
    }
  }

  async #inflated(member: ZipMember, source: ByteSource, offset: number, options: NpzTensorOptions<NpyAnyDType>): Promise<Tensor> {
    const assembler = new NpyAssembler(member.size, options);
    try {
      for await (const piece of inflatedMember(source, member, offset, this.#verify, options)) assembler.push(piece);
      return assembler.finish();
    } finally {
      assembler.abandon();
    }
  }
}

/**
 * Opens an .npz file in a file, a Blob, on a server, or in memory: reads the directory of the zip. Arrays are read when they are asked for.
 *
 * Throws DATA_LOSS if the file is no whole zip, INVALID_ARGUMENT if its directory is contradictory or its members overlap, CANCELLED, and the
 * errors of the source.
 *
 * @example
 * using a = Tensor.from([1, 2, 3]);
 * const file = await openNpz(new Blob([await writeNpz({ a }, { compressed: true })]));
 * using tensors = await file.tensors();
 * tensors.tensor("a").toArray(); // => [1, 2, 3]
 * await openNpz(new Uint8Array(30)); // throws DATA_LOSS
 */
export async function openNpz(input: SourceInput, options: NpzOpenOptions & TransferOptions = {}): Promise<NpzFile> {
  return await NpzFile.open(input, options);
}

/**
 * Reads the arrays of an .npz file: `openNpz(input)` and `tensors()`. It is asynchronous, because browsers inflate so; `NpzFile.fromBytes(bytes)
 * .tensorSync(name)` reads stored arrays without waiting.
 *
 * Throws what `openNpz` and `NpzFile`'s `tensors` throw.
 *
 * @example
 * using a = Tensor.from([1, 2, 3]);
 * using tensors = await readNpz(await writeNpz({ a, b: a }), { names: ["b"] });
 * [...tensors.keys()]; // => ["b"]
 * tensors.tensor("b").toArray(); // => [1, 2, 3]
 */
export async function readNpz(input: SourceInput, options: NpzReadOptions = {}): Promise<NamedTensors> {
  checkOptions("readNpz", options, ["names", "verifyChecksums", ...kTensorOptions.filter((name) => name !== "dtype")]);
  const { names, verifyChecksums, ...others } = options;
  const opening = {
    ...(verifyChecksums === undefined ? {} : { verifyChecksums }),
    ...(others.signal === undefined ? {} : { signal: others.signal }),
  };
  const file = await NpzFile.open(input, opening);
  return await file.tensors(names ?? file.names, others);
}

/**
 * The options of `readNpz`.
 *
 * @example
 * using a = Tensor.from([1, 2, 3]);
 * const options: NpzReadOptions = { names: ["a"] };
 * using tensors = await readNpz(await writeNpz({ a }), options);
 * tensors.size; // => 1
 */
export interface NpzReadOptions extends NpzOpenOptions, Omit<NpzTensorOptions, "dtype"> {
  /** The arrays to read; all by default. */
  readonly names?: readonly string[];
}

function checkOpenOptions(call: string, options: NpzOpenOptions, more: readonly string[] = []): void {
  checkOptions(call, options, ["verifyChecksums", ...more]);
  if (more.length > 0) checkTransfer(options as TransferOptions);
  const { verifyChecksums } = options;
  if (verifyChecksums !== undefined && typeof verifyChecksums !== "boolean")
    throw new InvalidArgumentError(`${call}: verifyChecksums is true or false, got ${shownValue(verifyChecksums)}`);
}

function checkTensorOptions(call: string, options: NpzTensorOptions<NpyAnyDType>): void {
  checkOptions(call, options, kTensorOptions);
  checkTransfer(options);
  checkReadOptions(call, options, kTransferOptions);
}
