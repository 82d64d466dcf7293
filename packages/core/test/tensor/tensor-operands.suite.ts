/** A tensor may be given wherever a map or an expression may be, in the types too. */
import { expect, test } from "@jest/globals";
import { Tensor, tensorOf, tensorsOf } from "@onebuffer/core";
import { expectClose, expectEqual } from "@onebuffer/core/testing";
import type { Expression, Operand } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { assignTogether, concatenate, evaluate, oneHot, select, unique } from "@onebuffer/eigen";
import { refusal } from "@onebuffer/test-support";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(value?: T): void => expect(value).toBeUndefined();

const two = (): Tensor<"float32"> =>
  Tensor.from([
    [1, 2],
    [3, 4],
  ]);

test("methods of maps and expressions take tensors", () => {
  using t = two();
  using w = Tensor.from([
    [0, 1],
    [1, 0],
  ]);
  using rows = Tensor.from([1, 0], { dtype: "int32" });
  using yes = Tensor.from([true, false]);
  const m = t.matrix();
  const all: readonly [Operand<"float32", number>, unknown][] = [
    [
      m.matMul(w),
      [
        [2, 1],
        [4, 3],
      ],
    ],
    [
      m.add(t),
      [
        [2, 4],
        [6, 8],
      ],
    ],
    [
      m.add(1).mul(t),
      [
        [2, 6],
        [12, 20],
      ],
    ],
    [
      m.clip(w, t),
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      m.layerNorm({ scale: w, offset: w, epsilon: 1 }),
      evaluate(m.layerNorm({ scale: w.matrix(), offset: w.matrix(), epsilon: 1 })).toArray(),
    ],
    [
      m.gather(rows),
      [
        [3, 4],
        [1, 2],
      ],
    ],
    [
      m.scatter(rows, w),
      [
        [1, 0],
        [0, 1],
      ],
    ],
    [
      yes.vec().select(t, 0),
      [
        [1, 0],
        [3, 0],
      ],
    ],
    [
      yes.vec().select(0, t),
      [
        [0, 2],
        [0, 4],
      ],
    ],
  ];
  for (const [expression, values] of all) expect(evaluate(expression).toArray()).toEqual(values);
  expect(evaluate(m.greater(w)).toArray()).toEqual([
    [true, true],
    [true, true],
  ]);
});

test("assignments take tensors as sources and as targets", () => {
  using t = two();
  using out = Tensor.zeros([2, 2]);
  const m = out.matrix();
  m.assign(t);
  m.addAssign(t);
  m.subAssign(t);
  m.mulAssign(t);
  m.divAssign(t);
  expect(out.toArray()).toEqual(t.toArray());
  out.assign(t.matrix().mul(2));
  out.assign(t);
  out.strided("::-1").assign(t);
  expect(out.toArray()).toEqual([
    [3, 4],
    [1, 2],
  ]);
  m.copyFrom(t);
  assignTogether([[out, t.matrix().neg()]]);
  expect(out.toArray()).toEqual([
    [-1, -2],
    [-3, -4],
  ]);
  assignByReference(m, t);
  expect(out.toArray()).toEqual(t.toArray());
});

test("a tensor is updated as a whole, by an expression, a tensor or a value", () => {
  using t = two();
  using rows = Tensor.from([1, 2]);
  t.addAssign(rows);
  t.subAssign(t.matrix().mul(2));
  t.mulAssign(-3);
  t.divAssign(t.matrix().min());
  expect(t.toArray()).toEqual([
    [1, 2],
    [2, 3],
  ]);
  using bytes = Tensor.zeros([9], { dtype: "uint8" });
  using part = bytes.slice(1, 9);
  using odd = new Tensor("float32", [2]);
  odd.bitcastFrom(part, "float32", [2]);
  odd.addAssign(rows);
  expect(odd.toArray()).toEqual([1, 2]);
});

