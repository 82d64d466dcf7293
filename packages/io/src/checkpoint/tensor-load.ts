/**
 * Loads tensors of a bundle: checks all entries, allocates the tensors, then reads in the order of the files.
 *
 *     entry stored whole               -> one read straight into the tensor
 *     entry stored in slices           -> a read per slice: straight into the tensor if it is one run there, otherwise by bands
 *     part of an entry (lookupSlice)   -> the same, for the common part only
 *     strings and variants             -> the stored bytes, then an element per string
 *
 * A checksum covers the stored bytes of an entry, so it is verified where all of them are read.
 */
import { arraySlots, DataLossError, dtypeSize, InvalidArgumentError, isObjectDType } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { exhaustedError } from "@onebuffer/allocator/internal";
import { defaultAllocator } from "@onebuffer/allocator";
import type { Allocator } from "@onebuffer/allocator";
import { Buffer, Tensor } from "@onebuffer/core";
import { forEachRun } from "@onebuffer/eigen/internal";
import type { TensorShape } from "@onebuffer/shape";
import { encodeTensorNameSlice, TensorSlice, TensorSliceSet } from "@onebuffer/slice";
import { swapByteOrder } from "../npy/byte-order.ts";
import type { PlannedRead } from "../source/read-plan.ts";
import { readPlanned } from "../source/read-plan.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import type { BundleEntry, StoredRange } from "./bundle-entry.ts";
import { storedRange } from "./bundle-entry.ts";
import type { BundleIndex } from "./bundle-index.ts";
import { keyText } from "./bundle-index.ts";
import { planRegionCopy, regionOf, wholeRegion } from "./region.ts";
import type { Region, RegionCopy } from "./region.ts";
import { isOneRun, readRegion } from "./region-read.ts";
import type { ShardSet } from "./shard-set.ts";
import { StoredCrc } from "./stored-crc.ts";
import { decodeStrings } from "./string-elements.ts";
import { decodeVariants } from "./variant-elements.ts";

/** A stored entry and the region of the whole tensor that it holds. */
interface StoredPart {
  readonly entry: BundleEntry;
  readonly range: StoredRange;
  readonly copy: RegionCopy;
}

/** A read that goes through scratch memory. */
interface BandedRead {
  readonly name: string;
  readonly bytes: number;
  run(signal: TransferOptions["signal"], onBytes: (bytes: number) => void): Promise<void>;
}

/** Collects the reads of tensors and performs them. */
export class TensorLoad {
  readonly #index: BundleIndex;
  readonly #shards: ShardSet;
  readonly #verify: boolean;
  readonly #allocator: Allocator;
  readonly #tensors: Tensor[] = [];
  readonly #planned: PlannedRead[] = [];
  readonly #banded: BandedRead[] = [];
  readonly #swaps: (() => void)[] = [];

  constructor(index: BundleIndex, shards: ShardSet, verify: boolean, allocator: Allocator | undefined) {
    this.#index = index;
    this.#shards = shards;
    this.#verify = verify;
    this.#allocator = allocator ?? defaultAllocator();
  }

  /**
   * Adds a tensor, or the `slice` of it, after checking everything that can be checked before reading. Returns it without its elements.
   */
  async add(key: Uint8Array<ArrayBufferLike>, entry: BundleEntry, slice: TensorSlice | null): Promise<Tensor> {
    const region = slice === null ? wholeRegion(entry.shape) : regionOf(slice, entry.shape);
    const shape = slice === null ? entry.shape : slice.sliceTensorShape(entry.shape);
    const parts = await this.#parts(key, entry, slice ?? TensorSlice.full(entry.shape.dims), region);
    const tensor = allocateTensor(entry.dtype === "variant" ? "string" : entry.dtype, shape, this.#allocator);
    this.#tensors.push(tensor);
    const name = keyText(key);
    for (const part of parts) {
      if (isObjectDType(entry.dtype)) await this.#addStrings(part, tensor, name);
      else await this.#addNumbers(part, tensor, name);
    }
    const component = isObjectDType(entry.dtype) ? 1 : dtypeSize(entry.dtype) / arraySlots(entry.dtype);
    if (this.#index.bigEndian && component > 1) this.#swaps.push(() => swapByteOrder(tensor.tensorData, component));
    return tensor;
  }

  /** Performs the reads. */
  async run({ signal, onProgress }: TransferOptions): Promise<void> {
    const plannedBytes = this.#planned.reduce((sum, { target }) => sum + target.length, 0);
    const totalBytes = this.#banded.reduce((sum, { bytes }) => sum + bytes, plannedBytes);
    await readPlanned(this.#planned, {
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress: (progress) => onProgress({ ...progress, totalBytes }) }),
    });
    let bytes = plannedBytes;
    for (const { name, run } of this.#banded) {
      await run(signal, (count) => onProgress?.({ bytes: (bytes += count), totalBytes, name }));
    }
    for (const swap of this.#swaps) swap();
  }

