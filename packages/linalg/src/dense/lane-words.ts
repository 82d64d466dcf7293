/** lane-words: the words of the kernels' texts that differ by dtype. */
import type { DType } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import { engine } from "@onebuffer/wasm/internal";

/** The dtypes whose matrices kernels factor. */
export type KernelDType = "float32" | "float64";

/** The words of one dtype. */
export interface LaneWords {
  /** The type of an element, and of a vector of them. */
  readonly one: "f32" | "f64";
  readonly all: "f32x4" | "f64x2";
  readonly size: 4 | 8;
  readonly lanes: 4 | 2;
  /** Pushes a vector of which every lane is the element at the address on the stack. */
  readonly splat: string;
  /** Subtracts the product of two vectors from a local. */
  minus(total: string, x: string, y: string): string;
}

/** Returns the words of a dtype. */
export function laneWords(dtype: KernelDType): LaneWords {
  const isSingle = dtype === "float32";
  const all = isSingle ? "f32x4" : "f64x2";
  const { relaxed } = engine();
  return {
    one: isSingle ? "f32" : "f64",
    all,
    size: isSingle ? 4 : 8,
    lanes: isSingle ? 4 : 2,
    splat: isSingle ? "v128.load32_splat" : "v128.load64_splat",
    minus: (total, x, y) =>
      relaxed ? `${x} ${y} ${total} ${all}.relaxed_nmadd ->${total}` : `${total} ${x} ${y} ${all}.mul ${all}.sub ->${total}`,
  };
}

/** Subtracts xs times the vector at `from` from that at `at`, and moves both addresses to the next vectors. Uses s0 and s1. */
export function subtractNext({ minus }: LaneWords): string {
  return `
    at v128.load ->s0
    from v128.load ->s1
    ${minus("s0", "xs", "s1")}
    at s0 v128.store
    from+=16
    at+=16`;
}

/** Returns a dtype that kernels factor; null for complex ones, which the reference computes. */
export function kernelDType(dtype: DType): KernelDType | null {
  return dtype === "float32" || dtype === "float64" ? dtype : null;
}

/** Returns an array over elements at an address of the linear memory. */
export function elementsAt(dtype: KernelDType, address: number, count: number): Float32Array | Float64Array {
  const { buffer } = linearMemory();
  return dtype === "float32" ? new Float32Array(buffer, address, count) : new Float64Array(buffer, address, count);
}
