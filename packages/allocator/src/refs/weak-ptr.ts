/**
 * WeakRefCounted and WeakPtr: pointers that do not keep their object alive (tsl/platform/refcount.h).
 *
 *     object --+                          +-- WeakPtr {record, notifier id}
 *              +--> record {ptr,          |
 *                   notifiers: id -> fn, <+-- WeakPtr {record, notifier id}
 *                   nextId (from 1)}
 *
 * The object and every WeakPtr hold one reference on the record, so `weakRefCount` is the record's count minus one. As in TensorFlow a
 * weak pointer becomes null at a defined moment, when the count reaches 0; JavaScript's WeakRef depends on the garbage collector
 * instead. A WeakPtr that is dropped without `dispose` keeps its notifier registered.
 */
import { argumentError, checkCallback } from "@onebuffer/base/internal";
import { RefCounted } from "./ref-counted.ts";
import { RefCountPtr } from "./ref-count-ptr.ts";

/** A function that is called when the object of a WeakPtr is about to be destroyed. */
export type WeakNotifyFn = () => void;

/** The record that an object shares with its weak pointers. Id 0 means "no notifier". */
class WeakRefData extends RefCounted {
  ptr: WeakRefCounted | null;
  readonly notifiers: Map<number, WeakNotifyFn> = new Map();
  nextId: number = 1;

  constructor(ptr: WeakRefCounted) {
    super();
    this.ptr = ptr;
  }

  /** Registers a notifier and returns its id, or 0 if the object is already destroyed. */
  add(notify: WeakNotifyFn): number {
    if (this.ptr === null) return 0;
    const id = this.nextId++;
    this.notifiers.set(id, notify);
    return id;
  }

  /** Registers the notifier of `id` again and returns the new id, or 0 if there is no such notifier. */
  duplicate(id: number): number {
    const notify = this.notifiers.get(id);
    return notify === undefined ? 0 : this.add(notify);
  }

  /**
   * Calls every notifier once, in the order of ids. Each is removed before it is called. A notifier that is added during the calls has
   * the highest id and is called too. If some throw, the others are still called and the first error is thrown at the end.
   */
  notify(): void {
    let failed = false;
    let failure: unknown;
    // A Map iterates in insertion order, which is the order of ids, and includes entries added during the loop.
    for (const [id, notify] of this.notifiers) {
      this.notifiers.delete(id);
      try {
        notify();
      } catch (error) {
        if (!failed) failure = error;
        failed = true;
      }
    }
    this.ptr = null;
    if (failed) throw failure;
  }
}

/** Access to private members of WeakRefCounted for WeakPtr (a friend class in C++). Throws INVALID_ARGUMENT for other objects. */
let recordOf: (object: WeakRefCounted) => WeakRefData;
let tryRefOf: (object: WeakRefCounted) => boolean;

/**
 * A RefCounted object that weak pointers can point at. The last `unref` first calls their notifiers, then `destroy`.
 *
 * @example
 * class Resource extends WeakRefCounted {}
 * const resource = new Resource();
 * using weak = new WeakPtr(resource);
 * resource.weakRefCount; // => 1
 * resource.unref(); // => true
 * weak.getNewRef().get(); // => null
 */
export abstract class WeakRefCounted extends RefCounted {
  readonly #record: WeakRefData = new WeakRefData(this);
  #holdsRecord = true;

