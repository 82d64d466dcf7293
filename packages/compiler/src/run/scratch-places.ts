/**
 * scratch-places: scratch memory as places of dense elements.
 */
import { dtypeSize } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import { copyPlaces, product, rowMajorStrides } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { takeScratch, withScratch } from "@onebuffer/kernels/internal";

/** Returns true if a buffer is the linear memory, which kernels can reach. */
export function isInside(buffer: ArrayBufferLike): boolean {
  return linearMemory().isConstructed && buffer === linearMemory().buffer;
}

/** Returns the places of dense elements at a byte address of the linear memory. */
export function placesAt(byteOffset: number, dims: readonly number[], itemBytes: number): RawPlaces {
  return { buffer: linearMemory().buffer, byteOffset, itemBytes, dims, strides: rowMajorStrides(dims) };
}

/** Takes scratch memory for dense elements of a dtype. */
export function scratchOf(dims: readonly number[], held: DType): RawPlaces {
  return scratchPlaces(dims, dtypeSize(held));
}

/** Takes scratch memory for dense elements, `shift` bytes beyond a multiple of 8. */
export function scratchPlaces(dims: readonly number[], itemBytes: number, shift: number = 0): RawPlaces {
  // takeScratch constructs the linear memory if there is none yet, so it is called before placesAt reads the memory's buffer.
  return placesAt(takeScratch(product(dims) * itemBytes + shift) + shift, dims, itemBytes);
}

/**
 * Takes scratch memory to which elements are moved, or from which they are. It has the same alignment as the other
 * places, because engines copy byte by byte between addresses of different alignment.
 */
export function scratchLike({ byteOffset, dims, itemBytes }: RawPlaces): RawPlaces {
  return scratchPlaces(dims, itemBytes, byteOffset % Math.min(itemBytes, 8) === 0 ? byteOffset % 8 : 0);
}

/** Copies elements into scratch memory and returns their places there. */
export function copyToScratch(from: RawPlaces): RawPlaces {
  const to = scratchLike(from);
  copyPlaces(from, to);
  return to;
}

/**
 * Calls `work` with scratch memory of the same sizes, then moves the elements to their places, unless `work` returned
 * false. Returns what `work` returned.
 */
export function throughScratch<T>(places: RawPlaces, work: (scratch: RawPlaces) => T): T {
  return withScratch(() => {
    const scratch = scratchLike(places);
    const outcome = work(scratch);
    if (outcome !== false) copyPlaces(scratch, places);
    return outcome;
  });
}
