/** Invalid input: one example per error. The message contains the offending values and the tensor is unchanged. */
import { describe, expect, test } from "@jest/globals";
import { bufferLedger } from "@onebuffer/allocator/internal";
import { CPUAllocator, cpuAllocator, liveBuffers } from "@onebuffer/allocator";
import { Buffer as TensorBuffer, concat, deepCopy, receiveTensor, shareTensor, Tensor, tensorOf } from "@onebuffer/core";
import { DefaultDevice } from "@onebuffer/eigen";
import { TensorSlice } from "@onebuffer/slice";
import { refusal, thrown, expectStatus } from "@onebuffer/test-support";
import { inspect } from "node:util";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

type Case = [name: string, act: (t: Tensor<"float32">) => unknown, code: string, values: string[]];

/** Returns one row. A function, so that the compiler need not find a common type for all the maps that the rows return. */
function bad(name: string, act: (t: Tensor<"float32">) => unknown, code: string, values: string[]): Case {
  return [name, act, code, values];
}

/** Calls that a float32 tensor of shape [2,3,4,5] refuses. */
const kCases: Case[] = [
  bad("dtype of a view", (t) => (t as Tensor).flat("int32"), "INVALID_ARGUMENT", ["int32 expected, got float"]),
  bad("dtype of scalar", (t) => (t as Tensor).scalar("int32"), "INVALID_ARGUMENT", ["int32 expected, got float"]),
  bad("rank of vec", (t) => t.vec(), "INVALID_ARGUMENT", ["tensor of 1 dimensions from a tensor of 4 dimensions"]),
  bad("rank of matrix", (t) => t.matrix(), "INVALID_ARGUMENT", ["tensor of 2 dimensions from a tensor of 4 dimensions"]),
  bad("rank of tensor", (t) => t.tensor(3), "INVALID_ARGUMENT", ["3", "4"]),
  bad("scalar of many elements", (t) => t.scalar(), "INVALID_ARGUMENT", ["one element tensor", "120"]),
  bad("shaped", (t) => t.shaped([7, 17]), "INVALID_ARGUMENT", ["(119 vs. 120)"]),
  bad("shaped as a scalar", (t) => t.shaped([]), "INVALID_ARGUMENT", ["(1 vs. 120)"]),
  bad("shaped, negative", (t) => t.shaped([-2, -60]), "INVALID_ARGUMENT", ["-2"]),
  bad("shaped, fraction", (t) => t.shaped([1.5, 80]), "INVALID_ARGUMENT", ["1.5"]),
  bad("shaped, too large", (t) => t.shaped([2 ** 52, 4]), "INVALID_ARGUMENT", ["4503599627370496 with 4"]),
  bad("unalignedShaped", (t) => t.unalignedShaped([119]), "INVALID_ARGUMENT", ["(119 vs. 120)"]),
  bad("bitCastedShaped", (t) => t.bitCastedShaped("float32", [119]), "INVALID_ARGUMENT", ["(476 vs. 480)"]),
  bad("bitCastedShaped to strings", (t) => t.bitCastedShaped("string", [120]), "INVALID_ARGUMENT", ["string expected, got float"]),
  bad("bitCastedTensor of another size", (t) => t.bitCastedTensor("int16", 4), "INVALID_ARGUMENT", ["(240 vs. 480)"]),
  bad("bitCastedTensor of another rank", (t) => t.bitCastedTensor("int32", 3), "INVALID_ARGUMENT", ["3", "4"]),
  bad("reinterpretLastDimension", (t) => t.reinterpretLastDimension("int32", 3), "INVALID_ARGUMENT", ["(4 vs. 20)"]),
  bad("reinterpretLastDimension, rank", (t) => t.reinterpretLastDimension("int32", 2), "INVALID_ARGUMENT", ["2", "3"]),
  bad("flatInnerDims of rank 0", (t) => t.flatInnerDims(0), "INVALID_ARGUMENT", ["0"]),
  bad("flatOuterDims of rank 255", (t) => t.flatOuterDims(255), "INVALID_ARGUMENT", ["255"]),
  bad("flatInnerOuterDims with begin too small", (t) => t.flatInnerOuterDims(-9, 3), "INVALID_ARGUMENT", ["-9"]),
  bad("reshape", (t) => t.reshape([7, 17]), "INVALID_ARGUMENT", ["(119 vs. 120)"]),
  bad("reshape with two sizes of -1", (t) => t.reshape([-1, -1]), "INVALID_ARGUMENT", ["-1,-1"]),
  bad("reshape where no size fits for -1", (t) => t.reshape([-1, 7]), "INVALID_ARGUMENT", ["-1,7", "120"]),
  bad("reshape with -1 and 0", (t) => t.reshape([-1, 0]), "INVALID_ARGUMENT", ["-1,0"]),
  bad("slice past the end", (t) => t.slice(0, 3), "OUT_OF_RANGE", ["slice(0, 3)", "[2,3,4,5]", "2"]),
  bad("slice backwards", (t) => t.slice(2, 1), "OUT_OF_RANGE", ["slice(2, 1)"]),
  bad("slice before the start", (t) => t.slice(-1, 1), "OUT_OF_RANGE", ["-1"]),
  bad("slice, fraction", (t) => t.slice(0.5, 1), "OUT_OF_RANGE", ["0.5"]),
  bad("slice, NaN", (t) => t.slice(Number.NaN, 1), "OUT_OF_RANGE", ["NaN"]),
  bad("subSlice at the number of rows", (t) => t.subSlice(2), "OUT_OF_RANGE", ["subSlice(2)", "2"]),
  bad("subSlice before the start", (t) => t.subSlice(-1), "OUT_OF_RANGE", ["-1"]),
  bad("region of several runs", (t) => t.slice(TensorSlice.parse("-:0,1:-:-")), "FAILED_PRECONDITION", ["copySlice", "2 runs"]),
  bad("region outside", (t) => t.slice(TensorSlice.parse("0,3:-:-:-")), "INTERNAL", ["[2,3,4,5]"]),
  bad("region of another rank", (t) => t.copySlice(TensorSlice.parse("-")), "INTERNAL", ["[2,3,4,5]"]),
  bad("bitcastFrom", (t) => t.bitcastFrom(t, "float32", [119]), "INVALID_ARGUMENT", ["not compatible", "[119]", "[2,3,4,5]"]),
  bad("dimSize", (t) => t.dimSize(4), "OUT_OF_RANGE", ["4"]),
  bad("isClose, negative tolerance", (t) => t.isClose(t, { atol: -1 }), "INVALID_ARGUMENT", ["-1"]),
];

