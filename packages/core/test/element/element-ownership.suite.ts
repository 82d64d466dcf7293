/** Tests of who owns the elements of variant and resource tensors: a buffer copies a stored element and destroys the overwritten one. */
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { TensorSlice } from "@onebuffer/slice";
import { liveBuffers, RefCounted } from "@onebuffer/allocator";
import { concat, deepCopy, HostScalarTensorBuffer, ResourceHandle, split, Tensor, Variant } from "@onebuffer/core";
import { thrown } from "@onebuffer/test-support";
import { isLong } from "@onebuffer/test-support";

class Resource extends RefCounted {}

/** Returns a variant tensor whose elements are all Variants that share `inner`. */
function variantsOf(inner: Tensor, shape: readonly number[]): Tensor<"variant"> {
  using value = new Variant(inner);
  return Tensor.full(shape, value, { dtype: "variant" });
}

/** All ways to write through a map of variants: a name, the number of copies of `next` left in a [2, 3] tensor, and the write. */
const writes: readonly [string, number, (t: Tensor<"variant">, next: Variant) => void][] = [
  ["vec set", 1, (t, next) => t.flat().set(4, next)],
  ["matrix set", 1, (t, next) => t.matrix().set(1, 2, next)],
  ["set through a shaped view of rank 6", 1, (t, next) => t.shaped([1, 1, 2, 1, 1, 3]).set(0, 0, 1, 0, 0, 2, next)],
  ["set through a view of rank 7", 1, (t, next) => t.shaped([1, 1, 1, 2, 1, 1, 3]).set(0, 0, 0, 1, 0, 0, 2, next)],
  [
    "scalar set of a sub-slice",
    1,
    (t, next) => {
      using row = t.subSlice(1);
      using one = row.subSlice(0);
      one.scalar().set(next);
    },
  ],
  ["set twice at one place", 1, (t, next) => [0, 1].forEach(() => t.flat().set(0, next))],
  ["fill", 6, (t, next) => t.matrix().fill(next)],
  ["fill of a row", 3, (t, next) => t.matrix().chip(1).fill(next)],
  ["copyFrom values", 6, (t, next) => t.flat().copyFrom([next, next, next, next, next, next])],
  [
    "copyFrom a map",
    6,
    (t, next) => {
      using other = Tensor.full([6], next, { dtype: "variant" });
      t.flat().copyFrom(other.flat());
    },
  ],
];

