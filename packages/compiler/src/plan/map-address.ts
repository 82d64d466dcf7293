/**
 * map-address: the address in the linear memory of the elements of a map without strides (the pointer of an
 * Eigen::TensorMap).
 *
 * Reading a typed array's `buffer` and `byteOffset` takes longer than adding a hundred numbers. So a memory token
 * remembers the address of one array: the one over the whole buffer, which most maps with this token have.
 */
import { dtypeSize } from "@onebuffer/base";
import { codedDTypes } from "@onebuffer/expression/internal";
import type { CodedTree } from "@onebuffer/expression/internal";
import { linearMemory } from "@onebuffer/wasm";
import type { MemoryToken } from "@onebuffer/storage/internal";

/** The fields that kernels need of a map without strides. The owner may be of any class; only a MemoryToken remembers addresses. */
export interface DenseMap extends CodedTree {
  readonly size: number;
  readonly rank: number;
  readonly array: Uint8Array<ArrayBufferLike>;
  readonly base: number;
  readonly owner: MemoryToken;
}

/** The size in bytes of an element, by the code of its dtype. */
export const bytesOf: readonly number[] = codedDTypes.map((dtype) => dtypeSize(dtype));

/**
 * Returns the byte address in the linear memory of the elements of a map with this code, or -1 if they are elsewhere
 * or have been disposed of. The linear memory must exist.
 */
export function startOf({ owner, array, base }: DenseMap, code: number): number {
  if (owner.refs === 0) return -1;
  const start = array === owner.placedArray ? owner.place * 8 : findPlace(owner, array);
  return start < 0 ? -1 : start + base * bytesOf[code]!;
}

/** Returns the address of an array, or -1 if it is outside the linear memory. The owner remembers the address if it can. */
function findPlace(owner: MemoryToken, array: ArrayBufferView): number {
  if (array.buffer !== linearMemory().buffer) return -1;
  const { byteOffset } = array;
  // A token that owns nothing is shared by all arrays without an owner, and would keep this one alive.
  if (owner.placedArray !== undefined && owner.holder !== null && byteOffset % 8 === 0) {
    const token = owner as { placedArray: object | null; place: number };
    token.placedArray = array;
    token.place = (byteOffset / 8) | 0;
  }
  return byteOffset;
}
