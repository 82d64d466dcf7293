/**
 * MemoryOwner: who keeps the memory under a map, and whether it still does (TensorFlow's counterpart is the TensorBuffer
 * an Eigen map points into; C++ maps do not know it, and read freed memory without a word).
 *
 *     TensorMap --owner--> MemoryOwner { refs }      refs === 0: the memory was freed, every access throws
 *     typed array --Symbol.for("onebuffer.owner")--> the same object: whoever holds the array keeps the memory
 *
 * Reachability protects against the collector, not against a deliberate free: that is what `refs` is for. Nothing
 * here counts or frees; the owner's own class does.
 */
import { checkObject } from "@onebuffer/base";

/**
 * What owns a map's memory. `refs` is a plain data property, a small integer, 0 from the moment the memory is freed.
 *
 * `at` and `set` read it on every call, and an engine reads a property fast when the objects that hold it are of one
 * class: with two to four classes of owners in a program an access costs up to twice as much, with five or more four
 * times. `MemoryToken` is a class to share.
 *
 * @example
 * const owner: MemoryOwner = kUnowned;
 * owner.refs > 0; // => true
 */
export interface MemoryOwner {
  /** References to the memory; 0 once it is freed, for good. */
  readonly refs: number;
}

/**
 * The ready-made MemoryOwner: a flag with a link to whatever must stay reachable as long as a map is. A buffer class
 * that is not the only one of its kind makes one token per buffer, hands that to its maps, and calls `free` at its end.
 *
 * @example
 * const token = new MemoryToken(null);
 * const map = tensorMapKind("float32").vec(new Float32Array(2), 0, token, 2);
 * map.at(1); // => 0
 * token.free();
 * map.at(1); // throws FAILED_PRECONDITION
 */
export class MemoryToken implements MemoryOwner {
  /** 1 while the memory is there, 0 after `free`. */
  readonly refs: number = 1;
  /** What the token keeps reachable: the buffer, or null. */
  declare readonly holder: object | null;
  /** An array over the memory whose place in the linear memory is known, or null. For kernels: asking arrays takes longer than small kernels run. */
  declare readonly placedArray: object | null;
  /** That place: the byte the array begins at, divided by 8. */
  declare readonly place: number;

  // A plain field declaration would start as undefined, and an engine never again treat it as a small integer.
  constructor(holder: object | null) {
    this.holder = holder;
    this.placedArray = null;
    this.place = 0;
  }

  /** Says that the memory is gone: every map with this token throws from now on. Calling it again changes nothing. */
  free(): void {
    (this as { refs: number }).refs = 0;
  }
}

/**
 * The owner of memory that nobody frees by hand: a plain typed array keeps its own buffer alive.
 *
 * @example
 * tensorMap("int32", new Int32Array(4), [2, 2]).owner === kUnowned; // => true
 */
export const kUnowned: MemoryOwner = new MemoryToken(null);

/** Registered, so that two copies of this package and two realms understand each other. */
const kOwner = Symbol.for("onebuffer.owner");

type Tagged = { [kOwner]?: MemoryOwner };

/**
 * Ties an array to the owner of its memory: as long as the array is reachable, so is the owner. Returns the array.
 * Arrays derived from it (`subarray`, `new Uint8Array(array.buffer)`) do NOT inherit the tie. Copies: never.
 *
 * @example
 * const token = new MemoryToken(null);
 * memoryOwnerOf(withMemoryOwner(new Uint8Array(4), token)) === token; // => true
 */
export function withMemoryOwner<A extends object>(array: A, owner: MemoryOwner): A {
  checkObject(array, "an array");
  if (owner !== kUnowned) (array as Tagged)[kOwner] = owner;
  return array;
}

/**
 * The owner an array was tied to; kUnowned if it was not.
 *
 * @example
 * memoryOwnerOf(new Uint8Array(4)) === kUnowned; // => true
 */
export function memoryOwnerOf(array: object): MemoryOwner {
  return (array as Tagged | null | undefined)?.[kOwner] ?? kUnowned;
}
