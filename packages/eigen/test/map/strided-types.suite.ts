// Type tests of strided maps: code that must compile, and code that must not (@ts-expect-error). Each test also runs.
import { expect, test } from "@jest/globals";
import type { Complex } from "@onebuffer/base";
import type { ConstStridedMap, CopySource, Expression, HigherRank, StridedMap, StridedRank, TensorMap } from "@onebuffer/eigen";
import { constStridedMap, evaluate, stridedMap, stridedMapFromLayout, tensorMap } from "@onebuffer/eigen";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <T extends true>(): T => true as T;

test("views have the right rank by type", () => {
  same<Equal<[HigherRank<0>, HigherRank<2>, HigherRank<number>], [1, 3, number]>>();
  const map = tensorMap("float32", new Float32Array(6), [2, 3]).strided();
  same<Equal<typeof map, StridedMap<"float32", 2>>>();
  same<Equal<ReturnType<typeof map.at>, number>>();
  const chip = map.chip(0, 1);
  const wide = map.expandDims(1);
  const narrow = wide.squeeze();
  const shaped = map.reshapeView([3, 2, 1]);
  const text = map.strided("0, :");
  const dense = map.toTensorMap();
  same<Equal<typeof chip, StridedMap<"float32", 1>>>();
  same<Equal<typeof wide, StridedMap<"float32", 3>>>();
  same<Equal<typeof narrow, StridedMap<"float32", number>>>();
  same<Equal<typeof shaped, StridedMap<"float32", 3> | null>>();
  same<Equal<typeof text, StridedMap<"float32", 1>>>();
  same<Equal<typeof dense, TensorMap<"float32", 2> | null>>();
  const turned = map.transpose();
  same<Equal<typeof turned, StridedMap<"float32", 2>>>();
  same<Equal<ReturnType<typeof map.toArray>, number[][]>>();
  // @ts-expect-error too few indices
  expect(() => map.at(1)).toThrow();
  // @ts-expect-error the value is missing
  expect(() => map.set(1, 2)).toThrow();
  expect([chip.rank, wide.rank, narrow.rank, shaped?.rank, text.rank, dense?.rank]).toEqual([1, 3, 2, 3, 1, 2]);
});

test("a literal slice text gives the rank, by type and at run time", () => {
  const map = tensorMap("float32", new Float32Array(24), [2, 3, 4]);
  const kept = map.strided("1:-1, ::2");
  const row = map.strided("0");
  const cell = map.strided(" -1 , 0, +1 ");
  const tail = map.strided("..., 0");
  const more = map.strided("None, 0, :, newaxis,");
  const again = map.strided().strided("0, :").strided("::-1, 1");
  same<Equal<typeof kept, StridedMap<"float32", 3>>>();
  same<Equal<typeof row, StridedMap<"float32", 2>>>();
  same<Equal<typeof cell, StridedMap<"float32", 0>>>();
  same<Equal<typeof tail, StridedMap<"float32", 2>>>();
  same<Equal<typeof more, StridedMap<"float32", 4>>>();
  same<Equal<typeof again, StridedMap<"float32", 1>>>();
  expect([kept, row, cell, tail, more, again].map(({ rank }) => rank)).toEqual([3, 2, 0, 2, 4, 1]);
  same<Equal<ReturnType<typeof cell.toArray>, number>>();
  const readOnly = map.asConst().strided("0");
  same<Equal<typeof readOnly, ConstStridedMap<"float32", 2>>>();
  // @ts-expect-error a matrix has two indices
  expect(() => row.at(0)).toThrow();
  // Texts and ranks that are known only at run time give an unknown rank.
  const text: string = "0";
  same<Equal<StridedRank<3, typeof text>, number>>();
  same<Equal<StridedRank<3, `${string}:`>, number>>();
  same<Equal<StridedRank<3, "0" | ":">, number>>();
  same<Equal<StridedRank<number, "0">, number>>();
  same<Equal<StridedRank<1, "0, 0">, number>>();
});

test("gather keeps the rank, by type and at run time", () => {
  const map = tensorMap("float32", new Float32Array(6), [2, 3]);
  const rows = map.gather(tensorMap("int32", new Int32Array(4), [4]));
  const table = map.gather(tensorMap("int32", new Int32Array(4), [2, 2]), 1);
  const row = map.gather(tensorMap("int32", new Int32Array(1), []));
  same<Equal<typeof rows, Expression<"float32", 2>>>();
  same<Equal<typeof table, Expression<"float32", 3>>>();
  same<Equal<typeof row, Expression<"float32", 1>>>();
  expect([rows.rank, table.rank, row.rank]).toEqual([2, 3, 1]);
});

