/**
 * MemoryOwner: the object that keeps the memory under a map alive and records whether that memory was freed. The counterpart in TensorFlow
 * is the TensorBuffer that an Eigen map points into; an Eigen map does not know its buffer, and reads freed memory unnoticed.
 *
 *     TensorMap --owner--> MemoryOwner { refs }      refs === 0: the memory was freed, every access throws
 *     typed array --Symbol.for("onebuffer.owner")--> the same object: holding the array keeps the memory reachable
 *
 * Holding the owner prevents garbage collection of the memory, but not an explicit free; `refs` tells whether that happened. This file
 * neither counts references nor frees memory; the class of the owner does both.
 */
import { checkObject } from "@onebuffer/base/internal";

/**
 * The owner of a map's memory. `refs` is a plain data property holding a small integer. It is 0 from the moment the memory is freed.
 *
 * `at` and `set` read `refs` on every call. An engine reads a property fast only if all objects at that place in the code have the same
 * class. With two to four classes of owners in a program an access takes up to twice as long, with five or more up to four times as
 * long. Use `MemoryToken` instead of a class of your own to avoid this.
 *
 * @example
 * const owner: MemoryOwner = kUnowned;
 * owner.refs > 0; // => true
 */
export interface MemoryOwner {
  /** The number of references to the memory. It becomes 0 when the memory is freed, and then stays 0. */
  readonly refs: number;
}

/**
 * The MemoryOwner that all buffer classes use. It has a flag and a reference to the object that must stay reachable as long as any map
 * is. A buffer creates one token, passes it to its maps, and calls `free` when its memory is freed.
 *
 * @example
 * const token = new MemoryToken(null);
 * const map = tensorMapKind("float32").vec(new Float32Array(2), 0, token, 2);
 * map.at(1); // => 0
 * token.free();
 * map.at(1); // throws FAILED_PRECONDITION
 */
export class MemoryToken implements MemoryOwner {
  /** 1 until `free` is called, then 0. */
  readonly refs: number = 1;
  /** The object that the token keeps reachable: the buffer, or null. */
  declare readonly holder: object | null;
  /**
   * An array over the memory, if that lies in the kernels' linear memory; null if not. `place` is its address. Kernels use the two
   * because reading `buffer` and `byteOffset` of an array takes longer than running a small kernel.
   */
  declare readonly placedArray: object | null;
  /** The address of `placedArray` in the linear memory: the offset of its first byte, divided by 8. */
  declare readonly place: number;

  // The constructor creates the `declare`d fields. A plain field declaration would first set the field to undefined, and engines would
  // not treat it as a small integer.
  constructor(holder: object | null) {
    this.holder = holder;
    this.placedArray = null;
    this.place = 0;
  }

  /** Marks the memory as freed: from now on every access through a map with this token throws. Further calls have no effect. */
  free(): void {
    (this as { refs: number }).refs = 0;
  }
}

/**
 * The owner of memory that is never freed explicitly: a plain typed array keeps its buffer alive.
 *
 * @example
 * tensorMapKind("float32").vec(new Float32Array(2), 0, kUnowned, 2).at(1); // => 0
 */
export const kUnowned: MemoryOwner = new MemoryToken(null);

/**
 * The property under which an array stores its owner. The symbol is registered globally, so that two copies of this package, or two
 * realms, share it.
 */
const kOwner = Symbol.for("onebuffer.owner");

type Tagged = { [kOwner]?: MemoryOwner };

/**
 * Stores the owner of an array's memory on the array, so that the owner is reachable as long as the array is. Returns the same array.
 * Arrays derived from it (`subarray`, `new Uint8Array(array.buffer)`) do NOT inherit the owner. `kUnowned` is not stored. Throws
 * INVALID_ARGUMENT if `array` is not an object. Never copies.
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
 * Does as `withMemoryOwner`, for an array that a program gets: the owner is hidden from what prints arrays and compares them. That costs more
 * than creating an array, so it is done once for each, and not for those that stay in the library.
 *
 * @example
 * Object.keys(withHiddenOwner(new Uint8Array(1), new MemoryToken(null))); // => ["0"]
 */
export function withHiddenOwner<A extends object>(array: A, owner: MemoryOwner): A {
  if (owner !== kUnowned && ((array as Tagged)[kOwner] !== owner || isEnumerable.call(array, kOwner)))
    Object.defineProperty(array, kOwner, { value: owner, enumerable: false, configurable: true, writable: true });
  return array;
}

const { propertyIsEnumerable: isEnumerable } = Object.prototype;

/**
 * Returns the owner that `withMemoryOwner` stored on an array, or kUnowned if there is none.
 *
 * @example
 * memoryOwnerOf(new Uint8Array(4)) === kUnowned; // => true
 */
export function memoryOwnerOf(array: object): MemoryOwner {
  return (array as Tagged | null | undefined)?.[kOwner] ?? kUnowned;
}
