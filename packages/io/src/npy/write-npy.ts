/**
 * The .npy writer (NumPy's lib/format.py, `write_array`): the bytes of a file for a tensor or a map.
 *
 *     93 'N' 'U' 'M' 'P' 'Y' 1 0  length  {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  spaces \n  data
 *     0                           8       10                                                            multiple of 64
 *
 * The bytes are those that NumPy 2 writes for the same array. After the dict NumPy leaves room for the first size to grow to 21 digits, so
 * that rows can be appended in place, and then aligns the data.
 */
import type { DType } from "@onebuffer/base";
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import { countCopied } from "@onebuffer/allocator/internal";
import { Tensor } from "@onebuffer/core";
import type { OperandLike } from "@onebuffer/eigen";
import { isTensor } from "@onebuffer/core/internal";
import { newBytes } from "../source/new-bytes.ts";
import { writeToSink } from "../source/sink-writer.ts";
import type { SinkOutput } from "../source/to-byte-sink.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { descrOf } from "./npy-descr.ts";
import type { NpyDType, NpyVoidDType } from "./npy-descr.ts";
import { kMaxRank } from "./npy-header.ts";

/** The magic, version 1.0, and the two bytes of the header's length. */
const kPrefix: readonly number[] = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];
/** The data begins at a multiple of this. */
const kAlignment = 64;
/** The digits that the first size may grow to: those of 2^64. */
const kGrowthDigits = 21;
/** The longest header of version 1.0. A shape of 254 sizes stays far below it. */
const kMaxLength = 65535;

/**
 * The options of `writeNpy`.
 *
 * @example
 * using t = Tensor.from([1, 2], { dtype: "bfloat16" });
 * const options: NpyWriteOptions = { voidTypes: true };
 * using again = readNpy(writeNpy(t, options), { voidAs: "bfloat16" });
 * again.toArray(); // => [1, 2]
 */
export interface NpyWriteOptions {
  /**
   * True to write bfloat16, the small floats and the small integers as raw bytes, `V2` or `V1`, as NumPy does with ml_dtypes. The file does not
   * keep the type's name: NumPy reads it with `.view(ml_dtypes.bfloat16)`, `readNpy` with `voidAs`. Otherwise they are UNIMPLEMENTED.
   */
  readonly voidTypes?: boolean;
}

/** What can be written: a tensor, a map or an expression. */
export type NpySource = Tensor<NpyDType> | Tensor<NpyVoidDType> | OperandLike<NpyDType, number> | OperandLike<NpyVoidDType, number>;

/**
 * Returns the bytes of an .npy file with the elements of a tensor, in row-major order, as NumPy's `np.save` writes them. A map or an
 * expression is computed first.
 *
 * Throws UNIMPLEMENTED for a dtype that NumPy lacks (bfloat16, float8, string, …), FAILED_PRECONDITION if the tensor is disposed or not
 * initialized, INVALID_ARGUMENT if the argument is no tensor, map or expression or has more than 64 dimensions. Copies: the elements, once.
 *
 * @example
 * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
 * const bytes = writeNpy(t); // in Node: writeFileSync("t.npy", bytes)
 * bytes.length; // => 152
 * using again = readNpy(bytes, { dtype: "float32" });
 * again.toArray(); // => [[1, 2, 3], [4, 5, 6]]
 * writeNpy(t.matrix().cast("bfloat16")); // throws UNIMPLEMENTED
 */
export function writeNpy(source: NpySource, options: NpyWriteOptions = {}): Uint8Array<ArrayBuffer> {
  checkOptions("writeNpy", options, ["voidTypes"]);
  checkVoidTypes("writeNpy", options);
  using tensor = tensorToWrite("writeNpy", source);
  const { header, data } = npyParts(tensor, options);
  const bytes = newBytes(header.length + data.length, "npy");
  bytes.set(header);
  bytes.set(data, header.length);
  countCopied(data.length);
  return bytes;
}

