/**
 * RefCounted: an object that lives as long as somebody holds a reference to it (tsl/platform/refcount.h).
 *
 * The count is a plain integer in a data property, `refs`: each thread owns its buffers (DESIGN.md, promise 4), so no
 * atomic is needed, and an Eigen-style map can test `owner.refs === 0` in one load. The last `unref` runs the hook
 * `notifyDeleted()` and then `destroy()`, which is what C++ writes as the destructor. Nothing here frees JavaScript
 * memory: the collector does that, later; `destroy` gives back what the collector does not see.
 */
import { FailedPreconditionError } from "@onebuffer/base";

/** Counts stay small integers in every engine (31 bits in Chromium): a count this high is a bug of the caller. */
const kMaxRefs = 0x3fffffff;

/**
 * The base of everything that is reference counted: buffers, resources, allocators' records.
 *
 * A new object has one reference, its maker's. `ref()` adds one, `unref()` takes one back, and the call that takes the
 * last one destroys the object and returns true. TensorFlow aborts or corrupts memory on a reference too many or too
 * few; here both throw FAILED_PRECONDITION and change nothing.
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
  /** The count itself: 1 at birth, 0 once destroyed. Read it freely; only `ref`, `unref` and `tryRef` write it. */
  readonly refs: number = 1;

  /** Adds a reference. Throws FAILED_PRECONDITION when the object is already destroyed. */
  ref(): void {
    const refs = this.refs;
    if (refs <= 0 || refs >= kMaxRefs) this.refuse("ref");
    (this as { refs: number }).refs = refs + 1;
  }

  /**
   * Gives a reference back; true when it was the last one and the object is now destroyed.
   * Throws FAILED_PRECONDITION naming the object when it was destroyed before. An error thrown by the object's own
   * clean-up passes through after the count has reached 0.
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

  /** The number of references held now; 0 once destroyed. */
  get refCount(): number {
    return this.refs;
  }

  /** Whether the caller's reference is the only one: TensorFlow's test for "may I write in place". */
  refCountIsOne(): boolean {
    return this.refs === 1;
  }

  /** Adds a reference unless the object is being or has been destroyed; whether it did. For weak pointers. */
  protected tryRef(): boolean {
    if (this.refs === 0) return false;
    this.ref();
    return true;
  }

  /** What the last `unref` does: the hook, then the destructor, which runs even when the hook throws. */
  protected end(): void {
    try {
      this.notifyDeleted();
    } finally {
      this.destroy();
    }
  }

  /** Hook that runs once, after the count has reached 0 and before `destroy`. */
  protected notifyDeleted(): void {}

  /** The destructor: runs once, on the last `unref`. Subclasses give back what they hold and call `super.destroy()`. */
  protected destroy(): void {}

  /** How error messages name this object; a subclass may say more than its class. */
  protected objectName(): string {
    return this.constructor.name;
  }

  /** The slow half of `ref` and `unref`: reports a call that the count does not allow. */
  protected refuse(call: string): never {
    const state = this.refs <= 0 ? "it was destroyed when its count reached 0" : `its count is ${this.refs}`;
    throw new FailedPreconditionError(`${call}() on ${this.objectName()} is refused: ${state}`);
  }
}
