import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { getNewRef, RefCounted, RefCountPtr, ScopedUnref } from "@onebuffer/allocator";
import fc from "fast-check";
import { thrown } from "@onebuffer/test-support";

class Counted extends RefCounted {
  readonly log: string[] = [];
  protected override notifyDeleted(): void {
    this.log.push(`notify at ${this.refs}`);
  }
  protected override destroy(): void {
    this.log.push(`destroy at ${this.refs}`);
  }
  attempt(): boolean {
    return this.tryRef();
  }
}

describe("RefCounted", () => {
  test("starts at one, ends at zero, tells the hook before the destructor, once", () => {
    const object = new Counted();
    expect([object.refCount, object.refs, object.refCountIsOne()]).toEqual([1, 1, true]);
    object.ref();
    expect([object.refCount, object.refCountIsOne()]).toEqual([2, false]);
    expect(object.unref()).toBe(false);
    expect(object.log).toEqual([]);
    expect(object.unref()).toBe(true);
    expect(object.log).toEqual(["notify at 0", "destroy at 0"]);
  });

  test("a reference too many back throws, names the object and changes nothing", () => {
    const object = new Counted();
    object.unref();
    for (const act of [() => object.unref(), () => object.ref()]) {
      const error = thrown(act);
      expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
      expect(String(error)).toContain("Counted");
      expect(object.refs).toBe(0);
    }
    expect(object.log.length).toBe(2);
  });

  test("tryRef raises a live count and never a dead one", () => {
    const object = new Counted();
    expect([object.attempt(), object.refs]).toEqual([true, 2]);
    object.unref();
    object.unref();
    expect([object.attempt(), object.refs]).toEqual([false, 0]);
  });

  test("an error in the hook does not keep the destructor from running", () => {
    class Failing extends Counted {
      protected override notifyDeleted(): void {
        throw new RangeError("hook");
      }
    }
    const object = new Failing();
    expect(() => object.unref()).toThrow("hook");
    expect([object.refs, object.log]).toEqual([0, ["destroy at 0"]]);
  });

  test("the count never leaves the engine's small integers", () => {
    const object = new Counted();
    (object as unknown as { refs: number }).refs = 0x3fffffff;
    const error = thrown(() => object.ref());
    expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
    expect(String(error)).toContain("1073741823");
  });

  test("random scripts agree with a plain number", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (steps) => {
        const object = new Counted();
        let twin = 1;
        for (const up of steps) {
          if (twin === 0) {
            expect(
              isStatusError(
                thrown(() => (up ? object.ref() : object.unref())),
                "FAILED_PRECONDITION",
              ),
            ).toBe(true);
          } else if (up) {
            object.ref();
            twin++;
          } else {
            expect(object.unref()).toBe(--twin === 0);
          }
          expect(object.refs).toBe(twin);
        }
        expect(object.log.length).toBe(twin === 0 ? 2 : 0);
      }),
    );
  });

  test("refs cannot be written and the destructor cannot be called from outside", () => {
    const object = new Counted();
    // @ts-expect-error refs is read-only
    const write = (): void => void (object.refs = 5);
    // @ts-expect-error destroy is protected
    const destroy = (): void => object.destroy();
    expect([typeof write, typeof destroy]).toEqual(["function", "function"]);
    object.unref();
  });
});

describe("RefCountPtr", () => {
  test("takes over a reference, adds new ones, gives them back", () => {
    const object = new Counted();
    const p = new RefCountPtr(object);
    expect([p.get() === object, object.refs]).toEqual([true, 1]);
    const q = p.getNewRef();
    const r = getNewRef(object);
    expect(object.refs).toBe(3);
    q.reset();
    expect([q.get(), object.refs]).toEqual([null, 2]);
    r.dispose();
    r.dispose();
    expect(object.refs).toBe(1);
    expect(p.release() === object).toBe(true);
    expect([p.get(), object.refs]).toEqual([null, 1]);
    p.reset(object);
    p.reset();
    expect(object.refs).toBe(0);
  });

  test("null stays null", () => {
    expect(new RefCountPtr().getNewRef().get()).toBe(null);
    expect(getNewRef(null).get()).toBe(null);
    expect(new RefCountPtr<Counted>().release()).toBe(null);
  });

  test("reset to another object gives the first back", () => {
    const a = new Counted();
    const b = new Counted();
    using p = new RefCountPtr(a);
    p.reset(b);
    expect([a.refs, b.refs, p.get() === b]).toEqual([0, 1, true]);
  });

  test("using gives back at the end of the scope, also when it ends by an error", () => {
    const object = new Counted();
    object.ref();
    object.ref();
    {
      using p = new RefCountPtr(object);
      expect(p.get()?.refs).toBe(3);
    }
    expect(object.refs).toBe(2);
    expect(() => {
      using _ = new ScopedUnref(object);
      throw new Error("out");
    }).toThrow("out");
    expect(object.refs).toBe(1);
    object.unref();
  });

  test("a new reference on a destroyed object is refused", () => {
    const object = new Counted();
    object.unref();
    expect(
      isStatusError(
        thrown(() => getNewRef(object)),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
  });
});

describe("ScopedUnref", () => {
  test("of null does nothing; ending twice gives back once", () => {
    {
      using _ = new ScopedUnref(null);
    }
    const object = new Counted();
    object.ref();
    const scope = new ScopedUnref(object);
    scope[Symbol.dispose]();
    scope[Symbol.dispose]();
    expect(object.refs).toBe(1);
    object.unref();
  });
});