  /** Frees the tensors after an error. */
  dispose(): void {
    for (const tensor of this.#tensors) tensor.dispose();
  }

  /** Returns the stored entries that hold the region, each checked against its shard. */
  async #parts(key: Uint8Array<ArrayBufferLike>, entry: BundleEntry, slice: TensorSlice, region: Region): Promise<StoredPart[]> {
    const parts: StoredPart[] = [];
    for (const [stored, part] of this.#entriesOf(key, entry, slice)) {
      const range = storedRange(stored, this.#shards.numShards);
      await this.#shards.check(range, stored.what);
      const copy = planRegionCopy(part, region);
      if (copy !== null) parts.push({ entry: stored, range, copy });
    }
    return parts;
  }

  #entriesOf(key: Uint8Array<ArrayBufferLike>, entry: BundleEntry, slice: TensorSlice): [BundleEntry, Region][] {
    const { shape, dtype, slices, what } = entry;
    if (slices.length === 0) return [[entry, wholeRegion(shape)]];
    if (dtype === "variant") throw new InvalidArgumentError(`${what}: a variant tensor cannot be stored in slices`);
    const set = new TensorSliceSet(shape, dtype);
    for (const part of slices) set.register(part, "");
    const found = set.queryMeta(slice);
    if (found === null)
      throw new InvalidArgumentError(
        `${what}: Does not have sufficient slices for partitioned tensor in slice_spec: ${slice.debugString()}`,
      );
    return found.map(([part]) => {
      const stored = this.#index.find(encodeTensorNameSlice(key, part));
      if (stored === null) throw new DataLossError(`${what}: the entry of its slice ${part.debugString()} is missing`);
      const expected = part.sliceTensorShape(shape);
      if (stored.dtype !== dtype || !stored.shape.isSameSize(expected) || stored.slices.length > 0) {
        throw new DataLossError(
          `${what}: the entry of its slice ${part.debugString()} is ${stored.dtype} of shape ${stored.shape.debugString()}, expected ${dtype} of ${expected.debugString()}`,
        );
      }
      return [stored, regionOf(part, shape)];
    });
  }

  /** The checksum of a part, null where it cannot be verified or shall not be. */
  #crcOf({ entry, copy }: StoredPart): number | null {
    return this.#verify && copy.isWholeSource ? entry.crc32c : null;
  }

  async #addNumbers(part: StoredPart, tensor: Tensor, name: string): Promise<void> {
    const { entry, range, copy } = part;
    const source = await this.#shards.open(range.shardId);
    const itemSize = dtypeSize(entry.dtype);
    const elements = copy.axes.reduce((product, { size }) => product * size, 1);
    const crc = new StoredCrc(this.#crcOf(part), elements * itemSize, entry.what);
    const target = tensor.tensorData;
    if (isOneRun(copy)) {
      const at = copy.targetAt * itemSize;
      this.#planned.push({
        source,
        offset: range.offset + copy.sourceAt * itemSize,
        target: target.subarray(at, at + elements * itemSize),
        what: name,
        onBytes: (bytes) => crc.add(bytes),
      });
      return;
    }
    const read = { source, offset: range.offset, copy, itemSize, target, crc, what: name };
    this.#banded.push({ name, bytes: elements * itemSize, run: (signal, onBytes) => readRegion(read, signal, onBytes) });
  }

  async #addStrings(part: StoredPart, tensor: Tensor, name: string): Promise<void> {
    const { entry, range, copy } = part;
    const bytes = new Uint8Array(range.size);
    const onDone = (): void => {
      const decode = entry.dtype === "variant" ? decodeVariants : decodeStrings;
      const crc32c = this.#verify ? entry.crc32c : null;
      const elements = decode({ bytes, count: entry.shape.numElements, bigEndian: this.#index.bigEndian, crc32c, what: entry.what });
      const target = tensor.buffer?.elements;
      if (target === undefined || target === null) return;
      forEachRun(copy.sourceAt, copy.targetAt, copy.axes, (from, to, { size, source, target: step }) => {
        for (let i = 0; i < size; i++) target[to + i * step] = elements[from + i * source];
      });
    };
    this.#planned.push({ source: await this.#shards.open(range.shardId), offset: range.offset, target: bytes, what: name, onDone });
  }
}

/** Returns a tensor whose elements are not set. Throws RESOURCE_EXHAUSTED without room. */
export function allocateTensor(dtype: DType, shape: TensorShape, allocator: Allocator): Tensor {
  if (shape.numElements === 0) return new Tensor(dtype, shape);
  const buffer = new Buffer(dtype, allocator, shape.numElements);
  try {
    if (!buffer.hasData) {
      const what = `checkpoint: the allocator ${allocator.name} has no room for ${buffer.size} bytes of ${dtype}`;
      throw exhaustedError(allocator, buffer.size, what);
    }
    return Tensor.fromBuffer(dtype, shape, buffer);
  } finally {
    buffer.unref();
  }
}
