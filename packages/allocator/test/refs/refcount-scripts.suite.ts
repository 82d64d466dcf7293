// Short scripts of reference-count calls in the form of the conformance vectors: `run` carries out the steps through the public exports
// and returns the value of each check. The last item of a check is the expected value.
import { expect, test } from "@jest/globals";
import { RefCounted, RefCountPtr, ScopedUnref, WeakPtr, WeakRefCounted } from "@onebuffer/allocator";

type Step = readonly [string, ...(string | null)[]];

function run(steps: readonly Step[], checks: readonly (readonly unknown[])[]): unknown[] {
  let constructed = 0;
  let destroyed = 0;
  const events: string[] = [];
  const calls = new Map<string, number>();
  const unrefResults: boolean[] = [];
  class Plain extends RefCounted {
    constructor() {
      super();
      constructed++;
    }
    protected override destroy(): void {
      destroyed++;
    }
  }
  class Weakly extends WeakRefCounted {
    constructor() {
      super();
      constructed++;
    }
    protected override destroy(): void {
      destroyed++;
      events.push("destroy");
      super.destroy();
    }
  }
  const objects = new Map<string, RefCounted>();
  const pointers = new Map<string, RefCountPtr<RefCounted>>();
  const weaks = new Map<string, WeakPtr<WeakRefCounted>>();
  const object = (name: unknown): RefCounted => objects.get(name as string)!;
  const weak = (name: unknown): WeakPtr<WeakRefCounted> => weaks.get(name as string)!;
  for (const [op, a, b, f] of steps) {
    const name = a as string;
    if (op === "new") objects.set(name, new Plain());
    else if (op === "new_weak") objects.set(name, new Weakly());
    else if (op === "ref") object(a).ref();
    else if (op === "unref") unrefResults.push(object(a).unref());
    else if (op === "scoped_unref") {
      using _ = new ScopedUnref(a === null ? null : object(a));
    } else if (op === "ptr") pointers.set(name, new RefCountPtr(object(b)));
    else if (op === "ptr_get_new_ref") pointers.set(name, pointers.get(b as string)!.getNewRef());
    else if (op === "ptr_reset") pointers.get(name)!.reset();
    else if (op === "weak") {
      const notify = (): void => {
        calls.set(f as string, (calls.get(f as string) ?? 0) + 1);
        events.push("notify");
      };
      weaks.set(name, new WeakPtr(object(b) as WeakRefCounted, f === undefined ? null : notify));
    } else if (op === "weak_copy") weaks.set(name, weak(b).copy());
    else if (op === "weak_assign") weak(a).assign(weak(b));
    else if (op === "weak_move_assign") weak(a).moveAssign(weak(b));
    else if (op === "weak_drop") weak(a).dispose();
    else throw new Error(op);
  }
  return checks.map(([what, name]) => {
    if (what === "constructed") return constructed;
    if (what === "destroyed") return destroyed;
    if (what === "is_one") return object(name).refCountIsOne();
    if (what === "count") return object(name).refCount;
    if (what === "unref_results") return unrefResults;
    if (what === "weak_count") return (object(name) as WeakRefCounted).weakRefCount;
    if (what === "calls") return calls.get(name as string) ?? 0;
    if (what === "notified_before_destructor") return events.indexOf("notify") < events.indexOf("destroy");
    using ref = weak(name).getNewRef();
    return ref.get() !== null;
  });
}

test.each<[string, Step[], unknown[][]]>([
  [
    "one reference",
    [
      ["new", "r"],
      ["unref", "r"],
    ],
    [
      ["constructed", 1],
      ["destroyed", 1],
      ["unref_results", [true]],
    ],
  ],
  [
    "two references",
    [
      ["new", "r"],
      ["ref", "r"],
      ["unref", "r"],
      ["unref", "r"],
    ],
    [
      ["destroyed", 1],
      ["unref_results", [false, true]],
    ],
  ],
  [
    "refCountIsOne with two references",
    [
      ["new", "r"],
      ["ref", "r"],
    ],
    [
      ["is_one", "r", false],
      ["destroyed", 0],
    ],
  ],
  [
    "ScopedUnref",
    [
      ["new", "r"],
      ["scoped_unref", "r"],
    ],
    [["destroyed", 1]],
  ],
  ["ScopedUnref of null", [["scoped_unref", null]], [["destroyed", 0]]],
  [
    "RefCountPtr.getNewRef",
    [
      ["new", "r"],
      ["ptr", "p", "r"],
      ["ptr_get_new_ref", "q", "p"],
    ],
    [["count", "r", 2]],
  ],
  [
    "RefCountPtr.reset",
    [
      ["new", "r"],
      ["ptr", "p", "r"],
      ["ptr_get_new_ref", "q", "p"],
      ["ptr_reset", "q"],
    ],
    [["count", "r", 1]],
  ],
  [
    "reset of the last RefCountPtr",
    [
      ["new", "r"],
      ["ptr", "p", "r"],
      ["ptr_reset", "p"],
    ],
    [["destroyed", 1]],
  ],
  [
    "WeakPtr of a live object",
    [
      ["new_weak", "o"],
      ["weak", "w", "o"],
    ],
    [
      ["is_one", "o", true],
      ["weak_count", "o", 1],
      ["weak_get", "w", true],
    ],
  ],
  [
    "WeakPtr of a destroyed object",
    [
      ["new_weak", "o"],
      ["weak", "w", "o"],
      ["unref", "o"],
    ],
    [
      ["weak_get", "w", false],
      ["destroyed", 1],
    ],
  ],
  [
    "notifiers of two WeakPtrs",
    [
      ["new_weak", "o"],
      ["weak", "w1", "o", "f1"],
      ["weak", "w2", "o", "f2"],
      ["unref", "o"],
    ],
    [
      ["calls", "f1", 1],
      ["calls", "f2", 1],
      ["notified_before_destructor", true],
    ],
  ],
  [
    "WeakPtr copied and assigned",
    [
      ["new_weak", "o"],
      ["weak", "w1", "o", "f1"],
      ["weak", "w2", "o", "f2"],
      ["weak_copy", "w3", "w1"],
      ["weak_assign", "w2", "w1"],
      ["unref", "o"],
    ],
    [
      ["calls", "f1", 3],
      ["calls", "f2", 0],
      ["weak_get", "w3", false],
    ],
  ],
  [
    "WeakPtr moved",
    [
      ["new_weak", "o"],
      ["weak", "w1", "o", "f1"],
      ["weak", "w2", "o", "f2"],
      ["weak", "w3", "o", "f3"],
      ["weak_move_assign", "w2", "w1"],
    ],
    [
      ["weak_count", "o", 2],
      ["weak_get", "w1", false],
      ["weak_get", "w2", true],
    ],
  ],
  [
    "WeakPtr disposed",
    [
      ["new_weak", "o"],
      ["weak", "w", "o", "f"],
      ["weak_drop", "w"],
    ],
    [
      ["weak_count", "o", 0],
      ["is_one", "o", true],
    ],
  ],
])("%s", (_, steps, checks) => {
  expect(run(steps, checks)).toEqual(checks.map((check) => check.at(-1)));
});
