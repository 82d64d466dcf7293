/**
 * The options of Tensor's factories, and the keys that each accepts.
 */
import type { DType } from "@onebuffer/base";
import type { ForeignMemory } from "./foreign-buffer.ts";
import type { AllocationOptions, ShapeLike } from "./shape-and-buffer.ts";
import { kTensorKeys } from "./shape-and-buffer.ts";

/**
 * Options of the factories: the dtype, and where the bytes come from.
 *
 * @example
 * const options: TensorOptions<"int16"> = { dtype: "int16" };
 * using tensor = Tensor.ones([2], options);
 * tensor.totalBytes; // => 4
 */
export interface TensorOptions<D extends DType = DType> extends AllocationOptions {
  /** float32 unless given. */
  readonly dtype?: D;
}

/**
 * Options of Tensor.from.
 *
 * @example
 * const options: FromOptions = { dtype: "uint8", shape: [2, 2] };
 * using tensor = Tensor.from([1, 2, 3, 4], options);
 * tensor.toArray(); // => [[1, 2], [3, 4]]
 */
export interface FromOptions extends AllocationOptions {
  /** The dtype of the elements; derived from the input unless given. */
  readonly dtype?: DType;
  /** The shape to lay the elements out in; the input's own unless given. */
  readonly shape?: ShapeLike;
}

/**
 * Options of Tensor.wrap.
 *
 * @example
 * let released = 0;
 * const options: WrapOptions = { dtype: "int16", release: () => void (released += 1) };
 * const tensor = Tensor.wrap(Uint8Array.of(1, 0, 2, 0), [2], options);
 * tensor.toArray(); // => [1, 2]
 * tensor.dispose();
 * released; // => 1
 */
export interface WrapOptions {
  /** The dtype of the elements in the bytes; that of the typed array's kind unless given. */
  readonly dtype?: DType;
  /** Called once with the wrapped memory, after the last handle is disposed. */
  readonly release?: (memory: ForeignMemory) => void;
}

/** The keys of FromOptions. */
export const kFromKeys: readonly string[] = [...kTensorKeys, "shape"];

/** The keys of WrapOptions. */
export const kWrapKeys: readonly string[] = ["dtype", "release"];
