/** Reads a rectangular region of the array of an .npy file: of a source only the bytes from its first element to its last, or fewer. */
import type { Tensor } from "@onebuffer/core";
import { product } from "@onebuffer/storage/internal";
import type { ByteSource } from "../source/byte-source.ts";
import { checkSignal } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { isOneRun, fillRegion } from "../tensor/region-read.ts";
import { isWholeRegion, planPartCopy } from "../tensor/region.ts";
import type { Region } from "../tensor/region.ts";
import type { TensorReadOptions } from "../tensor/tensor-bytes.ts";
import { isSameInBothOrders } from "./column-major.ts";
import { npyDestination } from "./npy-destination.ts";
import type { NpyAnyHeader } from "./npy-header.ts";
import { readNpyData } from "./read-npy-data.ts";

/**
 * Reads the region of an array whose `dataOffset` is the place in the source, which has all of it. The tensor is a view if the source is in
 * memory, the region is one run there, and its elements can be used in place.
 */
export async function readNpyRegion(
  source: ByteSource,
  header: NpyAnyHeader,
  region: Region,
  options: TensorReadOptions & TransferOptions,
): Promise<Tensor> {
  const { shape, itemSize, dataOffset } = header;
  if (isWholeRegion(region, shape)) return await readNpyData(source, header, options);
  const numElements = product(region.sizes);
  const part = { ...header, fortranOrder: false, shape: region.sizes, numElements, dataBytes: numElements * itemSize };
  const copy = planPartCopy(shape, region, header.fortranOrder && !isSameInBothOrders(shape));
  if (copy === null || isOneRun(copy))
    return await readNpyData(source, { ...part, dataOffset: dataOffset + (copy?.sourceAt ?? 0) * itemSize }, options);
  checkSignal(options.signal, "reading an .npy file");
  const destination = npyDestination(part, options);
  try {
    await fillRegion({ source, offset: dataOffset, copy, itemSize, target: destination.bytes, what: "the data of the .npy file" }, options);
  } catch (error) {
    destination.abandon();
    throw error;
  }
  return destination.finish();
}
