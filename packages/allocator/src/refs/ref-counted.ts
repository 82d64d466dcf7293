/**
 * RefCounted: the base class of objects that are destroyed when their last reference is released (tsl/platform/refcount.h).
 *
 * The count is a plain integer in a data property, `refs`. It needs no atomics, because a buffer is used by one thread only, and an
 * Eigen map can test `owner.refs === 0` with one load. The last `unref` calls the hook `notifyDeleted()` and then `destroy()`,
 * which takes the place of the C++ destructor. Nothing here frees JavaScript objects: the garbage collector does that later.
 * `destroy` releases what the garbage collector does not manage, for example memory of an arena.
 */
import { FailedPreconditionError } from "@onebuffer/base";

/** The highest count. Up to here it is a small integer in every engine (31 bits in Chromium); a higher count is a bug of the caller. */
const kMaxRefs = 0x3fffffff;

/**
 * The base class of reference-counted objects: buffers, resources, the shared records of weak pointers.
 *
 * A new object has one reference, which belongs to its creator. `ref()` adds a reference and `unref()` releases one; the call that
 * releases the last one destroys the object and returns true. Where TensorFlow aborts or corrupts memory (`ref` or `unref` on a
 * destroyed object), these methods throw FAILED_PRECONDITION and change nothing.
 *
 * @example
 * class Resource extends RefCounted {}
 * const resource = new Resource();
 * resource.ref();
 * resource.refCount; // => 2
 * [resource.unref(), resource.unref()]; // => [false, true]
 * resource.unref(); // throws FAILED_PRECONDITION
 */
export abstract class RefCounted {
  /** The reference count: 1 at creation, 0 once destroyed. Only `ref`, `unref` and `tryRef` write it. */
  readonly refs: number = 1;

  /** Adds a reference. Throws FAILED_PRECONDITION if the object is destroyed. */
  ref(): void {
    const refs = this.refs;
    if (refs <= 0 || refs >= kMaxRefs) this.refuse("ref");
    (this as { refs: number }).refs = refs + 1;
  }

  /**
   * Releases a reference. Returns true if it was the last one and the object is now destroyed. Throws FAILED_PRECONDITION, with the
   * object's name, if the object was destroyed before. Errors from `notifyDeleted` and `destroy` pass through; the count is 0 by then.
   */
  unref(): boolean {
    const refs = this.refs;
    if (refs === 1) {
      (this as { refs: number }).refs = 0;
      this.end();
      return true;
    }
    if (refs <= 0) this.refuse("unref");
    (this as { refs: number }).refs = refs - 1;
    return false;
  }

  /** The number of references held; 0 once destroyed. */
  get refCount(): number {
    return this.refs;
  }

  /** Returns true if exactly one reference is held. TensorFlow uses this to decide if a buffer may be written in place. */
  refCountIsOne(): boolean {
    return this.refs === 1;
  }

  /** Adds a reference and returns true, or returns false if the object is being destroyed or was. Used by weak pointers. */
  protected tryRef(): boolean {
    if (this.refs === 0) return false;
    this.ref();
    return true;
  }

  /** Called by the last `unref`: runs the hook, then the destructor, which runs even if the hook throws. */
  protected end(): void {
    try {
      this.notifyDeleted();
    } finally {
      this.destroy();
    }
  }

  /** A hook that is called once, after the count has reached 0 and before `destroy`. */
  protected notifyDeleted(): void {}

  /** The destructor, called once by the last `unref`. Subclasses release what they own and call `super.destroy()`. */
  protected destroy(): void {}

  /** Returns the name of this object for error messages. Subclasses may add more than the class name. */
  protected objectName(): string {
    return this.constructor.name;
  }

  /** Throws FAILED_PRECONDITION for a call that the count does not allow. */
  protected refuse(call: string): never {
    const state = this.refs <= 0 ? "it was destroyed when its count reached 0" : `its count is ${this.refs}`;
    throw new FailedPreconditionError(`${call}() on ${this.objectName()} is refused: ${state}`);
  }
}
