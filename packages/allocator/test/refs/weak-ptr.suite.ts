// WeakPtr and WeakRefCounted: single rules, and random scripts against a small model.
import { describe, expect, test } from "@jest/globals";
import { WeakPtr, WeakRefCounted } from "@onebuffer/allocator";
import fc from "fast-check";
import { expectStatus } from "@onebuffer/test-support";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

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

/** Returns true if a weak pointer still gives a strong reference. Releases that reference. */
function isAlive(weak: WeakPtr<Target>): boolean {
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
    expect([isAlive(weak), object.refs, object.weakRefCount]).toEqual([false, 0, 1]);
    weak.dispose();
    expect(object.weakRefCount).toBe(0);
  });

  test("notifiers run once, in order of registration, before the destructor; the pointers are empty by then", () => {
    const log: string[] = [];
    const object = new Target(log);
    const weak: WeakPtr<Target> = new WeakPtr(object, () => log.push(`first ${isAlive(weak)} ${object.refs}`));
    new WeakPtr(object, () => log.push("second"));
    object.unref();
    expect(log).toEqual(["first false 0", "second", "destroy"]);
  });

  test("a copied notifier runs twice, an overwritten one never", () => {
    const calls = { f1: 0, f2: 0 };
    const object = new Target();
    const w1 = new WeakPtr(object, () => calls.f1++);
    const w2 = new WeakPtr(object, () => calls.f2++);
    const w3 = w1.copy();
    w2.assign(w1);
    expect(object.weakRefCount).toBe(3);
    object.unref();
    expect(calls).toEqual({ f1: 3, f2: 0 });
    expect([isAlive(w2), isAlive(w3)]).toEqual([false, false]);
  });

  test("a move transfers the object and the notifier", () => {
    const calls: string[] = [];
    const object = new Target();
    const w1 = new WeakPtr(object, () => calls.push("f1"));
    const w2 = new WeakPtr(object, () => calls.push("f2"));
    w2.moveAssign(w1);
    const w3 = w2.move();
    expect([object.weakRefCount, isAlive(w1), isAlive(w2), isAlive(w3)]).toEqual([1, false, false, true]);
    object.unref();
    expect(calls).toEqual(["f1"]);
  });

  test("a disposed pointer is not notified and not counted", () => {
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

  test("copies of an empty pointer are empty (TensorFlow crashes)", () => {
    const empty = new WeakPtr<Target>();
    expect([isAlive(empty.copy()), isAlive(empty.move())]).toEqual([false, false]);
    const object = new Target();
    const weak = new WeakPtr(object, () => {});
    weak.assign(empty);
    expect([object.weakRefCount, isAlive(weak)]).toEqual([0, false]);
    object.unref();
  });

  test("assigning a pointer to itself changes nothing", () => {
    let calls = 0;
    const object = new Target();
    const weak = new WeakPtr(object, () => calls++);
    weak.assign(weak);
    weak.moveAssign(weak);
    expect(object.weakRefCount).toBe(1);
    object.unref();
    expect(calls).toBe(1);
  });

  test("a pointer to a destroyed object is empty, and its notifier is never called", () => {
    let calls = 0;
    const object = new Target();
    const early = new WeakPtr(object, () => new WeakPtr(object, () => calls++));
    object.unref();
    expect(calls).toBe(1); // registered while the notifiers ran: it has the highest id and runs last
    const late = new WeakPtr(object, () => calls++);
    expect([isAlive(late), isAlive(late.copy()), isAlive(early), calls]).toEqual([false, false, false, 1]);
  });

  test("a notifier is removed before it is called: copying its pointer in the call does not register it again", () => {
    let calls = 0;
    const object = new Target();
    const weak: WeakPtr<Target> = new WeakPtr(object, () => {
      if (++calls < 5) weak.copy();
    });
    object.unref();
    expect(calls).toBe(1);
  });

  test("a notifier can remove another one that has not run", () => {
    const calls: string[] = [];
    const object = new Target();
    new WeakPtr(object, () => second.dispose());
    const second = new WeakPtr(object, () => calls.push("second"));
    object.unref();
    expect(calls).toEqual([]);
  });

  test("if a notifier throws, the others and the destructor still run; the first error is thrown", () => {
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

  test("random scripts agree with a small model", () => {
    // The model: a pointer is {target, notifier id}; destroying an object calls its remaining notifiers in the order of ids.
    interface ModelPtr {
      target: number | null;
      id: number;
    }
    const step = fc.tuple(fc.constantFrom("weak", "copy", "assign", "move", "drop", "unref"), fc.nat(3), fc.nat(3), fc.nat(1));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const calls: string[] = [];
        const modelCalls: string[] = [];
        const objects = [new Target(), new Target()];
        const modelNotifiers: Map<number, string>[] = [new Map(), new Map()];
        const modelAlive = [true, true];
        const nextId = [1, 1];
        const pointers = Array.from({ length: 4 }, () => new WeakPtr<Target>());
        const models = Array.from({ length: 4 }, (): ModelPtr => ({ target: null, id: 0 }));
        const modelDispose = (model: ModelPtr): void => {
          if (model.target !== null) modelNotifiers[model.target]!.delete(model.id);
          model.target = null;
          model.id = 0;
        };
        const modelAdd = (o: number, name: string): number => {
          if (!modelAlive[o]) return 0;
          const id = nextId[o]!++;
          modelNotifiers[o]!.set(id, name);
          return id;
        };
        const copyInto = (to: ModelPtr, from: ModelPtr): void => {
          if (to === from) return;
          modelDispose(to);
          to.target = from.target;
          const name = from.target === null ? undefined : modelNotifiers[from.target]!.get(from.id);
          to.id = name === undefined ? 0 : modelAdd(from.target!, name);
        };
        steps.forEach(([op, i, j, o], n) => {
          const pointer = pointers[i]!;
          const model = models[i]!;
          if (op === "weak") {
            const fresh = new WeakPtr(objects[o]!, () => calls.push(`${o}:${n}`));
            pointer.moveAssign(fresh);
            modelDispose(model);
            if (modelAlive[o]) Object.assign(model, { target: o, id: modelAdd(o, `${o}:${n}`) });
          } else if (op === "copy") {
            pointers[j] = pointer.copy();
            // The pointer at [j] is dropped without `dispose`, so its notifier stays registered.
            models[j] = { target: null, id: 0 };
            copyInto(models[j]!, i === j ? model : models[i]!);
          } else if (op === "assign") {
            pointer.assign(pointers[j]!);
            copyInto(model, models[j]!);
          } else if (op === "move") {
            pointer.moveAssign(pointers[j]!);
            if (i !== j) {
              modelDispose(model);
              Object.assign(model, models[j]);
              models[j] = { target: null, id: 0 };
            }
          } else if (op === "drop") {
            pointer.dispose();
            modelDispose(model);
          } else if (modelAlive[o]) {
            objects[o]!.unref();
            modelAlive[o] = false;
            modelCalls.push(...modelNotifiers[o]!.values());
            modelNotifiers[o]!.clear();
          }
          expect(calls).toEqual(modelCalls);
          expect(pointers.map(isAlive)).toEqual(models.map(({ target }) => target !== null && modelAlive[target]!));
        });
      }),
      { numRuns: 300 },
    );
  });

  test("a weak pointer is assigned from a weak pointer only", () => {
    class Target extends WeakRefCounted {}
    const target = new Target();
    const weak = new WeakPtr(target);
    for (const other of [null, undefined, 7, "x", {}]) {
      expectStatus(() => weak.assign(other as Any), "INVALID_ARGUMENT", "a WeakPtr");
      expectStatus(() => weak.moveAssign(other as Any), "INVALID_ARGUMENT", "a WeakPtr");
    }
    weak.dispose();
    target.unref();
  });
});
