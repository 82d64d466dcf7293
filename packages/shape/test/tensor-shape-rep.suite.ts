// Tests the 16 bytes of a shape: the representation, the bytes, the data type, the seal.
import { describe, expect, test } from "@jest/globals";
import { PartialTensorShape, TensorShape, TensorShapeBase, TensorShapeRep } from "@onebuffer/shape";
import { expectStatus } from "@onebuffer/test-support";

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const full = (...dims: number[]): TensorShape => new TensorShape(dims);
const partial = (...dims: number[]): PartialTensorShape => new PartialTensorShape(dims);

test("the classes inherit as in TensorFlow", () => {
  expect(Object.getPrototypeOf(TensorShape)).toBe(TensorShapeBase);
  expect(Object.getPrototypeOf(PartialTensorShape)).toBe(TensorShapeBase);
  expect(Object.getPrototypeOf(TensorShapeBase)).toBe(TensorShapeRep);
  expect(TensorShape.maxDimensions).toBe(254);
});

test("a shape has six fields of plain data", () => {
  expect(Object.keys(full(1, 2))).toEqual(["w0", "w1", "w2", "w3", "n", "more"]);
  expect(Object.keys(partial(2 ** 40))).toEqual(["w0", "w1", "w2", "w3", "n", "more"]);
});

describe("representation and bytes", () => {
  test.each<[string, TensorShapeRep, string, string]>([
    ["a scalar", full(), "REP16", "00000000000000000000000000000000"],
    ["[2,3]", full(2, 3), "REP16", "02000300000000000000000000000200"],
    ["six small sizes", full(1, 2, 3, 4, 5, 6), "REP16", "01000200030004000500060000000600"],
    ["five small sizes", full(1, 2, 3, 4, 5), "REP16", "01000200030004000500000000000500"],
    ["the last Rep16 size", full(65533), "REP16", "fdff0000000000000000000000000100"],
    ["six of the last Rep16 sizes but zero", full(0, 65533, 65533, 65533, 65533, 65533), "REP16", "0000fdfffdfffdfffdfffdff00000600"],
    ["the first Rep32 size", full(65534), "REP32", "feff0000000000000000000000000101"],
    ["65535, which means unknown in Rep16", full(65535), "REP32", "ffff0000000000000000000000000101"],
    ["three sizes, one of Rep32", full(1, 2, 65534), "REP32", "0100000002000000feff000000000301"],
    ["Rep32 first, then small", full(70000, 2), "REP32", "70110100020000000000000000000201"],
    ["a size with its top bit set", full(2 ** 31, 0), "REP32", "00000080000000000000000000000201"],
    ["the last Rep32 size", full(4294967293), "REP32", "fdffffff000000000000000000000101"],
    ["the first out-of-line size", full(4294967294), "REP_OUT_OF_LINE", "00000000000000000000000000000102"],
    ["four sizes, one beyond Rep16", full(1, 1, 1, 65534), "REP_OUT_OF_LINE", "00000000000000000000000000000402"],
    ["four sizes, the first beyond Rep16", full(65534, 1, 1, 1), "REP_OUT_OF_LINE", "00000000000000000000000000000402"],
    ["seven small sizes", full(1, 2, 3, 4, 5, 6, 7), "REP_OUT_OF_LINE", "00000000000000000000000000000702"],
    ["Rep16 with a count of 2^30", full(32768, 32768), "REP16", "00800080000000000000000000000200"],
    ["254 dimensions", full(...new Array<number>(254).fill(1)), "REP_OUT_OF_LINE", "0000000000000000000000000000fe02"],
    ["unknown rank", new PartialTensorShape(), "REP16", "0000000000000000000000000000ff00"],
    ["an unknown size", partial(-1), "REP16", "ffff0000000000000000000000000100"],
    ["an unknown size in Rep32", partial(-1, 70000), "REP32", "ffffffff701101000000000000000201"],
    ["an unknown size out of line", partial(-1, 4294967294), "REP_OUT_OF_LINE", "00000000000000000000000000000202"],
  ])("%s", (_, shape, rep, bytes) => {
    expect(shape.rep).toBe(rep);
    expect(hex(shape.bytes())).toBe(bytes);
  });

  test("bytes() returns a copy", () => {
    const shape = full(2, 3);
    shape.bytes()[0] = 9;
    expect(shape.dimSizes).toEqual([2, 3]);
  });
});

