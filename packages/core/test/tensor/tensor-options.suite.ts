/** Options that a function would ignore are refused: the message names the key and the nearest known one, or what was meant. */
import { expect, test } from "@jest/globals";
import { liveBuffers } from "@onebuffer/allocator";
import type { AsProtoOptions, ForwardOptions } from "@onebuffer/core";
import { concat, deepCopy, forwardInput, forwardInputOrAllocate, split, Tensor, tensorOf, tensorsOf } from "@onebuffer/core";
import { numpyText, constant } from "@onebuffer/eigen";
import { expectClose, expectEqual } from "@onebuffer/core/testing";
import { TensorSlice } from "@onebuffer/slice";
import { refusal } from "@onebuffer/test-support";

type T = Tensor<"float32">;

test.each<[string, () => unknown, string]>([
  // @ts-expect-error the options are an object
  ["a dtype", () => Tensor.zeros([3], "int32"), 'Tensor.zeros: expected options such as { dtype: "int32" }, got "int32"'],
  // @ts-expect-error the options are an object
  ["a shape", () => Tensor.from([1, 2, 3, 4], [2, 2]), "Tensor.from: expected options such as { shape: [2, 2] }, got an array of 2"],
  // @ts-expect-error the options are an object
  ["a callback", () => Tensor.wrap(new Float32Array(1), [1], () => null), "such as { release: … }, got a function"],
  ["null", () => Tensor.ones([1], null as never), "Tensor.ones: expected options such as { dtype: … }, got null"],
  ["an allocator", () => Tensor.ones([1], new (class {})() as never), "such as { dtype: … }, got an object"],
  ["bytes", () => Tensor.ones([1], new Uint8Array(1) as never), "got [object Uint8Array]"],
  [
    "a dtype of tensorOf",
    // @ts-expect-error the options are an object
    () => tensorOf(constant("float32", 1), "int32"),
    'tensorOf: expected options such as { allocator: … }, got "int32"',
  ],
])("%s instead of options is refused", (_, call, words) => {
  const error = refusal(call);
  expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", expect.stringContaining(words)]);
});

const typo = { dytpe: "int32" } as object;
test.each<[string, (t: T) => unknown, string]>([
  [
    "Tensor.zeros",
    () => Tensor.zeros([1], typo),
    'Tensor.zeros: unknown option "dytpe", did you mean "dtype"? The options are dtype, allocator, attributes',
  ],
  ["Tensor.ones", () => Tensor.ones([1], typo), 'did you mean "dtype"'],
  ["Tensor.full", () => Tensor.full([1], 1, typo), 'did you mean "dtype"'],
  ["Tensor.arange", () => Tensor.arange(0, 1, 1, typo), 'did you mean "dtype"'],
  ["Tensor.linspace", () => Tensor.linspace(0, 1, 2, { endPoint: true } as object), 'unknown option "endPoint", did you mean "endpoint"'],
  ["Tensor.eye", () => Tensor.eye(1, 1, typo), 'did you mean "dtype"'],
  ["Tensor.random", () => Tensor.random([1], { sede: 1 } as object), 'did you mean "seed"'],
  ["Tensor.from", () => Tensor.from([1], { shap: [1] } as object), 'did you mean "shape"'],
  ["Tensor.wrap", () => Tensor.wrap(new Float32Array(1), [1], { realease: () => null } as object), 'did you mean "release"'],
  ["Tensor.fromProto", () => Tensor.fromProto({} as never, { Copy: true } as object), 'did you mean "copy"'],
  ["Tensor.evaluate", (t) => Tensor.evaluate(t.vec().add(1), typo), 'unknown option "dytpe"'],
  ["tensorOf", (t) => tensorOf(t, { alocator: null } as object), 'did you mean "allocator"'],
  ["tensorsOf", (t) => tensorsOf([t], { alocator: null } as object), 'did you mean "allocator"'],
  ["new Tensor", () => new Tensor("int32", [1], typo), 'new Tensor: unknown option "dytpe"'],
  ["copySlice", (t) => t.copySlice(TensorSlice.full(1), typo), "copySlice: unknown option"],
  ["toArray", (t) => t.toArray({ byte: true } as object), 'did you mean "bytes"'],
  ["toString", (t) => t.toString({ treshold: 1 } as object), 'did you mean "threshold"'],
  ["numpyText", () => numpyText({ dims: [], dtype: "int32", at: () => 1 }, { edgeitems: 1 } as object), 'did you mean "edgeItems"'],
  ["equals", (t) => t.equals(t, { equalNaN: true } as object), 'did you mean "equalNan"'],
  ["isClose", (t) => t.isClose(t, { tol: 1 } as object), 'did you mean "atol"'],
  ["asProtoField", (t) => t.asProtoField({ copie: true } as AsProtoOptions), 'did you mean "copy"'],
  ["asProtoTensorContent", (t) => t.asProtoTensorContent({ copie: true } as AsProtoOptions), 'did you mean "copy"'],
  ["deepCopy", (t) => deepCopy(t, typo), "deepCopy: unknown option"],
  ["concat", (t) => concat([t], typo), "concat: unknown option"],
  ["split", (t) => split(t, [1], typo), "split: unknown option"],
  ["forwardInput", (t) => forwardInput(t, "float32", [1], { inputOnhost: true } as ForwardOptions), 'did you mean "inputOnHost"'],
  ["expectClose", (t) => expectClose(t, t, { atoll: 1 } as object), 'did you mean "atol"'],
  ["expectEqual", (t) => expectEqual(t, t, { ulp: 1 } as object), 'did you mean "ulps"'],
])("%s refuses an unknown option", (_, call, words) => {
  using t = Tensor.from([1]);
  const live = liveBuffers();
  const error = refusal(() => call(t));
  expect([error.code, error.message, liveBuffers()]).toEqual(["INVALID_ARGUMENT", expect.stringContaining(words), live]);
});

