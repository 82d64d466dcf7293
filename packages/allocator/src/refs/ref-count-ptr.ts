/**
 * RefCountPtr and ScopedUnref: references that are released at the end of a scope (tsl/platform/refcount.h).
 *
 * In C++ the destructor releases the reference. Here `using` does it, through Symbol.dispose. Without `using`, call `dispose()`.
 */
import type { RefCounted } from "./ref-counted.ts";
import { checkRefCounted } from "./allocator-check.ts";

/**
 * A unique pointer whose deleter is `unref`: it holds one reference on an object, or null.
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

  /** Takes over one reference that the caller holds on `ptr`, without adding one. Throws INVALID_ARGUMENT if `ptr` is not RefCounted. */
  constructor(ptr: T | null = null) {
    if (ptr !== null) checkRefCounted(ptr);
    this.#ptr = ptr;
  }

  /** Returns the object, or null. This pointer keeps the reference: do not `unref` the result. */
  get(): T | null {
    return this.#ptr;
  }

  /** Returns a second pointer that holds a new reference on the same object, or null. */
  getNewRef(): RefCountPtr<T> {
    return getNewRef(this.#ptr);
  }

  /** Releases the held reference and takes over the caller's reference on `ptr`. */
  reset(ptr: T | null = null): void {
    if (ptr !== null) checkRefCounted(ptr);
    const old = this.#ptr;
    this.#ptr = ptr;
    if (old !== null) old.unref();
  }

  /** Transfers the held reference to the caller, who must `unref` it. This pointer is null afterwards. */
  release(): T | null {
    const ptr = this.#ptr;
    this.#ptr = null;
    return ptr;
  }

  /** The destructor: releases the held reference. Calling it again does nothing. */
  dispose(): void {
    this.reset();
  }

  /** `using` calls `dispose`. */
  [Symbol.dispose](): void {
    this.reset();
  }
}

/**
 * Returns a RefCountPtr that holds a new reference on `ptr`, or null if `ptr` is null. Throws FAILED_PRECONDITION if the object is
 * destroyed.
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
 * Releases the caller's reference on an object at the end of a scope. With null it does nothing.
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

  /** Releases the reference. A second call does nothing. */
  [Symbol.dispose](): void {
    const obj = this.#obj;
    this.#obj = null;
    if (obj !== null) obj.unref();
  }
}
