/**
 * TensorShapeProto: a shape as a plain message (TensorFlow: tensor_shape.proto, and the static functions of
 * framework/tensor_shape.cc that work on the message).
 *
 * A message is any object of this form: decoded by a protobuf runtime, parsed from JSON or written by hand.
 * The functions here check every field that they use. packages/proto encodes and decodes the message's bytes.
 */
import type { UnknownField } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { checkedInt64Size, countElements, kMaxDimensions } from "./dim-sizes.ts";

/**
 * One dimension of a TensorShapeProto. An absent size is 0, as in proto3; -1 means unknown. The name is ignored, as in TensorFlow.
 *
 * @example
 * const unknown: TensorShapeProtoDim = { size: -1, name: "batch" };
 * PartialTensorShape.fromProto({ dim: [unknown, { size: 3n }] }).debugString(); // => "[?,3]"
 */
export interface TensorShapeProtoDim {
  readonly size?: number | bigint | undefined;
  readonly name?: string | undefined;
  /** Encoded fields that the reader did not know. */
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * A shape as a message: its dimensions, or `unknownRank`.
 *
 * @example
 * const proto: TensorShapeProto = new TensorShape([2, 3]).asProto();
 * proto.dim; // => [{ size: 2 }, { size: 3 }]
 * TensorShape.fromProto(proto).debugString(); // => "[2,3]"
 */
export interface TensorShapeProto {
  readonly dim?: readonly TensorShapeProtoDim[] | undefined;
  readonly unknownRank?: boolean | undefined;
  /** Encoded fields that the reader did not know. */
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** Returns `unknownRank` and the unchecked sizes of a message. Throws INVALID_ARGUMENT if a field has a wrong type. */
function read(proto: TensorShapeProto): { readonly unknownRank: boolean; readonly sizes: readonly (number | bigint)[] } {
  const message: unknown = proto;
  if (typeof message !== "object" || message === null)
    throw new InvalidArgumentError(`Expected a TensorShapeProto, got ${shownValue(message)}`);
  const { dim, unknownRank } = message as { readonly dim?: unknown; readonly unknownRank?: unknown };
  if (unknownRank !== undefined && typeof unknownRank !== "boolean") {
    throw new InvalidArgumentError(`TensorShapeProto.unknownRank must be a boolean, got ${shownValue(unknownRank)}`);
  }
  if (dim !== undefined && !Array.isArray(dim))
    throw new InvalidArgumentError(`TensorShapeProto.dim must be an array, got ${shownValue(dim)}`);
  const sizes = Array.from<unknown, number | bigint>(dim ?? [], (each, d) => {
    if (typeof each !== "object" || each === null)
      throw new InvalidArgumentError(`TensorShapeProto.dim[${d}] must be an object, got ${shownValue(each)}`);
    const { size } = each as { readonly size?: unknown };
    if (size === undefined) return 0;
    if (typeof size !== "number" && typeof size !== "bigint")
      throw new InvalidArgumentError(`TensorShapeProto.dim[${d}].size must be an integer, got ${shownValue(size)}`);
    return size;
  });
  return { unknownRank: unknownRank === true, sizes };
}

/**
 * Returns the sizes of a message as checked numbers. Returns null, and ignores the dimensions, if `partial` and `unknownRank` are true.
 * Throws INVALID_ARGUMENT if a field has a wrong type or a size is not a safe integer.
 */
export function sizesOfProto(proto: TensorShapeProto, partial: boolean): number[] | null {
  const { unknownRank, sizes } = read(proto);
  return partial && unknownRank ? null : Array.from(sizes, checkedInt64Size);
}

/** Returns the message of a shape with these sizes; null means unknown rank. */
export function protoOfSizes(sizes: readonly number[] | null): TensorShapeProto {
  return sizes === null ? { dim: [], unknownRank: true } : { dim: Array.from(sizes, (size) => ({ size })) };
}

/**
 * Formats a message as TensorFlow does (TF: the static DebugString(TensorShapeProto)): `[2,?]`, `<unknown>`,
 * and `<unknown>[3]` for a message with both. Only -1 prints as `?`. Throws INVALID_ARGUMENT if it is not a message.
 */
export function protoDebugString(proto: TensorShapeProto): string {
  const { unknownRank, sizes } = read(proto);
  if (unknownRank && sizes.length === 0) return "<unknown>";
  const parts = Array.from(sizes, (size) => (Number(size) === -1 ? "?" : String(size)));
  return `${unknownRank ? "<unknown>" : ""}[${parts.join(",")}]`;
}

/**
 * Throws INVALID_ARGUMENT, with TensorFlow's text, if the message is not a valid shape (TF: IsValidShape). `partial` allows unknown
 * sizes and an unknown rank. Sizes are multiplied in order: [0, 2^40, 2^40] is valid, [2^40, 2^40, 0] is not.
 */
export function checkValidShape(proto: TensorShapeProto, partial: boolean): void {
  const { unknownRank, sizes } = read(proto);
  if (partial && unknownRank) {
    if (sizes.length > 0) throw new InvalidArgumentError(`An unknown shape must not have any dimensions set: ${protoDebugString(proto)}`);
    return;
  }
  if (sizes.length > kMaxDimensions) {
    throw new InvalidArgumentError(
      `Shape ${protoDebugString(proto)} has too many dimensions: ${sizes.length}, the maximum is ${kMaxDimensions}`,
    );
  }
  for (const size of sizes) {
    if (partial && size < -1)
      throw new InvalidArgumentError(`Shape ${protoDebugString(proto)} has dimensions with values below -1 (where -1 means unknown)`);
    if (!partial && size < 0) throw new InvalidArgumentError(`Shape ${protoDebugString(proto)} is not fully defined`);
  }
  if ("factors" in countElements(Array.from(sizes, checkedInt64Size))) {
    throw new InvalidArgumentError(
      `Shape ${protoDebugString(proto)} is too large (more than 2**53 - 1 entries; TensorFlow's limit is 2**63 - 1)`,
    );
  }
}
