/**
 * TensorFile: a file of tensors of any format, as the command line sees it. `openTensorFile` makes one.
 *
 *     infos            what the index or header says of every tensor; nothing else was read
 *     tensor, slice    read when they are asked for
 *     stored           the bytes that `sha256` covers, and the verdict of the file's checksum on them
 */
import type { Tensor } from "@onebuffer/core";
import type { TransferOptions } from "@onebuffer/io";
import type { TensorSlice } from "@onebuffer/slice";

/** The formats that the command reads. */
export type TensorFormat = "npy" | "npz" | "safetensors" | "checkpoint" | "checkpoint v1" | "TFRecord" | "TensorProto";

/** What a file's index says of a tensor. */
export interface TensorInfo {
  readonly name: string;
  /** A dtype of this library, or the file's own name of a type that has none here. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** The number of bytes in the file. Elements of a compressed file are counted inflated. */
  readonly bytes: number;
}

/** The verdict of a file's checksum: null if the format has none for this tensor. */
export type ChecksumVerdict = "ok" | "bad" | null;

/** The bytes of a tensor in row-major order, little-endian; strings and variants in their stored form. */
export interface StoredTensor {
  readonly bytes: Uint8Array<ArrayBufferLike>;
  readonly crc: ChecksumVerdict;
}

/** An open file of tensors. */
export interface TensorFile {
  readonly format: TensorFormat;
  /** The tensors in the order of the file. */
  readonly infos: readonly TensorInfo[];
  /** False if no tensor of the file has a checksum, so that `stored` verifies nothing. */
  readonly hasChecksums: boolean;
  /** Lines about the file as a whole, such as its metadata. */
  readonly notes: readonly string[];
  /** Reads a tensor, which the caller disposes. Throws NOT_FOUND, UNIMPLEMENTED for a type without a dtype here, and errors of the reader. */
  tensor(name: string, transfer: TransferOptions): Promise<Tensor>;
  /** Reads a part of a tensor without the rest of the file. Formats without this method read all of the tensor. */
  slice?(name: string, slice: TensorSlice, transfer: TransferOptions): Promise<Tensor>;
  /** Reads a tensor's bytes. Damaged bytes are returned with the verdict "bad" where the reader can do so. */
  stored(name: string, transfer: TransferOptions): Promise<StoredTensor>;
  /** Closes the files. */
  close(): void;
}

/** A tensor of a file's index together with the function that reads it. */
export interface TensorSlot extends TensorInfo {
  tensor(transfer: TransferOptions): Promise<Tensor>;
  stored(transfer: TransferOptions): Promise<StoredTensor>;
}
