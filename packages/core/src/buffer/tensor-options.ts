/**
 * The options of Tensor's factories, and the keys that each accepts.
 */
import type { DType } from "@onebuffer/base";
import type { ForeignMemory } from "./foreign-buffer.ts";
import type { AllocationOptions, ShapeLike } from "./shape-and-buffer.ts";
import { kTensorKeys } from "./shape-and-buffer.ts";

/** Options of the factories: the dtype, and where the bytes come from. */
export interface TensorOptions<D extends DType = DType> extends AllocationOptions {
  /** float32 unless given. */
  readonly dtype?: D;
}

/** Options of Tensor.from. */
export interface FromOptions extends AllocationOptions {
  /** The dtype of the elements; derived from the input unless given. */
  readonly dtype?: DType;
  /** The shape to lay the elements out in; the input's own unless given. */
  readonly shape?: ShapeLike;
}

/** Options of Tensor.wrap. */
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
