// Tensor.fromProto: how messages are read, what is copied, and which messages are refused with which errors.
import { describe, expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import { allDTypes, arraySlots, DataType, dataTypeOf, dtypeSize, isObjectDType, typedArrayConstructor } from "@onebuffer/base";
import type { FromProtoOptions, TensorProto } from "@onebuffer/core";
import { Allocator, bytesCopied, cpuAllocator, liveBuffers } from "@onebuffer/allocator";
import { ForeignBuffer, Tensor } from "@onebuffer/core";
import type { Pointer } from "@onebuffer/allocator";
import fc from "fast-check";
import { isLong, refusal } from "@onebuffer/test-support";

const shape = (...dims: (number | bigint)[]): NonNullable<TensorProto["tensorShape"]> => ({ dim: dims.map((size) => ({ size })) });
const read = (proto: TensorProto, options?: FromProtoOptions): unknown => {
  using tensor = Tensor.fromProto(proto, options);
  return tensor.toArray();
};

const big = 2n ** 63n;
test.each<[string, TensorProto, unknown]>([
  ["no value gives zeros", { dtype: 1, tensorShape: shape(3) }, [0, 0, 0]],
  [
    "one value is repeated for all elements",
    { dtype: 2, tensorShape: shape(2, 2), doubleVal: [0.1] },
    [
      [0.1, 0.1],
      [0.1, 0.1],
    ],
  ],
  ["the last value is repeated", { dtype: 3, tensorShape: shape(5), intVal: [1, -2] }, [1, -2, -2, -2, -2]],
  ["extra values are ignored, even bad ones", { dtype: 3, tensorShape: shape(1), intVal: [7, Number.NaN] }, [7]],
  ["values in another dtype's field are ignored", { dtype: 1, tensorShape: shape(1), doubleVal: [7] }, [0]],
  ["an absent shape means a scalar", { dtype: 1, floatVal: [5] }, 5],
  ["an unknown rank is ignored", { dtype: 1, tensorShape: { unknownRank: true }, floatVal: [3] }, 3],
  ["a tensor without elements ignores its data", { dtype: 1, tensorShape: shape(2, 0), tensorContent: Uint8Array.of(1) }, [[], []]],
  ["content wins over values", { dtype: 4, tensorShape: shape(2), tensorContent: Uint8Array.of(8, 9), intVal: [1] }, [8, 9]],
  ["empty content counts as absent", { dtype: 4, tensorShape: shape(2), tensorContent: new Uint8Array(0), intVal: [1] }, [1, 1]],
  ["int8 is truncated", { dtype: 6, tensorShape: shape(3), intVal: [300, -129, 128] }, [44, 127, -128]],
  ["uint8 is truncated", { dtype: 4, tensorShape: shape(2), intVal: [-1, 256] }, [255, 0]],
  ["uint16 is truncated", { dtype: 17, tensorShape: shape(1), intVal: [65543] }, [7]],
  ["half takes the low 16 bits", { dtype: 19, tensorShape: shape(2), halfVal: [0x13c00, -16384] }, [1, -2]],
  ["bfloat16", { dtype: 14, tensorShape: shape(2), halfVal: [0x3f80] }, [1, 1]],
  [
    "pairs are repeated as a unit, an odd part is dropped",
    { dtype: 8, tensorShape: shape(2), scomplexVal: [1, 2, 3] },
    [
      [1, 2],
      [1, 2],
    ],
  ],
  ["complex128", { dtype: 18, tensorShape: shape(1), dcomplexVal: [1, 2] }, [[1, 2]]],
  ["int64 of bigints and numbers", { dtype: 9, tensorShape: shape(3), int64Val: [-big, 5, big - 1n] }, [-big, 5n, big - 1n]],
  ["uint64", { dtype: 23, tensorShape: shape(1), uint64Val: [2n * big - 1n] }, [2n * big - 1n]],
  ["uint32", { dtype: 22, tensorShape: shape(1), uint32Val: [4294967295] }, [4294967295]],
  ["bool of booleans, ones and zeros", { dtype: 10, tensorShape: shape(4), boolVal: [true, 0, 1] }, [true, false, true, true]],
  ["float8", { dtype: 25, tensorShape: shape(2), float8Val: Uint8Array.of(0x38, 0xb8) }, [1, -1]],
  ["int4 keeps the low byte, which reads as its low bits", { dtype: 29, tensorShape: shape(3), intVal: [-8, 7, 0x19] }, [-8, 7, -7]],
  ["uint2 from content", { dtype: 32, tensorShape: shape(2), tensorContent: Uint8Array.of(3, 6) }, [3, 2]],
  ["strings repeat the last", { dtype: 7, tensorShape: shape(3), stringVal: [Uint8Array.of(97), Uint8Array.of(98)] }, ["a", "b", "b"]],
  ["no string gives empty strings", { dtype: 7, tensorShape: shape(2) }, ["", ""]],
  ["a string list", { dtype: 7, tensorShape: shape(2), tensorContent: Uint8Array.of(1, 2, 97, 98, 99) }, ["a", "bc"]],
  ["a string length of five bytes loses its high bits", { dtype: 7, tensorContent: Uint8Array.of(0x81, 0x80, 0x80, 0x80, 0x10, 97) }, "a"],
])("%s", (_, proto, expected) => {
  expect(read(proto)).toEqual(expected);
  expect(read(proto, { copy: true })).toEqual(expected);
  expect(read(proto, { allocator: cpuAllocator() })).toEqual(expected);
});

test.each<[string, TensorProto, RegExp]>([
  ["no dtype", {}, /dtype is not set/],
  ["an unknown dtype", { dtype: 99, tensorShape: shape(0) }, /dtype 99 .*unknown dtype enum \(99\)/],
  ["a reference type", { dtype: 101 }, /dtype 101 .*float_ref/],
  ["a dtype between two", { dtype: 1.5 }, /1\.5/],
  ["a dtype that is not a number", { dtype: "1" as unknown as number }, /"1"/],
  ["an unknown size", { dtype: 1, tensorShape: shape(-1) }, /\[\?\]/],
  ["too many elements", { dtype: 1, tensorShape: shape(2 ** 40, 2 ** 40) }, /too large/],
  ["255 dimensions", { dtype: 1, tensorShape: shape(...new Array<number>(255).fill(1)) }, /255/],
  [
    "content too short",
    { dtype: 1, tensorShape: shape(2), tensorContent: new Uint8Array(7) },
    /7 bytes, but 2 elements of float32 in shape \[2\] take 8/,
  ],
  ["content too long", { dtype: 9, tensorShape: shape(1), tensorContent: new Uint8Array(9) }, /9 bytes.*8/],
  ["content that is not a Uint8Array", { dtype: 1, tensorContent: [0, 0, 0, 0] as unknown as Uint8Array }, /array of 4/],
  ["a bool of 2", { dtype: 10, tensorShape: shape(2), tensorContent: Uint8Array.of(1, 2) }, /tensorContent\[1\] is 2/],
  ["a bool value of 2", { dtype: 10, tensorShape: shape(2), boolVal: Uint8Array.of(0, 2) }, /boolVal\[1\].*2/],
  [
    "a float value that is not a number",
    { dtype: 1, tensorShape: shape(2), floatVal: [1, "2" as unknown as number] },
    /floatVal\[1\] must be a number, got "2"/,
  ],
  ["an int32 with a fraction", { dtype: 3, intVal: [1.5] }, /intVal\[0\] must be an int32, got 1\.5/],
  ["an int32 out of range", { dtype: 3, intVal: [2 ** 31] }, /2147483648/],
  ["a uint32 below zero", { dtype: 22, uint32Val: [-1] }, /uint32Val\[0\] must be a uint32, got -1/],
  ["an int64 out of range", { dtype: 9, int64Val: [big] }, /int64Val\[0\].*9223372036854775808n/],
  ["an int64 as an inexact number", { dtype: 9, int64Val: [2 ** 53] }, /9007199254740992/],
  ["a uint64 below zero", { dtype: 23, uint64Val: [-1n] }, /-1n/],
  ["a field that is not an array", { dtype: 1, floatVal: 7 as unknown as number[] }, /floatVal must be an array, got 7/],
  ["a list with a hole", { dtype: 1, tensorShape: shape(1), floatVal: new Array<number>(1) }, /floatVal\[0\].*undefined/],
  ["a string that is text, not bytes", { dtype: 7, stringVal: ["a" as unknown as Uint8Array] }, /stringVal\[0\]: expected bytes, got "a"/],
  ["more strings than bytes", { dtype: 7, tensorShape: shape(5), tensorContent: Uint8Array.of(0) }, /1 bytes cannot hold the lengths of 5/],
  ["a string length that is cut off", { dtype: 7, tensorContent: Uint8Array.of(0x80) }, /string 0 of 1 does not parse at byte 1/],
  ["a string length of six bytes", { dtype: 7, tensorContent: Uint8Array.of(128, 128, 128, 128, 128, 0) }, /does not parse at byte 5/],
  [
    "string lengths that do not add up",
    { dtype: 7, tensorShape: shape(2), tensorContent: Uint8Array.of(1, 2, 97, 98) },
    /add up to 3 bytes, but 2/,
  ],
  [
    "bytes after the last string",
    { dtype: 7, tensorShape: shape(2), tensorContent: Uint8Array.of(1, 2, 97, 98, 99, 100) },
    /add up to 3 bytes, but 4/,
  ],
  ["a handle that is not an object", { dtype: 20, resourceHandleVal: [7 as never] }, /resourceHandleVal\[0\]: .*7/],
  [
    "a handle with an invalid shape",
    { dtype: 20, resourceHandleVal: [{}, { dtypesAndShapes: [{ dtype: 1, shape: shape(-2) }] }], tensorShape: shape(2) },
    /resourceHandleVal\[1\].*-2/,
  ],
  ["a handle with an invalid hash code", { dtype: 20, resourceHandleVal: [{ hashCode: 1.5 }] }, /1\.5/],
  ["a handle whose name is not a string", { dtype: 20, resourceHandleVal: [{ name: 7 as unknown as string }] }, /name.*7/],
])("%s is refused", (_, proto, words) => {
  const before = liveBuffers();
  const error = refusal(() => Tensor.fromProto(proto));
  expect(error.code).toBe("INVALID_ARGUMENT");
  expect(error.message).toMatch(words);
  expect(liveBuffers()).toBe(before);
});

test.each([null, undefined, 7, "proto"])("%p is refused as a message", (value) => {
  expect(refusal(() => Tensor.fromProto(value as unknown as TensorProto)).code).toBe("INVALID_ARGUMENT");
});

test.each<[FromProtoOptions]>([[{ maxSplatBytes: Number.NaN }], [{ maxSplatBytes: -1 }], [{ unknownVariants: "drop" as "bytes" }]])(
  "options %p are refused",
  (options) => {
    expect(refusal(() => Tensor.fromProto({ dtype: 1 }, options)).code).toBe("INVALID_ARGUMENT");
  },
);

test("detached arrays are refused, not taken for empty ones", () => {
  for (const proto of [
    { dtype: 1, tensorContent: new Uint8Array(4) },
    { dtype: 1, floatVal: new Float32Array(1) },
  ]) {
    structuredClone(null, { transfer: [(proto.tensorContent ?? proto.floatVal)!.buffer] });
    const error = refusal(() => Tensor.fromProto(proto));
    expect([error.code, /detached/.test(error.message)]).toEqual(["FAILED_PRECONDITION", true]);
  }
});

describe("what is copied", () => {
  const content = new Uint8Array(new ArrayBuffer(64), 8, 8);

  test("aligned content is a view: each sees the other's writes", () => {
    content.fill(0);
    const before = bytesCopied();
    using tensor = Tensor.fromProto({ dtype: 1, tensorShape: shape(2), tensorContent: content });
    expect(bytesCopied()).toBe(before);
    expect(tensor.buffer).toBeInstanceOf(ForeignBuffer);
    tensor.vec("float32").set(1, 1);
    expect([...content]).toEqual([0, 0, 0, 0, 0, 0, 0x80, 0x3f]);
    expect(tensor.refCountIsOne()).toBe(false);
  });

  test.each<[DType, number, boolean]>([
    ["complex64", 4, true],
    ["complex128", 4, false],
    ["float64", 8, true],
    ["int64", 12, false],
    ["float16", 2, true],
    ["float16", 1, false],
    ["uint8", 3, true],
    ["float8_e5m2", 1, true],
  ])("%s content at byte %d is a view: %p", (dtype, at, isView) => {
    const size = dtypeSize(dtype);
    const bytes = Uint8Array.from({ length: 64 }, (_, i) => i).subarray(at, at + 2 * size);
    const before = bytesCopied();
    using tensor = Tensor.fromProto({ dtype: dataTypeOf(dtype), tensorShape: shape(2), tensorContent: bytes });
    expect(bytesCopied() - before).toBe(isView ? 0 : 2 * size);
    expect([...tensor.tensorData]).toEqual([...bytes]);
  });

  test("the field's array becomes the tensor's memory if it holds the elements as they are", () => {
    const floatVal = Float32Array.of(1, 2, 3);
    using tensor = Tensor.fromProto({ dtype: 1, tensorShape: shape(2), floatVal });
    floatVal[0] = 7;
    expect(tensor.toArray()).toEqual([7, 2]);
    using copy = Tensor.fromProto({ dtype: 1, tensorShape: shape(2), floatVal }, { copy: true });
    using splat = Tensor.fromProto({ dtype: 1, tensorShape: shape(4), floatVal });
    floatVal.fill(0);
    expect([copy.toArray(), splat.toArray()]).toEqual([
      [7, 2],
      [7, 2, 3, 3],
    ]);
  });

  test("strings are copied, and a repeated one is stored once", () => {
    const stringVal = [Uint8Array.of(97), new Uint8Array(1000).fill(98)];
    const before = bytesCopied();
    using tensor = Tensor.fromProto({ dtype: 7, tensorShape: shape(100_000), stringVal });
    expect(bytesCopied() - before).toBe(1001);
    stringVal[0]![0] = 99;
    expect([...tensor.flat("string").at(0)]).toEqual([97]);
    expect(tensor.flat("string").at(99_999)).toBe(tensor.flat("string").at(1));
  });

  test("old bytes in the allocator's memory do not show", () => {
    class Dirty extends Allocator {
      override get name(): string {
        return "dirty";
      }
      override allocateRaw(_alignment: number, numBytes: number): Pointer {
        return { buffer: new Uint8Array(numBytes + 3).fill(0xee).buffer, byteOffset: 3 };
      }
      override deallocateRaw(): void {}
    }
    const allocator = new Dirty();
    using zeros = Tensor.fromProto({ dtype: 3, tensorShape: shape(3) }, { allocator });
    expect([...zeros.unalignedFlat()]).toEqual([0, 0, 0]);
    using splat = Tensor.fromProto({ dtype: 3, tensorShape: shape(3), intVal: [1, 2] }, { allocator });
    expect([...splat.unalignedFlat()]).toEqual([1, 2, 2]);
  });
});

test("an invalid bool byte is found at any index and alignment", () => {
  const memory = new Uint8Array(64).fill(1);
  for (let from = 0; from < 8; from += 1)
    for (let at = 0; at < 11; at += 1) {
      const content = memory.subarray(from, from + 11);
      content[at] = 0x80 >>> (at % 7);
      expect(refusal(() => Tensor.fromProto({ dtype: 10, tensorShape: shape(11), tensorContent: content })).message).toContain(
        `tensorContent[${at}] is ${content[at]},`,
      );
      content[at] = 0;
      Tensor.fromProto({ dtype: 10, tensorShape: shape(11), tensorContent: content }).dispose();
    }
});

describe("limits", () => {
  const huge = (count: number, more: TensorProto = {}): TensorProto => ({ dtype: 1, tensorShape: shape(count), ...more });

  test("more than 2 GiB of zeros are refused for every dtype", () => {
    for (const dtype of [DataType.DT_FLOAT, DataType.DT_INT64, DataType.DT_STRING, DataType.DT_VARIANT]) {
      const error = refusal(() => Tensor.fromProto({ ...huge(2 ** 40), dtype }));
      expect([error.code, /1099511627776 elements/.test(error.message), /2147483648/.test(error.message)]).toEqual([
        "INVALID_ARGUMENT",
        true,
        true,
      ]);
    }
  });

  test("repeated values may take any number of bytes unless maxSplatBytes is given", () => {
    expect(refusal(() => Tensor.fromProto(huge(2 ** 45, { floatVal: [1] }))).code).toBe("RESOURCE_EXHAUSTED");
    const error = refusal(() => Tensor.fromProto(huge(2 ** 45, { floatVal: [1] }), { maxSplatBytes: 2 ** 20 }));
    expect([error.code, /1048576/.test(error.message)]).toEqual(["INVALID_ARGUMENT", true]);
  });

  test("maxSplatBytes counts exactly the filled bytes", () => {
    const proto = huge(4, { floatVal: [1, 2] });
    expect(read(proto, { maxSplatBytes: 8 })).toEqual([1, 2, 2, 2]);
    expect(refusal(() => Tensor.fromProto(proto, { maxSplatBytes: 7 })).message).toMatch(/8 bytes .* 7$/);
    expect(read(huge(2, { floatVal: [1, 2] }), { maxSplatBytes: 0 })).toEqual([1, 2]);
  });

  test("maxSplatBytes counts all tensors of a message together", () => {
    const inner = huge(4, { floatVal: [1] });
    const proto: TensorProto = { dtype: 21, variantVal: [{ typeName: "tensorflow::Tensor", tensors: [inner, inner] }] };
    expect(refusal(() => Tensor.fromProto(proto, { maxSplatBytes: 23 })).message).toMatch(/24 bytes/);
    Tensor.fromProto(proto, { maxSplatBytes: 24 }).dispose();
  });
});

// The reference model reads element by element, from the rules in the specification.
test("fields of any length and dtype are read as the reference model reads them, bit for bit", () => {
  const rawDTypes = allDTypes.filter((dtype) => !isObjectDType(dtype));
  const arb = fc
    .record({
      dtype: fc.constantFrom(...rawDTypes),
      count: fc.integer({ min: 0, max: 40 }),
      stored: fc.integer({ min: 0, max: 50 }),
      seed: fc.nat(),
    })
    .map(({ dtype, count, stored, seed }) => ({ dtype: dtype as Exclude<DType, "string" | "resource" | "variant">, count, stored, seed }));
  fc.assert(
    fc.property(arb, fc.boolean(), ({ dtype, count, stored, seed }, copy) => {
      const size = dtypeSize(dtype);
      const slots = arraySlots(dtype);
      // Any bits, except for bool and the narrow integers, which do not use all bits of a byte.
      const mask = dtype === "bool" ? 1 : dtype === "int2" || dtype === "uint2" ? 1 : dtype === "int4" || dtype === "uint4" ? 7 : 0xff;
      const bytes = Uint8Array.from({ length: stored * size }, (_, i) => ((seed * (i + 3) * 2654435761) >>> 13) & mask);
      const values = new (typedArrayConstructor(dtype))(bytes.buffer) as unknown as ArrayLike<number | bigint>;
      const name =
        {
          float32: "floatVal",
          float64: "doubleVal",
          complex64: "scomplexVal",
          complex128: "dcomplexVal",
          int64: "int64Val",
          uint64: "uint64Val",
          uint32: "uint32Val",
          bool: "boolVal",
          float16: "halfVal",
          bfloat16: "halfVal",
        }[dtype as string] ?? (/^float[48]_/.test(dtype) ? "float8Val" : "intVal");
      const proto = { dtype: dataTypeOf(dtype), tensorShape: shape(count), [name]: values } as TensorProto;
      using tensor = Tensor.fromProto(proto, { copy });
      const expected = Array.from({ length: count * size }, (_, i) => {
        if (stored === 0) return 0;
        const element = Math.min(Math.floor(i / size), stored - 1);
        return bytes[element * size + (i % size)];
      });
      expect([...tensor.tensorData]).toEqual(expected);
      expect(values.length).toBe(stored * slots);
    }),
    { numRuns: isLong ? 300 : 60 },
  );
});