describe("a tensor refuses and is unchanged", () => {
  test.each(kCases)("%s", (_, act, code, values) => {
    using t = Tensor.arange(120);
    using shaped = t.reshape([2, 3, 4, 5]);
    const live = liveBuffers();
    const error = thrown(() => act(shaped));
    expect(error).toMatchObject({ code });
    for (const value of values) expect(String(error)).toContain(value);
    expect(liveBuffers()).toBe(live);
    expect(t.refCount).toBe(2);
    expect(shaped.shape.dimSizes).toEqual([2, 3, 4, 5]);
    expect(t.vec().at(119)).toBe(119);
  });
});

const kMakers: [string, () => unknown, string, string[]][] = [
  ["shape with a negative size", () => new Tensor("float32", [2, -3]), "INVALID_ARGUMENT", ["-3"]],
  ["a shape that overflows", () => new Tensor("float32", [2 ** 40, 2 ** 40]), "INVALID_ARGUMENT", ["1099511627776"]],
  ["more bytes than there are", () => new Tensor("float32", [2 ** 45]), "RESOURCE_EXHAUSTED", ["140737488355328"]],
  [
    "zeros of that size from an allocator",
    () => Tensor.zeros([2 ** 45], { allocator: cpuAllocator() }),
    "RESOURCE_EXHAUSTED",
    ["140737488355328"],
  ],
  ["an unknown dtype", () => new Tensor("float" as never, [1]), "INVALID_ARGUMENT", ["float"]],
  ["DT_INVALID", () => Tensor.build(0 as never, [2]), "INVALID_ARGUMENT", ["Type not set"]],
  ["a reference type", () => Tensor.build(101, [2]), "INVALID_ARGUMENT", ["101"]],
  ["ragged rows", () => Tensor.from([[1, 2], [3]]), "INVALID_ARGUMENT", ["ragged", "[1]", "1", "2"]],
  ["a row that is not an array", () => Tensor.from([[1, 2], 3]), "INVALID_ARGUMENT", ["ragged", "[1]"]],
  ["a row where an element belongs", () => Tensor.from([[1], [[2]]] as never), "INVALID_ARGUMENT", ["[1][0]"]],
  ["mixed kinds", () => Tensor.from([1, "2"]), "INVALID_ARGUMENT", ["[1]", '"2"', "float32"]],
  ["a bigint among numbers", () => Tensor.from([1, 2n]), "INVALID_ARGUMENT", ["[1]", "2n"]],
  ["a fraction as int32", () => Tensor.from([[1.5]], { dtype: "int32" }), "INVALID_ARGUMENT", ["[0][0]", "1.5", "int32"]],
  ["out of range", () => Tensor.from([0, 256], { dtype: "uint8" }), "INVALID_ARGUMENT", ["[1]", "256"]],
  ["out of range of int64", () => Tensor.from([2n ** 63n]), "INVALID_ARGUMENT", ["9223372036854775808"]],
  ["a number as bool", () => Tensor.from([1], { dtype: "bool" }), "INVALID_ARGUMENT", ["[0]", "bool"]],
  [
    "a raw byte that is neither 0 nor 1 as bool",
    () => Tensor.from(new Uint8Array([1, 2]), { dtype: "bool" }),
    "INVALID_ARGUMENT",
    ["[1]", "2"],
  ],
  ["an object", () => Tensor.from({} as never), "INVALID_ARGUMENT", ["an object"]],
  ["a DataView", () => Tensor.from(new DataView(new ArrayBuffer(4))), "INVALID_ARGUMENT", ["DataView"]],
  ["a shape that does not hold the values", () => Tensor.from([1, 2, 3], { shape: [2, 2] }), "INVALID_ARGUMENT", ["(4 vs. 3)"]],
  ["an odd number of parts as complex", () => Tensor.from(new Float32Array(3), { dtype: "complex64" }), "INVALID_ARGUMENT", ["3"]],
  ["wrapping bytes that do not fit", () => Tensor.wrap(new Uint8Array(7), [2], { dtype: "float32" }), "INVALID_ARGUMENT", ["(8 vs. 7)"]],
  ["wrapping a part of an element", () => Tensor.wrap(new Uint8Array(7), undefined, { dtype: "float32" }), "INVALID_ARGUMENT", ["7", "4"]],
  ["wrapping as strings", () => Tensor.wrap(new Uint8Array(7), [7], { dtype: "string" }), "INVALID_ARGUMENT", ["string"]],
  ["wrapping an array, not memory", () => Tensor.wrap([1, 2] as never), "INVALID_ARGUMENT", ["an array of 2"]],
  ["a step of 0", () => Tensor.arange(0, 1, 0), "INVALID_ARGUMENT", ["0"]],
  ["a range to Infinity", () => Tensor.arange(0, Infinity), "INVALID_ARGUMENT", ["Infinity"]],
  ["a range of too many elements", () => Tensor.arange(0, 1e300), "INVALID_ARGUMENT", ["1e+300"]],
  ["a range that exceeds the dtype", () => Tensor.arange(300, undefined, 1, { dtype: "uint8" }), "INVALID_ARGUMENT", ["[256]", "256"]],
  ["a fractional number of points", () => Tensor.linspace(0, 1, 2.5), "INVALID_ARGUMENT", ["2.5"]],
  ["ones of strings", () => Tensor.ones([2], { dtype: "string" }), "INVALID_ARGUMENT", ["string"]],
  ["random with low above high", () => Tensor.random([2], { low: 2, high: 1 }), "INVALID_ARGUMENT", ["2", "1"]],
  ["the host scalar of another kind", () => Tensor.hostScalar("int32", "7" as never), "INVALID_ARGUMENT", ['"7"']],
  ["slices of a scalar", () => withTensor(Tensor.from(1), (t) => t.slice(0, 0)), "INVALID_ARGUMENT", ["scalar"]],
  ["rows of a scalar", () => withTensor(Tensor.from(1), (t) => [...t]), "INVALID_ARGUMENT", ["scalar"]],
  ["deepCopy of resources", () => withTensor(new Tensor("resource", [1]), (t) => deepCopy(t)), "INVALID_ARGUMENT", ["resource"]],
  ["the bytes of strings", () => withTensor(Tensor.from(["a"]), (t) => t.tensorData), "INVALID_ARGUMENT", ["string"]],
  [
    "text of bytes that are not UTF-8",
    () => withTensor(Tensor.from([new Uint8Array([255])], { dtype: "string" }), (t) => t.toArray()),
    "FAILED_PRECONDITION",
    ["0", "bytes: true"],
  ],
  [
    "zero-sized bitcasts",
    () => withTensor(Tensor.from(["a"]), (t) => withTensor(new Tensor("uint8"), (u) => u.bitcastFrom(t, "uint8", [24]))),
    "INVALID_ARGUMENT",
    ["zero-sized"],
  ],
  ["closeness of strings", () => withTensor(Tensor.from(["a"]), (t) => t.isClose(t)), "INVALID_ARGUMENT", ["string"]],
];

