/**
 * RefCountPtr and ScopedUnref: references that are given back at the end of a scope (tsl/platform/refcount.h).
 *
 * C++ runs their destructors; here `using` does, through Symbol.dispose. Without `using`, call `dispose()`.
 */
import type { RefCounted } from "./ref-counted.ts";
import { checkRefCounted } from "./allocator-check.ts";

/**
 * A unique pointer whose deleter is `unref`: it holds one reference, or null.
 *
 * @example
 * const buffer = new Buffer("float32", cpuAllocator(), 4);
 * using first = new RefCountPtr(buffer);
 * const second = first.getNewRef();
 * buffer.refCount; // => 2
 * second.reset();
 * buffer.refCount; // => 1
 */
export class RefCountPtr<T extends RefCounted> {
  #ptr: T | null;

  /** Takes over one reference that the caller holds on `ptr`; adds none. */
  constructor(ptr: T | null = null) {
    if (ptr !== null) checkRefCounted(ptr);
    this.#ptr = ptr;
  }

  /** The object, or null. The reference stays here: do not `unref` it. */
  get(): T | null {
    return this.#ptr;
  }

  /** A second pointer with a reference of its own; null stays null. */
  getNewRef(): RefCountPtr<T> {
    return getNewRef(this.#ptr);
  }

  /** Gives the held reference back and takes over the caller's reference on `ptr`. */
  reset(ptr: T | null = null): void {
    if (ptr !== null) checkRefCounted(ptr);
    const old = this.#ptr;
    this.#ptr = ptr;
    if (old !== null) old.unref();
  }

  /** Hands the held reference over to the caller, who must `unref` it; this pointer is null afterwards. */
  release(): T | null {
    const ptr = this.#ptr;
    this.#ptr = null;
    return ptr;
  }

  /** The destructor: gives the held reference back. Harmless when repeated. */
  dispose(): void {
    this.reset();
  }

  /** `using` calls `dispose`. */
  [Symbol.dispose](): void {
    this.reset();
  }
}

/**
 * A RefCountPtr with a new reference on `ptr`; null stays null. Throws FAILED_PRECONDITION when the object is destroyed.
 *
 * @example
 * const buffer = new Buffer("float32", cpuAllocator(), 4);
 * using again = getNewRef(buffer);
 * again.get() === buffer; // => true
 * buffer.unref(); // => false
 */
export function getNewRef<T extends RefCounted>(ptr: T | null): RefCountPtr<T> {
  if (ptr !== null) {
    checkRefCounted(ptr);
    ptr.ref();
  }
  return new RefCountPtr(ptr);
}

/**
 * Gives the caller's reference on an object back at the end of a scope; null does nothing.
 *
 * @example
 * const buffer = new Buffer("float32", cpuAllocator(), 4);
 * buffer.ref();
 * { using _ = new ScopedUnref(buffer); }
 * buffer.refCount; // => 1
 * buffer.unref(); // => true
 */
export class ScopedUnref {
  #obj: RefCounted | null;

  /** Takes over one reference that the caller holds on `obj`. */
  constructor(obj: RefCounted | null) {
    if (obj !== null) checkRefCounted(obj);
    this.#obj = obj;
  }

  /** The end of the scope: gives the reference back, once. */
  [Symbol.dispose](): void {
    const obj = this.#obj;
    this.#obj = null;
    if (obj !== null) obj.unref();
  }
}
