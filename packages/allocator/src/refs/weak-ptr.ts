/**
 * WeakRefCounted and WeakPtr: references that do not keep alive (tsl/platform/refcount.h).
 *
 *     object --+                          +-- WeakPtr {record, notifier id}
 *              +--> record {ptr,          |
 *                   notifiers: id -> fn, <+-- WeakPtr {record, notifier id}
 *                   nextId (from 1)}
 *
 * The object and every WeakPtr hold one reference on the record, so `weakRefCount` is the record's count less one. This
 * is TensorFlow's deterministic notion: "gone" means the count reached 0, not that a collector ran (that is
 * JavaScript's WeakRef). A WeakPtr that is dropped without `dispose` keeps its notifier registered.
 */
import { argumentError, checkFunction } from "@onebuffer/base";
import { RefCounted } from "./ref-counted.ts";
import { RefCountPtr } from "./ref-count-ptr.ts";

/** What runs when the object a WeakPtr points at is about to be destroyed. */
export type WeakNotifyFn = () => void;

/** The shared record. Id 0 stands for "no notifier". */
class WeakRefData extends RefCounted {
  ptr: WeakRefCounted | null;
  readonly notifiers: Map<number, WeakNotifyFn> = new Map();
  nextId: number = 1;

  constructor(ptr: WeakRefCounted) {
    super();
    this.ptr = ptr;
  }

  /** Registers a notifier and returns its id; 0 when the object is gone already. */
  add(notify: WeakNotifyFn): number {
    if (this.ptr === null) return 0;
    const id = this.nextId++;
    this.notifiers.set(id, notify);
    return id;
  }

  /** Registers the notifier of `id` once more under a new id; 0 when there is none. */
  duplicate(id: number): number {
    const notify = this.notifiers.get(id);
    return notify === undefined ? 0 : this.add(notify);
  }

  /**
   * Calls every notifier once, in the order of ids, each removed before it is called; one that is added meanwhile has
   * the highest id and is called as well. An error does not spare the others; the first one is thrown at the end.
   */
  notify(): void {
    let failed = false;
    let failure: unknown;
    // A Map iterates in insertion order, which is the order of ids, and sees what is added during the loop.
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

/** C++ friends: what WeakPtr may reach inside a WeakRefCounted. */
let recordOf: (object: WeakRefCounted) => WeakRefData;
let tryRefOf: (object: WeakRefCounted) => boolean;

/**
 * A RefCounted object that weak pointers may point at. On the last `unref` it first calls their notifiers, then runs
 * `destroy`.
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

  /** How many weak pointers point at this object. */
  get weakRefCount(): number {
    return this.#record.refs - (this.#holdsRecord ? 1 : 0);
  }

  /** Calls the weak pointers' notifiers, then lets no weak pointer in any more. */
  protected override notifyDeleted(): void {
    this.#record.notify();
  }

  /** Lets go of the record, which lives on as long as weak pointers do. */
  protected override destroy(): void {
    super.destroy();
    this.#holdsRecord = false;
    this.#record.unref();
  }
}

/**
 * A pointer that does not keep its object alive, with an optional notifier that is told before the object goes.
 *
 * Copies, moves and ends are explicit: `copy` and `assign` are C++'s copy constructor and assignment, `move` and
 * `moveAssign` its moves, `dispose` (or `using`) its destructor, which takes the notifier back.
 * Quirk: in TensorFlow copying from an empty WeakPtr dereferences null; here the copy is empty too. Assigning a WeakPtr
 * to itself loses its notifier there; here it changes nothing.
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

  /** Points at `ptr` (null: at nothing) and registers `notify` for its end. On a destroyed object nothing registers. */
  constructor(ptr: T | null = null, notify: WeakNotifyFn | null = null) {
    if (notify !== null) checkFunction(notify, "a notifier");
    if (ptr === null) return;
    const record = recordOf(ptr);
    // The record of a destroyed object that no weak pointer holds is itself at its end.
    if (record.refs === 0) return;
    record.ref();
    this.#record = record;
    if (notify !== null) this.#notifierId = record.add(notify);
  }

  /** A new strong reference; its `get()` is null once the object's count has reached 0, even before it is destroyed. */
  getNewRef(): RefCountPtr<T> {
    const ptr = this.#record?.ptr ?? null;
    return new RefCountPtr(ptr !== null && tryRefOf(ptr) ? (ptr as T) : null);
  }

  /** Copy construction: a second pointer; its copy of the notifier has a new id, so the function runs twice. */
  copy(): WeakPtr<T> {
    const copy = new WeakPtr<T>();
    copy.assign(this);
    return copy;
  }

  /** Copy assignment: this pointer's notifier is removed, the other's is copied under a new id. */
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

  /** Move construction: a new pointer takes over record and notifier; this one is empty afterwards. */
  move(): WeakPtr<T> {
    const target = new WeakPtr<T>();
    target.moveAssign(this);
    return target;
  }

  /** Move assignment: this pointer's notifier is removed, the other's is taken over; the other is empty afterwards. */
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

  /** The destructor: removes the notifier and lets go of the record. Harmless when repeated. */
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
