// Operands that do not fit together are refused where the expression is built, with a message that names the operands and the axis.
import { describe, expect, test } from "@jest/globals";
import type { StatusCode } from "@onebuffer/base";
import { MemoryToken } from "@onebuffer/storage/internal";
import { assignByReference, tensorMapKind } from "@onebuffer/eigen/internal";
import {
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
} from "@onebuffer/eigen";
import { expectStatus } from "@onebuffer/test-support";

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
/** Casts a value to another type, for calls that the compiler would refuse. */
const like = <T>(value: unknown): T => value as T;

const freed = (() => {
  const token = new MemoryToken(null);
  const map = tensorMapKind("float32").vec(new Float32Array(2), 0, token, 2);
  token.free();
  return map;
})();

/** An array of which every use is a TypeError, even Array.isArray. */
const revoked = ((): never => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return any(proxy);
})();

type Row = readonly [name: string, run: () => unknown, code: StatusCode, ...parts: string[]];

const rows: readonly Row[] = [
  ["incompatible sizes", () => f23.add(f4), "INVALID_ARGUMENT", "add(float32 [2, 3], float32 [4])", "axis 1", "3 and 4"],
  [
    "incompatible sizes of three operands",
    () => select(flag, f23, f4),
    "INVALID_ARGUMENT",
    "bool [3]",
    "float32 [2, 3]",
    "float32 [4]",
    "axis 1",
  ],
  ["different dtypes", () => f23.mul(any(i23)), "INVALID_ARGUMENT", "mul(float32 [2, 3], int32 [2, 3])", 'cast("float32")'],
  ["different dtypes in select", () => select(flag, f23, any(i23)), "INVALID_ARGUMENT", "float32 and int32"],
  ["a condition that is not bool", () => select(any(f4), f4, f4), "INVALID_ARGUMENT", "must be bool", "float32"],
  ["an operation that integers do not have", () => like<typeof f23>(i23).exp(), "INVALID_ARGUMENT", "exp(int32 [2, 3])", 'cast("float32")'],
  ["an operation that bool does not have", () => like<typeof f23>(flag).add(any(flag)), "INVALID_ARGUMENT", "add is not defined for bool"],
  ["an operation that int4 does not have", () => like<typeof f23>(narrow).add(1), "INVALID_ARGUMENT", "add is not defined for int4"],
  ["a cast of a quantized dtype", () => like<typeof f23>(quantized).cast("float32"), "INVALID_ARGUMENT", "qint8"],
  ["an expression of strings", () => like<typeof f23>(text).reshape([1]), "INVALID_ARGUMENT", "string"],
  ["a cast to an unknown dtype", () => f23.cast(any("float")), "INVALID_ARGUMENT", '"float"'],
  ["a cast to strings", () => f23.cast("string"), "INVALID_ARGUMENT", '"string"'],
  ["a text as an operand", () => f23.add(any("2")), "INVALID_ARGUMENT", '"2"'],
  ["an object as an operand", () => f23.matMul(any({ op: "map" })), "INVALID_ARGUMENT", "an object"],
  ["an axis above the rank", () => f23.sum(2), "INVALID_ARGUMENT", "sum(float32 [2, 3])", "axis 2", "[-2, 2)"],
  ["an axis below minus the rank", () => f23.softmax(-3), "INVALID_ARGUMENT", "softmax", "axis -3"],
  ["a revoked Proxy as axes", () => f23.sum(revoked), "INVALID_ARGUMENT", "sum(float32 [2, 3])"],
  ["a revoked Proxy as a permutation", () => f23.shuffle(revoked), "INVALID_ARGUMENT", "shuffle(float32 [2, 3])"],
  ["a revoked Proxy as shifts", () => f23.roll(revoked), "INVALID_ARGUMENT", "roll(float32 [2, 3])"],
  ["a revoked Proxy as axes of shifts", () => f23.roll([1], revoked), "INVALID_ARGUMENT", "roll(float32 [2, 3])"],
  ["a result of 16 GiB", () => evaluate(iota("float64", 2 ** 31 - 1)), "RESOURCE_EXHAUSTED", "evaluate", "float64", "17179869176 bytes"],
  [
    "intermediate elements of 16 GiB",
    () =>
      assignByReference(
        any(tensorMap("float64", new Float64Array(1), [])),
        any(
          iota("float64", 2 ** 31 - 1)
            .cumsum(0)
            .max(),
        ),
      ),
    "RESOURCE_EXHAUSTED",
    "2147483647 intermediate elements of float64",
  ],
  ["the same axis twice", () => f23.max([0, -2]), "INVALID_ARGUMENT", "axis 0 is named twice"],
  ["a fractional axis", () => f23.sum(0.5), "INVALID_ARGUMENT", "axis 0.5"],
  ["axes as a text", () => f23.sum(any("0")), "INVALID_ARGUMENT", '"0"'],
  ["a keepDims that is not a boolean", () => f23.sum(0, any(1)), "INVALID_ARGUMENT", "keepDims", "1"],
  [
    "argmax along an empty axis",
    () => tensorMap("float32", new Float32Array(0), [2, 0]).argmax(1),
    "INVALID_ARGUMENT",
    "Reduction axis 1 is empty",
  ],
  ["argmax of a scalar", () => scalar.argmax(0), "INVALID_ARGUMENT", "axis 0"],
  ["an output type of argmax other than int32 and int64", () => f23.argmax(0, { outputType: any("int8") }), "INVALID_ARGUMENT", '"int8"'],
  ["variance of integers", () => like<typeof f23>(i23).variance(), "INVALID_ARGUMENT", "variance(int32 [2, 3])"],
  [
    "matrices of incompatible sizes",
    () => f23.matMul(f23),
    "INVALID_ARGUMENT",
    "Matrix size-incompatible",
    "float32 [2, 3]",
    "size 3",
    "second 2",
  ],
  ["a vector transposed in matMul", () => f4.matMul(f4, { transposeB: true }), "INVALID_ARGUMENT", "transposeB of a vector"],
  ["a scalar as a factor of matMul", () => f4.sum().matMul(f23), "INVALID_ARGUMENT", "two dimensions"],
  [
    "incompatible batch dimensions",
    () => f23.reshape([2, 1, 3]).matMul(tensorMap("float32", new Float32Array(9), [3, 3, 1])),
    "INVALID_ARGUMENT",
    "batch",
    "2 and 3",
  ],
  ["a reshape to another element count", () => f23.reshape([4]), "INVALID_ARGUMENT", "[2,3]", "[4]"],
  ["a broadcast to incompatible sizes", () => f23.broadcast([3, 3]), "INVALID_ARGUMENT", "[2,3]", "[3,3]"],
  ["a permutation that names an axis twice", () => f23.shuffle([0, 0]), "INVALID_ARGUMENT", "0"],
  ["a slice with step 0", () => f23.slice([0, 1, 0]), "INVALID_ARGUMENT", "step"],
  ["too many ranges", () => f23.slice(null, null, null), "INVALID_ARGUMENT", "3 ranges"],
  ["a bad range of the second dimension", () => f23.slice(null, [0, 0.5]), "INVALID_ARGUMENT", "the stop of dimension 1"],
  ["a chip at an offset out of range", () => f23.add(1).chip(2), "INVALID_ARGUMENT", "chip(float32 [2, 3])", "offset 2", "[0, 2)"],
  ["too few multiples in tile", () => f23.tile([1]), "INVALID_ARGUMENT", "tile(float32 [2, 3])", "[1]"],
  ["a negative multiple in tile", () => f23.tile([1, -1]), "INVALID_ARGUMENT", "-1"],
  ["more than 2^53 - 1 elements", () => f23.tile([2 ** 30, 2 ** 30]), "INVALID_ARGUMENT", "2^53"],
  ["too few paddings", () => f23.pad([[1, 1]]), "INVALID_ARGUMENT", "pad(float32 [2, 3])"],
  [
    "mirroring more elements than there are",
    () =>
      f23.pad(
        [
          [2, 0],
          [0, 0],
        ],
        { mode: "reflect" },
      ),
    "INVALID_ARGUMENT",
    "no greater than 1",
    "axis 0",
  ],
  [
    "an unknown pad mode",
    () =>
      f23.pad(
        [
          [0, 0],
          [0, 0],
        ],
        { mode: any("wrap") },
      ),
    "INVALID_ARGUMENT",
    '"wrap"',
  ],
  ["a fractional shift", () => f23.roll(0.5), "INVALID_ARGUMENT", "0.5"],
  ["more shifts than axes", () => f23.roll([1, 2], 0), "INVALID_ARGUMENT", "as many"],
  [
    "concatenation of incompatible sizes",
    () => concatenate([f23, f23.transpose()], 0),
    "INVALID_ARGUMENT",
    "float32 [2, 3]",
    "float32 [3, 2]",
    "axis 1",
  ],
  ["concatenation of no operands", () => concatenate([]), "INVALID_ARGUMENT", "one operand"],
  ["concatenation of scalars", () => concatenate([scalar, scalar]), "INVALID_ARGUMENT", "axis 0"],
  ["float indices", () => f23.gather(any(f4)), "INVALID_ARGUMENT", "int32 or int64", 'cast("int32")'],
  ["a gather index out of range", () => evaluate(f23.gather(index)), "INVALID_ARGUMENT", "gather: indices[1] = 5 is not in [0, 2)"],
  ["updates of wrong sizes", () => f23.scatter(index, f23.transpose()), "INVALID_ARGUMENT", "[2,3]", "[3,2]"],
  ["an unknown scatter reduction", () => f23.scatter(index, f23, 0, { reduction: any("div") }), "INVALID_ARGUMENT", '"div"'],
  ["a scatter index out of range", () => evaluate(f23.scatter(index, f23)), "INVALID_ARGUMENT", "scatter: indices[1] = 5"],
  ["a k larger than the row", () => f23.topK(4), "INVALID_ARGUMENT", "at least k columns", "4"],
  ["sorting a scalar", () => scalar.sort(), "INVALID_ARGUMENT", "axis -1"],
  [
    "clip bounds that enlarge the result",
    () => f4.clip(0, tensorMap("float32", new Float32Array(2), [2, 1])),
    "INVALID_ARGUMENT",
    "[4]",
    "[2,4]",
  ],
  ["an iota axis out of range", () => iota("int32", [2], 1), "INVALID_ARGUMENT", "axis 1"],
  ["iota of bool", () => iota(any("bool"), 2), "INVALID_ARGUMENT", '"bool"'],
  ["a linspace count of 0", () => linspace("float32", 0, 1, 0), "INVALID_ARGUMENT", "count", "0"],
  ["linspace of integers", () => linspace(any("int32"), 0, 1, 2), "INVALID_ARGUMENT", '"int32"'],
  ["a negative depth of oneHot", () => oneHot(index, -1, "float32"), "INVALID_ARGUMENT", "depth", "-1"],
  ["oneHot of floats", () => oneHot(any(f4), 1, "float32"), "INVALID_ARGUMENT", "float32 [4]", "got float32", 'cast("int32")'],
  ["oneHot without a dtype", () => oneHot(index, 3, any(undefined)), "INVALID_ARGUMENT", "oneHot", "dtype", '"float32"', "undefined"],
  ["oneHot with dtype and depth exchanged", () => oneHot(index, any("float32"), any(3)), "INVALID_ARGUMENT", "depth", '"float32"'],
  ["oneHot with an unknown dtype", () => oneHot(index, 3, any("float23")), "INVALID_ARGUMENT", "oneHot", '"float23"'],
  ["iota without a dtype", () => iota(any(5), any(undefined)), "INVALID_ARGUMENT", "iota", "dtype", '"float32"', "got 5"],
  ["linspace without a dtype", () => linspace(any(0), 1, 5, any(undefined)), "INVALID_ARGUMENT", "linspace", '"float32"', "got 0"],
  ["a sum of bool", () => like<typeof f23>(flag).sum(), "INVALID_ARGUMENT", "sum(bool [3])", '.cast("int32").sum()'],
  ["a mean of bool", () => like<typeof f23>(flag).mean(), "INVALID_ARGUMENT", "mean(bool [3])", '.cast("float32").mean()'],
  ["a transpose by separate numbers", () => f23.transpose(any(1)), "INVALID_ARGUMENT", "1"],
  ["a transpose that names an axis twice", () => f23.transpose([1, 1]), "INVALID_ARGUMENT", "float32 [2, 3]", "[1,1]"],
  ["a transpose that leaves out an axis", () => f23.transpose([1]), "INVALID_ARGUMENT", "[2,3]"],
  ["a transposed view that leaves out an axis", () => f23.strided().transpose([1]), "INVALID_ARGUMENT", "[2,3]"],
  ["a seed of one number", () => statelessUniform("float32", [1], any([1])), "INVALID_ARGUMENT", "seed"],
  ["a fractional seed", () => statelessNormal("float32", [1], [1, 0.5]), "INVALID_ARGUMENT", "0.5"],
  ["random integers with only one bound", () => statelessUniform("int32", [1], [1, 2], { minval: 3 }), "INVALID_ARGUMENT", "maxval"],
  [
    "an empty range of random integers",
    () => statelessUniform("int32", [1], [1, 2], { minval: 3, maxval: 3 }),
    "INVALID_ARGUMENT",
    "3 >= 3",
  ],
  ["random integers of int8", () => statelessUniform(any("int8"), [1], [1, 2]), "INVALID_ARGUMENT", '"int8"'],
  [
    "assigning more dimensions than the target has",
    () => f4.assign(f23),
    "INVALID_ARGUMENT",
    "assign(float32 [4], float32 [2, 3])",
    "more dimensions",
  ],
  ["assigning incompatible sizes", () => f23.assign(f4), "INVALID_ARGUMENT", "axis 1", "size 3", "4"],
  ["assigning another dtype", () => f23.assign(any(i23)), "INVALID_ARGUMENT", "int32", 'cast("float32")'],
  ["addAssign of more dimensions than the target has", () => f4.addAssign(f23), "INVALID_ARGUMENT", "addAssign"],
  ["assigning null", () => f4.assign(any(null)), "INVALID_ARGUMENT", "null"],
  ["assigning to a read-only map", () => like<typeof f4>(f4.asConst()).assign(1), "FAILED_PRECONDITION", "read-only"],
  [
    "assigning to a repeated element",
    () => like<typeof f4>(constStridedMap("float32", new Float32Array(1), [3], [0])).assign(1),
    "FAILED_PRECONDITION",
    "read-only",
  ],
  ["assigning strings", () => like<typeof f4>(text).assign(any("a")), "INVALID_ARGUMENT", "string"],
  ["a list as an operand", () => f23.add(any([[1], [2]])), "INVALID_ARGUMENT", "an array of 2", "Tensor.from(array)"],
  ["a list assigned", () => f23.assign(any([[1], [2]])), "INVALID_ARGUMENT", "assign: an array of 2", "Tensor.from(array)"],
  ["a typed array as an operand", () => f4.add(any(new Float32Array(4))), "INVALID_ARGUMENT", "Float32Array", "Tensor.wrap(array, shape)"],
  ["a list evaluated", () => evaluate(any([1, 2])), "INVALID_ARGUMENT", "evaluate: an array of 2", "Tensor.from(array)"],
  ["a cast to Float32", () => f23.cast(any("Float32")), "INVALID_ARGUMENT", 'cannot cast to "Float32", did you mean "float32"?'],
  ["a map of f32", () => tensorMap(any("f32"), any(new Float32Array(1)), [1]), "INVALID_ARGUMENT", 'did you mean "float32"?'],
  ["options in place of an axis", () => f23.softmax(any({ axis: 1 })), "INVALID_ARGUMENT", "an axis is a number in [-2, 2), got an object"],
  ["clip with one bound", () => f23.clip(0, any(undefined)), "INVALID_ARGUMENT", "clip(low, high): undefined is not an element"],
  ["clip with a text", () => f23.clip(any("0"), 1), "INVALID_ARGUMENT", 'clip(low, high): "0" is not an element'],
  ["a transpose out of range", () => f23.transpose([0, 2]), "INVALID_ARGUMENT", "transpose(float32 [2, 3]): axis 2"],
  ["a transpose of too few axes", () => f23.transpose([0]), "INVALID_ARGUMENT", "transpose of [2,3] names 1 of 2"],
  ["a transposed view out of range", () => f23.strided().transpose([0, 2]), "INVALID_ARGUMENT", "transpose of [2,3]: axis 2"],
  ["a permuted view out of range", () => f23.strided().permute([0, 2]), "INVALID_ARGUMENT", "permute of [2,3]: axis 2"],
  ["concatenation of different ranks", () => concatenate([f23, any(f4)]), "INVALID_ARGUMENT", "Ranks of all inputs", "2 and 1"],
  ["concatenation without a list", () => concatenate(any(f4), any(f4)), "INVALID_ARGUMENT", "concatenate([a, b])"],
  [
    "normal numbers without a dtype",
    () => statelessNormal(any([2, 3]), any([1, 5]), any(undefined)),
    "INVALID_ARGUMENT",
    "statelessNormal: the first",
    "dtype",
  ],
  [
    "uniform numbers without a dtype",
    () => statelessUniform(any([2]), any([1, 5]), any(undefined)),
    "INVALID_ARGUMENT",
    "statelessUniform: the first",
    "dtype",
  ],
  ["a number as the seed", () => statelessNormal("float32", [2], any(5)), "INVALID_ARGUMENT", "such as [1, 5], got 5"],
  ["toArray of an expression", () => like<typeof f4>(f4.add(1)).toArray(), "INVALID_ARGUMENT", "evaluate(expression).toArray("],
  ["a number of an expression", () => Number(f4.sum()), "INVALID_ARGUMENT", "item(expression)"],
  ["a comparison of an expression", () => like<number>(f4.sum()) > 3, "INVALID_ARGUMENT", "item(expression)"],
  ["at of an expression", () => like<typeof f4>(f4.add(1)).at(0), "INVALID_ARGUMENT", "evaluate(expression).at("],
  ["item of an expression", () => like<typeof f4>(f4.sum()).item(), "INVALID_ARGUMENT", "item(expression) computes"],
  ["dispose of an expression", () => like<{ dispose(): void }>(f4.add(1)).dispose(), "INVALID_ARGUMENT", "an expression owns nothing"],
  ["reading freed memory", () => evaluate(freed.add(1)), "FAILED_PRECONDITION", "freed"],
  ["writing freed memory", () => freed.assign(1), "FAILED_PRECONDITION", "freed"],
  ["an integer division by 0", () => evaluate(i23.div(0)), "INVALID_ARGUMENT", "Integer division by zero"],
  ["an integer floor division by 0", () => evaluate(u8.floorDiv(0)), "INVALID_ARGUMENT", "Integer division by zero"],
  ["an integer modulo 0", () => evaluate(i23.cast("int64").mod(0n)), "INVALID_ARGUMENT", "Integer division by zero"],
  ["a negative integer exponent", () => evaluate(i23.pow(-1)), "INVALID_ARGUMENT", "negative integer powers", "-1"],
  ["a negative 64-bit integer exponent", () => evaluate(i23.cast("int64").pow(-2)), "INVALID_ARGUMENT", "-2"],
];

