/** Format: how files of a format are recognized and opened. One file of this room per format implements it; formats.ts lists them. */
import type { ByteSource } from "../source/byte-source.ts";
import type { FileSet } from "../source/file-set.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import type { StoreReader } from "./checked-store.ts";
import type { FormatName } from "./tensor-store.ts";

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
}

/** Returns true if `bytes` begin with these. */
export function beginsWith(bytes: Uint8Array<ArrayBufferLike>, ...magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

/** Returns the signal of a transfer alone: a listener of progress is called while tensors are read, not while a file is opened. */
export function signalOf({ signal }: TransferOptions): TransferOptions {
  return signal === undefined ? {} : { signal };
}
