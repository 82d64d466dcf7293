/** CheckedStore: a TensorStore over what a format provides. It checks the arguments once for all formats. */
import { checkOptions, checkText, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { TensorSlice } from "@onebuffer/slice";
import { checkSignal, checkTransfer } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { missingError } from "../tensor/named-tensors.ts";
import { isWholeRegion, regionOfSlice } from "../tensor/region.ts";
import type { FormatName, StoredBytes, StoreReadOptions, TensorInfo, TensorStore } from "./tensor-store.ts";

/** A fact about a file: its name, and its value, "" if the name tells all. */
export type StoreNote = readonly [name: string, value: string];

/** What a format provides for a TensorStore, which has checked the arguments: names are those of tensors, and slices fit them. */
export interface StoreReader {
  readonly format: FormatName;
  /** The names of the tensors in the order of the file. */
  readonly names: readonly string[];
  /** False if no tensor of the file has a checksum, so that `bytes` verifies nothing. */
  readonly hasChecksums: boolean;
  /** Facts about the file as a whole, such as its metadata: names and values. */
  readonly notes: readonly StoreNote[];
  /** Returns undefined if there is no tensor of this name. */
  info(name: string): TensorInfo | undefined;
  read(name: string, slice: TensorSlice | null, options: StoreReadOptions): Promise<Tensor>;
  bytes(name: string, options: TransferOptions): Promise<StoredBytes>;
}

const kTransferKeys: readonly string[] = ["signal", "onProgress"];
const kReadKeys: readonly string[] = ["allocator", ...kTransferKeys];

/** The store of a StoreReader. */
export class CheckedStore implements TensorStore {
  readonly format: FormatName;
  readonly names: readonly string[];
  readonly hasChecksums: boolean;
  readonly notes: readonly StoreNote[];
  readonly #reader: StoreReader;

  constructor(reader: StoreReader) {
    this.#reader = reader;
    this.format = reader.format;
    this.names = reader.names;
    this.hasChecksums = reader.hasChecksums;
    this.notes = reader.notes;
  }

  info(name: string): TensorInfo {
    checkText(name, "the name of a tensor");
    const info = this.#reader.info(name);
    if (info === undefined) throw missingError(name, this.names);
    return info;
  }

  async read(name: string, slice: TensorSlice | null = null, given: StoreReadOptions = {}): Promise<Tensor> {
    checkOptions("TensorStore.read", given, kReadKeys);
    const options = { ...given };
    checkTransfer(options);
    const { shape } = this.info(name);
    checkSignal(options.signal, `reading tensor ${shownValue(name)}`);
    // A slice that has all elements is the whole tensor, whose checksum can be verified.
    const isWhole = slice === null || isWholeRegion(regionOfSlice(`tensor ${shownValue(name)}`, slice, shape), shape);
    return await this.#reader.read(name, isWhole ? null : slice.clone(), options);
  }

  async bytes(name: string, given: TransferOptions = {}): Promise<StoredBytes> {
    checkOptions("TensorStore.bytes", given, kTransferKeys);
    const options = { ...given };
    checkTransfer(options);
    this.info(name);
    checkSignal(options.signal, `reading tensor ${shownValue(name)}`);
    return await this.#reader.bytes(name, options);
  }
}
