// Tensors at the edges: no elements, scalars as matrices, 64-bit factories, windows that are no numbers, messages of another dtype, content
// that begins with zeros.
import { describe, expect, test } from "@jest/globals";
import type { Pointer } from "@onebuffer/allocator";
import { CPUAllocator, cpuAllocator } from "@onebuffer/allocator";
import { bufferLedger } from "@onebuffer/allocator/internal";
import type { TensorProto } from "@onebuffer/core";
import {
  Buffer,
  compressTensorProtoInPlace,
  receiveTensor,
  scope,
  SubBuffer,
  Tensor,
  TensorReference,
  transferTensor,
} from "@onebuffer/core";
import { TensorSlice } from "@onebuffer/slice";
import { expectMistakes, expectStatus } from "@onebuffer/test-support";
import { inspect } from "node:util";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

describe("views", () => {
  test("a tensor without elements has the rows and columns of its sizes", () => {
    for (const [dims, inner, outer] of [
      [
        [3, 0],
        [3, 0],
        [3, 0],
      ],
      [
        [0, 3],
        [0, 3],
        [0, 3],
      ],
      [
        [2, 0, 3],
        [0, 3],
        [2, 0],
      ],
    ] as const) {
      using tensor = Tensor.zeros(dims);
      expect([tensor.flatInnerDims().dimensions, tensor.flatOuterDims().dimensions]).toEqual([inner, outer]);
    }
  });

  test("a scalar is a matrix of one row and one column", () => {
    using scalar = Tensor.from(5);
    expect([scalar.flatInnerDims().dimensions, scalar.flatOuterDims().dimensions]).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(scalar.flatOuterDims().at(0, 0)).toBe(5);
  });

  test("a view may have 254 dimensions, and not more", () => {
    using tensor = Tensor.from([7]);
    expect(tensor.flatInnerOuterDims(-253, 254).dimensions).toEqual(new Array<number>(254).fill(1));
    expectStatus(() => tensor.flatInnerOuterDims(1, 254), "INVALID_ARGUMENT", "begin + rank must lie between 1 and 254");
    expect(tensor.flatInnerOuterDims(252, 2).dimensions).toEqual([1, 1]);
    expectStatus(() => tensor.flatInnerOuterDims(253, 2), "INVALID_ARGUMENT", "begin + rank must lie between 1 and 254");
  });

  test("a slice without elements is aligned, wherever it begins", () => {
    using tensor = Tensor.from([1, 2, 3]);
    using none = tensor.slice(1, 1);
    using rest = tensor.slice(1);
    expect([none.isAligned(), rest.isAligned()]).toEqual([true, false]);
  });

  test("a window that is no number, and a slice that is none, are refused", () => {
    using tensor = Tensor.from([1, 2, 3]);
    const { buffer } = tensor;
    expectStatus(() => new Buffer("float32", cpuAllocator(), "5" as Any), "INVALID_ARGUMENT", "a number of elements");
    expectStatus(() => new SubBuffer(buffer!, "0" as Any, 1, 4), "OUT_OF_RANGE");
    expectStatus(() => new SubBuffer(buffer!, 2, 100, 4), "OUT_OF_RANGE", "2 elements after byte 0, does not lie in its root");
    for (const slice of [null, undefined, {}, 7]) expectStatus(() => tensor.copySlice(slice as Any), "INVALID_ARGUMENT", "a TensorSlice");
    using all = tensor.copySlice(TensorSlice.full(1));
    expect(all.toArray()).toEqual([1, 2, 3]);
    for (const wrong of [{ bytes() {} }, { rootBuffer: {} }, 7])
      expectStatus(() => Tensor.fromBuffer("float32", [1], wrong as Any), "INVALID_ARGUMENT", "a TensorBuffer");
  });

  test("what has no shape yet is as a disposed tensor", () => {
    const raw = Object.create(Tensor.prototype) as Tensor;
    expectStatus(() => raw.buffer, "FAILED_PRECONDITION", "disposed");
    expect(inspect(raw)).toBe("Tensor<disposed>");
    const gone = Tensor.from([1]);
    gone.dispose();
    expectStatus(() => gone.asOperand(), "FAILED_PRECONDITION", "asOperand: the tensor given as an operand was disposed");
  });

  test("a tensor without a buffer can take the place of one with a buffer", () => {
    using tensor = Tensor.from([1, 2]);
    using none = new Tensor("float32", [0]);
    expect(tensor.copyFrom(none, none.shape)).toBe(true);
    expect([tensor.buffer, tensor.shape.dimSizes]).toEqual([null, [0]]);
  });
});

