/**
 * A view never copies: a write through any view or slice is visible in the tensor that it was made from. Every member of the class
 * must be in one of the lists below, so a new method without an entry fails a test.
 */
import { describe, expect, test } from "@jest/globals";
import { bytesCopied } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { TensorSlice } from "@onebuffer/slice";

interface Writable {
  readonly size: number;
  set(...args: number[]): void;
}

type Source = Tensor<"int32">;

/** Functions that make each kind of view of a [2,3,4] tensor of 0 to 23, and the index at which 99 is written. */
const kViews: Record<string, (t: Source) => { map: Writable; at: number[] }> = {
  scalar: (t) => ({
    map: keep(t.slice(0, 1), (row) =>
      keep(row.subSlice(0), (r) => keep(r.subSlice(0), (q) => keep(q.subSlice(0), (s) => s.scalar()))),
    ) as Writable,
    at: [],
  }),
  vec: (t) => ({ map: keep(t.reshape([24]), (flat) => flat.vec()) as Writable, at: [23] }),
  matrix: (t) => ({ map: keep(t.reshape([4, 6]), (matrix) => matrix.matrix()) as Writable, at: [3, 5] }),
  tensor: (t) => ({ map: t.tensor(3) as Writable, at: [1, 2, 3] }),
  flat: (t) => ({ map: t.flat() as Writable, at: [23] }),
  flatInnerDims: (t) => ({ map: t.flatInnerDims() as Writable, at: [5, 3] }),
  flatOuterDims: (t) => ({ map: t.flatOuterDims() as Writable, at: [1, 11] }),
  flatInnerOuterDims: (t) => ({ map: t.flatInnerOuterDims(-1) as Writable, at: [0, 1, 11] }),
  shaped: (t) => ({ map: t.shaped([3, 8]) as Writable, at: [2, 7] }),
  strided: (t) => ({ map: t.strided("::-1, ..., 1:") as Writable, at: [0, 2, 2] }),
  rows: (t) => ({ map: [...t.rows()][1] as Writable, at: [2, 3] }),
  [Symbol.iterator.toString()]: (t) => ({ map: [...t][1] as Writable, at: [2, 3] }),
  asOperand: (t) => ({ map: t.asOperand() as Writable, at: [1, 2, 3] }),
  unalignedShaped: (t) => ({ map: t.unalignedShaped([3, 8]) as Writable, at: [2, 7] }),
  unalignedFlat: (t) => ({ map: t.unalignedFlat() as Writable, at: [23] }),
  bitCastedShaped: (t) => ({ map: t.bitCastedShaped("uint32", [24]) as Writable, at: [23] }),
  bitCastedTensor: (t) => ({ map: t.bitCastedTensor("qint32", 3) as Writable, at: [1, 2, 3] }),
  reinterpretLastDimension: (t) => {
    const bytes = new Tensor("uint8");
    bytes.bitcastFrom(t, "uint8", [24, 4]);
    return { map: keep(bytes, (b) => b.reinterpretLastDimension("int32", 1)) as Writable, at: [23] };
  },
};

/** Functions that make a second tensor over the same bytes. */
const kSlices: Record<string, (t: Source) => Tensor<"int32">> = {
  share: (t) => t.share(),
  slice: (t) => t.slice(1, 2),
  subSlice: (t) => t.subSlice(1),
  reshape: (t) => t.reshape([-1]),
  move: (t) => {
    const other = t.share();
    const moved = other.move();
    other.dispose();
    return moved;
  },
  copyFrom: (t) => {
    const other = new Tensor("int32");
    expect(other.copyFrom(t, [24])).toBe(true);
    return other;
  },
  bitcastFrom: (t) => {
    const other = new Tensor("int32");
    other.bitcastFrom(t, "int32", [2, 12]);
    return other;
  },
};

/** Functions that make messages whose arrays are views of the tensor. */
const kMessages: Record<string, (t: Source) => ArrayBufferView | undefined> = {
  asProtoField: (t) => t.asProtoField().intVal as Int32Array,
  asProtoTensorContent: (t) => t.asProtoTensorContent().tensorContent,
};

/** The remaining members of the prototypes, by what they do: queries first. */
const kQueries = [
  "shape",
  "buffer",
  "dtype",
  "dims",
  "numElements",
  "dimSize",
  "isSameSize",
  "item",
  "isInitialized",
  "isAligned",
  "sharesBufferWith",
  "refCountIsOne",
  "refCount",
  "totalBytes",
  "allocatedBytes",
  "bufferSize",
  "getMemoryType",
  "data",
  "tensorData",
  "fillDescription",
  "typeName",
  "summarizeValue",
  "summarizeValueBytes",
  "debugString",
  "deviceSafeDebugString",
  "toString",
  "toArray",
  "equals",
  "isClose",
  "toJSON",
  "Symbol(nodejs.util.inspect.custom)",
  "Symbol(Deno.customInspect)",
  "Symbol(Symbol.toPrimitive)",
];
/** Members that compute into the tensor's bytes, tested in tensor-evaluate.suite.ts and tensor-operands.suite.ts. */
const kWrites = ["assign", "addAssign", "subAssign", "mulAssign", "divAssign", "device"];
const kCopies = ["copySlice", "toArrayBuffer"];
const kEnds = ["dispose", Symbol.dispose.toString()];
const kPrivate = ["constructor", "someBuffer", "shapeFor", "target", "viewed", "bitCasted", "become", "sliceRegion", "window"];

