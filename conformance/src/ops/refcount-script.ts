/**
 * refcount.script (tf-tensor.json): RefCounted, RefCountPtr, ScopedUnref, WeakRefCounted and WeakPtr.
 *
 * The objects of a script log their construction and destruction, and the notifiers of weak pointers log their calls, so that the checks
 * can compare counts and order.
 */
import { RefCounted, RefCountPtr, ScopedUnref, WeakPtr, WeakRefCounted } from "@onebuffer/allocator";
import type { Args } from "../args.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { Checks, Names, runSteps, verb } from "../script.ts";
import type { Verbs } from "../script.ts";
import { RunnerError } from "../vector.ts";
import type { Json } from "../vector.ts";

/** The events in order: `constructed`, `destroyed`, or `notified` and the name of the notifier. */
type Log = string[];

class Counted extends RefCounted {
  readonly #log: Log;

  constructor(log: Log) {
    super();
    this.#log = log;
    log.push("constructed");
  }

  protected override destroy(): void {
    this.#log.push("destroyed");
    super.destroy();
  }
}

class WeaklyCounted extends WeakRefCounted {
  readonly #log: Log;

  constructor(log: Log) {
    super();
    this.#log = log;
    log.push("constructed");
  }

  protected override destroy(): void {
    this.#log.push("destroyed");
    super.destroy();
  }
}

type Weak = WeakPtr<WeaklyCounted>;

/** The named objects and the events of a script. */
class World {
  readonly log: Log = [];
  readonly objects = new Names<RefCounted>();
  readonly pointers = new Names<RefCountPtr<RefCounted>>();
  readonly weak = new Names<Weak>();
  readonly unrefResults: boolean[] = [];
  readonly #notifiers = new Set<string>();

  /** Returns a WeakRefCounted object of the script. Throws RunnerError for an object of another class. */
  weakObject(name: Json | undefined): WeaklyCounted {
    const object = this.objects.get(name);
    if (object instanceof WeaklyCounted) return object;
    throw new RunnerError(`${String(name)} has no weak pointers`);
  }

  count(event: string): number {
    return this.log.filter((entry) => entry === event).length;
  }

  /** Makes a weak pointer to an object, with a notifier if a name for it is given. */
  newWeak(name: Json | undefined, object: Json | undefined, notifier: Json | undefined): void {
    let notify: (() => void) | null = null;
    if (notifier !== undefined && notifier !== null) {
      this.#notifiers.add(String(notifier));
      notify = () => void this.log.push(`notified ${String(notifier)}`);
    }
    this.weak.set(name, new WeakPtr(this.weakObject(object), notify));
  }

  /** Returns the number of calls of a notifier. Throws RunnerError if no weak pointer has a notifier of that name. */
  calls(notifier: Json | undefined): number {
    if (!this.#notifiers.has(String(notifier))) throw new RunnerError(`no notifier is called ${JSON.stringify(notifier)}`);
    return this.count(`notified ${String(notifier)}`);
  }

  /** Returns true if a weak pointer gives a reference. Releases that reference. */
  weakGet(name: Json | undefined): boolean {
    const pointer = this.weak.get(name).getNewRef();
    const got = pointer.get() !== null;
    pointer.dispose();
    return got;
  }

  /** Returns true if notifiers were called, all of them before the first destructor. */
  notifiedFirst(): boolean {
    const destroyed = this.log.indexOf("destroyed");
    const calls = this.log.flatMap((event, index) => (event.startsWith("notified") ? [index] : []));
    return calls.length > 0 && destroyed >= 0 && calls.every((index) => index < destroyed);
  }
}

function steps(world: World): Verbs<void> {
  const { objects, pointers, weak } = world;
  return {
    new: verb(1, (name) => objects.set(name, new Counted(world.log))),
    new_weak: verb(1, (name) => objects.set(name, new WeaklyCounted(world.log))),
    ref: verb(1, (name) => objects.get(name).ref()),
    unref: verb(1, (name) => void world.unrefResults.push(objects.get(name).unref())),
    scoped_unref: verb(1, (name) => new ScopedUnref(name === null ? null : objects.get(name))[Symbol.dispose]()),
    ptr: verb(2, (name, object) => pointers.set(name, new RefCountPtr(object === null ? null : objects.get(object)))),
    ptr_get_new_ref: verb(2, (name, from) => pointers.set(name, pointers.get(from).getNewRef())),
    ptr_reset: verb(1, (name) => pointers.get(name).reset()),
    weak: verb(2, (name, object, notifier) => world.newWeak(name, object, notifier), 3),
    weak_copy: verb(2, (name, from) => weak.set(name, weak.get(from).copy())),
    weak_move: verb(2, (name, from) => weak.set(name, weak.get(from).move())),
    weak_assign: verb(2, (name, from) => weak.get(name).assign(weak.get(from))),
    weak_move_assign: verb(2, (name, from) => weak.get(name).moveAssign(weak.get(from))),
    weak_drop: verb(1, (name) => weak.get(name).dispose()),
  };
}

function checks(world: World): Verbs<unknown> {
  return {
    constructed: verb(0, () => world.count("constructed")),
    destroyed: verb(0, () => world.count("destroyed")),
    is_one: verb(1, (name) => world.objects.get(name).refCountIsOne()),
    count: verb(1, (name) => world.objects.get(name).refCount),
    unref_results: verb(0, () => world.unrefResults),
    weak_count: verb(1, (name) => world.weakObject(name).weakRefCount),
    weak_get: verb(1, (name) => world.weakGet(name)),
    calls: verb(1, (name) => world.calls(name)),
    notified_before_destructor: verb(0, () => world.notifiedFirst()),
  };
}

function run(args: Args): Checks {
  const world = new World();
  runSteps(steps(world), args.list("steps"));
  return new Checks(checks(world));
}

/** The operation by name. */
export const refCountScript: Operations = { "refcount.script": operation(["steps"], run) };