/**
 * Writes an .npy file to a sink: the bytes of `writeNpy`, the tensor's own bytes uncopied. Ends the sink. Returns the size of the file.
 *
 * Throws what `writeNpy` throws, CANCELLED, and the errors of the sink; the sink is then aborted.
 *
 * @example
 * using t = Tensor.from([1, 2, 3]);
 * const sink = new ChunkSink();
 * await saveNpy(t, sink); // => 140
 * using again = readNpy(sink.toBytes());
 * again.toArray(); // => [1, 2, 3]
 */
export async function saveNpy(source: NpySource, output: SinkOutput, options: NpyWriteOptions & TransferOptions = {}): Promise<number> {
  checkOptions("saveNpy", options, ["voidTypes", "signal", "onProgress"]);
  checkVoidTypes("saveNpy", options);
  using tensor = tensorToWrite("saveNpy", source);
  const { header, data } = npyParts(tensor, options);
  return await writeToSink(output, header.length + data.length, options, async (writer) => {
    await writer.write(header);
    await writer.write(data);
    return writer.position;
  });
}

/** Returns a handle of the tensor, or of the value of a map or an expression. Throws INVALID_ARGUMENT unless it is one of them. */
export function tensorToWrite(call: string, source: NpySource): Tensor {
  if (typeof source !== "object" || source === null)
    throw new InvalidArgumentError(`${call}: expected a tensor, a map or an expression, got ${shownValue(source)}`);
  if (isTensor(source)) return source.share();
  return Tensor.evaluate(source as OperandLike<DType, number>);
}

/** Throws INVALID_ARGUMENT unless the option has a value of its type. */
export function checkVoidTypes(call: string, { voidTypes }: NpyWriteOptions): void {
  if (voidTypes !== undefined && typeof voidTypes !== "boolean")
    throw new InvalidArgumentError(`${call}: voidTypes is true or false, got ${shownValue(voidTypes)}`);
}

/** The two parts of an .npy file. */
export interface NpyParts {
  readonly header: Uint8Array<ArrayBuffer>;
  /** The tensor's own bytes. */
  readonly data: Uint8Array<ArrayBufferLike>;
}

/** Returns the parts of the file of a tensor. Copies nothing. Throws what `writeNpy` throws, in messages that begin with `what`. */
export function npyParts(tensor: Tensor, { voidTypes = false }: NpyWriteOptions, what: string = "npy"): NpyParts {
  if (!tensor.isInitialized()) throw new FailedPreconditionError(`${what}: the tensor is not initialized`);
  if (tensor.dims > kMaxRank) throw new InvalidArgumentError(`${what}: ${tensor.dims} dimensions, NumPy has at most ${kMaxRank}`);
  const header = npyHeaderBytes(descrOf(tensor.dtype, voidTypes, what), tensor.shape.dimSizes);
  return { header, data: tensor.numElements === 0 ? new Uint8Array(0) : tensor.buffer!.bytes() };
}

/** Returns everything before the data of a row-major array. */
export function npyHeaderBytes(descr: string, sizes: readonly number[]): Uint8Array<ArrayBuffer> {
  const shape = sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(", ")})`;
  const growth = sizes.length === 0 ? "" : " ".repeat(kGrowthDigits - String(sizes[0]).length);
  const dict = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }${growth}`;
  const before = kPrefix.length + 2;
  const text = `${dict}${" ".repeat(kAlignment - ((before + dict.length + 1) % kAlignment))}\n`;
  if (text.length > kMaxLength) throw new InvalidArgumentError(`npy: the shape of ${sizes.length} sizes does not fit the header`);
  const header = new Uint8Array(before + text.length);
  header.set(kPrefix);
  header[kPrefix.length] = text.length & 0xff;
  header[kPrefix.length + 1] = text.length >> 8;
  for (let i = 0; i < text.length; i++) header[before + i] = text.charCodeAt(i);
  return header;
}