test("options of several functions pass through those that use a part of them", () => {
  using input = Tensor.ones([2]);
  using other = forwardInputOrAllocate([input], "int32", [1], { inputOnHost: true, outputOnHost: true });
  expect(other.dtype).toBe("int32");
});

test("options may inherit from others, and may be of a class", () => {
  const defaults = { dtype: "int32" as const };
  using t = Tensor.zeros([1], Object.create(defaults) as typeof defaults);
  using u = Tensor.zeros(
    [1],
    new (class Options {
      readonly dtype = "int8" as const;
    })(),
  );
  expect([t.dtype, u.dtype]).toEqual(["int32", "int8"]);
});

test("mismatches of shape and dtype speak of dtypes as a caller writes them", () => {
  using t = Tensor.from([[1, 2]]);
  const view = refusal(() => t.matrix("float64" as never)).message;
  expect(view).toContain(`double expected, got float: the tensor's dtype is "float32", not "float64"`);
  const wrap = refusal(() => Tensor.wrap(new Float32Array(4), [2, 3])).message;
  expect(wrap).toContain('wrap: shape [2,3] of dtype "float32" takes 24 bytes, the memory has 16');
  const from = refusal(() => Tensor.from([1, 2, 3], { shape: [2, 2] })).message;
  expect(from).toBe("shape [2,2] has 4 elements, the input has 3 (4 vs. 3)");
  for (const message of [view, wrap, from]) expect(message).not.toContain("DT_");
});

test("a factory's message about an option names the factory", () => {
  expect(() => Tensor.linspace(0, 1, 2, { dtypes: "float32" } as never)).toThrow(/Tensor\.linspace/);
  expect(() => Tensor.arange(0, 1, { dtypes: "float32" } as never)).toThrow(/Tensor\.arange/);
});

test("a scalar is a matrix of one element", () => {
  using scalar = Tensor.full([], 7);
  expect(scalar.flatInnerDims().dimensions).toEqual([1, 1]);
  expect(scalar.flatInnerDims().at(0, 0)).toBe(7);
});

test("flat views of any rank keep the dimensions between", () => {
  using t = Tensor.from(
    Float32Array.from({ length: 120 }, (_, i) => i),
    { shape: [2, 3, 4, 5] },
  );
  expect([1, 3, 4, 6].map((rank) => t.flatInnerDims(rank).dimensions)).toEqual([[120], [6, 4, 5], [2, 3, 4, 5], [1, 1, 2, 3, 4, 5]]);
  expect([1, 3, 4, 6].map((rank) => t.flatOuterDims(rank).dimensions)).toEqual([[120], [2, 3, 20], [2, 3, 4, 5], [2, 3, 4, 5, 1, 1]]);
  expect(t.flatInnerOuterDims(1, 2).dimensions).toEqual([6, 20]);
  expect(t.flatInnerOuterDims(1, 3).dimensions).toEqual([6, 4, 5]);
  expect(t.flatInnerOuterDims(-1, 4).dimensions).toEqual([1, 2, 3, 20]);
  expect([t.flatInnerDims(3).at(5, 3, 4), t.flatOuterDims(3).at(1, 2, 19), t.flatInnerDims(3).at(2, 1, 0)]).toEqual([119, 119, 45]);
});

test("complex elements are equal if both of their parts are", () => {
  const of = (re: number, im: number): Tensor<"complex64"> => Tensor.from([[re, im]], { shape: [1], dtype: "complex64" });
  using one = of(1, 2);
  for (const [re, im, isEqual] of [
    [1, 2, true],
    [1, 3, false],
    [0, 2, false],
    [2, 1, false],
  ] as const) {
    using other = of(re, im);
    expect([re, im, one.equals(other)]).toEqual([re, im, isEqual]);
  }
});
