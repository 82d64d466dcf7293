// Type tests of dense maps: code that must compile, and code that must not (@ts-expect-error). Each test also runs.
import { expect, test } from "@jest/globals";
import type { Complex } from "@onebuffer/base";
import { kUnowned } from "@onebuffer/storage/internal";
import { tensorMapKind, unalignedTensorMap } from "@onebuffer/eigen/internal";
import { tensorMap } from "@onebuffer/eigen";
import type { ConstStridedMap, ConstTensorMap, Indices, LowerRank, NestedArray, StridedMap, TensorMap, TTypes } from "@onebuffer/eigen";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <T extends true>(): T => true as T;

test("the types computed from a rank", () => {
  same<Equal<Indices<0>, readonly []>>();
  same<Equal<Indices<3>, readonly [number, number, number]>>();
  same<Equal<Indices<9>["length"], 9>>();
  same<Equal<Indices<number>, readonly number[]>>();
  same<Equal<[LowerRank<3>, LowerRank<1>, LowerRank<0>, LowerRank<number>], [2, 0, number, number]>>();
  same<Equal<NestedArray<string, 2>, string[][]>>();
  same<Equal<NestedArray<Complex, 0>, Complex>>();
  same<Equal<NestedArray<number, number>, NestedArray<number>>>();
  const anyDepth: NestedArray<number> = [1, [2, [3]]];
  // @ts-expect-error text is not allowed among numbers at any depth
  const text: NestedArray<number> = [1, ["2"]];
  expect([anyDepth, text]).toHaveLength(2);
  // @ts-expect-error the rank below 3 is 2
  const wrong: LowerRank<3> = 3;
  expect(wrong).toBe(3);
});

test("at, set and chip take as many indices as the rank", () => {
  const map = tensorMap("float32", new Float32Array(6), [2, 3]);
  same<Equal<typeof map, TensorMap<"float32", 2>>>();
  same<Equal<ReturnType<typeof map.at>, number>>();
  map.set(1, 2, 5);
  // @ts-expect-error too few indices
  expect(() => map.at(1)).toThrow();
  // @ts-expect-error too many indices
  expect(() => map.at(1, 2, 0)).toThrow();
  // @ts-expect-error the value is missing
  expect(() => map.set(1, 2)).toThrow();
  // @ts-expect-error an index too many
  expect(() => map.set(0, 0, 0, 0)).toThrow();
  same<Equal<typeof map.rank, 2>>();
  same<Equal<ReturnType<typeof map.chip>, TensorMap<"float32", 1>>>();
  same<Equal<ReturnType<ReturnType<typeof map.asConst>["chip"]>, ConstTensorMap<"float32", 1>>>();
  const row = map.chip(0, 0);
  const column = map.chip(0, -1);
  const constColumn = map.asConst().chip(0, 1);
  same<Equal<typeof row, TensorMap<"float32", 1>>>();
  same<Equal<typeof column, TensorMap<"float32", 1> | StridedMap<"float32", 1>>>();
  same<Equal<typeof constColumn, ConstTensorMap<"float32", 1> | ConstStridedMap<"float32", 1>>>();
  expect([row.data.length, map.at(1, 2), constColumn.dimensions]).toEqual([3, 5, [2]]);
  // @ts-expect-error a column can be a strided map, which has no `data`
  expect(column.data).toBeUndefined();
  same<Equal<ReturnType<typeof map.toArray>, number[][]>>();
  same<Equal<ReturnType<typeof map.chip>["data"], Float32Array<ArrayBufferLike>>>();
  const general = tensorMapKind("float32").general(new Float32Array(6), 0, kUnowned, [2, 3]);
  expect(general.at(1, 2)).toBe(0);
  const sizes: readonly number[] = [2, 3];
  same<Equal<ReturnType<typeof tensorMap<"int8", typeof sizes>>, TensorMap<"int8", number>>>();
});

test("elements have the type of the dtype", () => {
  const long = tensorMap("int64", new BigInt64Array(1), []);
  same<Equal<ReturnType<typeof long.at>, bigint>>();
  // @ts-expect-error an int64 element is a bigint
  expect(() => long.set(1)).toThrow();
  const flag = tensorMap("bool", new Uint8Array(1), [1]);
  flag.set(0, true);
  // @ts-expect-error a bool element is a boolean
  expect(() => flag.fill(1)).toThrow();
  const pair = tensorMap("complex64", new Float32Array(2), [1]);
  same<Equal<ReturnType<typeof pair.at>, Complex>>();
  pair.copyFrom([[1, 2]]);
  pair.copyFrom(new Float32Array([3, 4]));
  // @ts-expect-error raw complex64 elements must be in a Float32Array
  expect(() => pair.copyFrom(new Float64Array(2))).toThrow();
  const text = tensorMap("string", [new Uint8Array(0)], [1]);
  text.set(0, "text");
  same<Equal<ReturnType<typeof text.at>, Uint8Array<ArrayBufferLike>>>();
  // @ts-expect-error another dtype's map
  expect(() => flag.copyFrom(pair)).toThrow();
  // @ts-expect-error another dtype's array
  expect(() => tensorMap("float16", new Float32Array(1), [1])).toThrow();
});

test("const maps are read-only by type and at run time", () => {
  const map = tensorMap("int8", new Int8Array(4), [2, 2]);
  const readOnly: ConstTensorMap<"int8", 2> = map;
  same<Equal<ReturnType<typeof map.asConst>, ConstTensorMap<"int8", 2>>>();
  // @ts-expect-error a const map has no set by type
  readOnly.set(0, 0, 1);
  // @ts-expect-error a const map has no fill, neither by type nor at run time
  expect(() => map.asConst().fill(1)).toThrow();
  // @ts-expect-error a const map is not assignable to a writable one
  const writable: TensorMap<"int8", 2> = map.asConst();
  expect("set" in writable).toBe(false);
});

test("a map of any rank is assignable to the general rank only", () => {
  const matrix = tensorMap("int8", new Int8Array(4), [2, 2]);
  const any: TensorMap<"int8", number> = matrix;
  const anyConst: ConstTensorMap<"int8", number> = matrix.asConst();
  // @ts-expect-error a matrix is not a vector
  const vec: TensorMap<"int8", 1> = matrix;
  expect([any.at(1, 1), anyConst.size, vec.rank]).toEqual([0, 4, 2]);
});

test("TTypes names the maps", () => {
  same<Equal<TTypes<"float32">["Matrix"], TensorMap<"float32", 2>>>();
  same<Equal<TTypes<"float32">["ConstScalar"], ConstTensorMap<"float32", 0>>>();
  same<Equal<TTypes<"float32", 4>["Tensor"], TensorMap<"float32", 4>>>();
  same<Equal<TTypes<"int64">["Flat"], TTypes<"int64">["Vec"]>>();
  same<Equal<TTypes<"int64">["Tensor"], TTypes<"int64">["Vec"]>>();
  const unaligned: TTypes<"int16">["UnalignedMatrix"] = unalignedTensorMap("int16", new ArrayBuffer(9), 1, kUnowned, [2, 2]);
  const readOnly: TTypes<"int16", 2>["UnalignedConstTensor"] = unaligned.asConst();
  expect(readOnly.dimensions).toEqual([2, 2]);
});
