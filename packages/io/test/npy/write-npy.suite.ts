// writeNpy writes what NumPy writes: headers recorded from NumPy 2.4.6. Whole files that it wrote are in real-files.suite.ts.
import { expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { parseNpyHeader, readNpy, writeNpy, MemoryFiles, saveTensors, NpyArray } from "@onebuffer/io";
import type { NpyDType } from "@onebuffer/io";
import { refusal, expectStatus } from "@onebuffer/test-support";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

/** The length of the header in bytes, the dict, and the number of spaces after it, as NumPy 2.4.6 writes them. */
const kHeaders: readonly (readonly [NpyDType, readonly number[], number, string])[] = [
  ["float32", [], 118, "{'descr': '<f4', 'fortran_order': False, 'shape': (), }"],
  ["bool", [3], 118, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }"],
  ["float64", [2, 3, 4], 118, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 4), }"],
  ["complex128", [0, 5], 118, "{'descr': '<c16', 'fortran_order': False, 'shape': (0, 5), }"],
  ["uint8", [123456, 0], 118, "{'descr': '|u1', 'fortran_order': False, 'shape': (123456, 0), }"],
  ["int64", Array(30).fill(1), 182, `{'descr': '<i8', 'fortran_order': False, 'shape': (${Array(30).fill(1).join(", ")}), }`],
];

test.each(kHeaders)("the header of %s of shape [%s] is NumPy's", (dtype, shape, length, dict) => {
  using t = Tensor.zeros(shape, { dtype });
  const bytes = writeNpy(t);
  expect([...bytes.subarray(0, 10)]).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, length & 255, length >> 8]);
  expect(String.fromCharCode(...bytes.subarray(10, 10 + length))).toBe(`${dict.padEnd(length - 1)}\n`);
  expect(bytes.length).toBe(10 + length + t.totalBytes);
});

test("every dtype comes back with its elements, from a tensor, a slice, a map and an expression", () => {
  for (const dtype of "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split(" ")) {
    const is = (source: unknown, wanted: Tensor): void => {
      const bytes = writeNpy(source as Tensor<NpyDType>);
      expect(parseNpyHeader(bytes).dataOffset % 64).toBe(0);
      using again = readNpy(bytes, { dtype: dtype as NpyDType });
      expect([dtype, again.equals(wanted as Tensor<NpyDType>)]).toEqual([dtype, true]);
    };
    using ones = Tensor.ones([5, 2], { dtype: dtype as DType });
    using zeros = Tensor.zeros([5], { dtype: dtype as DType });
    ones
      .matrix()
      .chip(1, 1)
      .assign(zeros.vec() as never);
    using rows = ones.slice(1, 4);
    is(ones, ones);
    is(rows, rows);
    is(ones.matrix(), ones);
    using reversed = Tensor.evaluate(ones.matrix().reverse([0]));
    is(ones.matrix().reverse([0]), reversed);
  }
});

test("a tensor without a type in .npy, a disposed one and other values are refused", () => {
  using half = Tensor.zeros([2], { dtype: "bfloat16" });
  using text = Tensor.zeros([2], { dtype: "string" });
  using deep = Tensor.zeros(new Array<number>(65).fill(1));
  using most = Tensor.zeros(new Array<number>(64).fill(1));
  const gone = Tensor.zeros([2]);
  gone.dispose();
  expect(refusal(() => writeNpy(deep))).toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("65 dimensions, NumPy has at most 64"),
  });
  using again = readNpy(writeNpy(most));
  expect(again.dims).toBe(64);
  expect(refusal(() => writeNpy(half as never)).code).toBe("UNIMPLEMENTED");
  expect(refusal(() => writeNpy(text as never)).code).toBe("UNIMPLEMENTED");
  expect(refusal(() => writeNpy(gone)).code).toBe("FAILED_PRECONDITION");
  for (const value of [null, 3, "t.npy", {}, [[1, 2]]]) expect(refusal(() => writeNpy(value as never)).code).toBe("INVALID_ARGUMENT");
});

test("the option dtype refuses a file of another dtype and gives the tensor's type", () => {
  using t = Tensor.zeros([2], { dtype: "float64" });
  const bytes = writeNpy(t);
  using same: Tensor<"float64"> = readNpy(bytes, { dtype: "float64" });
  expect(same.dtype).toBe("float64");
  expect(() => readNpy(bytes, { dtype: "float32" })).toThrow('npy: the file has float64, expected "float32"');
  expect(refusal(() => readNpy(bytes, { dtype: "float31" as "float32" })).code).toBe("INVALID_ARGUMENT");
  // @ts-expect-error: the type follows the option
  using other: Tensor<"int32"> = readNpy(bytes, { dtype: "float64" });
  expect(other.dtype).toBe("float64");
});

test("a dtype that NumPy lacks is written with a type of bytes", async () => {
  using t = Tensor.from([1, 2], { dtype: "bfloat16" });
  const files = new MemoryFiles();
  await saveTensors({ t } as Any, files, "t.npy");
  expect(files.files.get("t.npy")!.length).toBeGreaterThan(4);
});

test("a tensor without a type in a file of NumPy is refused without a remedy if it has none", () => {
  using handles = new Tensor("resource", [1]);
  expect(() => writeNpy(handles as Any)).toThrow(/has no type in an \.npy file$/);
  for (const wrong of [7, null, {}]) expectStatus(() => new NpyArray(wrong as Any, false), "INVALID_ARGUMENT", "a Tensor");
});
