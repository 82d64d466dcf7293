// Tests of the errors of strided maps: wrong indices, values, views and memory give the right code and message, and store nothing.
import { describe, expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import type { StridedMap } from "@onebuffer/eigen";
import { constStridedMap, stridedMap, stridedMapFromLayout, tensorMap } from "@onebuffer/eigen";
import { kUnowned, MemoryToken } from "@onebuffer/storage/internal";
import { tensorMapKind } from "@onebuffer/eigen/internal";
import { expectStatus, isLong, sampled } from "@onebuffer/test-support";
import { badAt } from "./bad-indices.ts";
import { fresh, ownerOf, oneInput, subjectKinds, wrongInputs } from "./subjects.ts";
import { line, matrix } from "../geometry/counted-maps.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

type Loose = { set(...args: unknown[]): void; at(...indices: unknown[]): unknown; fill(v: unknown): void; copyFrom(s: unknown): void };

describe.each(sampled(subjectKinds.toReversed(), 8))("$name", ({ dtype, make }) => {
  const value = oneInput(dtype);

  test("at and set name the index and the dimension, in every rank and dimension", () => {
    for (let rank = 1; rank <= 7; rank++) {
      const sizes = Array.from({ length: rank }, (_, d) => 1 + (d % 2));
      const map = make(sizes).map.strided().reverse();
      const readOnly = map.asConst() as unknown as Loose;
      for (let d = 0; d < rank; d++) {
        const size = sizes[d] as number;
        for (const [bad, text] of [...badAt(rank, d, isLong), [size, String(size)] as [unknown, string]]) {
          const indices: unknown[] = sizes.map((s) => s - 1);
          indices[d] = bad;
          const words = `index ${text} of dimension ${d} is not in [0, ${size})`;
          expectStatus(() => (map as unknown as Loose).at(...indices), "OUT_OF_RANGE", words);
          expectStatus(() => readOnly.at(...indices), "OUT_OF_RANGE", words);
          expectStatus(() => (map as unknown as Loose).set(...indices, value), "OUT_OF_RANGE", words);
        }
      }
      expect([...map]).toEqual([...map].map(() => fresh(dtype)));
    }
  });

  test("refuses a value that is not an element of the dtype with INVALID_ARGUMENT", () => {
    for (const rank of [0, 1, 2, 7]) {
      const map = make(Array(rank).fill(2)).map.strided() as unknown as Loose;
      for (const wrong of wrongInputs(dtype)) {
        expectStatus(() => map.set(...Array(rank).fill(1), wrong), "INVALID_ARGUMENT", dtype);
        expectStatus(() => map.fill(wrong), "INVALID_ARGUMENT", dtype);
      }
    }
  });

  test("every access to freed memory throws", () => {
    for (const rank of [0, 1, 2, 6, 7]) {
      const subject = make(Array(rank).fill(1));
      const map = subject.map.strided();
      const indices = Array(rank).fill(0);
      subject.free();
      const l = map as unknown as Loose;
      const calls = [
        () => l.at(...indices),
        () => l.set(...indices, value),
        () => l.fill(value),
        () => l.copyFrom(map),
        () => [...map],
        () => map.toArray(),
        () => map.slice(),
        () => map.transpose(),
        () => map.broadcast(Array(rank).fill(1)),
        () => map.reshape([1]),
        () => map.strided("..."),
        () => map.toTensorMap(),
        () => subject.map.strided(),
      ];
      for (const call of calls) expectStatus(call, "FAILED_PRECONDITION", "freed", dtype);
      expect(String(map)).toContain(dtype);
      expect([map.dimensions, map.isContiguous()]).toEqual([Array(rank).fill(1), true]);
    }
  });

  test("every access to detached memory throws", () => {
    for (const rank of [0, 1, 2, 6, 7]) {
      const subject = make(Array(rank).fill(1), 1);
      if (subject.detach === null) return;
      const map = subject.map.strided();
      const indices = Array(rank).fill(0);
      subject.detach();
      const l = map as unknown as Loose;
      const calls = [
        () => l.at(...indices),
        () => l.set(...indices, value),
        () => l.fill(value),
        () => l.copyFrom([value]),
        () => [...map],
        () => map.toArray(),
        () => map.reverse(),
      ];
      for (const call of calls) expectStatus(call, "FAILED_PRECONDITION", "detached", dtype);
    }
  });

  test("an iterator throws if the memory is freed during the iteration", () => {
    const subject = make([3]);
    const iterator = subject.map.strided().reverse()[Symbol.iterator]();
    iterator.next();
    subject.free();
    expectStatus(() => iterator.next(), "FAILED_PRECONDITION", "freed");
  });
});

const map = (...dims: readonly number[]): StridedMap<"int8", number> =>
  tensorMap("int8", new Int8Array(dims.reduce((a, b) => a * b, 1)), dims).strided();
const any = (value: unknown): never => value as never;

describe("views", () => {
  test.each<[string, () => unknown, ...(string | number)[]]>([
    ["slice: too many ranges", () => map(2, 3).slice(null, null, null), "3 ranges", "[2,3]"],
    ["slice: not a range", () => map(2).slice(any(1)), "dimension 0", "1"],
    ["slice: a fraction", () => map(2, 3).slice(null, [0.5]), "start", "dimension 1", "0.5"],
    ["slice: a string", () => map(2).slice([0, any("1")]), "stop", '"1"'],
    ["slice: NaN", () => map(2).slice([0, 1, NaN]), "step", "NaN"],
    ["slice: step 0", () => map(2, 3).slice(null, [0, 1, 0]), "step", "dimension 1", "0"],
    ["reverse: axis out of range", () => map(2, 3).reverse([2]), "axis 2", "[-2, 2)"],
    ["reverse: axis named twice", () => map(2, 3).reverse([1, -1]), "axis 1", "twice", "[1,-1]"],
    ["reverse: axes not a list", () => map(2, 3).reverse(any(1)), "1"],
    ["permute: axis missing", () => map(2, 3).permute([1]), "1 of 2", "[2,3]"],
    ["permute: axis named twice", () => map(2, 3).permute([0, 0]), "twice"],
    ["permute: axis out of range", () => map(2, 3).permute([0, -3]), "axis -3", "[-2, 2)"],
    ["broadcast: incompatible size", () => map(2, 3).broadcast([2, 4]), "[2,3]", "[2,4]"],
    ["broadcast: lower rank", () => map(2, 3).broadcast([3]), "[2,3]", "[3]"],
    ["broadcast: size not a number", () => map(2, 3).broadcast([any("2"), 3]), '"2"'],
    ["broadcast: negative size", () => map(1).broadcast([-1]), "-1"],
    ["broadcast: more than 2^53 - 1 elements", () => map(1).broadcast([2 ** 30, 2 ** 30]), "2^53"],
    ["chip: axis too large", () => map(2, 3).chip(0, 2), "chip of [2,3]", "axis 2", "[-2, 2)"],
    ["chip: negative axis out of range", () => map(2, 3).chip(0, -3), "axis -3", "[-2, 2)"],
    ["expandDims: axis out of range", () => map(2, 3).expandDims(3), "axis 3", "[-3, 3)"],
    ["squeeze: size not 1", () => map(2, 1).squeeze([0]), "dimension 0", "size 2"],
    ["squeeze: axis out of range", () => map(2, 1).squeeze([2]), "axis 2", "[-2, 2)"],
    ["reshape: other element count", () => map(2, 3).reshape([4]), "[2,3]", "6 elements", "[4]"],
    ["reshape: -1 twice", () => map(2, 3).reshape([-1, -1]), "-1"],
    ["reshape: -1 together with 0", () => map(0, 3).reshape([-1, 0]), "[-1,0]"],
    ["reshape: no integer size for -1", () => map(2, 3).reshape([4, -1]), "[4,-1]"],
    ["reshape: sizes not a list", () => map(2, 3).reshape(any(6)), "6"],
    ["whyNotReshape: other element count", () => map(2, 3).whyNotReshape([4]), "[2,3]", "[4]"],
  ])("%s", (_, call, ...parts) => expectStatus(call, "INVALID_ARGUMENT", ...parts));

  test("chip refuses a wrong offset with OUT_OF_RANGE", () => {
    expectStatus(() => map(2, 3).chip(3, 1), "OUT_OF_RANGE", "index 3 of dimension 1 is not in [0, 3)");
    expectStatus(() => map(2, 3).chip(-1), "OUT_OF_RANGE", "index -1 of dimension 0");
  });

  test("whyNotReshape names the dimensions, their strides and the stride they would need", () => {
    const permuted = map(2, 3, 4).permute([0, 2, 1]);
    expect(permuted.whyNotReshape([2, 12])).toBe(
      "dimensions 1 and 2 of [2,4,3] cannot merge into [12]: the stride of dimension 1 is 1, but it must be 3 * 4 = 12",
    );
    expect(permuted.reshapeView([2, 12])).toBe(null);
    expect(permuted.whyNotReshape([2, 2, 2, -1])).toBe(null);
  });

  test("a broadcast map and its views are read-only", () => {
    const wide = tensorMap("int8", new Int8Array(3), [3]).strided().broadcast([2, 3]);
    for (const each of [wide, wide.slice([0, 1]), wide.transpose(), wide.strided("0"), wide.chip(0)])
      expect("set" in each || "fill" in each).toBe(false);
    expect(wide.toTensorMap()).toBe(null);
    expect("set" in (wide.chip(1).toTensorMap() ?? {})).toBe(false);
    const huge = wide.broadcast([2 ** 28, 2, 3]);
    expect(huge.at(2 ** 28 - 1, 1, 2)).toBe(0);
    expectStatus(() => huge.toArray(), "RESOURCE_EXHAUSTED", 2 ** 28 * 6);
    expectStatus(
      () =>
        tensorMap("int8", new Int8Array(0), [2 ** 40, 0])
          .strided()
          .toArray(),
      "RESOURCE_EXHAUSTED",
      2 ** 40,
    );
  });
});

describe("stridedMap, constStridedMap and stridedMapFromLayout", () => {
  const array = new Float32Array(6);
  test.each<[string, () => unknown, ...(string | number)[]]>([
    ["elements after the end", () => stridedMap("float32", array, [2, 3], [3, 1], 1), "elements 1 to 6", "has 6"],
    ["elements before the start", () => stridedMap("float32", array, [2, 3], [-3, 1], 2), "elements -1 to 4"],
    [
      "complex elements, which take two slots, after the end",
      () => stridedMap("complex64", new Float32Array(6), [4], [1]),
      "elements 0 to 3",
      "has 3",
    ],
    ["fewer strides than sizes", () => stridedMap("float32", array, [2, 3], [1]), "2 strides", "1"],
    ["a fractional stride", () => stridedMap("float32", array, [2], [0.5]), "stride 0", "0.5"],
    ["strides not a list", () => stridedMap("float32", array, [2], any(1)), "1"],
    ["strides not a list but with a length", () => stridedMap("float32", array, [2], any({ length: 1 })), "must be an array"],
    ["sizes not a list", () => stridedMap("float32", array, any("2"), [1]), '"2"'],
    ["a negative size", () => stridedMap("float32", array, [-2], [1]), "dimension 0", "-2"],
    ["a negative offset", () => stridedMap("float32", array, [2], [1], -1), "offset", "-1"],
    ["more than 2^53 - 1 elements", () => constStridedMap("float32", array, [2 ** 40, 2 ** 40], [0, 0]), "2^53"],
    ["another class of array", () => stridedMap("float32", any(new Float64Array(2)), [2], [1]), "Float32Array", "Float64Array"],
    ["another class of array, const", () => constStridedMap("float16", any(array), [2], [1]), "Uint16Array", "Float32Array"],
    ["an unknown dtype", () => stridedMap(any("float"), any(array), [2], [1]), '"float"'],
    [
      "layout: dimension named twice",
      () => stridedMapFromLayout(tensorMap("float32", array, [6]), [2, 3], [0, 0]),
      "[0,0]",
      "dimension 0 twice",
    ],
    [
      "layout: dimension out of range",
      () => stridedMapFromLayout(tensorMap("float32", array, [6]), [2, 3], [0, 2]),
      "minorToMajor[1]",
      "2",
    ],
    ["layout: too few dimensions", () => stridedMapFromLayout(tensorMap("float32", array, [6]), [2, 3], [0]), "1 entries for 2"],
    ["layout: not a list", () => stridedMapFromLayout(tensorMap("float32", array, [6]), [2, 3], any("10")), '"10"'],
    ["layout: other element count", () => stridedMapFromLayout(tensorMap("float32", array, [6]), [2, 2], [1, 0]), "4 elements", "6"],
    ["layout: a fractional size", () => stridedMapFromLayout(tensorMap("float32", array, [6]), [2.5, 2], [1, 0]), "2.5"],
  ])("%s", (_, call, ...parts) => expectStatus(call, "INVALID_ARGUMENT", ...parts));

  test("a stride of 0 that repeats elements is FAILED_PRECONDITION for a writable map, and allowed for a read-only one", () => {
    expectStatus(() => stridedMap("float32", array, [2, 3], [0, 1]), "FAILED_PRECONDITION", "[2,3]", "[0,1]", "constStridedMap");
    expect(constStridedMap("float32", array, [2, 3], [0, 1]).size).toBe(6);
    expect("set" in constStridedMap("float32", array, [2], [1])).toBe(false);
    expect(stridedMap("float32", array, [1, 0], [0, 0]).size).toBe(0);
  });

  test("stridedMapFromLayout refuses elements that are not contiguous with FAILED_PRECONDITION", () => {
    expectStatus(
      () => stridedMapFromLayout(tensorMap("float32", array, [6]).strided().reverse(), [6], [0]),
      "FAILED_PRECONDITION",
      "strides [-1]",
    );
  });

  test("a map over another map's data has that map's owner", () => {
    const token = new MemoryToken(null);
    const { data } = tensorMapKind("float32").vec(array, 0, token, 6);
    const strided = stridedMap("float32", data, [3], [2]);
    expect([strided, strided.transpose(), map(1)].map(ownerOf)).toEqual([token, token, kUnowned]);
    token.free();
    expectStatus(() => strided.at(0), "FAILED_PRECONDITION", "freed");
  });

  test("-0 as a size, stride or offset becomes 0", () => {
    const strided = stridedMap("float32", array, [1, -0 + 2], [-0, 1], -0)
      .slice([-0])
      .chip(-0);
    for (const number of [strided.offset, ...strided.strides, ...strided.dimensions]) expect(Object.is(number, -0)).toBe(false);
  });
});

test("maps with sizes or strides above 2^30 have the general classes and work", () => {
  const memory = new Uint8Array(2 ** 30 + 8);
  const strided = stridedMap("uint8", memory, [2, 4], [2 ** 30, 2]);
  strided.set(1, 3, 7);
  expect([memory[2 ** 30 + 6], strided.at(1, 3), strided.reverse().at(0, 0)]).toEqual([7, 7, 7]);
  expectStatus(() => strided.at(2, 0), "OUT_OF_RANGE", "index 2 of dimension 0");
  const far = stridedMap("uint8", new Uint8Array(4), [1, 4], [2 ** 40, 1]);
  far.set(0, 3, 5);
  expect([far.at(0, 3), far.isContiguous(), far.chip(0).rank]).toEqual([5, true, 1]);
});

test("a map of any rank requires as many indices as it has dimensions", () => {
  for (const rank of [0, 1, 2, 3, 7]) {
    const each = map(...Array(rank).fill(1)) as unknown as Loose;
    for (const count of [rank - 1, rank + 1].filter((n) => n >= 0)) {
      const words = [`needs ${rank} indices`, `got ${count}`];
      expectStatus(() => each.at(...Array(count).fill(0)), "INVALID_ARGUMENT", ...words);
      expectStatus(() => each.set(...Array(count).fill(0), 1), "INVALID_ARGUMENT", ...words);
    }
  }
});

test.each<[readonly number[], readonly number[], readonly number[] | null]>([
  [
    [2, 3],
    [3, 1],
    [1, 0],
  ],
  [
    [2, 3],
    [1, 2],
    [0, 1],
  ],
  [
    [2, 3, 4],
    [12, 1, 3],
    [1, 2, 0],
  ],
  [[2, 3], [0, 1], null],
  [[2, 3], [5, 1], null],
  [
    [1, 3],
    [99, 1],
    [1, 0],
  ],
  [
    [3, 1],
    [1, 77],
    [0, 1],
  ],
  [
    [0, 3],
    [7, 7],
    [1, 0],
  ],
  [[], [], []],
  [[2, 3], [-3, 1], null],
  [
    [1, 1, 1],
    [5, 6, 7],
    [2, 1, 0],
  ],
])("minorToMajor of %j with strides %j is %j", (dims, strides, layout) => {
  const offset = strides[0] === -3 ? 3 : 0;
  const strided = constStridedMap("int8" as DType, new Int8Array(64), dims, strides, offset);
  expect(strided.minorToMajor()).toEqual(layout);
});

test("only the listed dimensions are squeezed, and a wrong one is named with the sizes", () => {
  const x = tensorMap("float32", new Float32Array(3), [1, 3, 1]).strided();
  const squeeze = x.squeeze.bind(x) as (axes?: readonly number[]) => { readonly dimensions: readonly number[] };
  expect([squeeze([0]).dimensions, squeeze([-1]).dimensions, squeeze().dimensions]).toEqual([[3, 1], [1, 3], [3]]);
  expect(() => squeeze([1])).toThrow(/dimension 1 of \[1,3,1\] has size 3/);
  expect(() => x.reverse([5])).toThrow(/reverse\b.*\[1, ?3, ?1\].*axis 5/);
});

test("axes are named once, however long their list is", () => {
  expectStatus(() => matrix().reverse([0, 1, 0]), "INVALID_ARGUMENT", "axis 0 is named twice");
  expectStatus(() => matrix().reverse([0, 0]), "INVALID_ARGUMENT", "axis 0 is named twice");
  expectStatus(() => matrix().reverse([0, 1, 2]), "INVALID_ARGUMENT", "axis 2 is not in [-2, 2)");
  expectStatus(() => matrix().strided().expandDims(5), "INVALID_ARGUMENT", "expandDims of [2,3]");
});

test("an index of too few or too many numbers is refused, whatever the rank", () => {
  for (const dims of [
    [2, 3],
    [1, 2, 1, 3],
    [1, 1, 2, 1, 3],
    [1, 1, 1, 1, 2, 1, 3],
  ]) {
    const map = tensorMap("float32", line(6), dims).strided() as Any;
    for (const count of [1, dims.length - 1, dims.length + 1])
      expectStatus(() => map.at(...new Array<number>(count).fill(0)), "INVALID_ARGUMENT");
    expect(map.at(...dims.map((size) => size - 1))).toBe(5);
  }
});

test("an order of dimensions has as many entries as there are", () => {
  const packed = (order: unknown): unknown => stridedMapFromLayout(matrix(), [2, 3], order as Any);
  expectStatus(() => packed([0]), "INVALID_ARGUMENT", "minorToMajor [0] has 1 entries for 2 dimensions");
  expectStatus(() => packed(new Array(300).fill(0)), "INVALID_ARGUMENT", "minorToMajor has 300 entries for 2 dimensions");
});

test("a message about sizes has the name of the call", () => {
  expectStatus(() => matrix().strided().reshape([7, 1.5]), "INVALID_ARGUMENT", "reshape");
});