function withTensor<R>(tensor: Tensor, act: (t: Tensor) => R): R {
  try {
    return act(tensor);
  } finally {
    tensor.dispose();
  }
}

describe("factories refuse and leak nothing", () => {
  test.each(kMakers)("%s", (_, act, code, values) => {
    const live = liveBuffers();
    const error = thrown(act);
    expect(error).toMatchObject({ code });
    for (const value of values) expect(String(error)).toContain(value);
    expect(liveBuffers()).toBe(live);
  });
});

test("deeply nested and repeated arrays are refused quickly", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  expect(thrown(() => Tensor.from(cycle as never))).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("254") });
  // 2^48 elements from 48 small arrays: refused for lack of memory, without visiting them.
  let shared: unknown = [1, 1];
  for (let i = 1; i < 48; i += 1) shared = [shared, shared];
  expect(thrown(() => Tensor.from(shared as never))).toMatchObject({ code: "RESOURCE_EXHAUSTED" });
  // A first row that claims more than the input holds.
  const claim = [new Array(1000).fill(0), ...new Array<number[]>(1000).fill([])];
  expect(thrown(() => Tensor.from(claim))).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("[1]") });
});

/** The methods that the error of a disposed tensor names. */
const kNamed = (
  "share move reshape slice subSlice copySlice scalar vec matrix tensor flat flatInnerDims flatOuterDims flatInnerOuterDims shaped " +
  "unalignedShaped unalignedFlat bitCastedShaped bitCastedTensor reinterpretLastDimension toArray item rows strided assign addAssign " +
  "subAssign mulAssign divAssign device toArrayBuffer"
).split(" ");

