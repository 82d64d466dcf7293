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
import { forEachRun } from "@onebuffer/storage/internal";
import type { TensorShape } from "@onebuffer/shape";
import { encodeTensorNameSlice, TensorSlice, TensorSliceSet } from "@onebuffer/slice";
import { swapByteOrder } from "../npy/byte-order.ts";
import type { ByteSource } from "../source/byte-source.ts";
import { newBytes } from "../source/new-bytes.ts";
import type { PlannedRead } from "../source/read-plan.ts";
import { readPlanned } from "../source/read-plan.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import type { BundleEntry, StoredRange } from "./bundle-entry.ts";
import type { BundleIndex } from "./bundle-index.ts";
import { keyText } from "./bundle-index.ts";
import { planRegionCopy, regionOf, wholeRegion } from "../tensor/region.ts";
import type { Region, RegionCopy } from "../tensor/region.ts";
import { isOneRun, readRegion } from "../tensor/region-read.ts";
import type { RegionRead } from "../tensor/region-read.ts";
import type { ShardSet } from "./shard-set.ts";
import { StoredCrc } from "./stored-crc.ts";
import { decodeStrings } from "./string-elements.ts";
import { decodeVariants } from "./variant-elements.ts";

/** A stored entry and the region of the whole tensor that it holds. */
interface StoredPart {
  readonly entry: BundleEntry;
  readonly range: StoredRange;
  readonly source: ByteSource;
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
  readonly #signal: TransferOptions["signal"];
  readonly #tensors: Tensor[] = [];
  readonly #planned: PlannedRead[] = [];
  readonly #banded: BandedRead[] = [];
  readonly #swaps: (() => void)[] = [];

  constructor(index: BundleIndex, shards: ShardSet, verify: boolean, allocator: Allocator | undefined, signal: TransferOptions["signal"]) {
    this.#index = index;
    this.#shards = shards;
    this.#verify = verify;
    this.#allocator = allocator ?? defaultAllocator();
    this.#signal = signal;
  }

  /**
   * Adds a tensor, or the `slice` of it, after checking everything that can be checked before reading. Returns it without its elements.
   */
  async add(key: Uint8Array<ArrayBufferLike>, entry: BundleEntry, slice: TensorSlice | null): Promise<Tensor> {
    const { dtype, slices } = entry;
    const isObjects = isObjectDType(dtype);
    const name = keyText(key);
    // Nearly every tensor is numbers that are stored whole and read whole.
    const isPlain = slice === null && slices.length === 0 && !isObjects;
    const parts = isPlain ? [] : await this.#parts(key, entry, slice);
    const whole = isPlain ? await this.#shards.find(entry, this.#signal) : null;
    const tensor = allocateTensor(
      dtype === "variant" ? "string" : dtype,
      slice?.sliceTensorShape(entry.shape) ?? entry.shape,
      this.#allocator,
    );
    this.#tensors.push(tensor);
    if (whole !== null) this.#addRun(whole.source, whole.range.offset, tensor.tensorData, entry, this.#verify ? entry.crc32c : null, name);
    for (const part of parts) {
      if (isObjects) this.#addStrings(part, tensor, name);
      else this.#addNumbers(part, tensor, name);
    }
    if (this.#index.bigEndian && !isObjects) {
      const component = dtypeSize(dtype) / arraySlots(dtype);
      if (component > 1) this.#swaps.push(() => swapByteOrder(tensor.tensorData, component));
    }
    return tensor;
  }

  /** Performs the reads. */
  async run({ onProgress }: TransferOptions): Promise<void> {
    const signal = this.#signal;
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

  /** Returns the stored entries that hold the slice, or the whole tensor, each checked against its shard. */
  async #parts(key: Uint8Array<ArrayBufferLike>, entry: BundleEntry, slice: TensorSlice | null): Promise<StoredPart[]> {
    const region = slice === null ? wholeRegion(entry.shape) : regionOf(slice, entry.shape);
    const parts: StoredPart[] = [];
    for (const [stored, part] of this.#entriesOf(key, entry, slice ?? TensorSlice.full(entry.shape.dims))) {
      const { range, source } = await this.#shards.find(stored, this.#signal);
      const copy = planRegionCopy(part, region);
      if (copy !== null) parts.push({ entry: stored, range, source, copy });
    }
    return parts;
  }

