import { describe, expect, test } from "@jest/globals";
import { WeakPtr, WeakRefCounted } from "@onebuffer/allocator";
import fc from "fast-check";

class Target extends WeakRefCounted {
  readonly log: string[];
  constructor(log: string[] = []) {
    super();
    this.log = log;
  }
  protected override destroy(): void {
    this.log.push("destroy");
    super.destroy();
  }
}

/** Whether a weak pointer still gives a strong reference; gives it back. */
function gives(weak: WeakPtr<Target>): boolean {
  using ref = weak.getNewRef();
  return ref.get() !== null;
}

describe("WeakPtr", () => {
  test("gives a reference while the object lives and none afterwards", () => {
    const object = new Target();
    const weak = new WeakPtr(object);
    expect([object.weakRefCount, object.refs]).toEqual([1, 1]);
    {
      using ref = weak.getNewRef();
      expect([ref.get() === object, object.refs]).toEqual([true, 2]);
    }
    expect(object.unref()).toBe(true);
    expect([gives(weak), object.refs, object.weakRefCount]).toEqual([false, 0, 1]);
    weak.dispose();
    expect(object.weakRefCount).toBe(0);
  });

  test("notifiers run once, in the order they were made, before the destructor, when no reference is to be had", () => {
    const log: string[] = [];
    const object = new Target(log);
    const weak: WeakPtr<Target> = new WeakPtr(object, () => log.push(`first ${gives(weak)} ${object.refs}`));
    new WeakPtr(object, () => log.push("second"));
    object.unref();
    expect(log).toEqual(["first false 0", "second", "destroy"]);
  });

  test("a copy runs the notifier twice, an overwritten one not at all", () => {
    const calls = { f1: 0, f2: 0 };
    const object = new Target();
    const w1 = new WeakPtr(object, () => calls.f1++);
    const w2 = new WeakPtr(object, () => calls.f2++);
    const w3 = w1.copy();
    w2.assign(w1);
    expect(object.weakRefCount).toBe(3);
    object.unref();
    expect(calls).toEqual({ f1: 3, f2: 0 });
    expect([gives(w2), gives(w3)]).toEqual([false, false]);
  });

  test("a move takes record and notifier along", () => {
    const calls: string[] = [];
    const object = new Target();
    const w1 = new WeakPtr(object, () => calls.push("f1"));
    const w2 = new WeakPtr(object, () => calls.push("f2"));
    w2.moveAssign(w1);
    const w3 = w2.move();
    expect([object.weakRefCount, gives(w1), gives(w2), gives(w3)]).toEqual([1, false, false, true]);
    object.unref();
    expect(calls).toEqual(["f1"]);
  });

  test("a disposed one is not notified and not counted", () => {
    const calls: string[] = [];
    const object = new Target();
    {
      using _ = new WeakPtr(object, () => calls.push("f"));
      expect(object.weakRefCount).toBe(1);
    }
    expect([object.weakRefCount, object.refCountIsOne()]).toEqual([0, true]);
    object.unref();
    expect(calls).toEqual([]);
  });

  test("copies of an empty one are empty (TensorFlow crashes)", () => {
    const empty = new WeakPtr<Target>();
    expect([gives(empty.copy()), gives(empty.move())]).toEqual([false, false]);
    const object = new Target();
    const weak = new WeakPtr(object, () => {});
    weak.assign(empty);
    expect([object.weakRefCount, gives(weak)]).toEqual([0, false]);
    object.unref();
  });

  test("assigning one to itself keeps it as it is", () => {
    let calls = 0;
    const object = new Target();
    const weak = new WeakPtr(object, () => calls++);
    weak.assign(weak);
    weak.moveAssign(weak);
    expect(object.weakRefCount).toBe(1);
    object.unref();
    expect(calls).toBe(1);
  });

  test("on an object that is gone it is empty, and its notifier is never called", () => {
    let calls = 0;
    const object = new Target();
    const early = new WeakPtr(object, () => new WeakPtr(object, () => calls++));
    object.unref();
    expect(calls).toBe(1); // registered while the notifiers ran: it has the highest id and runs last
    const late = new WeakPtr(object, () => calls++);
    expect([gives(late), gives(late.copy()), gives(early), calls]).toEqual([false, false, false, 1]);
  });

  test("a notifier is removed before it is called: copying its pointer there does not bring it back", () => {
    let calls = 0;
    const object = new Target();
    const weak: WeakPtr<Target> = new WeakPtr(object, () => {
      if (++calls < 5) weak.copy();
    });
    object.unref();
    expect(calls).toBe(1);
  });

  test("a notifier may remove another one that has not run", () => {
    const calls: string[] = [];
    const object = new Target();
    new WeakPtr(object, () => second.dispose());
    const second = new WeakPtr(object, () => calls.push("second"));
    object.unref();
    expect(calls).toEqual([]);
  });

  test("a failing notifier spares neither the others nor the destructor; the first error comes out", () => {
    const log: string[] = [];
    const object = new Target(log);
    new WeakPtr(object, () => {
      throw new Error("one");
    });
    new WeakPtr(object, () => {
      throw new Error("two");
    });
    new WeakPtr(object, () => log.push("three"));
    expect(() => object.unref()).toThrow("one");
    expect(log).toEqual(["three", "destroy"]);
  });

  test("random scripts agree with a naive twin", () => {
    // The twin: pointers are {target, notifier ids}; an object's end calls the surviving ids in order.
    interface TwinPtr {
      target: number | null;
      id: number;
    }
    const step = fc.tuple(fc.constantFrom("weak", "copy", "assign", "move", "drop", "unref"), fc.nat(3), fc.nat(3), fc.nat(1));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const calls: string[] = [];
        const twinCalls: string[] = [];
        const objects = [new Target(), new Target()];
        const twinNotifiers: Map<number, string>[] = [new Map(), new Map()];
        const twinAlive = [true, true];
        const nextId = [1, 1];
        const pointers = Array.from({ length: 4 }, () => new WeakPtr<Target>());
        const twins = Array.from({ length: 4 }, (): TwinPtr => ({ target: null, id: 0 }));
        const twinEnd = (twin: TwinPtr): void => {
          if (twin.target !== null) twinNotifiers[twin.target]!.delete(twin.id);
          twin.target = null;
          twin.id = 0;
        };
        const twinAdd = (o: number, name: string): number => {
          if (!twinAlive[o]) return 0;
          const id = nextId[o]!++;
          twinNotifiers[o]!.set(id, name);
          return id;
        };
        const copyInto = (to: TwinPtr, from: TwinPtr): void => {
          if (to === from) return;
          twinEnd(to);
          to.target = from.target;
          const name = from.target === null ? undefined : twinNotifiers[from.target]!.get(from.id);
          to.id = name === undefined ? 0 : twinAdd(from.target!, name);
        };
        steps.forEach(([op, i, j, o], n) => {
          const pointer = pointers[i]!;
          const twin = twins[i]!;
          if (op === "weak") {
            const fresh = new WeakPtr(objects[o]!, () => calls.push(`${o}:${n}`));
            pointer.moveAssign(fresh);
            twinEnd(twin);
            if (twinAlive[o]) Object.assign(twin, { target: o, id: twinAdd(o, `${o}:${n}`) });
          } else if (op === "copy") {
            pointers[j] = pointer.copy();
            // The pointer that stood there is dropped without its destructor: its notifier stays.
            twins[j] = { target: null, id: 0 };
            copyInto(twins[j]!, i === j ? twin : twins[i]!);
          } else if (op === "assign") {
            pointer.assign(pointers[j]!);
            copyInto(twin, twins[j]!);
          } else if (op === "move") {
            pointer.moveAssign(pointers[j]!);
            if (i !== j) {
              twinEnd(twin);
              Object.assign(twin, twins[j]);
              twins[j] = { target: null, id: 0 };
            }
          } else if (op === "drop") {
            pointer.dispose();
            twinEnd(twin);
          } else if (twinAlive[o]) {
            objects[o]!.unref();
            twinAlive[o] = false;
            twinCalls.push(...twinNotifiers[o]!.values());
            twinNotifiers[o]!.clear();
          }
          expect(calls).toEqual(twinCalls);
          expect(pointers.map(gives)).toEqual(twins.map(({ target }) => target !== null && twinAlive[target]!));
        });
      }),
      { numRuns: 300 },
    );
  });
});