describe("disposed tensors", () => {
  test("every member throws; a second dispose is harmless", () => {
    const t = Tensor.from([[1, 2]]);
    t.dispose();
    t.dispose();
    t[Symbol.dispose]();
    using other = Tensor.from([[1, 2]]);
    const use = (act: (x: Tensor<"float32">) => unknown) => act;
    const uses = {
      shape: use((x) => x.shape),
      buffer: use((x) => x.buffer),
      dtype: use((x) => x.dtype),
      dims: use((x) => x.dims),
      numElements: use((x) => x.numElements),
      dimSize: use((x) => x.dimSize(0)),
      isSameSize: use((x) => x.isSameSize(other)),
      isInitialized: use((x) => x.isInitialized()),
      isAligned: use((x) => x.isAligned()),
      sharesBufferWith: use((x) => x.sharesBufferWith(other)),
      refCountIsOne: use((x) => x.refCountIsOne()),
      refCount: use((x) => x.refCount),
      totalBytes: use((x) => x.totalBytes),
      allocatedBytes: use((x) => x.allocatedBytes),
      bufferSize: use((x) => x.bufferSize),
      getMemoryType: use((x) => x.getMemoryType()),
      data: use((x) => x.data),
      tensorData: use((x) => x.tensorData),
      fillDescription: use((x) => x.fillDescription()),
      share: use((x) => x.share()),
      move: use((x) => x.move()),
      copyFrom: use((x) => x.copyFrom(other, [2])),
      bitcastFrom: use((x) => x.bitcastFrom(other, "float32", [2])),
      reshape: use((x) => x.reshape([2])),
      slice: use((x) => x.slice(0, 1)),
      sliceRegion: use((x) => x.slice(TensorSlice.full(2))),
      subSlice: use((x) => x.subSlice(0)),
      copySlice: use((x) => x.copySlice(TensorSlice.full(2))),
      iterate: use((x) => [...x]),
      scalar: use((x) => x.scalar()),
      vec: use((x) => x.vec()),
      matrix: use((x) => x.matrix()),
      tensor: use((x) => x.tensor(2)),
      flat: use((x) => x.flat()),
      flatInnerDims: use((x) => x.flatInnerDims()),
      flatOuterDims: use((x) => x.flatOuterDims()),
      flatInnerOuterDims: use((x) => x.flatInnerOuterDims(0)),
      shaped: use((x) => x.shaped([2])),
      unalignedShaped: use((x) => x.unalignedShaped([2])),
      unalignedFlat: use((x) => x.unalignedFlat()),
      bitCastedShaped: use((x) => x.bitCastedShaped("int32", [2])),
      bitCastedTensor: use((x) => x.bitCastedTensor("int32", 2)),
      reinterpretLastDimension: use((x) => x.reinterpretLastDimension("float32", 2)),
      summarizeValue: use((x) => x.summarizeValue(1)),
      summarizeValueBytes: use((x) => x.summarizeValueBytes(1)),
      debugString: use((x) => x.debugString()),
      deviceSafeDebugString: use((x) => x.deviceSafeDebugString()),
      toString: use((x) => x.toString()),
      toArray: use((x) => x.toArray()),
      equals: use((x) => x.equals(other)),
      isClose: use((x) => x.isClose(other)),
      "other.copyFrom": use((x) => other.copyFrom(x, [2])),
      "other.equals": use((x) => other.equals(x)),
      "other.sharesBufferWith": use((x) => other.sharesBufferWith(x)),
      deepCopy: use((x) => deepCopy(x)),
      item: use((x) => x.item()),
      rows: use((x) => x.rows()),
      strided: use((x) => x.strided()),
      assign: use((x) => x.assign(1)),
      addAssign: use((x) => x.addAssign(1)),
      subAssign: use((x) => x.subAssign(1)),
      mulAssign: use((x) => x.mulAssign(1)),
      divAssign: use((x) => x.divAssign(1)),
      device: use((x) => x.device(new DefaultDevice())),
      toArrayBuffer: use((x) => x.toArrayBuffer()),
    };
    for (const [name, act] of Object.entries(uses)) {
      const error = thrown(() => act(t));
      expect([name, (error as { code?: string } | undefined)?.code]).toEqual([name, "FAILED_PRECONDITION"]);
      expect(String(error)).toContain("disposed");
      if (kNamed.includes(name)) expect(String(error)).toContain(`: ${name}: this tensor was disposed`);
    }
    expect(other.toArray()).toEqual([[1, 2]]);
    expect((t as unknown as Record<symbol, () => string>)[Symbol.for("nodejs.util.inspect.custom")]!()).toBe("Tensor<disposed>");
  });
  test("a map of freed memory throws", () => {
    const t = Tensor.from([1, 2]);
    const map = t.vec();
    t.dispose();
    expect(thrown(() => map.at(0))).toMatchObject({
      code: "FAILED_PRECONDITION",
      message: "the memory of this float32 map of [2] was freed: its tensor was disposed before the map, or an expression of it, was used",
    });
    expect(thrown(() => map.set(0, 1))).toMatchObject({ code: "FAILED_PRECONDITION" });
    expect(thrown(() => map.data)).toMatchObject({ code: "FAILED_PRECONDITION" });
  });
  test("a map works as long as another handle holds the buffer", () => {
    const t = Tensor.from([1, 2]);
    const map = t.vec();
    const row = t.slice(1, 2);
    t.dispose();
    expect(map.at(1)).toBe(2);
    row.dispose();
    expect(thrown(() => map.at(1))).toMatchObject({ code: "FAILED_PRECONDITION" });
  });

  test("what has no shape yet is as a disposed tensor", () => {
    const raw = Object.create(Tensor.prototype) as Tensor;
    expectStatus(() => raw.buffer, "FAILED_PRECONDITION", "disposed");
    expect(inspect(raw)).toBe("Tensor<disposed>");
    const gone = Tensor.from([1]);
    gone.dispose();
    expectStatus(() => gone.asOperand(), "FAILED_PRECONDITION", "asOperand: the tensor given as an operand was disposed");
  });
});

