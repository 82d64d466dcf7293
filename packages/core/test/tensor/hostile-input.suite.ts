/** Input that tries to crash, hang, over-allocate or leak: every call quickly returns the right result or throws a StatusError. */
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { Allocator, AllocatorAttributes, cpuAllocator, liveBuffers } from "@onebuffer/allocator";
import {
  Buffer,
  concat,
  deepCopy,
  disposeVariantTensorData,
  ResourceHandle,
  split,
  SubBuffer,
  Tensor,
  TensorReference,
  Variant,
} from "@onebuffer/core";
import type { Pointer } from "@onebuffer/allocator";
import { TensorSlice } from "@onebuffer/slice";
import { expectMistakes, isLong, NoMemory, stopwatch, thrown } from "@onebuffer/test-support";

/** Returns the result of `act` on a tensor, which is disposed afterwards. */
function use<T>(tensor: Tensor, act: (tensor: Tensor) => T): T {
  try {
    return act(tensor);
  } finally {
    tensor.dispose();
  }
}

function detached(): Float32Array {
  const array = new Float32Array(4);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

function deep(levels: number): unknown[] {
  let rows: unknown[] = [];
  for (let i = 0; i < levels; i++) rows = [rows];
  return rows;
}

function sparse(length: number): number[] {
  const row = [1];
  row.length = length;
  return row;
}

/** Returns an uninitialized tensor: its shape has three elements, but there is no data. */
const absent = (dtype: "float32" | "string" | "variant" = "float32"): Tensor => new Tensor(dtype, [3], { allocator: new NoMemory() });
/** 30 sizes whose product, 2^52, is near the most that a shape may have. */
const huge = Array.from({ length: 30 }, (_, d) => (d < 2 ? 2 ** 26 : 1));

const refused: readonly [string, () => unknown, string, readonly string[]][] = [
  ["a detached typed array", () => Tensor.from(detached()), "FAILED_PRECONDITION", ["detached"]],
  ["a sparse array of 2^32 - 1 places", () => Tensor.from(sparse(2 ** 32 - 1)), "INVALID_ARGUMENT", ["[1]"]],
  ["a hole deep inside", () => Tensor.from([[1, 2], sparse(2)]), "INVALID_ARGUMENT", ["[1][1]"]],
  ["an object without a prototype", () => Tensor.from([Object.create(null) as never]), "INVALID_ARGUMENT", ["[0]", "an object"]],
  ["deep arrays where a number belongs", () => Tensor.from([1, deep(1e5)] as never), "INVALID_ARGUMENT", ["[1]"]],
  ["arrays 100,000 deep", () => Tensor.from(deep(1e5) as never), "INVALID_ARGUMENT", ["254"]],
  [
    "an object that claims to be bytes",
    () => Tensor.from([{ [Symbol.toStringTag]: "Uint8Array" } as never], { dtype: "string" }),
    "INVALID_ARGUMENT",
    ["[0]"],
  ],
  ["wrapping null", () => Tensor.wrap(null as never, [2], { dtype: "float32" }), "INVALID_ARGUMENT", ["null"]],
  [
    "wrapping an object that looks like memory",
    () => Tensor.wrap({ byteLength: 8 } as never, [2], { dtype: "float32" }),
    "INVALID_ARGUMENT",
    ["an object"],
  ],
  ["arange with the smallest step", () => Tensor.arange(0, 1, 5e-324), "INVALID_ARGUMENT", ["5e-324"]],
  ["arange of 10^14", () => Tensor.arange(0, 1, 1e-14), "RESOURCE_EXHAUSTED", ["100000000000000"]],
  ["linspace over an infinite distance", () => Tensor.linspace(-1.7e308, 1.7e308, 3), "INVALID_ARGUMENT", ["1.7e+308"]],
  ["random over an infinite distance", () => Tensor.random([2], { low: -1.7e308, high: 1.7e308 }), "INVALID_ARGUMENT", ["1.7e+308"]],
  [
    "two numbers as a seed",
    () => Tensor.random([2], { seed: [1, 2] as never }),
    "INVALID_ARGUMENT",
    ["seed is a finite number, got an array"],
  ],
  ["2^53 - 1 elements of 4 bytes", () => new Tensor("float32", [2 ** 53 - 1]), "INVALID_ARGUMENT", ["9007199254740991"]],
  [
    "2^51 elements from an allocator without room",
    () => new Tensor("float32", [2 ** 51], { allocator: new NoMemory() }),
    "INVALID_ARGUMENT",
    ["2251799813685248"],
  ],
  ["2^50 strings without a buffer", () => Tensor.fromBuffer("string", [2 ** 50], null), "INVALID_ARGUMENT", ["1125899906842624"]],
  [
    "toArray of 2^40 empty rows",
    () => use(new Tensor("float32", [2 ** 40, 0]), (t) => t.toArray()),
    "RESOURCE_EXHAUSTED",
    ["1099511627776"],
  ],
  [
    "text of 2^24 elements",
    () => use(new Tensor("int8", [2 ** 24]), (t) => t.toString({ threshold: 2 ** 24 })),
    "RESOURCE_EXHAUSTED",
    ["16777216"],
  ],
  ["a summary of NaN entries", () => use(Tensor.arange(3), (t) => t.summarizeValue(Number.NaN)), "INVALID_ARGUMENT", ["NaN"]],
  ["a summary of 1.5 entries", () => use(Tensor.arange(3), (t) => t.debugString(1.5)), "INVALID_ARGUMENT", ["1.5"]],
  ["totalBytes of strings without data", () => use(absent("string"), (t) => t.totalBytes), "FAILED_PRECONDITION", ["3", "string"]],
  ["deepCopy of an uninitialized tensor", () => use(absent(), (t) => deepCopy(t)), "FAILED_PRECONDITION", ["not initialized"]],
  [
    "deepCopy of an uninitialized variant tensor",
    () => use(absent("variant"), (t) => deepCopy(t)),
    "FAILED_PRECONDITION",
    ["not initialized"],
  ],
  ["concat of uninitialized tensors", () => use(absent(), (t) => concat([t, t])), "FAILED_PRECONDITION", ["not initialized"]],
  ["split of an uninitialized tensor", () => use(absent(), (t) => split(t, [1, 2])), "FAILED_PRECONDITION", ["not initialized"]],
  [
    "copySlice of an uninitialized tensor",
    () => use(absent(), (t) => t.copySlice(TensorSlice.parse("0,1"))),
    "FAILED_PRECONDITION",
    ["not initialized"],
  ],
  [
    "row 0 of zero rows, where the remaining shape overflows",
    () => use(new Tensor("int8", [0, 2 ** 40, 2 ** 40]), (t) => t.subSlice(0)),
    "INVALID_ARGUMENT",
    ["1099511627776"],
  ],
  ["row 1 of zero rows", () => use(new Tensor("int8", [0, 2]), (t) => t.subSlice(1)), "OUT_OF_RANGE", ["subSlice(1)", "0"]],
  [
    "a Variant in a Variant",
    () => use(Tensor.hostScalar("variant", new Variant(1)), (t) => new Variant(t.scalar().at() as never)),
    "INVALID_ARGUMENT",
    ["Variant"],
  ],
  ["a Variant of null", () => new Variant(null as never), "INVALID_ARGUMENT", ["null"]],
  ["a Variant of text", () => new Variant("x" as never), "INVALID_ARGUMENT", ['"x"']],
  ["a Variant of a bigint", () => new Variant(5n as never), "INVALID_ARGUMENT", ["5n"]],
  ["a Variant of an unknown kind", () => new Variant(5, "toString" as never), "INVALID_ARGUMENT", ["toString"]],
  [
    "a Variant of an object that claims to be a tensor",
    () => new Variant({ typeName: "tensorflow::Tensor" }),
    "INVALID_ARGUMENT",
    ["tensorflow::Tensor"],
  ],
  ["a hash code that is not a bigint", () => new ResourceHandle({ hashCode: 5 as never }), "INVALID_ARGUMENT", ["5"]],
];

test.each(refused)("%s is refused quickly and leaks nothing", (_, act, code, values) => {
  const live = liveBuffers();
  const milliseconds = stopwatch();
  const error = thrown(act);
  expect(isStatusError(error) ? error.code : error).toBe(code);
  for (const value of values) expect(String(error)).toContain(value);
  expect(liveBuffers()).toBe(live);
  expect(milliseconds()).toBeLessThan(2000);
});

test("a row that is repeated many times is checked once", () => {
  // 2^36 elements are more than there is room for; checked for each row they would take hours.
  const length = isLong ? 2 ** 20 : 2 ** 18;
  const row = Array.from({ length }, (_, i) => String(i % 7));
  const rows = new Array<string[]>(length).fill(row);
  const milliseconds = stopwatch();
  expect(thrown(() => Tensor.from(rows))).toMatchObject({ code: "RESOURCE_EXHAUSTED" });
  expect(milliseconds()).toBeLessThan(3000);
});

describe("tensors without elements and with huge sizes", () => {
  test("text and views are returned quickly", () => {
    use(new Tensor("float32", [...huge, 0]), (t) => {
      expect(t.toString()).toBe("[]");
      expect([t.summarizeValue(3), t.summarizeValue(-1, true)]).toEqual(["", `[${"\n".repeat(30)} ...]`]);
    });
    use(new Tensor("float32", [0, 2 ** 50, 2 ** 50]), (t) => {
      expect([t.toString(), t.summarizeValue(3)]).toEqual(["[]", ""]);
      expect(thrown(() => t.flatOuterDims())).toMatchObject({ code: "INVALID_ARGUMENT" });
    });
  });

  test("slices and rows are views", () => {
    use(new Tensor("int8", [0, 2 ** 40, 2 ** 40]), (t) => {
      const pieces = split(t, [0, 0]);
      expect(pieces.map((piece) => piece.shape.debugString())).toEqual([
        "[0,1099511627776,1099511627776]",
        "[0,1099511627776,1099511627776]",
      ]);
      for (const piece of pieces) piece.dispose();
    });
    for (const [sizes, rest, initialized] of [
      [[0, 4], "[4]", false],
      [[0], "[]", false],
      [[0, 0, 3], "[0,3]", true],
    ] as const) {
      use(new Tensor("int32", sizes), (t) => {
        using row = t.subSlice(0);
        expect([row.shape.debugString(), row.isInitialized(), row.buffer, row.dtype]).toEqual([rest, initialized, null, "int32"]);
      });
    }
  });

  test("a region has its own shape", () => {
    const cases = [
      [[0, 4], "-:0,2", "[0,2]"],
      [[2, 0], "0,1:-", "[1,0]"],
      [[2, 0], "-:-", "[2,0]"],
    ] as const;
    for (const [sizes, slice, shape] of cases)
      use(new Tensor("float32", sizes), (t) => {
        using region = t.slice(TensorSlice.parse(slice));
        using copy = t.copySlice(TensorSlice.parse(slice));
        expect([region.shape.debugString(), copy.shape.debugString()]).toEqual([shape, shape]);
      });
  });
});

test("a tensor must fit the buffer that it is made over", () => {
  const variants = new Buffer("variant", cpuAllocator(), 3);
  const strings = new Buffer("string", cpuAllocator(), 3);
  const shifted = new SubBuffer(strings, 1, 30, 1);
  const attempts = [
    () => Tensor.fromBuffer("string", [3], variants),
    () => Tensor.fromBuffer("resource", [1], variants),
    () => Tensor.fromBuffer("variant", [1], strings),
    () => Tensor.fromBuffer("string", [1], shifted),
    () => Tensor.fromBuffer("int8", [1], strings),
  ];
  for (const attempt of attempts) expect(thrown(attempt)).toMatchObject({ code: "INVALID_ARGUMENT" });
  use(Tensor.fromBuffer("string", [3], strings), (t) => expect(t.toArray()).toEqual(["", "", ""]));
  for (const buffer of [shifted, strings, variants]) buffer.unref();
});

test("random numbers stay below high, whatever the dtype rounds to", () => {
  for (const dtype of ["float32", "float16", "bfloat16", "float8_e4m3fn", "float64"] as const)
    use(Tensor.random([isLong ? 5000 : 2000], { dtype, seed: 3 }), (t) => {
      const values = [...(t.flat() as Iterable<number>)];
      expect([Math.max(...values) < 1, Math.min(...values) >= 0]).toEqual([true, true]);
    });
});

test("random integers are in the range; a range without integers is refused", () => {
  use(Tensor.random([200], { dtype: "int32", low: 0.5, high: 3 }), (t) => {
    expect([...new Set(t.flat())].sort()).toEqual([1, 2]);
  });
  use(Tensor.random([200], { dtype: "int64", low: -2.5, high: -0.5 }), (t) => {
    expect([...new Set(t.flat() as Iterable<bigint>)].sort()).toEqual([-1n, -2n]);
  });
  expect(thrown(() => Tensor.random([1], { dtype: "int8", low: 0.25, high: 0.75 }))).toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("the console shows type and shape of a tensor whose memory is gone", () => {
  const memory = new Float32Array(4);
  using t = Tensor.wrap(memory);
  structuredClone(memory.buffer, { transfer: [memory.buffer] });
  const inspect = (t as unknown as Record<symbol, () => string>)[Symbol.for("nodejs.util.inspect.custom")]!;
  expect(inspect.call(t)).toMatch(/^Tensor<type: float shape: \[4\]>\n<.*detached/);
});

describe("a release or free that throws", () => {
  /** Counts every free and then throws. */
  class BadFree extends Allocator {
    live = 0;
    override get name(): string {
      return "bad_free";
    }
    override allocateRaw(_alignment: number, numBytes: number): Pointer | null {
      this.live++;
      return { buffer: new ArrayBuffer(numBytes), byteOffset: 0 };
    }
    override deallocateRaw(): void {
      this.live--;
      throw new Error("free");
    }
  }

  test("all counts are updated before the error is thrown", () => {
    const release = (): void => {
      throw new Error("release");
    };
    const live = liveBuffers();
    const whole = Tensor.wrap(new Float32Array(6), [3, 2], { release });
    const rows = [whole.slice(0, 1), whole.subSlice(1)] as const;
    const reference = new TensorReference(rows[0]);
    whole.dispose();
    rows[1].dispose();
    rows[0].dispose();
    expect(() => reference.unref()).toThrow("release");
    expect(liveBuffers()).toBe(live);
    whole.dispose();
    for (const row of rows) row.dispose();

    const slice = use(Tensor.wrap(new Float32Array(6), [3, 2], { release }), (t) => t.slice(1, 2));
    expect(() => slice.dispose()).toThrow("release");
    expect(liveBuffers()).toBe(live);

    using assigned = Tensor.wrap(new Float32Array(2), [2], { release });
    using other = Tensor.from([1, 2]);
    expect(() => assigned.copyFrom(other, [2])).toThrow("release");
    expect([assigned.toArray(), other.refCount]).toEqual([[1, 2], 2]);
  });

  test("all of several handles are disposed although one throws", () => {
    const allocator = new BadFree();
    const variants = Array.from({ length: 3 }, () => new Tensor("float32", [2], { allocator }));
    const data = { typeName: "", metadata: new Uint8Array(0), tensors: variants };
    expect(() => disposeVariantTensorData(data)).toThrow("free");
    expect([allocator.live, data.tensors.length]).toEqual([0, 0]);
    using strings = Tensor.from(["a", "b", "c"]);
    let left = 3;
    const running = new BadFree();
    const limited = new (class extends Allocator {
      override get name(): string {
        return "limited";
      }
      override allocateRaw(alignment: number, numBytes: number): Pointer | null {
        return left-- > 1 ? running.allocateRaw(alignment, numBytes) : null;
      }
      override deallocateRaw(): void {
        running.deallocateRaw();
      }
    })();
    expect(() => split(strings, [1, 1, 1], { allocator: limited })).toThrow("free");
    expect(running.live).toBe(0);
  });
});

test("a TensorReference after unref refuses to describe itself", () => {
  expectMistakes();
  using t = Tensor.from([1]);
  const reference = new TensorReference(t);
  expect(reference.fillDescription().requestedBytes).toBe(4);
  reference.unref();
  expect(thrown(() => reference.fillDescription())).toMatchObject({ code: "FAILED_PRECONDITION" });
});

test("the device bits of AllocatorAttributes stay unsigned", () => {
  const attributes = new AllocatorAttributes();
  attributes.value = 0x80000000;
  attributes.setGpuCompatible(true);
  const merged = new AllocatorAttributes();
  merged.setOnHost(true);
  merged.merge(attributes);
  expect([attributes.value, merged.value]).toEqual([0x80000004, 0x80000005]);
  expect([attributes.isEqualOrLessRestrictiveThan(merged), merged.isEqualOrLessRestrictiveThan(attributes)]).toEqual([true, false]);
});