describe("a variant tensor owns its elements", () => {
  test.each(writes)("%s copies the new value and destroys the old one", (_, held, write) => {
    const before = liveBuffers();
    using old = Tensor.from([1, 2]);
    using next = Tensor.from([3]);
    {
      using t = variantsOf(old, [2, 3]);
      expect(old.refCount).toBe(7);
      {
        using value = new Variant(next);
        write(t, value);
      }
      expect([old.refCount, next.refCount]).toEqual([7 - held, 1 + held]);
    }
    expect([old.refCount, next.refCount]).toEqual([1, 1]);
    next.dispose();
    old.dispose();
    expect(liveBuffers()).toBe(before);
  });

  test("an element can be stored over itself and over its neighbor", () => {
    using inner = Tensor.from([1]);
    using t = variantsOf(inner, [3]);
    const map = t.vec();
    map.set(0, map.at(0));
    map.set(1, map.at(2));
    map.fill(map.at(1));
    expect([inner.refCount, map.at(0) === map.at(1), map.at(2).isEmpty()]).toEqual([4, false, false]);
  });

  test("copyFrom between overlapping ranges reads all values before it writes", () => {
    using t = new Tensor("variant", [4]);
    for (let i = 0; i < 4; i++) t.vec().set(i, new Variant(i, "int"));
    using first = t.slice(0, 3);
    using last = t.slice(1, 4);
    last.vec().copyFrom(first.vec());
    expect(Array.from(t.vec(), (value) => value.get("int"))).toEqual([0, 0, 1, 2]);
    deepCopy(last, first);
    expect(Array.from(t.vec(), (value) => value.get("int"))).toEqual([0, 1, 2, 2]);
    deepCopy(first, last);
    expect(Array.from(t.vec(), (value) => value.get("int"))).toEqual([0, 0, 1, 2]);
  });

  test("copies take one reference per element and release it", () => {
    const before = liveBuffers();
    {
      using inner = Tensor.from([1]);
      using t = variantsOf(inner, [4]);
      using copy = deepCopy(t);
      expect(inner.refCount).toBe(9);
      using middle = t.slice(1, 3);
      using other = deepCopy(middle);
      expect(inner.refCount).toBe(11);
      using region = t.copySlice(TensorSlice.parse("1,2"));
      expect(inner.refCount).toBe(13);
      t.dispose();
      expect(inner.refCount).toBe(13);
      middle.dispose();
      expect(inner.refCount).toBe(9);
      deepCopy(other, region);
      expect(inner.refCount).toBe(9);
      using nested = Tensor.from([[new Variant(), copy.vec().at(0)]], { dtype: "variant" });
      using scalar = Tensor.hostScalar("variant", copy.vec().at(1));
      expect([inner.refCount, nested.numElements, scalar.numElements]).toEqual([11, 2, 1]);
      expect(thrown(() => concat([copy, copy]))).toMatchObject({ code: "INTERNAL" });
      expect(thrown(() => split(copy, [2, 2]))).toMatchObject({ code: "INTERNAL" });
      expect(inner.refCount).toBe(11);
    }
    expect(liveBuffers()).toBe(before);
  });

  test("refuses values that are not Variants, stores nothing and leaks nothing", () => {
    using inner = Tensor.from([1]);
    using t = variantsOf(inner, [2]);
    using good = new Variant(inner);
    const attempts: readonly (() => unknown)[] = [
      () => t.vec().set(0, 5 as never),
      () => t.vec().set(0, new ResourceHandle() as never),
      () => t.vec().set(0, null as never),
      () => t.vec().fill({ clone: () => 1 } as never),
      () => t.vec().copyFrom([good, 7] as never),
      () => Tensor.from([new ResourceHandle()] as never, { dtype: "variant" }),
      () => Tensor.from([good, "text"] as never, { dtype: "variant" }),
      () => Tensor.full([2], new ResourceHandle() as never, { dtype: "variant" }),
      () => Tensor.full([2, -1], good, { dtype: "variant" }),
      () => Tensor.hostScalar("variant", 5 as never),
      () => new HostScalarTensorBuffer("variant", Object.create(null) as never),
    ];
    for (const attempt of attempts) expect(isStatusError(thrown(attempt), "INVALID_ARGUMENT")).toBe(true);
    using empty = Tensor.full([0], good, { dtype: "variant" });
    expect([inner.refCount, empty.numElements]).toEqual([4, 0]);
    expect(String(thrown(() => t.vec().set(0, 5 as never)))).toMatch(/5 .*variant/);
  });

  test("a copy that throws changes nothing", () => {
    using inner = Tensor.from([1]);
    using t = variantsOf(inner, [2]);
    using stubborn = new Variant();
    stubborn.emplace({
      typeName: "Stubborn",
      clone: () => {
        throw new Error("no copy");
      },
    });
    using good = new Variant(inner);
    expect(() => t.vec().copyFrom([good, stubborn])).toThrow("no copy");
    expect(() => t.vec().set(0, stubborn)).toThrow("no copy");
    expect(() => t.vec().fill(stubborn)).toThrow("no copy");
    expect(inner.refCount).toBe(4);
    // The same for copies of whole tensors: elements copied before the error are destroyed, and the new buffer is freed.
    t.vec()
      .at(1)
      .emplace({
        typeName: "Stubborn",
        clone: () => {
          throw new Error("no copy");
        },
      });
    const live = liveBuffers();
    expect(() => deepCopy(t)).toThrow("no copy");
    expect(() => t.copySlice(TensorSlice.parse("-"))).toThrow("no copy");
    using target = variantsOf(inner, [2]);
    expect(() => deepCopy(t, target)).toThrow("no copy");
    expect([inner.refCount, liveBuffers() - live]).toEqual([5, 1]);
  });

  test("a destructor that throws does not prevent the other stores", () => {
    using inner = Tensor.from([1]);
    using t = new Tensor("variant", [2]);
    const bad = {
      typeName: "Bad",
      dispose: () => {
        throw new Error("no end");
      },
    };
    for (let i = 0; i < 2; i++) t.vec().at(i).emplace(bad);
    using good = new Variant(inner);
    expect(() => t.vec().set(0, good)).toThrow("no end");
    expect(inner.refCount).toBe(3);
    expect(() => t.vec().copyFrom([good, good])).toThrow("no end");
    expect([inner.refCount, t.vec().at(0).isEmpty(), t.vec().at(1).isEmpty()]).toEqual([4, false, false]);
  });

  test("throws FAILED_PRECONDITION if a value's clone disposes the tensor it is stored in", () => {
    const t = new Tensor("variant", [1]);
    let ended = 0;
    const value = {
      typeName: "Nasty",
      clone: () => {
        t.dispose();
        return {
          typeName: "Copy",
          dispose: () => {
            ended++;
          },
        };
      },
    };
    const variant = new Variant();
    variant.emplace(value);
    expect(thrown(() => t.vec().set(0, variant))).toMatchObject({ code: "FAILED_PRECONDITION" });
    expect(ended).toBe(1);
  });
});

test("storing a handle in a resource tensor takes a reference, overwriting releases it", () => {
  const first = new Resource();
  const second = new Resource();
  {
    using a = ResourceHandle.makeRefCountingHandle(first);
    using b = ResourceHandle.makeRefCountingHandle(second);
    using t = Tensor.full([3], a, { dtype: "resource" });
    expect([first.refs, second.refs]).toEqual([4, 1]);
    t.vec().set(1, b);
    expect([first.refs, second.refs]).toEqual([3, 2]);
    t.vec().copyFrom([b, b, a]);
    expect([first.refs, second.refs]).toEqual([2, 3]);
    t.vec().fill(b);
    expect([first.refs, second.refs]).toEqual([1, 4]);
    expect(thrown(() => t.vec().set(0, new Variant() as never))).toMatchObject({ code: "INVALID_ARGUMENT" });
  }
  expect([first.refs, second.refs]).toEqual([0, 0]);
});

test("disposing a long chain of tensors in Variants does not overflow the stack", () => {
  const before = liveBuffers();
  const length = isLong ? 3000 : 2000;
  let chain: Tensor = Tensor.from([1]);
  for (let i = 0; i < length; i++) {
    using value = new Variant();
    value.emplace(chain);
    const next = new Tensor("variant", []);
    next.scalar().at().swap(value);
    chain = next;
  }
  expect(liveBuffers() - before).toBe(length + 1);
  expect(chain.debugString()).toMatch(/^(Tensor<type: variant shape: \[\] values: <){101}\.\.\.>+$/);
  chain.dispose();
  expect(liveBuffers()).toBe(before);
});
