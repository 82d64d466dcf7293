/**
 * ProtoReading: the options, limits and depth that one Tensor.fromProto carries through nested messages.
 *
 * A variant holds tensors which hold variants, and a message of a few bytes may ask for gigabytes of zeros. TensorFlow (2026)
 * refuses a zero-fill of more than 2 GiB per tensor; here the limit is for all tensors of one message together.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError, isStatusError, shownValue } from "@onebuffer/base";
import { checkOptions } from "@onebuffer/base/internal";
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
  /** True if the tensor must not be a view of the message. An `allocator` implies it. */
  readonly copy?: boolean;
  /**
   * The most bytes that may be filled with a repeated value or with zeros that the message does not contain, over all tensors in
   * it. Unless given: 2 GiB of zeros and any number of repeated values, as in TensorFlow.
   */
  readonly maxSplatBytes?: number;
  /**
   * Variants with a type name that nobody registered: "refuse" throws (the default, as in TensorFlow), "bytes" keeps them as
   * UnknownVariant.
   */
  readonly unknownVariants?: "refuse" | "bytes";
}

/** Makes a tensor from parts and takes over their reference. */
export type TensorOfParts = (parts: TensorParts) => VariantTensor;

const kFromProtoKeys: readonly string[] = [...kAllocationKeys, "copy", "maxSplatBytes", "unknownVariants"];
/** TensorFlow's limit for zeros. */
const kMaxZeroBytes = 2 ** 31;
/** The depth of tensors in variants in tensors; as deep as protobuf lets messages nest. */
const kMaxDepth = 100;

/** The current depth of nested readings. It is global because decode functions of variants may start readings of their own. */
let depth = 0;

/** The state of one reading. */
export class ProtoReading {
  readonly options: FromProtoOptions;
  /** True if the tensor may be a view of the message's arrays. */
  readonly borrows: boolean;
  readonly keepsUnknown: boolean;
  readonly #maxSplat: number | undefined;
  readonly #tensorOf: TensorOfParts;
  readonly #readParts: (proto: TensorProto, reading: ProtoReading) => TensorParts;
  #zeroBytes: number;
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

  /** Throws INVALID_ARGUMENT if filling the elements beyond the stored ones would exceed the limit on filled bytes. */
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
    if (depth >= kMaxDepth) throw new InvalidArgumentError(`variants in tensors in variants may nest ${kMaxDepth} levels deep`);
    depth += 1;
    try {
      return this.#tensorOf(this.#readParts(proto, this));
    } finally {
      depth -= 1;
    }
  }
}

/** Runs `read`; an INVALID_ARGUMENT or DATA_LOSS error that it throws gets `where` before its message. */
export function within<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isStatusError(error, "INVALID_ARGUMENT") && !isStatusError(error, "DATA_LOSS")) throw error;
    throw new InvalidArgumentError(`${where}: ${error.message}`, { cause: error });
  }
}