describe("growing and rebuilding", () => {
  const after = (shape: TensorShapeBase, change: (shape: TensorShapeBase) => void): [string, number[]] => {
    change(shape);
    return [shape.rep, shape.dimSizes];
  };
  test.each<[string, TensorShapeBase, (shape: TensorShapeBase) => void, string, number[]]>([
    ["a seventh size", full(1, 2, 3, 4, 5, 6), (s) => s.addDim(7), "REP_OUT_OF_LINE", [1, 2, 3, 4, 5, 6, 7]],
    ["a fourth size after Rep32", full(70000, 1, 1), (s) => s.addDim(4), "REP_OUT_OF_LINE", [70000, 1, 1, 4]],
    ["a large third size", full(1, 2), (s) => s.addDim(70000), "REP32", [1, 2, 70000]],
    ["a large fourth size", full(1, 2, 3), (s) => s.addDim(70000), "REP_OUT_OF_LINE", [1, 2, 3, 70000]],
    ["setDim to a smaller size keeps Rep32", full(70000), (s) => s.setDim(0, 5), "REP32", [5]],
    ["setDim to a smaller size keeps out of line", full(2 ** 40), (s) => s.setDim(0, 5), "REP_OUT_OF_LINE", [5]],
    ["setDim grows to Rep32", full(5, 6), (s) => s.setDim(1, 65534), "REP32", [5, 65534]],
    ["setDim grows out of line", full(1, 2, 3, 4), (s) => s.setDim(0, 65534), "REP_OUT_OF_LINE", [65534, 2, 3, 4]],
    ["setDim grows Rep32 out of line", full(70000), (s) => s.setDim(0, 2 ** 40), "REP_OUT_OF_LINE", [2 ** 40]],
    [
      "insertDim rebuilds smaller",
      (() => {
        const s = full(70000);
        s.setDim(0, 5);
        return s;
      })(),
      (s) => s.insertDim(0, 2),
      "REP16",
      [2, 5],
    ],
    ["removeDim rebuilds smaller", full(70000, 3), (s) => s.removeDim(0), "REP16", [3]],
    ["removeDim of the seventh rebuilds smaller", full(1, 2, 3, 4, 5, 6, 7), (s) => s.removeLastDims(1), "REP16", [1, 2, 3, 4, 5, 6]],
    ["clear", full(2 ** 40), (s) => s.clear(), "REP16", []],
    ["a negative size below -1 is unknown in Rep16", partial(3), (s) => s.addDim(-7), "REP16", [3, -1]],
    ["a negative size is kept out of line", partial(2 ** 40), (s) => s.addDim(-5), "REP_OUT_OF_LINE", [2 ** 40, -5]],
    ["a negative size stored in Rep16 becomes -1 out of line", partial(-5), (s) => s.addDim(2 ** 40), "REP_OUT_OF_LINE", [-1, 2 ** 40]],
  ])("%s", (_, shape, change, rep, dims) => {
    expect(after(shape, change)).toEqual([rep, dims]);
  });
});

describe("data type byte", () => {
  test("every mutator except clear keeps it", () => {
    const shape = full(2, 3);
    shape.setDataType(3);
    expect(hex(shape.bytes()).slice(24)).toBe("00030200");
    shape.addDim(70000);
    shape.insertDim(0, 2 ** 33);
    shape.removeDim(0);
    shape.setDim(0, 65534);
    shape.setDataType(117);
    expect([shape.dataType, shape.clone().dataType]).toEqual([117, 117]);
    shape.clear();
    expect(shape.dataType).toBe(0);
  });

  test("comparisons ignore it", () => {
    const typed = full(2, 3);
    typed.setDataType(1);
    expect(typed.isSameSize(full(2, 3))).toBe(true);
    const unknown = new PartialTensorShape();
    unknown.setDataType(1);
    expect(unknown.isIdenticalTo(new PartialTensorShape())).toBe(true);
  });

  test.each([-1, 256, 1.5, Number.NaN])("%p is not a DataType number", (dataType) => {
    expectStatus(() => full(1).setDataType(dataType), "INVALID_ARGUMENT", dataType);
  });
});

