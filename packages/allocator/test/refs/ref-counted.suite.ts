// Reference counts: RefCounted, RefCountPtr and ScopedUnref.
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
  test("starts at one; the last unref calls the hook and then the destructor, once", () => {
    const object = new Counted();
    expect([object.refCount, object.refs, object.refCountIsOne()]).toEqual([1, 1, true]);
    object.ref();
    expect([object.refCount, object.refCountIsOne()]).toEqual([2, false]);
    expect(object.unref()).toBe(false);
    expect(object.log).toEqual([]);
    expect(object.unref()).toBe(true);
    expect(object.log).toEqual(["notify at 0", "destroy at 0"]);
  });

  test("unref and ref of a destroyed object throw with its name and change nothing", () => {
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

  test("tryRef adds a reference to a live object and none to a destroyed one", () => {
    const object = new Counted();
    expect([object.attempt(), object.refs]).toEqual([true, 2]);
    object.unref();
    object.unref();
    expect([object.attempt(), object.refs]).toEqual([false, 0]);
  });

  test("the destructor runs even if the hook throws", () => {
    class Failing extends Counted {
      protected override notifyDeleted(): void {
        throw new RangeError("hook");
      }
    }
    const object = new Failing();
    expect(() => object.unref()).toThrow("hook");
    expect([object.refs, object.log]).toEqual([0, ["destroy at 0"]]);
  });

  test("refuses a count above 2^30 - 1", () => {
    const object = new Counted();
    (object as unknown as { refs: number }).refs = 0x3fffffff;
    const error = thrown(() => object.ref());
    expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
    expect(String(error)).toContain("1073741823");
  });

  test("random calls of ref and unref agree with a plain counter", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (steps) => {
        const object = new Counted();
        let expected = 1;
        for (const up of steps) {
          if (expected === 0) {
            expect(
              isStatusError(
                thrown(() => (up ? object.ref() : object.unref())),
                "FAILED_PRECONDITION",
              ),
            ).toBe(true);
          } else if (up) {
            object.ref();
            expected++;
          } else {
            expect(object.unref()).toBe(--expected === 0);
          }
          expect(object.refs).toBe(expected);
        }
        expect(object.log.length).toBe(expected === 0 ? 2 : 0);
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
  test("takes over a reference, adds new ones and releases them", () => {
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

  test("a new reference of a null pointer is null", () => {
    expect(new RefCountPtr().getNewRef().get()).toBe(null);
    expect(getNewRef(null).get()).toBe(null);
    expect(new RefCountPtr<Counted>().release()).toBe(null);
  });

  test("reset to another object releases the first", () => {
    const a = new Counted();
    const b = new Counted();
    using p = new RefCountPtr(a);
    p.reset(b);
    expect([a.refs, b.refs, p.get() === b]).toEqual([0, 1, true]);
  });

  test("using releases at the end of the scope, also if the scope throws", () => {
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

  test("refuses a new reference on a destroyed object", () => {
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
  test("does nothing with null; disposing twice releases once", () => {
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

test("what has no count is refused by name", () => {
  for (const half of [{}, { ref: () => undefined }, { unref: () => true }, 5, undefined])
    expect(() => getNewRef(half as never)).toThrow(/a reference-counted object/);
});