describe("refuses", () => {
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
});

test("an assignment that fails leaves the target usable", () => {
  const out = tensorMap("int32", new Int32Array(2), [2]);
  const divisor = tensorMap("int32", Int32Array.of(1, 0), [2]);
  expect(() => out.assign(tensorMap("int32", Int32Array.of(4, 4), [2]).div(divisor))).toThrow(/division by zero/);
  out.assign(7);
  expect(out.toArray()).toEqual([7, 7]);
});

test("transpose takes an order of axes, as an expression and as a view of every rank", () => {
  const orders = [[0], [1, 0], [0, 1], [2, 0, 1], [1, -1, 0], [3, 0, 2, 1], [4, 2, 0, 1, 3]];
  for (const order of [[], ...orders]) {
    const dims = order.map((_, d) => d + 2);
    const size = dims.reduce((a, b) => a * b, 1);
    const map = tensorMap(
      "int32",
      Int32Array.from({ length: size }, (_, i) => i),
      dims,
    ).strided();
    const expected = map.permute(order).toArray();
    expect(map.transpose(order).toArray()).toEqual(expected);
    expect(evaluate(map.shuffle(map.dimensions.map((_, d) => d)).transpose(order)).toArray()).toEqual(expected);
  }
  expect(f23.transpose(undefined).dimensions).toEqual([3, 2]);
  expect(f23.strided().transpose(undefined).dimensions).toEqual([3, 2]);
});

