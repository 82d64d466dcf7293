/** Format: how files of a format are recognized, opened and written. One file of this room per format implements it; formats.ts lists them. */
import type { ByteSink } from "../source/byte-sink.ts";
import type { ByteSource } from "../source/byte-source.ts";
import type { FileSet } from "../source/file-set.ts";
import type { FileSinks } from "../source/file-sinks.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { writeAndCommit } from "../source/write-and-commit.ts";
import { NamedTensors } from "../tensor/named-tensors.ts";
import type { StoreReader } from "./checked-store.ts";
import type { FormatName, TensorStore } from "./tensor-store.ts";

/** A file that is recognized and opened. */
export interface FormatFile {
  /** The name of the file in `files`. */
  readonly name: string;
  readonly source: ByteSource;
  /** The first kStartBytes of the file, or all of a shorter one. */
  readonly start: Uint8Array<ArrayBufferLike>;
  /** The last kEndBytes of the file, or all of a shorter one. */
  readonly end: Uint8Array<ArrayBufferLike>;
  /** The files beside it, itself included. */
  readonly files: FileSet;
}

/** The bytes of a file that `sniff` gets without reading: enough for a magic number and what follows it. */
export const kStartBytes = 64;
export const kEndBytes = 8;

/** A format. */
export interface Format {
  readonly name: FormatName;
  /** The names of files that are of this format if their bytes do not show any: damaged ones, which the format's reader then refuses. */
  readonly names: RegExp;
  /** Returns true if the bytes show the format: a magic number, or a checksum that holds. Throws CANCELLED, and errors of the source. */
  sniff(file: FormatFile, options: TransferOptions): boolean | Promise<boolean>;
  /** Reads the index of a file, or finds out that it is damaged and throws. */
  open(file: FormatFile, options: TransferOptions): Promise<StoreReader>;
  /** Writes files; null if this library only reads the format. */
  readonly writer: FormatWriter | null;
}

/** How files of a format are written. */
export interface FormatWriter {
  /** The names of files that are written in this format. */
  readonly names: RegExp;
  /** Writes the files of the tensors and commits them; aborts them after an error. */
  write(tensors: TensorsToWrite, files: FileSinks, name: string, options: WriteOptions): Promise<void>;
}

/** The tensors that are written, in this order: each is read when it is its turn, and disposed by the writer. A TensorStore is one. */
export type TensorsToWrite = Pick<TensorStore, "names" | "info" | "read">;

/** What a writer may be told. */
export interface WriteOptions extends TransferOptions {
  readonly compressed?: boolean;
  readonly maxShardBytes?: number;
}

/** Writes the only file of a format with `write`, and commits it; aborts after an error. */
export async function writeOneFile(files: FileSinks, name: string, write: (sink: ByteSink) => Promise<unknown>): Promise<void> {
  await writeAndCommit(files, async () => void (await write(await files.create(name))));
}

/** Reads all tensors, for formats whose sizes or headers are before the data. The caller disposes them. */
export async function readToWrite(tensors: TensorsToWrite): Promise<NamedTensors> {
  const all = new NamedTensors();
  try {
    for (const name of tensors.names) all.set(name, await tensors.read(name));
    return all;
  } catch (error) {
    all.dispose();
    throw error;
  }
}

/** Returns true if `bytes` begin with these. */
export function beginsWith(bytes: Uint8Array<ArrayBufferLike>, ...magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}
