/**
 * TensorSliceReader: reads TensorFlow's checkpoints of version 1, which TensorFlow wrote until 2016
 * (tensorflow/core/util/tensor_slice_reader.h).
 *
 *     old.ckpt    table:  ""                    -> SavedTensorSlices { meta: name, shape, dtype and slices of every tensor }
 *                         slice key of "w", -   -> SavedTensorSlices { data: the elements, in the field of their dtype }
 *
 * All tensors are stored as slices, whole ones as one full slice. There are no checksums but those of the table's blocks.
 */
import type { DType } from "@onebuffer/base";
import {
  arraySlots,
  DataLossError,
  dtypeOf,
  dtypeSize,
  InvalidArgumentError,
  isObjectDType,
  isStatusError,
  NotFoundError,
} from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { defaultAllocator } from "@onebuffer/allocator";
import type { Allocator } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import type { TensorProto } from "@onebuffer/core";
import { typedFieldOf } from "@onebuffer/core/internal";
import { bitSlots, copyStrided, forEachRun } from "@onebuffer/storage/internal";
import { savedTensorSlicesCodec } from "@onebuffer/proto";
import type { SavedSliceMeta, SavedTensorSlices } from "@onebuffer/proto";
import { TensorShape } from "@onebuffer/shape";
import { encodeTensorNameSlice, registerTensorSlice, TensorSlice } from "@onebuffer/slice";
import type { TensorSliceSet } from "@onebuffer/slice";
import type { ByteSource } from "../source/byte-source.ts";
import type { AbortSignalLike, TransferOptions } from "../source/transfer-options.ts";
import { TableReader } from "../table/table-reader.ts";
import { checkVersions } from "./check-versions.ts";
import { planRegionCopy, regionOf, wholeRegion } from "../tensor/region.ts";
import type { RegionCopy } from "../tensor/region.ts";
import { allocateTensor } from "./tensor-load.ts";

/** The dtypes that version 1 was written with, and others that have a field of numbers. */
const kUnreadable: ReadonlySet<DType> = new Set<DType>(["resource", "variant"]);

/** A checkpoint of version 1 that is open for reading. */
export class TensorSliceReader {
  /** The files by name. */
  readonly #tables: ReadonlyMap<string, TableReader>;
  readonly #tensors: ReadonlyMap<string, TensorSliceSet>;

  private constructor(tables: ReadonlyMap<string, TableReader>, tensors: ReadonlyMap<string, TensorSliceSet>) {
    this.#tables = tables;
    this.#tensors = tensors;
  }

  /** Opens the files of a checkpoint, one per shard. Throws DATA_LOSS, INVALID_ARGUMENT or INTERNAL if they are malformed. */
  static async open(files: ReadonlyMap<string, ByteSource>, signal?: AbortSignalLike): Promise<TensorSliceReader> {
    const tables = new Map<string, TableReader>();
    const tensors = new Map<string, TensorSliceSet>();
    for (const [name, source] of files) {
      const table = await TableReader.open(source, name, signal);
      tables.set(name, table);
      const value = await table.find(new Uint8Array(0), signal);
      const meta = value === null ? undefined : decode(value, name).meta;
      if (meta === undefined)
        throw new DataLossError(`${name}: Failed to find the saved tensor slices at the beginning of the checkpoint file`);
      checkVersions(meta.versions ?? {}, name);
      for (const tensor of meta.tensor ?? []) registerSlices(tensor, name, tensors);
    }
    return new TensorSliceReader(tables, tensors);
  }

  /** The names of all tensors with their slices. */
  get tensors(): ReadonlyMap<string, TensorSliceSet> {
    return this.#tensors;
  }

  /** Reads a tensor. Throws NOT_FOUND if there is none of this name, otherwise as `CheckpointReader.getTensor`. */
  async getTensor(name: string, allocator: Allocator | undefined, { signal, onProgress }: TransferOptions): Promise<Tensor> {
    const set = this.#tensors.get(name);
    if (set === undefined) throw new NotFoundError(`${shownValue(name)} not found in checkpoint file`);
    const { shape, dtype } = set;
    if (kUnreadable.has(dtype)) throw new InvalidArgumentError(`${shownValue(name)}: ${dtype} cannot be stored`);
    const slices = set.queryMeta(TensorSlice.full(shape.dims));
    if (slices === null) throw new InvalidArgumentError(`Does not have sufficient slices for partitioned tensor ${shownValue(name)}`);
    // Each slice is read before memory for the next is taken, and the whole is known to be made of slices, but not that they are there.
    const parts: { readonly part: Tensor; readonly copy: RegionCopy }[] = [];
    try {
      let elements = 0;
      for (const [slice, file] of slices) {
        const part = await this.#readSlice(name, dtype, shape, slice, file, signal);
        const copy = planRegionCopy(regionOf(slice, shape), wholeRegion(shape));
        elements += part.numElements;
        if (copy !== null) parts.push({ part, copy });
        else part.dispose();
        onProgress?.({ bytes: elements, totalBytes: shape.numElements, name });
      }
      const whole = allocateTensor(dtype, shape, allocator ?? defaultAllocator());
      for (const { part, copy } of parts) copyPart(part, whole, copy);
      return whole;
    } finally {
      for (const { part } of parts) part.dispose();
    }
  }

