/** The types carry dtype and rank; wrong uses do not compile. */
import { expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import type { ResourceHandle, Variant } from "@onebuffer/core";
import { concat, deepCopy, forwardInput, Tensor } from "@onebuffer/core";
import type { Operand, TensorMap } from "@onebuffer/eigen";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(value?: T): void => expect(value).toBeUndefined();

test("the types of factories carry the dtype", () => {
  using numbers = Tensor.from([
    [1, 2],
    [3, 4],
  ]);
  using bigints = Tensor.from([1n]);
  using booleans = Tensor.from(true);
  using strings = Tensor.from(["a"]);
  using bytes = Tensor.from(new Uint8Array(2));
  using rows = Tensor.from([new Float64Array(2)]);
  using given = Tensor.from([1], { dtype: "bfloat16" });
  using wrapped = Tensor.wrap(new BigInt64Array(1));
  using zeros = Tensor.zeros([2]);
  using ints = Tensor.arange(3, undefined, 1, { dtype: "int32" });
  using fresh = new Tensor("complex64", [1]);
  is<Equal<typeof numbers, Tensor<"float32">>>();
  is<Equal<typeof bigints, Tensor<"int64">>>();
  is<Equal<typeof booleans, Tensor<"bool">>>();
  is<Equal<typeof strings, Tensor<"string">>>();
  is<Equal<typeof bytes, Tensor<"uint8">>>();
  is<Equal<typeof rows, Tensor<"float64">>>();
  is<Equal<typeof given, Tensor<"bfloat16">>>();
  is<Equal<typeof wrapped, Tensor<"int64">>>();
  is<Equal<typeof zeros, Tensor<"float32">>>();
  is<Equal<typeof ints, Tensor<"int32">>>();
  is<Equal<typeof fresh, Tensor<"complex64">>>();
  expect([rows.dtype, wrapped.dtype, given.dtype]).toEqual(["float64", "int64", "bfloat16"]);
});

test("the types of views carry dtype and rank", () => {
  using t = Tensor.from([
    [1, 2],
    [3, 4],
  ]);
  is<Equal<ReturnType<typeof t.matrix<"float32">>, TensorMap<"float32", 2>>>();
  const map = t.matrix();
  is<Equal<typeof map, TensorMap<"float32", 2>>>();
  const cube = t.shaped([1, 2, 2]);
  is<Equal<typeof cube, TensorMap<"float32", 3>>>();
  const general = t.shaped(t.shape.dimSizes);
  is<Equal<typeof general, TensorMap<"float32", number>>>();
  const tensor = t.tensor(2);
  is<Equal<typeof tensor, TensorMap<"float32", 2>>>();
  const inner = t.flatInnerDims();
  is<Equal<typeof inner, TensorMap<"float32", 2>>>();
  const bits = t.bitCastedShaped("uint32", [4]);
  is<Equal<typeof bits, TensorMap<"uint32", 1>>>();
  // @ts-expect-error a matrix has two indices
  expect(() => map.at(0)).toThrow();
  // @ts-expect-error a float element is not a bigint
  expect(() => map.set(0, 0, 1n)).toThrow();
  expect(cube.at(0, 1, 1) + tensor.at(0, 0) + inner.at(0, 1) + bits.at(0) * 0 + Number(general.at(0, 0))).toBe(8);
});

test("a dtype argument narrows a tensor of unknown dtype; a tensor of known dtype does not accept another", () => {
  using known = Tensor.from([1, 2]);
  const unknown: Tensor = known;
  const map = unknown.vec("float32");
  is<Equal<typeof map, TensorMap<"float32", 1>>>();
  // @ts-expect-error int32 is not the tensor's dtype
  expect(() => known.vec("int32")).toThrow();
  expect(() => unknown.vec("int32")).toThrow();
  is<Equal<typeof unknown.dtype, DType>>();
});

test("tensors of different dtypes are not assignable to each other", () => {
  using floats = Tensor.from([1]);
  using ints = Tensor.from([1], { dtype: "int32" });
  // @ts-expect-error an int32 tensor is not a float32 tensor
  const wrong: Tensor<"float32"> = ints;
  // @ts-expect-error copyFrom keeps the dtype
  expect(floats.copyFrom(ints, [1])).toBe(true);
  using copy = deepCopy(ints);
  is<Equal<typeof copy, Tensor<"int32">>>();
  using joined = concat([ints, ints]);
  is<Equal<typeof joined, Tensor<"int32">>>();
  const forwarded = forwardInput(ints, "int32", [1]);
  is<Equal<typeof forwarded, Tensor<"int32"> | null>>();
  expect([wrong.dims, forwarded]).toEqual([1, null]);
});

test("elements of object dtypes have their JavaScript types", () => {
  using variants = new Tensor("variant", []);
  using handles = new Tensor("resource", []);
  using strings = Tensor.from("é");
  const variant = variants.scalar().at();
  is<Equal<typeof variant, Variant>>();
  const handle = handles.scalar().at();
  is<Equal<typeof handle, ResourceHandle>>();
  const bytes: Uint8Array = strings.scalar().at();
  expect([variant.isEmpty(), handle.name, bytes.length]).toEqual([true, "", 2]);
});

test("a tensor has no length and no arithmetic, and its shape is read like an array", () => {
  using t = Tensor.zeros([2, 3]);
  // @ts-expect-error dimSize(0) is the number of rows, numElements the number of elements
  expect(() => t.length > 1).toThrow("tensor.numElements");
  // @ts-expect-error a tensor's map has the operations
  expect(() => t.add(1)).toThrow("tensor.matrix().add(…)");
  const rows: number | undefined = t.shape[0];
  expect([rows, t.shape[1], t.shape[2], t.shape.length]).toEqual([2, 3, undefined, 2]);
  expect([t.dimSize(0), t.numElements, t.shape.dimSizes[0]]).toEqual([2, 6, 2]);
});

test("a tensor of another dtype is refused for its dtype, because no property of an operand is missing in its type", () => {
  is<Equal<Exclude<keyof Operand<"float32">, keyof Tensor>, never>>();
  using t = Tensor.zeros([2]);
  // @ts-expect-error tensor.shape.dimSizes is the sizes
  const call: () => unknown = () => t.dimensions as readonly number[];
  expect(call).toThrow("tensor.shape.dimSizes");
  using other = Tensor.zeros([2], { dtype: "int32" });
  // @ts-expect-error the dtypes differ
  expect(() => t.assign(other)).toThrow("cannot assign int32 to float32");
});