test("const maps are read-only by type and at run time", () => {
  const map = tensorMap("complex64", new Float32Array(4), [2]).strided();
  const readOnly: ConstStridedMap<"complex64", 1> = map;
  const wide = map.broadcast([3, 2]);
  same<Equal<typeof wide, ConstStridedMap<"complex64", 2>>>();
  const part = wide.slice();
  same<Equal<typeof part, ConstStridedMap<"complex64", 2>>>();
  same<Equal<ReturnType<typeof wide.at>, Complex>>();
  // @ts-expect-error a const map has no set by type
  readOnly.set(0, [1, 2]);
  // @ts-expect-error a const map has no fill, neither by type nor at run time
  expect(() => wide.fill([1, 2])).toThrow(TypeError);
  // @ts-expect-error a const map is not assignable to a writable one
  const writable: StridedMap<"complex64", 1> = map.asConst();
  expect("set" in writable).toBe(false);
  const fromConst = tensorMap("int8", new Int8Array(2), [2]).asConst().strided();
  same<Equal<typeof fromConst, ConstStridedMap<"int8", 1>>>();
  expect("set" in fromConst).toBe(false);
});

test("the functions that make strided maps return the right types", () => {
  const made = stridedMap("int64", new BigInt64Array(4), [2, 2], [1, 2]);
  const readOnly = constStridedMap("bool", new Uint8Array(1), [3], [0]);
  const layout = stridedMapFromLayout(tensorMap("int8", new Int8Array(6), [6]), [1, 2, 3], [0, 1, 2]);
  const constLayout = stridedMapFromLayout(tensorMap("int8", new Int8Array(6), [6]).asConst(), [2, 3], [0, 1]);
  same<Equal<typeof made, StridedMap<"int64", 2>>>();
  same<Equal<typeof readOnly, ConstStridedMap<"bool", 1>>>();
  same<Equal<typeof layout, StridedMap<"int8", 3>>>();
  same<Equal<typeof constLayout, ConstStridedMap<"int8", 2>>>();
  // @ts-expect-error another dtype's array
  expect(() => stridedMap("float16", new Float32Array(1), [1], [1])).toThrow();
  expect(["set" in layout, "set" in constLayout]).toEqual([true, false]);
});

test("a strided map is an expression by type, and its reshape works whatever its strides are", () => {
  const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
  const sumOf = <R extends number>(x: Expression<"float32", R>): number => evaluate(x.mul(x).sum()).at();
  const views: readonly Expression<"float32", 2>[] = [map, map.strided(), map.asConst().strided(), map.strided().broadcast([2, 3])];
  expect(views.map(sumOf)).toEqual([91, 91, 91, 91]);
  expect(sumOf(map.strided(":, 0"))).toBe(17);
  // @ts-expect-error a vector is not a matrix
  const matrix: Expression<"float32", 2> = map.strided(":, 0");
  // @ts-expect-error another dtype
  const integers: Expression<"int32", 2> = map.strided();
  expect([matrix.rank, integers.dtype]).toEqual([1, "float32"]);
  const line = map.strided().transpose().reshape([-1]);
  same<Equal<typeof line, Expression<"float32", 1>>>();
  expect(evaluate(line).toArray()).toEqual([1, 4, 2, 5, 3, 6]);
  expect(map.strided().transpose().reshapeView([-1])).toBe(null);
  const view = map.strided().reshapeView([3, 2]);
  same<Equal<typeof view, StridedMap<"float32", 2> | null>>();
  view?.set(0, 1, 20);
  expect(map.at(0, 1)).toBe(20);
  expect(evaluate(map.strided().reshape([6])).toArray()).toEqual([1, 20, 3, 4, 5, 6]);
  // @ts-expect-error an expression has no elements to set
  const { set } = map.strided().reshape([6]);
  expect(typeof set).toBe("function");
});

test("a map of any rank is assignable to the general rank only; copyFrom takes strided maps", () => {
  const matrix = tensorMap("int8", new Int8Array(4), [2, 2]).strided();
  const any: StridedMap<"int8", number> = matrix;
  const source: CopySource<"int8"> = matrix.asConst();
  // @ts-expect-error a matrix is not a vector
  const vec: StridedMap<"int8", 1> = matrix;
  // @ts-expect-error a strided map is not a TensorMap: it has no `data`
  const dense: TensorMap<"int8", 2> = matrix;
  any.copyFrom(source);
  expect([any.at(1, 1), vec.rank, dense.rank]).toEqual([0, 2, 2]);
});
