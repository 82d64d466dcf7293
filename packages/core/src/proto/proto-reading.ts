/**
 * ProtoReading: the options and limits of one call of Tensor.fromProto, for its message and all messages nested in it.
 *
 * The limits are needed because variants can hold tensors that hold variants, and because a message of a few bytes may ask for
 * gigabytes of zeros. TensorFlow (2026) refuses to fill more than 2 GiB of zeros per tensor; here the limit is for all tensors of
 * one message together.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError, isStatusError } from "@onebuffer/base";
import { shownValue, checkOptions } from "@onebuffer/base/internal";
import type { AllocationOptions, TensorParts } from "../buffer/shape-and-buffer.ts";
import { kAllocationKeys } from "../buffer/shape-and-buffer.ts";
import type { TensorProto } from "../element/tensor-proto.ts";
import type { VariantTensor } from "../element/variant-tensor-data.ts";

/**
 * Options of Tensor.fromProto.
 *
 * @example
 * const options: FromProtoOptions = { maxSplatBytes: 1000 };
 * Tensor.fromProto({ dtype: DataType.DT_FLOAT, tensorShape: { dim: [{ size: 300 }] }, floatVal: [1] }, options); // throws INVALID_ARGUMENT
 */
export interface FromProtoOptions extends AllocationOptions {
  /** True if the tensor must not be a view of the message. Giving an `allocator` has the same effect. Default false. */
  readonly copy?: boolean;
  /**
   * The maximum number of bytes, over all tensors of the message, for elements that the message does not contain: they are filled
   * with zeros or with the last given value. Default: at most 2 GiB of zeros, and no limit for repeated values, as in TensorFlow.
   */
  readonly maxSplatBytes?: number;
  /**
   * How to read a variant for whose type name no decode function is registered: "refuse" throws (the default, as in TensorFlow),
   * "bytes" keeps it as an UnknownVariant.
   */
  readonly unknownVariants?: "refuse" | "bytes";
}

/** Creates a tensor from parts and takes ownership of their reference to the buffer. */
export type TensorOfParts = (parts: TensorParts) => VariantTensor;

const kFromProtoKeys: readonly string[] = [...kAllocationKeys, "copy", "maxSplatBytes", "unknownVariants"];
/** The default limit for bytes filled with zeros, as in TensorFlow: 2 GiB. */
const kMaxZeroBytes = 2 ** 31;
/** The maximum depth of tensors in variants in tensors: protobuf's default limit for nested messages. */
const kMaxDepth = 100;

/** The current depth of nested tensors. It is global because the decode function of a variant may itself call Tensor.fromProto. */
let depth = 0;

/** The state of one call of Tensor.fromProto. */
export class ProtoReading {
  readonly options: FromProtoOptions;
  /** True if the tensor may be a view of the message's arrays. */
  readonly borrows: boolean;
  /** True if a variant without a registered decode function is kept as an UnknownVariant. */
  readonly keepsUnknown: boolean;
  readonly #maxSplat: number | undefined;
  readonly #tensorOf: TensorOfParts;
  readonly #readParts: (proto: TensorProto, reading: ProtoReading) => TensorParts;
  /** The bytes filled with zeros so far. */
  #zeroBytes: number;
  /** The bytes filled with zeros or repeated values so far. */
  #splatBytes: number;

  constructor(options: FromProtoOptions, tensorOf: TensorOfParts, readParts: (proto: TensorProto, reading: ProtoReading) => TensorParts) {
    checkOptions("fromProto", options, kFromProtoKeys);
    const { copy = false, maxSplatBytes, unknownVariants = "refuse" } = options;
    if (maxSplatBytes !== undefined && !(maxSplatBytes >= 0))
      throw new InvalidArgumentError(`maxSplatBytes must be a number of bytes, got ${shownValue(maxSplatBytes)}`);
    if (unknownVariants !== "refuse" && unknownVariants !== "bytes")
      throw new InvalidArgumentError(`unknownVariants must be "refuse" or "bytes", got ${shownValue(unknownVariants)}`);
    this.options = options;
    this.borrows = !copy && options.allocator === undefined;
    this.keepsUnknown = unknownVariants === "bytes";
    this.#maxSplat = maxSplatBytes;
    this.#tensorOf = tensorOf;
    this.#readParts = readParts;
    this.#zeroBytes = 0;
    this.#splatBytes = 0;
  }

  /**
   * Counts the bytes of a tensor's elements that the message does not contain. Throws INVALID_ARGUMENT if they exceed the limit.
   * `count` is the number of elements, `stored` the number in the message, `size` the bytes of an element.
   */
  checkSplat(dtype: DType, count: number, stored: number, size: number): void {
    if (stored === count) return;
    const bytes = (count - stored) * size;
    this.#splatBytes += bytes;
    if (stored === 0) this.#zeroBytes += bytes;
    const filled = stored === 0 ? "no value" : `${stored} of them`;
    const sentence = `${count} elements of ${dtype}, ${filled} given`;
    if (this.#maxSplat !== undefined) {
      if (this.#splatBytes > this.#maxSplat)
        throw new InvalidArgumentError(
          `TensorProto asks for ${sentence}: ${this.#splatBytes} bytes to be filled are more than maxSplatBytes, ${this.#maxSplat}`,
        );
    } else if (this.#zeroBytes > kMaxZeroBytes)
      throw new InvalidArgumentError(
        `TensorProto asks for ${sentence}: ${this.#zeroBytes} bytes of zeros are more than ${kMaxZeroBytes}; maxSplatBytes allows more`,
      );
  }

  /** Returns the tensor of a nested message. Throws INVALID_ARGUMENT if it is nested too deeply. */
  tensor(proto: TensorProto): VariantTensor {
    if (depth >= kMaxDepth) throw new InvalidArgumentError(`variants in tensors in variants may nest at most ${kMaxDepth} levels deep`);
    depth += 1;
    try {
      return this.#tensorOf(this.#readParts(proto, this));
    } finally {
      depth -= 1;
    }
  }
}

/**
 * Returns what `read` returns. If it throws INVALID_ARGUMENT or DATA_LOSS, throws INVALID_ARGUMENT with `where` before the message and
 * the original error as the cause.
 */
export function within<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isStatusError(error, "INVALID_ARGUMENT") && !isStatusError(error, "DATA_LOSS")) throw error;
    throw new InvalidArgumentError(`${where}: ${error.message}`, { cause: error });
  }
}
