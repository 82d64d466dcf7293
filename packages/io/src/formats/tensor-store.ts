/**
 * TensorStore: the tensors of a file of any format by name. `openTensors` and `openTensorFiles` make one.
 *
 *     names, info     what the index or the header of the file tells; nothing else is read
 *     read            a tensor, or a slice of one
 *     bytes           the bytes of a tensor's elements, and the verdict of the file's checksum on them
 */
import type { Allocator } from "@onebuffer/allocator";
import type { Tensor } from "@onebuffer/core";
import type { TensorSlice } from "@onebuffer/slice";
import type { TransferOptions } from "../source/transfer-options.ts";

/**
 * The name of a format: what `TensorStore.format` tells.
 *
 * @example
 * const format: FormatName = "safetensors";
 * format; // => "safetensors"
 */
export type FormatName = "npy" | "npz" | "safetensors" | "checkpoint" | "checkpoint v1" | "TFRecord" | "TensorProto";

/**
 * What the index of a file tells of a tensor.
 *
 * @example
 * using t = Tensor.from([[1, 2], [3, 4]]);
 * const info: TensorInfo = (await openTensors(writeNpy(t))).info("");
 * info; // => { name: "", dtype: "float32", shape: [2, 2], bytes: 16 }
 */
export interface TensorInfo {
  readonly name: string;
  /** A dtype of this library, or the file's own name of a type that has none here. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** The number of bytes in the file; of a compressed file, inflated. */
  readonly bytes: number;
}

/**
 * The verdict of a file's checksum on the bytes of a tensor: null if the format has none for it.
 *
 * @example
 * using t = Tensor.from([1, 2]);
 * const verdict: ChecksumVerdict = (await (await openTensors(await writeNpz({ t }))).bytes("t")).checksum;
 * verdict; // => "ok"
 */
export type ChecksumVerdict = "ok" | "bad" | null;

/**
 * The bytes of a tensor's elements in row-major order, little-endian; of strings and variants the bytes that the file has.
 *
 * @example
 * using t = Tensor.from([1, 2], { dtype: "uint8" });
 * const stored: StoredBytes = await (await openTensors(writeSafetensors({ t }))).bytes("t");
 * [...stored.bytes]; // => [1, 2]
 */
export interface StoredBytes {
  readonly bytes: Uint8Array<ArrayBufferLike>;
  readonly checksum: ChecksumVerdict;
}

/**
 * The options of `TensorStore.read`.
 *
 * @example
 * using t = Tensor.from([1, 2]);
 * const options: StoreReadOptions = { allocator: cpuAllocator() };
 * using read = await (await openTensors(writeNpy(t))).read("", null, options);
 * read.toArray(); // => [1, 2]
 */
export interface StoreReadOptions extends TransferOptions {
  /** The allocator of the tensor's memory, unless the tensor is a view; by default the default allocator. */
  readonly allocator?: Allocator;
}

/**
 * The tensors of a file of any format. Bool bytes other than 0 and 1 are kept, and read as true. A store holds no memory and opens nothing
 * that must be closed; its sources belong to the caller.
 *
 * @example
 * using weights = Tensor.from([[1, 2], [3, 4], [5, 6]]);
 * const store: TensorStore = await openTensors(new Blob([writeSafetensors({ weights })]));
 * [store.format, store.names]; // => ["safetensors", ["weights"]]
 * store.info("weights").shape; // => [3, 2]
 * using rows = await store.read("weights", TensorSlice.parse("1,2:-")); // reads the 16 bytes of these rows
 * rows.toArray(); // => [[3, 4], [5, 6]]
 * await store.read("bias"); // throws NOT_FOUND
 */
export interface TensorStore {
  /** The format of the file. */
  readonly format: FormatName;
  /** The names of the tensors in the order of the file. The tensor of a format with only one has the name "". */
  readonly names: readonly string[];
  /** False if no tensor of the file has a checksum, so that `bytes` verifies nothing. */
  readonly hasChecksums: boolean;
  /** Facts about the file as a whole, such as the metadata of safetensors: names and values. A value is "" if the name tells all. */
  readonly notes: readonly (readonly [name: string, value: string])[];
  /** Returns the dtype, shape and size of a tensor. Throws NOT_FOUND if there is none of this name. */
  info(name: string): TensorInfo;
  /**
   * Reads a tensor, or a slice of one; null is the whole tensor. The caller disposes it. Of .npy files, stored members of .npz files,
   * safetensors and checkpoints, a slice reads only the bytes from its first element to its last; of other files it reads the whole tensor.
   *
   * Throws NOT_FOUND, INVALID_ARGUMENT for a slice of other dimensions, OUT_OF_RANGE for one that ends behind the tensor, UNIMPLEMENTED for a
   * type without a dtype here, DATA_LOSS for damaged bytes, RESOURCE_EXHAUSTED, CANCELLED, and the errors of the source.
   */
  read(name: string, slice?: TensorSlice | null, options?: StoreReadOptions): Promise<Tensor>;
  /**
   * Reads the bytes of a tensor's elements and verifies their checksum. Damaged bytes are returned with the verdict "bad" where the format
   * allows to read them.
   *
   * Throws NOT_FOUND, UNIMPLEMENTED for elements that cannot be put in order, DATA_LOSS, CANCELLED, and the errors of the source.
   */
  bytes(name: string, options?: TransferOptions): Promise<StoredBytes>;
}
