/**
 * BundleEntry: a checked BundleEntryProto. Where TensorFlow's reader ends the process (an unknown dtype, a negative size, too many
 * elements), decoding an entry throws.
 */
import type { DType } from "@onebuffer/base";
import { DataLossError, dtypeOf, dtypeSize, InvalidArgumentError, isObjectDType, isStatusError } from "@onebuffer/base";
import { bundleEntryProtoCodec } from "@onebuffer/proto";
import type { BundleEntryProto, Int64 } from "@onebuffer/proto";
import { TensorShape } from "@onebuffer/shape";
import { TensorSlice } from "@onebuffer/slice";
import type { TensorSliceProto } from "@onebuffer/slice";
import { shownKey } from "../table/compare-bytes.ts";

/** The entry of a tensor or of a slice of one. */
export class BundleEntry {
  readonly dtype: DType;
  readonly shape: TensorShape;
  /** The shard, and the position of the stored bytes in it. Not checked: for a tensor that is stored in slices they mean nothing. */
  readonly shardId: number;
  readonly offset: Int64;
  readonly size: Int64;
  /** The masked crc32c of the stored bytes. */
  readonly crc32c: number;
  /** The slices in which the tensor is stored; none if it is stored whole. */
  readonly slices: readonly TensorSlice[];
  readonly #key: Uint8Array<ArrayBufferLike>;
  readonly #file: string;

  constructor(proto: BundleEntryProto, key: Uint8Array<ArrayBufferLike>, file: string) {
    const { dtype = 0, shape = {}, shardId = 0, offset = 0, size = 0, crc32c = 0, slices = kNone } = proto;
    this.#key = key;
    this.#file = file;
    if (shape.unknownRank === true) throw new InvalidArgumentError("a tensor of unknown rank");
    this.shape = TensorShape.build(shape);
    this.dtype = dtypeOf(dtype);
    this.shardId = shardId;
    this.offset = offset;
    this.size = size;
    this.crc32c = crc32c;
    this.slices = slices.length === 0 ? kNone : slices.map((slice) => builtSlice(slice, this.shape));
  }

  /** What the entry is called in messages. */
  get what(): string {
    return entryName(this.#key, this.#file);
  }
}

const kNone: readonly never[] = [];

function entryName(key: Uint8Array<ArrayBufferLike>, file: string): string {
  return `${file}: the entry of ${shownKey(key)}`;
}

/** Returns a slice after checking that it fits the shape. */
function builtSlice(proto: TensorSliceProto, shape: TensorShape): TensorSlice {
  const slice = TensorSlice.build(proto);
  slice.sliceTensorShape(shape);
  return slice;
}

/**
 * Decodes an entry. Throws INVALID_ARGUMENT if it is malformed or describes a tensor that cannot exist, DATA_LOSS if its bytes end too
 * early.
 */
export function decodeBundleEntry(bytes: Uint8Array<ArrayBufferLike>, key: Uint8Array<ArrayBufferLike>, file: string): BundleEntry {
  try {
    return new BundleEntry(bundleEntryProtoCodec.decode(bytes), key, file);
  } catch (cause) {
    if (!isStatusError(cause)) throw cause;
    const message = `${entryName(key, file)}: ${cause.message}`;
    throw cause.code === "DATA_LOSS" ? new DataLossError(message, { cause }) : new InvalidArgumentError(message, { cause });
  }
}

/** Where the bytes of an entry are. */
export interface StoredRange {
  readonly shardId: number;
  readonly offset: number;
  readonly size: number;
}

/**
 * Returns where the bytes of an entry are, after checking the position and that the size can be that of the shape: exactly for elements
 * of a fixed size, and at least a byte per element for others. Whether the shard has so many bytes is checked when it is read.
 *
 * Throws INVALID_ARGUMENT for a shard that does not exist and for negative positions, DATA_LOSS for a wrong size.
 */
export function storedRange(entry: BundleEntry, numShards: number): StoredRange {
  const { dtype, shape, shardId } = entry;
  if (shardId < 0 || shardId >= numShards) throw new InvalidArgumentError(`${entry.what}: shard ${shardId} of ${numShards} does not exist`);
  const range: StoredRange = { shardId, offset: positionOf(entry, "offset"), size: positionOf(entry, "size") };
  if (dtype === "resource") throw new InvalidArgumentError(`${entry.what}: a resource cannot be stored`);
  const elements = shape.numElements;
  const expected = isObjectDType(dtype) ? elements : elements * dtypeSize(dtype);
  if (isObjectDType(dtype) ? range.size < expected : range.size !== expected) {
    const least = isObjectDType(dtype) ? "is at least " : "";
    throw new DataLossError(`${entry.what}: Invalid size in bundle entry: stored size ${range.size}; expected size ${least}${expected}`);
  }
  return range;
}

function positionOf(entry: BundleEntry, name: "offset" | "size"): number {
  const number = Number(entry[name]);
  if (number < 0 || !Number.isSafeInteger(number)) throw new InvalidArgumentError(`${entry.what}: its ${name} is ${entry[name]}`);
  return number;
}