describe("the seal, byte 12", () => {
  const mutators: readonly [string, (shape: TensorShape) => void][] = [
    ["addDim", (s) => s.addDim(1)],
    ["appendShape", (s) => s.appendShape(full())],
    ["insertDim", (s) => s.insertDim(0, 1)],
    ["setDim", (s) => s.setDim(0, 1)],
    ["removeDim", (s) => s.removeDim(0)],
    ["removeDimRange", (s) => s.removeDimRange(0, 0)],
    ["removeLastDims", (s) => s.removeLastDims(0)],
    ["clear", (s) => s.clear()],
    ["setDataType", (s) => s.setDataType(1)],
    ["assign", (s) => s.assign(full(9))],
  ];
  test.each(mutators)("%s throws", (_, mutate) => {
    const sealed = TensorShape.sealed([2, 3], 1);
    expectStatus(() => mutate(sealed), "FAILED_PRECONDITION", "rank 2");
    expect([sealed.dimSizes, sealed.dataType]).toEqual([[2, 3], 1]);
  });

  test("the list names every method that changes a shape", () => {
    const refused = ["at", "concat", "every", "forEach", "includes", "indexOf", "join", "map", "reduce", "slice", "some"];
    const readers = [
      ...refused,
      "constructor",
      "bytes",
      "dimSize",
      "seal",
      "debugString",
      "toString",
      "asProto",
      "toJSON",
      "isFullyDefined",
      "isValid",
      "clone",
      "isSameSize",
      "equals",
      "asEigenDSizes",
      "asEigenDSizesWithPadding",
      "withDimSize0",
      "withoutDim0",
    ];
    const shared = [
      "checkUnsealed",
      "storeDataType",
      "copyRep",
      "copyFullRep",
      "sameDims",
      "clearAllButDataType",
      "setUnknownRank",
      "unsafeAddDim",
      "storeInPlace",
      "setNumElements",
      "rebuild",
      "storeRep16",
      "storeRep32",
      "outOfLine",
      "dimSizeSlow",
      "replaceDimSize0",
      "dimIndexError",
      "initDims",
      "checkNonZeroProduct",
      "rebuildFrom",
      "init",
      "initLong",
      "initWide",
      "pack",
    ];
    const methods = [TensorShapeRep, TensorShapeBase, TensorShape].flatMap((each) =>
      Object.entries(Object.getOwnPropertyDescriptors(each.prototype))
        .filter(([, property]) => typeof property.value === "function")
        .map(([name]) => name),
    );
    expect([...new Set(methods)].filter((name) => !readers.includes(name) && !shared.includes(name)).sort()).toEqual(
      mutators.map(([name]) => name).sort(),
    );
  });

  test("bytes() shows 0, isSealed is true, comparisons ignore the seal, clone() is not sealed", () => {
    const sealed = TensorShape.sealed([2, 3], 1);
    expect(hex(sealed.bytes())).toBe("02000300000000000000000000010200");
    expect([sealed.isSealed, full(2, 3).isSealed]).toEqual([true, false]);
    expect([sealed.equals(full(2, 3)), full(2, 3).equals(sealed)]).toEqual([true, true]);
    const copy = sealed.clone();
    copy.addDim(4);
    expect([copy.dimSizes, copy.isSealed, copy.dataType, sealed.dimSizes]).toEqual([[2, 3, 4], false, 1, [2, 3]]);
  });

  test("a sealed partial shape throws, too", () => {
    const sealed = partial(-1, 2).seal();
    expectStatus(() => sealed.addDim(1), "FAILED_PRECONDITION", "rank 2");
    expectStatus(() => partial(3).mergeWith(new PartialTensorShape(), sealed), "FAILED_PRECONDITION");
  });
});