  #entriesOf(key: Uint8Array<ArrayBufferLike>, entry: BundleEntry, slice: TensorSlice): [BundleEntry, Region][] {
    const { shape, dtype, slices } = entry;
    if (slices.length === 0) return [[entry, wholeRegion(shape)]];
    if (dtype === "variant") throw new InvalidArgumentError(`${entry.what}: a variant tensor cannot be stored in slices`);
    const set = new TensorSliceSet(shape, dtype);
    for (const part of slices) set.register(part, "");
    const found = set.queryMeta(slice);
    if (found === null)
      throw new InvalidArgumentError(
        `${entry.what}: Does not have sufficient slices for partitioned tensor in slice_spec: ${slice.debugString()}`,
      );
    return found.map(([part]) => {
      const stored = this.#index.find(encodeTensorNameSlice(key, part));
      if (stored === null) throw new DataLossError(`${entry.what}: the entry of its slice ${part.debugString()} is missing`);
      const expected = part.sliceTensorShape(shape);
      if (stored.dtype !== dtype || !stored.shape.isSameSize(expected) || stored.slices.length > 0) {
        throw new DataLossError(
          `${entry.what}: the entry of its slice ${part.debugString()} is ${stored.dtype} of shape ${stored.shape.debugString()}, expected ${dtype} of ${expected.debugString()}`,
        );
      }
      return [stored, regionOf(part, shape)];
    });
  }

  /** The checksum of a part, null where it cannot be verified or shall not be. */
  #crcOf({ entry, copy }: StoredPart): number | null {
    return this.#verify && copy.isWholeSource ? entry.crc32c : null;
  }

  #addRun(
    source: ByteSource,
    offset: number,
    target: Uint8Array<ArrayBufferLike>,
    entry: BundleEntry,
    crc32c: number | null,
    what: string,
  ): void {
    if (crc32c === null) return void this.#planned.push({ source, offset, target, what });
    const crc = new StoredCrc(crc32c, target.length, entry);
    // A tensor without elements has a checksum, too, but nothing is read for it.
    if (target.length === 0) crc.add(target);
    this.#planned.push({ source, offset, target, what, onBytes: (bytes) => crc.add(bytes) });
  }

  #addNumbers(part: StoredPart, tensor: Tensor, name: string): void {
    const { entry, range, source, copy } = part;
    const itemSize = dtypeSize(entry.dtype);
    const bytes = copy.axes.reduce((product, { size }) => product * size, itemSize);
    const target = tensor.tensorData;
    const crc32c = this.#crcOf(part);
    if (isOneRun(copy)) {
      const at = copy.targetAt * itemSize;
      this.#addRun(source, range.offset + copy.sourceAt * itemSize, target.subarray(at, at + bytes), entry, crc32c, name);
      return;
    }
    const crc = new StoredCrc(crc32c, bytes, entry);
    const read: RegionRead = { source, offset: range.offset, copy, itemSize, target, what: name, onPiece: (piece) => crc.add(piece) };
    this.#banded.push({ name, bytes, run: (signal, onBytes) => readRegion(read, signal, onBytes) });
  }

  #addStrings({ entry, range, source, copy }: StoredPart, tensor: Tensor, name: string): void {
    const bytes = newBytes(range.size, entry.what);
    const onDone = (): void => {
      const decode = entry.dtype === "variant" ? decodeVariants : decodeStrings;
      const crc32c = this.#verify ? entry.crc32c : null;
      const elements = decode({ bytes, count: entry.shape.numElements, bigEndian: this.#index.bigEndian, crc32c, what: entry.what });
      const target = tensor.buffer?.elements;
      if (target === undefined || target === null) return;
      forEachRun(copy.sourceAt, copy.targetAt, copy.axes, (from, to, { size, source: near, target: step }) => {
        for (let i = 0; i < size; i++) target[to + i * step] = elements[from + i * near];
      });
    };
    this.#planned.push({ source, offset: range.offset, target: bytes, what: name, onDone });
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