describe("detached and unaligned memory", () => {
  test("a tensor over a detached ArrayBuffer throws", () => {
    const memory = new Float32Array(4);
    using t = Tensor.wrap(memory);
    using tail = t.slice(2, 4);
    const map = t.vec();
    structuredClone(memory.buffer, { transfer: [memory.buffer] });
    for (const act of [
      () => t.vec(),
      () => t.tensorData,
      () => t.toArray(),
      () => tail.flat(),
      () => t.unalignedFlat(),
      () => deepCopy(t),
      () => t.bitCastedShaped("int32", [4]),
    ])
      expect(thrown(act)).toMatchObject({ code: "FAILED_PRECONDITION" });
    expect(thrown(() => map.at(0))).toMatchObject({ code: "FAILED_PRECONDITION" });
    expect(t.shape.dimSizes).toEqual([4]);
  });
  test("the error for an unaligned view has the offset; unaligned* views can read it", () => {
    const bytes = new Uint8Array(13);
    new DataView(bytes.buffer).setFloat32(5, 1.5, true);
    using t = Tensor.wrap(bytes.subarray(1), [3], { dtype: "float32" });
    expect(t.isAligned()).toBe(false);
    const error = thrown(() => t.vec());
    expect(error).toMatchObject({ code: "FAILED_PRECONDITION" });
    expect(String(error)).toMatch(/byte offset 1 .*multiple of 4.*unalignedFlat/);
    expect(t.unalignedFlat().at(1)).toBe(1.5);
    t.unalignedShaped([3, 1]).set(0, 0, 2);
    expect(t.toArray()).toEqual([2, 1.5, 0]);
    using copy = deepCopy(t);
    expect(copy.vec().at(1)).toBe(1.5);
  });
  test("views an aligned slice of a root that is not aligned", () => {
    const bytes = new Uint8Array(16);
    using t = Tensor.wrap(bytes.subarray(1), [15]);
    using tail = t.slice(3, 15);
    tail.bitCastedShaped("float32", [3]).set(0, 2.5);
    expect(new Float32Array(bytes.buffer)[1]).toBe(2.5);
  });
  test("complex numbers need the alignment of their parts only", () => {
    const floats = new Float32Array([0, 1, 2, 3, 4]);
    using t = Tensor.wrap(floats.subarray(1), [2], { dtype: "complex64" });
    expect(t.vec().at(1)).toEqual([3, 4]);
    expect(t.toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    using root = Tensor.wrap(floats);
    using tail = root.slice(1, 5);
    expect(tail.bitCastedShaped("complex64", [2]).at(0)).toEqual([1, 2]);
  });
});

test("an allocator without room makes a tensor that is not initialized, as in TensorFlow", () => {
  class Full extends CPUAllocator {
    override allocateRaw(): null {
      return null;
    }
  }
  using t = new Tensor("float32", [2], { allocator: new Full() });
  expect(t.isInitialized()).toBe(false);
  expect(t.buffer).not.toBeNull();
  expect(thrown(() => t.vec())).toMatchObject({ code: "FAILED_PRECONDITION", message: expect.stringContaining("2 elements") });
  using row = t.slice(0, 1);
  expect(row.isInitialized()).toBe(false);
});

test("fromBuffer checks the size, which TensorFlow does not", () => {
  const buffer = new TensorBuffer("float32", cpuAllocator(), 4);
  expect(thrown(() => Tensor.fromBuffer("float32", [5], buffer))).toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("20 bytes"),
  });
  expect(thrown(() => Tensor.fromBuffer("string", [0], buffer))).toMatchObject({ code: "INVALID_ARGUMENT" });
  using t = Tensor.fromBuffer("float32", [2], buffer);
  expect(buffer.refs).toBe(2);
  buffer.unref();
  expect(t.bufferSize).toBe(16);
  // The refused calls hold nothing: only the tensor does, and no error was a use after free that an error hid.
  expect(buffer.refs).toBe(1);
  expect(bufferLedger.held()).toHaveLength(1);
  expect(bufferLedger.mistakes()).toEqual([]);
});

