/**
 * movedElement: elements that a shader moves without computing with them: by their bits, so that adapters that flush denormals or change NaN
 * do not touch them.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { isComplexDType } from "@onebuffer/expression/internal";
import type { Vector } from "@onebuffer/wasm/internal";
import { loadElement } from "../wgsl/element-memory.ts";
import type { WgslSource } from "../wgsl/wgsl-source.ts";

const kBits: Readonly<Record<number, DType>> = { 1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64" };

/** Returns the dtype as which elements are loaded that are stored in memory of another dtype, or of the same. */
export function movedDType(dtype: DType, other: DType): DType {
  return dtype === other && dtype !== "bool" ? (kBits[dtypeSize(dtype)] ?? dtype) : dtype;
}

/** Loads an element to be stored elsewhere: the parts of one of 16 bytes, else one value. */
export function movedElement(source: WgslSource, buffer: string, dtype: DType, index: string): readonly Vector[] {
  const parts = isComplexDType(dtype) ? ([0, 1] as const) : ([0] as const);
  return parts.map((part) => loadElement(source, buffer, dtype, index, part));
}