describe("factories", () => {
  test("elements of 64 bits are bigints", () => {
    using ones = Tensor.ones([2], { dtype: "int64" });
    using eye = Tensor.eye(2, 2, { dtype: "uint64" });
    using range = Tensor.arange(0, 3, 1, { dtype: "int64" });
    // Numbers beyond 2^53 that are integers are elements as well.
    using large = Tensor.arange(2 ** 60, 2 ** 60 + 1024, 512, { dtype: "int64" });
    using wide = Tensor.arange(2 ** 60, 2 ** 60 + 1024, 512, { dtype: "uint64" });
    const two = 2n ** 60n;
    expect([large.toArray(), wide.toArray()]).toEqual(new Array(2).fill([two, two + 512n]));
    using random = Tensor.random([4], { dtype: "uint64", low: 3, high: 5, seed: 1 });
    expect([ones.toArray(), eye.toArray(), range.toArray()]).toEqual([
      [1n, 1n],
      [
        [1n, 0n],
        [0n, 1n],
      ],
      [0n, 1n, 2n],
    ]);
    for (const element of random.toArray() as bigint[]) expect([3n, 4n]).toContain(element);
  });

  test("random numbers of a dtype that rounds are drawn again, not set to the lower bound", () => {
    using random = Tensor.random([4000], { dtype: "bfloat16", seed: 7 });
    expect((random.toArray() as number[]).filter((element) => element === 0 || element === 1)).toEqual([]);
    using same = Tensor.random([3], { dtype: "int32", low: 3, high: 3, seed: 7 });
    expect(same.toArray()).toEqual([3, 3, 3]);
  });

  test("numbers are no strings, and a detached array has no elements", () => {
    expectStatus(() => Tensor.from(Float32Array.of(1), { dtype: "string" } as Any), "INVALID_ARGUMENT");
    expectStatus(() => Tensor.from(Float32Array.of(1), { dtype: "variant" } as Any), "INVALID_ARGUMENT");
    const array = Float32Array.of(1, 2);
    structuredClone(array.buffer, { transfer: [array.buffer] });
    expectStatus(() => Tensor.from(array), "FAILED_PRECONDITION", "detached");
    expect(Tensor.eye(0, 0).shape.dimSizes).toEqual([0, 0]);
    using one = Tensor.from([1]);
    expectStatus(() => one.shaped([-1]), "INVALID_ARGUMENT", "Expected a non-negative size, got -1 among 1 sizes");
  });

  test("the release of wrapped memory is a method of its options", () => {
    const released: unknown[] = [];
    const options = {
      dtype: "float32",
      release(source: unknown) {
        released.push(source, this.dtype);
      },
    } as const;
    const memory = new Float32Array(2);
    Tensor.wrap(memory, [2], options).dispose();
    expect(released).toEqual([memory, "float32"]);
  });
});

