/** Reads a rectangular region of a tensor of a safetensors file: of a source only the bytes from its first element to its last, or fewer. */
import { shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import { product } from "@onebuffer/storage/internal";
import type { ByteSource } from "../source/byte-source.ts";
import { checkedRead } from "../source/checked-read.ts";
import { memorySource } from "../source/memory-source.ts";
import { newBytes } from "../source/new-bytes.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { fillRegion, isOneRun } from "../tensor/region-read.ts";
import { planPartCopy } from "../tensor/region.ts";
import type { Region, RegionCopy } from "../tensor/region.ts";
import { filledTensorAsync, tensorInPlace, tensorOverBytes } from "../tensor/tensor-bytes.ts";
import type { TensorReadOptions } from "../tensor/tensor-bytes.ts";
import { dtypeOfEntry, isPacked } from "./entry-tensor.ts";
import { unpackNibbles } from "./packed-nibbles.ts";
import type { SafetensorsEntry } from "./safetensors-header.ts";

/** Reads a region of an entry's tensor: over the bytes if they are in memory, adjacent and aligned, else into memory of the allocator. */
export async function readEntryRegion(
  source: ByteSource,
  entry: SafetensorsEntry,
  region: Region,
  options: TensorReadOptions & TransferOptions,
): Promise<Tensor> {
  const { name, shape, byteOffset, byteLength, numElements } = entry;
  const dtype = dtypeOfEntry(entry);
  const what = `tensor ${shownValue(name)}`;
  const copy = planPartCopy(shape, region, false);
  if (copy === null) return tensorInPlace(new Uint8Array(0), dtype, region.sizes);
  const subject = `safetensors: ${what}`;
  if (isPacked(entry)) {
    const unpacked = await unpackedRun(source, entry, copy, options);
    const shifted = { ...copy, sourceAt: copy.sourceAt % 2 };
    return await filledTensorAsync(subject, dtype, region.sizes, options, async (target) => {
      await fillRegion({ source: memorySource(unpacked), offset: 0, copy: shifted, itemSize: 1, target, what }, {});
    });
  }
  const itemSize = byteLength / numElements;
  if (source.bytes !== undefined && isOneRun(copy)) {
    const begin = byteOffset + copy.sourceAt * itemSize;
    const elements = product(region.sizes);
    return tensorOverBytes(subject, source.bytes.subarray(begin, begin + elements * itemSize), dtype, region.sizes, options);
  }
  return await filledTensorAsync(subject, dtype, region.sizes, options, async (target) => {
    await fillRegion({ source, offset: byteOffset, copy, itemSize, target, what }, options);
  });
}

/** Returns the elements of a packed tensor, a byte each, from the even one at or before the region's first to its last. */
async function unpackedRun(
  source: ByteSource,
  { name, byteOffset }: SafetensorsEntry,
  { sourceAt, axes }: RegionCopy,
  { signal }: TransferOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const last = axes.reduce((at, { size, source: step }) => at + (size - 1) * step, sourceAt);
  const begin = Math.floor(sourceAt / 2);
  const packed = await checkedRead(source, byteOffset + begin, Math.floor(last / 2) + 1 - begin, `tensor ${shownValue(name)}`, signal);
  const elements = newBytes(2 * packed.length, "safetensors");
  unpackNibbles(packed, elements);
  return elements;
}
