// What does not go together is refused where it is written, in words that name both operands and the axis.
import { describe, expect, test } from "@jest/globals";
import type { StatusCode } from "@onebuffer/base";
import {
  MemoryToken,
  concatenate,
  constStridedMap,
  evaluate,
  iota,
  linspace,
  oneHot,
  select,
  statelessNormal,
  statelessUniform,
  tensorMap,
  tensorMapKind,
} from "@onebuffer/eigen";

const f23 = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
const f4 = tensorMap("float32", new Float32Array(4), [4]);
const i23 = tensorMap("int32", Int32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
const u8 = tensorMap("uint8", Uint8Array.of(1, 2), [2]);
const flag = tensorMap("bool", Uint8Array.of(1, 0, 1), [3]);
const index = tensorMap("int32", Int32Array.of(0, 5), [2]);
const scalar = tensorMap("float32", Float32Array.of(1), []);
const text = tensorMap("string", [new Uint8Array(1)], [1]);
const quantized = tensorMap("qint8", new Int8Array(2), [2]);
const narrow = tensorMap("int4", new Int8Array(2), [2]);
const any = (value: unknown): never => value as never;
/** Something as what it is not. */
const like = <T>(value: unknown): T => value as T;

const freed = (() => {
  const token = new MemoryToken(null);
  const map = tensorMapKind("float32").vec(new Float32Array(2), 0, token, 2);
  token.free();
  return map;
})();

type Row = readonly [name: string, run: () => unknown, code: StatusCode, ...parts: string[]];

const rows: readonly Row[] = [
  ["sizes", () => f23.add(f4), "INVALID_ARGUMENT", "add(float32 [2, 3], float32 [4])", "axis 1", "3 and 4"],
  ["sizes of three", () => select(flag, f23, f4), "INVALID_ARGUMENT", "bool [3]", "float32 [2, 3]", "float32 [4]", "axis 1"],
  ["dtypes", () => f23.mul(any(i23)), "INVALID_ARGUMENT", "mul(float32 [2, 3], int32 [2, 3])", 'cast("float32")'],
  ["dtypes of a choice", () => select(flag, f23, any(i23)), "INVALID_ARGUMENT", "float32 and int32"],
  ["a condition", () => select(any(f4), f4, f4), "INVALID_ARGUMENT", "must be bool", "float32"],
  ["no such operation for integers", () => like<typeof f23>(i23).exp(), "INVALID_ARGUMENT", "exp(int32 [2, 3])", 'cast("float32")'],
  ["none for bool", () => like<typeof f23>(flag).add(any(flag)), "INVALID_ARGUMENT", "add is not defined for bool"],
  ["none for int4", () => like<typeof f23>(narrow).add(1), "INVALID_ARGUMENT", "add is not defined for int4"],
  ["none for quantized", () => like<typeof f23>(quantized).cast("float32"), "INVALID_ARGUMENT", "qint8"],
  ["none for strings", () => like<typeof f23>(text).reshape([1]), "INVALID_ARGUMENT", "string"],
  ["a cast to nothing", () => f23.cast(any("float")), "INVALID_ARGUMENT", '"float"'],
  ["a cast to strings", () => f23.cast("string"), "INVALID_ARGUMENT", '"string"'],
  ["no expression", () => f23.add(any("2")), "INVALID_ARGUMENT", '"2"'],
  ["no expression, an object", () => f23.matMul(any({ op: "map" })), "INVALID_ARGUMENT", "an object"],
  ["an axis", () => f23.sum(2), "INVALID_ARGUMENT", "sum(float32 [2, 3])", "axis 2", "[-2, 2)"],
  ["an axis below", () => f23.softmax(-3), "INVALID_ARGUMENT", "softmax", "axis -3"],
  ["an axis twice", () => f23.max([0, -2]), "INVALID_ARGUMENT", "axis 0 is named twice"],
  ["a fraction of an axis", () => f23.sum(0.5), "INVALID_ARGUMENT", "axis 0.5"],
  ["axes of another kind", () => f23.sum(any("0")), "INVALID_ARGUMENT", '"0"'],
  ["keepDims", () => f23.sum(0, any(1)), "INVALID_ARGUMENT", "keepDims", "1"],
  ["an empty argmax", () => tensorMap("float32", new Float32Array(0), [2, 0]).argmax(1), "INVALID_ARGUMENT", "Reduction axis 1 is empty"],
  ["argmax of a scalar", () => scalar.argmax(0), "INVALID_ARGUMENT", "axis 0"],
  ["argmax's type", () => f23.argmax(0, any("int8")), "INVALID_ARGUMENT", '"int8"'],
  ["variance of integers", () => like<typeof f23>(i23).variance(), "INVALID_ARGUMENT", "variance(int32 [2, 3])"],
  ["matrices", () => f23.matMul(f23), "INVALID_ARGUMENT", "Matrix size-incompatible", "float32 [2, 3]", "size 3", "second 2"],
  ["vectors for matrices", () => f4.matMul(any(f4)), "INVALID_ARGUMENT", "two dimensions"],
  [
    "batches",
    () => f23.reshape([2, 1, 3]).matMul(tensorMap("float32", new Float32Array(9), [3, 3, 1])),
    "INVALID_ARGUMENT",
    "batch",
    "2 and 3",
  ],
  ["reshape", () => f23.reshape([4]), "INVALID_ARGUMENT", "[2,3]", "[4]"],
  ["broadcast", () => f23.broadcast([3, 3]), "INVALID_ARGUMENT", "[2,3]", "[3,3]"],
  ["a permutation", () => f23.shuffle([0, 0]), "INVALID_ARGUMENT", "0"],
  ["a slice's step", () => f23.slice([0, 1, 0]), "INVALID_ARGUMENT", "step"],
  ["too many ranges", () => f23.slice(null, null, null), "INVALID_ARGUMENT", "3 ranges"],
  ["a chip", () => f23.add(1).chip(2), "INVALID_ARGUMENT", "chip(float32 [2, 3])", "offset 2", "[0, 2)"],
  ["repeats", () => f23.tile([1]), "INVALID_ARGUMENT", "tile(float32 [2, 3])", "[1]"],
  ["repeats below 0", () => f23.tile([1, -1]), "INVALID_ARGUMENT", "-1"],
  ["more than can be counted", () => f23.tile([2 ** 30, 2 ** 30]), "INVALID_ARGUMENT", "2^53"],
  ["paddings", () => f23.pad([[1, 1]]), "INVALID_ARGUMENT", "pad(float32 [2, 3])"],
  [
    "a mirror without enough",
    () =>
      f23.pad(
        [
          [2, 0],
          [0, 0],
        ],
        "reflect",
      ),
    "INVALID_ARGUMENT",
    "no greater than 1",
    "axis 0",
  ],
  [
    "a pad mode",
    () =>
      f23.pad(
        [
          [0, 0],
          [0, 0],
        ],
        any("wrap"),
      ),
    "INVALID_ARGUMENT",
    '"wrap"',
  ],
  ["a shift", () => f23.roll(0.5), "INVALID_ARGUMENT", "0.5"],
  ["shifts without axes", () => f23.roll([1, 2], 0), "INVALID_ARGUMENT", "as many"],
  ["concatenation", () => concatenate([f23, f23.transpose()], 0), "INVALID_ARGUMENT", "float32 [2, 3]", "float32 [3, 2]", "axis 1"],
  ["concatenation of nothing", () => concatenate([]), "INVALID_ARGUMENT", "one operand"],
  ["concatenation of scalars", () => concatenate([scalar, scalar]), "INVALID_ARGUMENT", "axis 0"],
  ["indices of floats", () => f23.gather(any(f4)), "INVALID_ARGUMENT", "int32 or int64", 'cast("int32")'],
  ["an index that is not there", () => evaluate(f23.gather(index)), "INVALID_ARGUMENT", "indices[1] = 5 is not in [0, 2)"],
  ["updates", () => f23.scatter(index, f23.transpose()), "INVALID_ARGUMENT", "[2,3]", "[3,2]"],
  ["a scatter's reduction", () => f23.scatter(index, f23, 0, { reduction: any("mul") }), "INVALID_ARGUMENT", '"mul"'],
  ["a scatter that is not there", () => evaluate(f23.scatter(index, f23)), "INVALID_ARGUMENT", "indices[1] = 5"],
  ["k", () => f23.topK(4), "INVALID_ARGUMENT", "at least k columns", "4"],
  ["sorting a scalar", () => scalar.sort(), "INVALID_ARGUMENT", "axis -1"],
  ["bounds that widen", () => f4.clip(0, tensorMap("float32", new Float32Array(2), [2, 1])), "INVALID_ARGUMENT", "[4]", "[2,4]"],
  ["iota's axis", () => iota("int32", [2], 1), "INVALID_ARGUMENT", "axis 1"],
  ["iota of bool", () => iota(any("bool"), 2), "INVALID_ARGUMENT", '"bool"'],
  ["linspace's count", () => linspace("float32", 0, 1, 0), "INVALID_ARGUMENT", "count", "0"],
  ["linspace of integers", () => linspace(any("int32"), 0, 1, 2), "INVALID_ARGUMENT", '"int32"'],
  ["oneHot's depth", () => oneHot(index, -1, "float32"), "INVALID_ARGUMENT", "depth", "-1"],
  ["oneHot of floats", () => oneHot(any(f4), 1, "float32"), "INVALID_ARGUMENT", "float32 [4]"],
  ["a seed", () => statelessUniform("float32", [1], any([1])), "INVALID_ARGUMENT", "seed"],
  ["a seed of fractions", () => statelessNormal("float32", [1], [1, 0.5]), "INVALID_ARGUMENT", "0.5"],
  ["one bound", () => statelessUniform("int32", [1], [1, 2], 3), "INVALID_ARGUMENT", "maxval"],
  ["an empty range", () => statelessUniform("int32", [1], [1, 2], 3, 3), "INVALID_ARGUMENT", "3 >= 3"],
  ["random int8", () => statelessUniform(any("int8"), [1], [1, 2]), "INVALID_ARGUMENT", '"int8"'],
  ["assigning sizes", () => f4.assign(f23), "INVALID_ARGUMENT", "assign(float32 [4], float32 [2, 3])", "more dimensions"],
  ["assigning other sizes", () => f23.assign(f4), "INVALID_ARGUMENT", "axis 1", "size 3", "4"],
  ["assigning dtypes", () => f23.assign(any(i23)), "INVALID_ARGUMENT", "int32", 'cast("float32")'],
  ["adding sizes", () => f4.addAssign(f23), "INVALID_ARGUMENT", "addAssign"],
  ["assigning no expression", () => f4.assign(any(null)), "INVALID_ARGUMENT", "null"],
  ["assigning to a read-only map", () => like<typeof f4>(f4.asConst()).assign(1), "FAILED_PRECONDITION", "read-only"],
  [
    "assigning to a repeated element",
    () => like<typeof f4>(constStridedMap("float32", new Float32Array(1), [3], [0])).assign(1),
    "FAILED_PRECONDITION",
    "read-only",
  ],
  ["assigning strings", () => like<typeof f4>(text).assign(any("a")), "INVALID_ARGUMENT", "string"],
  ["reading freed memory", () => evaluate(freed.add(1)), "FAILED_PRECONDITION", "freed"],
  ["writing freed memory", () => freed.assign(1), "FAILED_PRECONDITION", "freed"],
  ["division by 0", () => evaluate(i23.div(0)), "INVALID_ARGUMENT", "Integer division by zero"],
  ["floor division by 0", () => evaluate(u8.floorDiv(0)), "INVALID_ARGUMENT", "Integer division by zero"],
  ["modulo 0", () => evaluate(i23.cast("int64").mod(0n)), "INVALID_ARGUMENT", "Integer division by zero"],
  ["a negative power", () => evaluate(i23.pow(-1)), "INVALID_ARGUMENT", "negative integer powers", "-1"],
  ["a negative power of 64 bits", () => evaluate(i23.cast("int64").pow(-2)), "INVALID_ARGUMENT", "-2"],
];

describe("errors", () => {
  test.each(rows)("%s", (_, run, code, ...parts) => {
    let caught: { readonly code?: string; readonly message?: string } = {};
    try {
      run();
    } catch (error) {
      caught = error as typeof caught;
    }
    expect(caught.code).toBe(code);
    for (const part of parts) expect(caught.message).toContain(part);
  });

  test("an element that cannot be computed leaves the target's memory owned and usable", () => {
    const out = tensorMap("int32", new Int32Array(2), [2]);
    const divisor = tensorMap("int32", Int32Array.of(1, 0), [2]);
    expect(() => out.assign(tensorMap("int32", Int32Array.of(4, 4), [2]).div(divisor))).toThrow(/division by zero/);
    out.assign(7);
    expect(out.toArray()).toEqual([7, 7]);
  });
});