/** Uses a temporary handle and disposes it: the map stays valid with the root. */
function keep<T extends Tensor, R>(tensor: T, use: (tensor: T) => R): R {
  const result = use(tensor);
  tensor.dispose();
  return result;
}

function ownNames(): string[] {
  const names = new Set<string>();
  for (
    let proto: object | null = Tensor.prototype;
    proto !== null && Object.hasOwn(proto, "constructor");
    proto = Object.getPrototypeOf(proto) as object | null
  )
    for (const key of Reflect.ownKeys(proto)) names.add(String(key));
  return [...names].sort();
}

test("every member of the class is classified here", () => {
  const known = [
    ...Object.keys(kViews),
    ...Object.keys(kSlices),
    ...Object.keys(kMessages),
    ...kQueries,
    ...kWrites,
    ...kCopies,
    ...kEnds,
    ...kPrivate,
  ].sort();
  expect(ownNames()).toEqual(known);
});

describe("views write through", () => {
  test.each(Object.keys(kViews))("%s", (name) => {
    using t = Tensor.arange(24, undefined, 1, { dtype: "int32" });
    using cube = t.reshape([2, 3, 4]);
    const before = bytesCopied();
    const { map, at } = kViews[name]!(cube);
    map.set(...at, 99);
    expect(bytesCopied()).toBe(before);
    const changed = map.size === 1 ? 0 : 23;
    expect(t.toArray()).toEqual(Array.from({ length: 24 }, (_, i) => (i === changed ? 99 : i)));
    t.vec().set(changed, 7);
    expect((map as unknown as { at(...i: number[]): number }).at(...at)).toBe(7);
  });
});

describe("the arrays of messages are views of the tensor", () => {
  test.each(Object.keys(kMessages))("%s", (name) => {
    using t = Tensor.arange(6, undefined, 1, { dtype: "int32" });
    using tail = t.slice(3, 6);
    const before = bytesCopied();
    const array = kMessages[name]!(tail);
    expect(bytesCopied()).toBe(before);
    expect(array?.byteLength).toBe(12);
    t.vec().set(5, -2);
    expect([...new Int32Array(array!.buffer, array!.byteOffset, 3)]).toEqual([3, 4, -2]);
  });
});

describe("slices and shares write through", () => {
  test.each(Object.keys(kSlices))("%s", (name) => {
    using t = Tensor.arange(24, undefined, 1, { dtype: "int32" });
    using cube = t.reshape([2, 3, 4]);
    const before = bytesCopied();
    using handle = kSlices[name]!(cube);
    const flat = handle.flat();
    flat.set(flat.size - 1, 99);
    expect(bytesCopied()).toBe(before);
    expect(handle.sharesBufferWith(t)).toBe(true);
    expect(t.vec().at(23)).toBe(99);
    t.vec().set(23, 7);
    expect(flat.at(flat.size - 1)).toBe(7);
  });
  test("slice(TensorSlice)", () => {
    using t = Tensor.arange(24, undefined, 1, { dtype: "int32" });
    using cube = t.reshape([2, 3, 4]);
    for (const [text, first] of [
      ["1,1:1,2:-", 16],
      ["1,1:2,1:1,2", 21],
      ["-:-:-", 0],
      ["0,1:-:-", 0],
      ["1,1:0,3:0,4", 12],
    ] as const) {
      using region = cube.slice(TensorSlice.parse(text));
      expect(region.flat().at(0)).toBe(first);
      region.flat().set(0, -first);
      expect(t.vec().at(first)).toBe(-first || 0);
      t.vec().set(first, first);
    }
  });
  test("tensorData and data refer to the same bytes", () => {
    using t = Tensor.arange(4, undefined, 1, { dtype: "uint8" });
    using tail = t.slice(1, 4);
    tail.tensorData[0] = 50;
    expect(t.toArray()).toEqual([0, 50, 2, 3]);
    expect(tail.data?.byteOffset).toBe((t.data?.byteOffset ?? 0) + 1);
  });
  test("wrap and fromBuffer share the bytes", () => {
    const memory = new Float32Array([1, 2, 3, 4]);
    using t = Tensor.wrap(memory, [2, 2]);
    t.matrix().set(0, 1, 20);
    expect(memory[1]).toBe(20);
    using other = Tensor.fromBuffer("int32", [4], t.buffer);
    memory[0] = 0;
    expect(other.vec().at(0)).toBe(0);
  });
  test("strings are shared", () => {
    using t = Tensor.from(["a", "b", "c"]);
    using tail = t.slice(1, 3);
    tail.vec().set(0, "B");
    expect(t.toArray()).toEqual(["a", "B", "c"]);
  });
});

describe("copies do not write through, and are counted", () => {
  test("copySlice copies", () => {
    using t = Tensor.arange(24, undefined, 1, { dtype: "int32" });
    using matrix = t.reshape([4, 6]);
    const before = bytesCopied();
    using corner = matrix.copySlice(TensorSlice.parse("1,2:2,3"));
    expect(corner.toArray()).toEqual([
      [8, 9, 10],
      [14, 15, 16],
    ]);
    expect(bytesCopied() - before).toBe(24);
    corner.flat().set(0, 0);
    expect(t.vec().at(8)).toBe(8);
  });

  test("toArrayBuffer", () => {
    using t = Tensor.arange(4, undefined, 1, { dtype: "int32" });
    const before = bytesCopied();
    const copy = new Int32Array(t.toArrayBuffer());
    expect([...copy]).toEqual([0, 1, 2, 3]);
    expect(bytesCopied() - before).toBe(16);
    copy[0] = 9;
    expect(t.vec().at(0)).toBe(0);
  });
});