test.each(["addAssign", "subAssign", "mulAssign", "divAssign"] as const)("%s refuses what assign refuses", (name) => {
  using t = two();
  using ints = Tensor.from([1, 2], { dtype: "int32" });
  using longer = Tensor.from([1, 2, 3]);
  // @ts-expect-error another dtype
  expect(refusal(() => t[name](ints)).message).toContain(`${name}(float32 [2, 2], int32 [2]): cannot assign int32 to float32`);
  expect(refusal(() => t[name](longer)).message).toContain("axis 1 of the target has size 2, the expression 3");
  // @ts-expect-error an array is no operand
  expect(refusal(() => t[name]([1, 2])).code).toBe("INVALID_ARGUMENT");
  using empty = Tensor.fromBuffer("float32", [2], null);
  expect(refusal(() => empty[name](1)).code).toBe("FAILED_PRECONDITION");
  expect(t.toArray()).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test("functions take tensors", () => {
  using t = two();
  using labels = Tensor.from([1, 0, 1], { dtype: "int32" });
  using yes = Tensor.from([true, false]);
  expect(evaluate(concatenate([t.matrix(), t])).dimensions).toEqual([4, 2]);
  expect(evaluate(select(yes, t, 0)).toArray()).toEqual([
    [1, 0],
    [3, 0],
  ]);
  expect(evaluate(oneHot(labels, 2, "int8")).toArray()).toEqual([
    [0, 1],
    [1, 0],
    [0, 1],
  ]);
  expect(unique(labels).values.toArray()).toEqual([1, 0]);
  expect(evaluate(t).toArray()).toEqual(t.toArray());
  expect(explain(t).bytes).toBeGreaterThan(0);
  using copy = tensorOf(t);
  expect([copy.toArray(), copy.sharesBufferWith(t)]).toEqual([t.toArray(), false]);
  const [sum, same] = tensorsOf([t.matrix().sum(), t]);
  is<Equal<typeof same, Tensor<"float32">>>();
  expect([sum.toArray(), same.toArray()]).toEqual([10, t.toArray()]);
  sum.dispose();
  same.dispose();
  expectClose(t, t);
  expectEqual(t.matrix(), t);
  expectEqual(t, t.matrix());
});

test("select of two plain values has the dtype that Tensor.from gives them", () => {
  using t = two();
  const numbers = select(t.matrix().greater(2), 1, 0);
  is<Equal<typeof numbers, Expression<"float32", 2>>>();
  const big = t.matrix().greater(2).select(1n, 0n);
  is<Equal<typeof big, Expression<"int64", 2>>>();
  const flags = select(t.matrix().greater(2), false, true);
  is<Equal<typeof flags, Expression<"bool", 2>>>();
  expect([numbers, big, flags].map((each) => [each.dtype, evaluate<"float32", 2>(each as never).toArray()])).toEqual([
    [
      "float32",
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      "int64",
      [
        [0n, 0n],
        [1n, 1n],
      ],
    ],
    [
      "bool",
      [
        [true, true],
        [false, false],
      ],
    ],
  ]);
  expect(refusal(() => select(t.matrix().greater(2), 1, true as never)).message).toContain("true is not an element of dtype float32");
});

test("types: a tensor operand has its dtype, its rank is unknown", () => {
  using t = two();
  using ints = Tensor.from([1], { dtype: "int32" });
  const m = t.matrix();
  const sum = m.add(t);
  is<Equal<typeof sum, Expression<"float32", number>>>();
  const product = m.matMul(t);
  is<Equal<typeof product, Expression<"float32", number>>>();
  // @ts-expect-error another dtype
  expect(refusal(() => m.add(ints)).message).toContain("different dtypes");
  // @ts-expect-error another dtype
  expect(refusal(() => m.matMul(ints)).code).toBe("INVALID_ARGUMENT");
  // @ts-expect-error another dtype
  expect(refusal(() => m.assign(ints)).message).toContain("cannot assign int32 to float32");
  // @ts-expect-error indices are integers
  expect(refusal(() => m.gather(t)).message).toContain("indices are int32 or int64");
  // @ts-expect-error the condition is bool
  expect(refusal(() => select(t, 1, 0)).message).toContain("the condition must be bool");
  // @ts-expect-error an array is no operand
  expect(refusal(() => m.matMul([[1]])).message).toBe(
    "matMul: an array of 1 is not a map, an expression or a tensor; Tensor.from(array) makes an operand of it",
  );
});

test("a tensor at an odd byte offset is an operand; a disposed one and an uninitialized one are refused", () => {
  using bytes = Tensor.zeros([9], { dtype: "uint8" });
  using part = bytes.slice(1, 9);
  using odd = new Tensor("float32", [2]);
  odd.bitcastFrom(part, "float32", [2]);
  odd.assign(3);
  using t = Tensor.ones([2]);
  expect(evaluate(t.vec().add(odd)).toArray()).toEqual([4, 4]);
  const gone = Tensor.ones([2]);
  gone.dispose();
  const disposed = (call: string) => ({ code: "FAILED_PRECONDITION", message: `${call}: the tensor given as an operand was disposed` });
  expect(refusal(() => t.vec().add(gone))).toMatchObject(disposed("add"));
  expect(refusal(() => t.addAssign(gone))).toMatchObject(disposed("addAssign"));
  expect(refusal(() => t.vec().copyFrom(gone))).toMatchObject(disposed("copyFrom"));
  expect(refusal(() => concatenate([t, gone]))).toMatchObject(disposed("concatenate"));
  expect(refusal(() => select(t.vec().greater(0), gone, 0))).toMatchObject(disposed("select"));
  expect(refusal(() => evaluate(gone))).toMatchObject(disposed("evaluate"));
  using empty = Tensor.fromBuffer("float32", [2], null);
  expect(refusal(() => t.vec().add(empty)).message).toContain("not initialized");
});

test("an expression of a tensor reads the memory when it is assigned", () => {
  using t = Tensor.from([1, 2]);
  using out = Tensor.zeros([2]);
  const twice = out.vec().add(t).add(t);
  t.assign(5);
  out.assign(twice);
  expect(out.toArray()).toEqual([10, 10]);
});