  async #readSlice(
    name: string,
    dtype: DType,
    fullShape: TensorShape,
    slice: TensorSlice,
    file: string,
    signal: AbortSignalLike | undefined,
  ): Promise<Tensor> {
    const what = `${file}: slice ${slice.debugString()} of ${shownValue(name)}`;
    const value = await (this.#tables.get(file) as TableReader).find(encodeTensorNameSlice(name, slice), signal);
    if (value === null) throw new DataLossError(`${what} is missing`);
    const data = decode(value, what).data?.data;
    if (data === undefined) throw new DataLossError(`${what} has no data`);
    const shape = slice.sliceTensorShape(fullShape);
    checkCount(data, dtype, shape.numElements, what);
    const { dataType } = TensorShape.sealed(shape, fullShape.dataType);
    return Tensor.fromProto({ ...data, dtype: dataType, tensorShape: shape.asProto() });
  }
}

function decode(bytes: Uint8Array<ArrayBufferLike>, what: string): SavedTensorSlices {
  try {
    return savedTensorSlicesCodec.decode(bytes);
  } catch (cause) {
    if (!isStatusError(cause)) throw cause;
    throw new DataLossError(`${what}: ${cause.message}`, { cause });
  }
}

function registerSlices(
  { name = "", shape = {}, type = 0, slice = [] }: SavedSliceMeta,
  file: string,
  tensors: Map<string, TensorSliceSet>,
): void {
  const fullShape = TensorShape.build(shape);
  for (const each of slice) registerTensorSlice(name, fullShape, dtypeOf(type), file, TensorSlice.build(each), tensors);
}

/**
 * Throws DATA_LOSS unless the message has a value for each element: a TensorProto with fewer values means that the last one is repeated,
 * and one with values in the wrong field that all are 0.
 */
function checkCount(data: TensorProto, dtype: DType, count: number, what: string): void {
  let values: number;
  if (dtype === "string") values = data.stringVal?.length ?? 0;
  else if (isObjectDType(dtype)) values = 0;
  else if ((data.tensorContent?.length ?? 0) > 0) values = (data.tensorContent?.length ?? 0) / dtypeSize(dtype);
  else values = (data[typedFieldOf(dtype).name]?.length ?? 0) / arraySlots(dtype);
  if (values !== count) throw new DataLossError(`${what}: expected ${count} values of ${dtype}, got ${values}`);
}

/** Copies the elements of a slice to their places in the whole tensor. */
function copyPart(part: Tensor, whole: Tensor, { sourceAt, targetAt, axes }: RegionCopy): void {
  const from = part.buffer?.elements;
  const to = whole.buffer?.elements;
  if (from !== undefined && from !== null && to !== undefined && to !== null) {
    forEachRun(sourceAt, targetAt, axes, (source, target, run) => {
      for (let i = 0; i < run.size; i++) to[target + i * run.target] = from[source + i * run.source];
    });
    return;
  }
  const source = part.tensorData;
  const target = whole.tensorData;
  // Elements in units of up to 4 bytes; wider ones are several.
  const size = dtypeSize(whole.dtype);
  const slotBytes = Math.min(size, 4) as 1 | 2 | 4;
  const slots = size / slotBytes;
  const scaled = axes.map((axis) => ({ size: axis.size, source: axis.source * slots, target: axis.target * slots }));
  // Values that are views of the message may begin anywhere.
  const aligned = source.byteOffset % slotBytes === 0 ? source : new Uint8Array(source);
  copyStrided(
    bitSlots(aligned.buffer, slotBytes, aligned.byteOffset, aligned.byteLength),
    sourceAt * slots,
    bitSlots(target.buffer, slotBytes, target.byteOffset, target.byteLength),
    targetAt * slots,
    scaled,
    slots,
  );
}
