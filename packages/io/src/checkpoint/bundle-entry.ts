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
import { shownKey } from "../table/compare-bytes.ts";

/** The entry of a tensor or of a slice of one. */
export interface BundleEntry {
  /** What the entry is called in messages. */
  readonly what: string;
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
}

/**
 * Decodes an entry. Throws INVALID_ARGUMENT if it is malformed or describes a tensor that cannot exist, DATA_LOSS if its bytes end too
 * early.
 */
export function decodeBundleEntry(bytes: Uint8Array<ArrayBufferLike>, key: Uint8Array<ArrayBufferLike>, file: string): BundleEntry {
  const what = `${file}: the entry of ${shownKey(key)}`;
  try {
    return entryOf(bundleEntryProtoCodec.decode(bytes), what);
  } catch (cause) {
    if (!isStatusError(cause)) throw cause;
    const message = cause.message.startsWith(what) ? cause.message : `${what}: ${cause.message}`;
    throw cause.code === "DATA_LOSS" ? new DataLossError(message, { cause }) : new InvalidArgumentError(message, { cause });
  }
}

function entryOf(proto: BundleEntryProto, what: string): BundleEntry {
  const { dtype = 0, shape = {}, shardId = 0, offset = 0, size = 0, crc32c = 0, slices = [] } = proto;
  if (shape.unknownRank === true) throw new InvalidArgumentError(`${what}: a tensor of unknown rank`);
  const tensorShape = TensorShape.build(shape);
  return {
    what,
    dtype: dtypeOf(dtype),
    shape: tensorShape,
    shardId,
    offset,
    size,
    crc32c,
    slices: slices.map((slice) => {
      const built = TensorSlice.build(slice);
      built.sliceTensorShape(tensorShape);
      return built;
    }),
  };
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
export function storedRange({ what, dtype, shape, shardId, offset, size }: BundleEntry, numShards: number): StoredRange {
  if (shardId < 0 || shardId >= numShards) throw new InvalidArgumentError(`${what}: shard ${shardId} of ${numShards} does not exist`);
  const range: StoredRange = { shardId, offset: positionOf(offset, "offset", what), size: positionOf(size, "size", what) };
  if (dtype === "resource") throw new InvalidArgumentError(`${what}: a resource cannot be stored`);
  const elements = shape.numElements;
  const expected = isObjectDType(dtype) ? elements : elements * dtypeSize(dtype);
  if (isObjectDType(dtype) ? range.size < expected : range.size !== expected) {
    const least = isObjectDType(dtype) ? "is at least " : "";
    throw new DataLossError(`${what}: Invalid size in bundle entry: stored size ${range.size}; expected size ${least}${expected}`);
  }
  return range;
}

function positionOf(value: Int64, name: string, what: string): number {
  const number = Number(value);
  if (number < 0 || !Number.isSafeInteger(number)) throw new InvalidArgumentError(`${what}: its ${name} is ${value}`);
  return number;
}
