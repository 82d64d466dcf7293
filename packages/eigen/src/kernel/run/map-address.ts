/**
 * map-start: where the elements of a map without strides begin in the linear memory (the pointer in an Eigen::TensorMap).
 *
 * Asking a typed array for its buffer and its offset takes longer than adding a hundred numbers. So tokens remember it for the array
 * that most maps with this token have: the one over the whole buffer.
 */
import { dtypeSize } from "@onebuffer/base";
import { codedDTypes } from "../../expression/tree/node-code.ts";
import type { CodedTree } from "../../expression/tree/node-code.ts";
import { linearMemory } from "@onebuffer/wasm";
import type { MemoryToken } from "../../memory/memory-owner.ts";

/** A map without strides, as far as kernels ask. The owner may be of any class; only a MemoryToken knows places. */
export interface DenseMap extends CodedTree {
  readonly size: number;
  readonly rank: number;
  readonly array: Uint8Array<ArrayBufferLike>;
  readonly base: number;
  readonly owner: MemoryToken;
}

/** Bytes of an element, by the number of its dtype. */
export const bytesOf: readonly number[] = codedDTypes.map((dtype) => dtypeSize(dtype));

/** Where the elements of a map with this code begin in the linear memory, which is there, in bytes; -1 if they are elsewhere, or gone. */
export function startOf({ owner, array, base }: DenseMap, code: number): number {
  if (owner.refs === 0) return -1;
  const start = array === owner.placedArray ? owner.place * 8 : findPlace(owner, array);
  return start < 0 ? -1 : start + base * bytesOf[code]!;
}

/** Where an array begins, or -1; its owner, if it is one that can, remembers it. */
function findPlace(owner: MemoryToken, array: ArrayBufferView): number {
  if (array.buffer !== linearMemory().buffer) return -1;
  const { byteOffset } = array;
  // A token that owns nothing is shared by all such arrays, and would keep this one.
  if (owner.placedArray !== undefined && owner.holder !== null && byteOffset % 8 === 0) {
    const token = owner as { placedArray: object | null; place: number };
    token.placedArray = array;
    token.place = (byteOffset / 8) | 0;
  }
  return byteOffset;
}