const any = (value: unknown): never => value as never;

/** Calls a method that a Tensor does not have. */
function tryMatMul(t: Tensor): void {
  using cube = t.reshape([1, 1, 3]);
  (cube as unknown as { matMul(): void }).matMul();
}

/** Methods of other libraries' tensors. */
type Foreign = Record<"gather" | "fill" | "print" | "arraySync" | "dataSync" | "toFloat", (argument?: unknown) => unknown>;

test.each<[string, (t: Tensor<"float32">) => unknown, ...string[]]>([
  ["sizes one by one", () => Tensor.zeros(any(2), any(3)), "Tensor.zeros: expected a shape", "such as [2, 3], got 2"],
  ["one size", () => Tensor.full(any(2), 3), "Tensor.full: expected a shape", "such as [2], got 2"],
  ["a size of random", () => Tensor.random(any(2)), "Tensor.random: expected a shape", "[2]"],
  ["reshape to sizes one by one", (t) => t.reshape(any(3)), "reshape: expected a shape or an array of sizes such as [2, 3], got 3"],
  ["a tensor of sizes only", () => new Tensor(any([2, 3])), "an array of 2", 'new Tensor("float32", [2, 3])'],
  ["a number as the dtype", () => new Tensor(any(1), [2]), "Unexpected dtype: 1"],
  ["float as the dtype", () => Tensor.zeros([2], { dtype: any("float") }), 'Unexpected dtype: "float", did you mean "float32"?'],
  ["f32 as the dtype", () => new Tensor(any("f32"), [2]), 'did you mean "float32"?'],
  ["u8 as the dtype", () => new Tensor(any("u8"), [2]), 'did you mean "uint8"?'],
  ["double as the dtype", () => Tensor.from([1], { dtype: any("double") }), 'did you mean "float64"?'],
  ["Int32 as the dtype", () => Tensor.wrap(new Int32Array(1), [1], { dtype: any("Int32") }), 'did you mean "int32"?'],
  ["random integers below 1", () => Tensor.random([3], { dtype: "int32" }), '{ dtype: "int32", high: 10 }'],
  ["random integers with low only", () => Tensor.random([3], { dtype: "uint8", low: 0 }), "high"],
  ["minval", () => Tensor.random([3], any({ minval: 0 })), 'did you mean "low"?'],
  ["tensorOf a list", () => tensorOf(any([1, 2])), "tensorOf: an array of 2", "Tensor.from(array)"],
  ["tensorOf with a dtype", (t) => tensorOf(t, any({ dtype: "int32" })), 'tensorOf: unknown option "dtype"', ".cast(dtype)"],
  ["vec of a matrix", (t) => t.vec(), "tensor of 1 dimensions from a tensor of 2 dimensions: tensor(2) or flat()"],
  ["tensor(3) of a matrix", (t) => t.tensor(3), "tensor of 3 dimensions from a tensor of 2 dimensions: tensor(2) or flatInnerDims(3)"],
  ["tensor without a rank", (t) => t.tensor(any(undefined)), "the number of dimensions, as in tensor(2)"],
  ["eye of sizes", () => Tensor.eye(any([2, 2])), "a dimension size that is a number, got an array of 2"],
  ["wrap with too few elements", () => Tensor.wrap(new Float32Array(4), [3]), "(12 vs. 16), which are 4 elements"],
  ["wrap with another element size", () => Tensor.wrap(new Float32Array(4), [8]), "{ dtype: "],
  ["a Set", () => Tensor.from(any(new Set([1]))), "an object", "use an array"],
  ["options before the step", () => Tensor.arange(3, any({ dtype: "int32" }), any(2)), "got an object"],
  ["concat of tensors one by one", (t) => concat(any(t), any(t)), "concat: expected an array of tensors, as in concat([a, b])"],
  ["wrap with options as sizes", () => Tensor.wrap(new Float32Array(2), any({ shape: [2] })), "Tensor.wrap(memory, [2, 3], options)"],
  ["receiving a number", () => receiveTensor(any(5)), "shareTensor(tensor) or transferTensor(tensor)", "got 5"],
  ["receiving a tensor", (t) => receiveTensor(any(t)), "shareTensor(tensor)"],
  ["sharing a map", (t) => shareTensor(any(t.matrix())), "Expected a Tensor, got float32 [1, 3]", "tensorOf("],
  ["add of a matrix", (t) => (t as unknown as { add(x: number): void }).add(1), "tensor.matrix().add(…)"],
  ["gather of a matrix", (t) => (t as unknown as Foreign).gather([0]), "a Tensor has no gather", "tensor.matrix().gather(…)"],
  ["fill", (t) => (t as unknown as Foreign).fill(0), "tensor.assign(value)"],
  ["print", (t) => (t as unknown as Foreign).print(), "console.log(tensor)"],
  ["arraySync", (t) => (t as unknown as Foreign).arraySync(), "tensor.toArray()"],
  ["dataSync", (t) => (t as unknown as Foreign).dataSync(), "tensor.flat().data"],
  ["toFloat", (t) => (t as unknown as Foreign).toFloat(), 'a Tensor has no toFloat, tensorOf(tensor.matrix().cast("float32"))'],
  ["matMul of three dimensions", (t) => tryMatMul(t), "tensor.tensor(3).matMul(…)"],
])("the message says what to write: %s", (_, call, ...parts) => {
  using t = Tensor.ones([1, 3]);
  const error = refusal(() => call(t));
  expect(error.code).toBe("INVALID_ARGUMENT");
  for (const part of parts) expect(error.message).toContain(part);
});

test("a bitcast to a dtype without a size names it", () => {
  using source = Tensor.from([1, 2]);
  using target = new Tensor("float32", [2]);
  expectStatus(() => target.bitcastFrom(source, "string" as Any, [1]), "INVALID_ARGUMENT", "specified output type is zero-sized (string)");
});
