/** The options of functions that read tensors of a checkpoint. */
import type { DType } from "@onebuffer/base";
import type { Allocator } from "@onebuffer/allocator";
import type { TransferOptions } from "../source/transfer-options.ts";

/**
 * The options of `BundleReader.open` and `CheckpointReader.open`.
 *
 * @example
 * const options: BundleReaderOptions = { verifyChecksums: false };
 * options.verifyChecksums; // => false
 */
export interface BundleReaderOptions extends TransferOptions {
  /** Whether the checksums of tensors are verified; true by default. Those of the index always are. */
  readonly verifyChecksums?: boolean;
}

/**
 * The options of a lookup of several tensors.
 *
 * @example
 * const options: LookupOptions = { allocator: cpuAllocator(), onProgress: ({ name }) => name };
 * options.allocator?.name; // => "cpu"
 */
export interface LookupOptions extends TransferOptions {
  /** The allocator of the tensors' memory; by default the default allocator. */
  readonly allocator?: Allocator;
}

/**
 * The options of a lookup of one tensor.
 *
 * @example
 * const options: LookupOneOptions<"float32"> = { dtype: "float32" };
 * options.dtype; // => "float32"
 */
export interface LookupOneOptions<D extends DType = DType> extends LookupOptions {
  /** The dtype that the tensor must have; any by default. With it, the result's type has the dtype. */
  readonly dtype?: D;
}

export const kOpenKeys: readonly string[] = ["verifyChecksums", "signal", "onProgress"];
export const kLookupKeys: readonly string[] = ["allocator", "signal", "onProgress"];
export const kLookupOneKeys: readonly string[] = ["dtype", ...kLookupKeys];