test("copyFrom says what to do with a list of lists and with an expression", () => {
  const target = tensorMap("float32", new Float32Array(4), [2, 2]);
  const nested = like<number[]>([
    [1, 2],
    [3, 4],
  ]);
  expectStatus(() => target.copyFrom(nested), "INVALID_ARGUMENT", "list.flat()", "Tensor.from", "assign");
  expectStatus(() => target.copyFrom(any(target.add(1))), "INVALID_ARGUMENT", "map.assign(expression)");
  expect(target.toArray()).toEqual([
    [0, 0],
    [0, 0],
  ]);
  const pairs = tensorMap("complex64", new Float32Array(4), [2]);
  pairs.copyFrom([
    [1, 2],
    [3, 4],
  ]);
  expect(pairs.at(1)).toEqual([3, 4]);
});

test("no error advises a cast that is refused or drops an imaginary part", () => {
  const wave = like<typeof f4>(tensorMap("complex64", new Float32Array(2), [1]));
  const stored = like<typeof f4>(tensorMap("float8_e5m2", new Uint8Array(1), [1]));
  const levels = like<typeof f4>(quantized);
  const parts = "complex64, take .abs() or .real() first";
  for (const run of [() => wave.std(), () => wave.softmax(), () => wave.max()]) expect(run).toThrow(`is not defined for ${parts}`);
  for (const run of [() => levels.std(), () => levels.norm(), () => levels.sum()]) expect(run).toThrow(/is not defined for qint8$/);
  expect(() => stored.mean()).toThrow(/is not defined for float8_e5m2, cast\("float32"\) first$/);
});
