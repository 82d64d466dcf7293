/** The steps of reading an .npy file from a source: its header, checked against the size of the source, and its data. */
import type { Tensor } from "@onebuffer/core";
import type { ByteSource } from "../source/byte-source.ts";
import { readPlanned } from "../source/read-plan.ts";
import type { ReadSteps } from "../source/read-steps.ts";
import { checkSignal, transferOf } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import type { TensorReadOptions } from "../tensor/tensor-bytes.ts";
import type { NpyTypeOptions } from "./npy-descr.ts";
import { checkDataBytes, npyDestination, tensorOverNpy } from "./npy-destination.ts";
import { checkedMaxHeaderSize, dataOffsetOf, readHeader, tooLongHeader } from "./npy-header.ts";
import type { NpyAnyHeader, NpyHeaderOptions } from "./npy-header.ts";

/** The bytes that are read first, enough for the header of nearly every file. */
const kFirstRead = 4096;

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
export function checkHeaderSize(dataOffset: number, given: number | undefined): void {
  const maxHeaderSize = checkedMaxHeaderSize(given);
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
  checkSignal(options.signal, "reading an .npy file");
  if (source.bytes !== undefined) {
    const data = source.bytes.subarray(offset, offset + dataBytes);
    onBytes?.(data);
    return tensorOverNpy(data, header, options);
  }
  const destination = npyDestination(header, options);
  try {
    const target = destination.bytes;
    const read = { source, offset, target, what: "the data of the .npy file", ...(onBytes === undefined ? {} : { onBytes }) };
    await readPlanned([read], transferOf(options));
  } catch (error) {
    destination.abandon();
    throw error;
  }
  return destination.finish();
}
