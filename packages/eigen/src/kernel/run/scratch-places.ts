/**
 * scratch-places: scratch memory as places of dense elements.
 */
import { dtypeSize } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import { product } from "../../geometry/map-geometry.ts";
import { copyPlaces } from "../../geometry/strided-bytes.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { rowMajorStrides } from "../../geometry/strided-geometry.ts";
import { releaseScratch, scratchMark, takeScratch } from "../plan/scratch.ts";

/** Whether bytes are where kernels reach them. */
export function isInside(buffer: ArrayBufferLike): boolean {
  return linearMemory().isConstructed && buffer === linearMemory().buffer;
}

/** Dense elements at a place of the linear memory. */
export function placesAt(byteOffset: number, dims: readonly number[], itemBytes: number): RawPlaces {
  return { buffer: linearMemory().buffer, byteOffset, itemBytes, dims, strides: rowMajorStrides(dims) };
}

/** Scratch memory for dense elements of a dtype. */
export function scratchOf(dims: readonly number[], held: DType): RawPlaces {
  return scratchPlaces(dims, dtypeSize(held));
}

/** Scratch memory for dense elements, `shift` bytes beyond a multiple of 8. */
export function scratchPlaces(dims: readonly number[], itemBytes: number, shift: number = 0): RawPlaces {
  // Asking for the memory constructs it, and there may be none.
  return placesAt(takeScratch(product(dims) * itemBytes + shift) + shift, dims, itemBytes);
}

/**
 * Scratch memory for elements that are moved from or to other places: as aligned as those, for engines move bytes one by one between
 * places that are not aligned alike.
 */
export function scratchLike({ byteOffset, dims, itemBytes }: RawPlaces): RawPlaces {
  return scratchPlaces(dims, itemBytes, byteOffset % Math.min(itemBytes, 8) === 0 ? byteOffset % 8 : 0);
}

/** Copies elements into scratch memory. */
export function bring(from: RawPlaces): RawPlaces {
  const to = scratchLike(from);
  copyPlaces(from, to);
  return to;
}

/** Does something with scratch memory of the same sizes and moves it to its place, unless the answer is false, which is answered. */
export function throughScratch<T>(places: RawPlaces, work: (scratch: RawPlaces) => T): T {
  const mark = scratchMark();
  try {
    const scratch = scratchLike(places);
    const outcome = work(scratch);
    if (outcome !== false) copyPlaces(scratch, places);
    return outcome;
  } finally {
    releaseScratch(mark);
  }
}