  static {
    recordOf = (object) => {
      if (typeof object !== "object" || object === null || !(#record in object)) throw argumentError("a WeakRefCounted", object);
      return object.#record;
    };
    tryRefOf = (object) => object.tryRef();
  }

  /** The number of weak pointers that point at this object. */
  get weakRefCount(): number {
    return this.#record.refs - (this.#holdsRecord ? 1 : 0);
  }

  /** Calls the notifiers of the weak pointers. Weak pointers created afterwards are empty. */
  protected override notifyDeleted(): void {
    this.#record.notify();
  }

  /** Releases the record, which lives on as long as weak pointers hold it. */
  protected override destroy(): void {
    super.destroy();
    this.#holdsRecord = false;
    this.#record.unref();
  }
}

/**
 * A pointer that does not keep its object alive, with an optional notifier that is called before the object is destroyed.
 *
 * Copies and moves are explicit: `copy` and `assign` are C++'s copy constructor and copy assignment, `move` and `moveAssign` the move
 * constructor and move assignment. `dispose` (or `using`) is the destructor, which removes the notifier.
 * Quirk: in TensorFlow copying an empty WeakPtr dereferences null; here the copy is empty. In TensorFlow assigning a WeakPtr to itself
 * loses its notifier; here it changes nothing.
 *
 * @example
 * class Resource extends WeakRefCounted {}
 * const resource = new Resource();
 * let calls = 0;
 * const weak = new WeakPtr(resource, () => calls++);
 * const copy = weak.copy();
 * resource.unref(); // => true
 * calls; // => 2
 */
export class WeakPtr<T extends WeakRefCounted> {
  #record: WeakRefData | null = null;
  #notifierId = 0;

  /**
   * Points at `ptr`, or at nothing if it is null, and registers `notify`. For a destroyed object the pointer is empty and nothing is
   * registered. Throws INVALID_ARGUMENT if `ptr` is not a WeakRefCounted or `notify` is not a function.
   */
  constructor(ptr: T | null = null, notify: WeakNotifyFn | null = null) {
    if (notify !== null) checkCallback(notify, "a notifier");
    if (ptr === null) return;
    const record = recordOf(ptr);
    // The object was destroyed and no weak pointer held its record, so the record is destroyed too.
    if (record.refs === 0) return;
    record.ref();
    this.#record = record;
    if (notify !== null) this.#notifierId = record.add(notify);
  }

  /** Returns a new strong reference. Its `get()` is null once the object's count has reached 0, even before `destroy` has run. */
  getNewRef(): RefCountPtr<T> {
    const ptr = this.#record?.ptr ?? null;
    return new RefCountPtr(ptr !== null && tryRefOf(ptr) ? (ptr as T) : null);
  }

  /** Copy construction: returns a second pointer. The notifier is registered again under a new id, so it is called twice. */
  copy(): WeakPtr<T> {
    const copy = new WeakPtr<T>();
    copy.assign(this);
    return copy;
  }

  /** Copy assignment: removes this pointer's notifier and registers the other's again under a new id. */
  assign(other: WeakPtr<T>): void {
    if (other === this) return;
    WeakPtr.#check(other);
    this.dispose();
    const record = other.#record;
    if (record === null) return;
    record.ref();
    this.#record = record;
    this.#notifierId = record.duplicate(other.#notifierId);
  }

  /** Move construction: returns a new pointer that takes over the object and the notifier. This pointer is empty afterwards. */
  move(): WeakPtr<T> {
    const target = new WeakPtr<T>();
    target.moveAssign(this);
    return target;
  }

  /** Move assignment: removes this pointer's notifier and takes over the other's. The other pointer is empty afterwards. */
  moveAssign(other: WeakPtr<T>): void {
    if (other === this) return;
    WeakPtr.#check(other);
    this.dispose();
    this.#record = other.#record;
    this.#notifierId = other.#notifierId;
    other.#record = null;
    other.#notifierId = 0;
  }

  static #check(other: unknown): void {
    if (typeof other !== "object" || other === null || !(#record in other)) throw argumentError("a WeakPtr", other);
  }

  /** The destructor: removes the notifier and releases the record. Calling it again does nothing. */
  dispose(): void {
    const record = this.#record;
    if (record === null) return;
    if (this.#notifierId !== 0) record.notifiers.delete(this.#notifierId);
    this.#record = null;
    this.#notifierId = 0;
    record.unref();
  }

  /** `using` calls `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