describe("messages", () => {
  test("a message is received as a tensor of its dtype, and of no other", () => {
    const plain = { allocator: cpuAllocator() };
    const transferred = (): Any => transferTensor(Tensor.from([1, 2], plain)).message;
    expectStatus(
      () => receiveTensor(transferred(), { dtype: "int32" }),
      "INVALID_ARGUMENT",
      "the message has a tensor of float32, expected int32",
    );
    using there = receiveTensor(transferred(), { dtype: "float32" });
    expect(there.toArray()).toEqual([1, 2]);
  });

  test("bytes are copied if the memory is longer than the tensor", () => {
    class Roomy extends CPUAllocator {
      override allocateRaw(_alignment: number, numBytes: number): Pointer {
        return { buffer: new ArrayBuffer(numBytes + 64), byteOffset: 0 };
      }
    }
    const { copiedBytes, message } = transferTensor(Tensor.from([1, 2], { allocator: new Roomy() }));
    expect([copiedBytes, message.bytes.byteLength]).toEqual([8, 8]);
  });

  test("content of which only the first element is 0 keeps the others", () => {
    const numbers = new Float32Array(100).fill(3);
    numbers[0] = 0;
    const proto: TensorProto = { dtype: 1, tensorShape: { dim: [{ size: 100 }] }, tensorContent: new Uint8Array(numbers.buffer.slice(0)) };
    compressTensorProtoInPlace(proto, 1, 1);
    using tensor = Tensor.fromProto(proto);
    expect(tensor.toArray()).toEqual([...numbers]);
  });

  test("empty content and fields of null are as absent ones", () => {
    const proto: TensorProto = {
      dtype: 1,
      tensorShape: { dim: [{ size: 100 }] },
      tensorContent: new Uint8Array(0),
      floatVal: new Float32Array(100).fill(3),
    };
    expect(compressTensorProtoInPlace(proto, 1, 1)).toBe(true);
    expect(Array.from(proto.floatVal as Float32Array)).toEqual([3]);
    const nulls = { dtype: 1, tensorShape: { dim: [{ size: 2 }] }, tensorContent: null, floatVal: null } as Any;
    using zeros = Tensor.fromProto(nulls);
    expect(zeros.toArray()).toEqual([0, 0]);
    expectStatus(() => Tensor.fromProto(null as Any), "INVALID_ARGUMENT", "expected a TensorProto, got null");
    expectStatus(
      () => Tensor.fromProto(nulls, { maxSplatBytes: -1 }),
      "INVALID_ARGUMENT",
      "maxSplatBytes must be a number of bytes, got -1",
    );
  });

  test("a bitcast to a dtype without a size names it", () => {
    using source = Tensor.from([1, 2]);
    using target = new Tensor("float32", [2]);
    expectStatus(
      () => target.bitcastFrom(source, "string" as Any, [1]),
      "INVALID_ARGUMENT",
      "specified output type is zero-sized (string)",
    );
  });

  test("the ledger notes which call of a reference was a mistake", () => {
    expectMistakes();
    using tensor = Tensor.from([1]);
    const reference = new TensorReference(tensor);
    reference.unref();
    expectStatus(() => reference.fillDescription(), "FAILED_PRECONDITION");
    expectStatus(() => reference.unref(), "FAILED_PRECONDITION");
    expect(bufferLedger.mistakes().map(({ call }) => call)).toEqual(["fillDescription", "unref"]);
  });

  test("without a ledger a second release is refused as well", () => {
    using tensor = Tensor.from([1]);
    const reference = new TensorReference(tensor);
    reference.unref();
    withoutLedger(() => {
      expectStatus(() => reference.unref(), "FAILED_PRECONDITION", "its reference was given back before");
      const gone = Tensor.from([1]);
      const freed = gone.buffer!;
      gone.dispose();
      expectStatus(() => freed.unref(), "FAILED_PRECONDITION");
    });
  });

  test("a resource that is kept too late and fails to be disposed of says so", () => {
    let late: ((resource: Disposable) => unknown) | undefined;
    scope((keep) => {
      late = keep as Any;
      return null;
    });
    const failing = {
      [Symbol.dispose]() {
        throw new Error("no");
      },
    };
    expectStatus(() => late!(failing), "FAILED_PRECONDITION", "it was disposed at once, which failed");
  });
});

/** Calls `act` with the ledger of the test switched off. */
function withoutLedger(act: () => void): void {
  bufferLedger.disable();
  try {
    act();
  } finally {
    bufferLedger.enable();
  }
}
