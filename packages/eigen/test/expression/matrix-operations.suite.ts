// stack, unstack, diag, diagPart, tril, triu, outer, std, meshgrid, where, nonzero, booleanMask and item against naive twins: kernels and the
// plain evaluator, every dtype that can be moved, operands of every layout, random sizes.
import { describe, expect, test } from "@jest/globals";
import type { DType, RawDType } from "@onebuffer/base";
import { arraySlots, typedArrayConstructor } from "@onebuffer/base";
import { booleanMask, constant, evaluate, iota, item, meshgrid, nonzero, opTable, stack, tensorMap, treeOf, where } from "@onebuffer/eigen";
import { assignByReference, unalignedTensorMap } from "@onebuffer/eigen/internal";
import { kUnowned } from "@onebuffer/storage/internal";
import type { Expression, Operand, TensorMap } from "@onebuffer/eigen";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { Dice, anyElement, layouts, subject } from "../kernel/kernel-subjects.ts";
import { product } from "../row-major.ts";

/** Operations are called on operands of many dtypes, which static types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if the type argument is `true`. */
function same<_T extends true>(): void {}

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;
const moved = opTable.select.dtypes as readonly RawDType[];
const zero = (dtype: DType): unknown =>
  dtype === "bool" ? false : dtype.endsWith("int64") ? 0n : dtype.startsWith("complex") ? [0, 0] : 0;

/** Returns random elements of any dtype, of any layout where the kernels' subjects have it. */
function operand(dtype: RawDType, dims: readonly number[], dice: Dice): Any {
  if (!/^(complex|q|float8|float4|u?int[24]$)/.test(dtype)) {
    const layout = dims.length < 2 ? "dense" : dice.pick(layouts);
    return subject(dtype, dims, layout, dice, (d) => anyElement(dtype, d, true)) as Any;
  }
  const map = tensorMap(dtype, new (typedArrayConstructor(dtype))(product(dims) * arraySlots(dtype)) as never, dims) as Any;
  const element = (): unknown => (dtype.startsWith("complex") ? [dice.below(9), dice.below(9)] : dice.below(2));
  map.copyFrom(Array.from({ length: map.size }, element));
  return map;
}

/** Returns the element of a naive result at an index. */
type At = (...index: number[]) => unknown;

/** Expects both evaluators to compute the elements that `at` returns, on maps and on expressions over them. */
function agrees(expression: Any, dims: readonly number[], at: At): void {
  const wanted: unknown[] = [];
  const walk = (index: number[]): void => {
    if (index.length === dims.length) wanted.push(at(...index));
    else for (let i = 0; i < (dims[index.length] as number); i++) walk([...index, i]);
  };
  walk([]);
  expect(expression.dimensions).toEqual(dims);
  const plain = tensorMap(
    expression.dtype,
    new (typedArrayConstructor(expression.dtype))(expression.size * arraySlots(expression.dtype)) as never,
    dims,
  ) as Any;
  assignByReference(plain, expression);
  expect([...plain]).toEqual(wanted);
  expect([...evaluate<DType, number>(expression)]).toEqual(wanted);
}

/**
 * Returns a sample of a list for a dtype: the whole list for float32 and in `npm run long`, else one entry, by turns, so
 * that every entry meets many dtypes.
 */
function sample<T>(dtype: RawDType, list: readonly T[]): readonly T[] {
  if (isLong || dtype === "float32") return list;
  return [list[moved.indexOf(dtype) % list.length] as T];
}

/** Bool, float32, int64 and every third one of the others; all of them in `npm run long`. */
const some = moved.filter((dtype, k) => isLong || k % 3 === 0 || ["bool", "float32", "int64"].includes(dtype));

describe.each(some)("%s", (dtype) => {
  const rounds = sample(dtype, [0, 1, 2, 3]);
  const none = zero(dtype);

  test("tril and triu", () => {
    const dice = new Dice(11);
    for (const round of rounds) {
      const dims = [...(round === 0 ? [2] : []), dice.below(6), 1 + dice.below(20)];
      const x = operand(dtype, dims, dice);
      const k = round === 1 ? 0 : dice.pick([-30, -3, -1, 0, 1, 2, 30]);
      const column = (index: number[]): number => (index.at(-1) as number) - (index.at(-2) as number);
      agrees(x.tril(k), dims, (...index) => (column(index) <= k ? x.at(...index) : none));
      agrees(x.triu(k), dims, (...index) => (column(index) >= k ? x.at(...index) : none));
    }
  });

  test("diag and diagPart", () => {
    const dice = new Dice(12);
    for (const round of rounds) {
      const outer = round === 0 ? [2] : [];
      const [height, width] = [1 + dice.below(6), 1 + dice.below(9)];
      const x = operand(dtype, [...outer, height, width], dice);
      for (let k = 1 - height; k < width; k++) {
        const length = Math.min(height + Math.min(k, 0), width - Math.max(k, 0));
        agrees(x.diagPart(k), [...outer, length], (...index) => {
          const i = index.pop() as number;
          return x.at(...index, i + Math.max(-k, 0), i + Math.max(k, 0));
        });
      }
      const k = round === 1 ? 0 : dice.below(7) - 3;
      const rows = operand(dtype, [...outer, width], dice);
      agrees(rows.diag(k), [...outer, width + Math.abs(k), width + Math.abs(k)], (...index) => {
        const j = index.pop() as number;
        const i = index.pop() as number;
        return j - i === k ? rows.at(...index, Math.min(i, j)) : none;
      });
    }
  });

  test("stack and unstack", () => {
    const dice = new Dice(13);
    for (const round of rounds) {
      const dims = Array.from({ length: round }, () => 1 + dice.below(5));
      const parts = Array.from({ length: 1 + dice.below(3) }, () => operand(dtype, dims, dice));
      for (let axis = -round - 1; axis <= round; axis++) {
        const along = axis < 0 ? axis + round + 1 : axis;
        const stacked = stack(parts, axis) as Any;
        agrees(stacked, dims.toSpliced(along, 0, parts.length), (...index) => {
          const [part] = index.splice(along, 1);
          return parts[part as number].at(...index);
        });
        const back = stacked.unstack(axis);
        expect(back.length).toBe(parts.length);
        for (const [k, part] of parts.entries()) agrees(back[k], dims, (...index) => part.at(...index));
      }
    }
  });

  test("booleanMask", () => {
    const dice = new Dice(14);
    for (const [dims, axis, covered] of sample(dtype, [
      [[7], 0, 1],
      [[3, 4], 0, 2],
      [[3, 4], -1, 1],
      [[2, 3, 4], 1, 2],
      [[2, 3, 4], 0, 1],
      [[3, 0], 0, 1],
    ] as const)) {
      const along = axis < 0 ? axis + dims.length : axis;
      const x = operand(dtype, dims, dice);
      const mask = operand("bool", dims.slice(along, along + covered), dice);
      const chosen = [...evaluate(mask as TensorMap<"bool", 1>)].flatMap((flag, k) => (flag ? [k] : []));
      const merged = [...dims.slice(0, along), product(dims.slice(along, along + covered)), ...dims.slice(along + covered)];
      const flat = evaluate(x as TensorMap<DType, number>).reshape(merged);
      const result = booleanMask(x, mask, axis);
      agrees(result, merged.with(along, chosen.length), (...index) =>
        (evaluate(flat) as Any).at(...index.with(along, chosen[index[along]!]!)),
      );
    }
  });
});

test.each(opTable.mul.dtypes as readonly RawDType[])("outer of %s", (dtype) => {
  const dice = new Dice(15);
  for (const [n, m] of [
    [3, 5],
    [1, 33],
    [17, 1],
    [0, 2],
  ] as const) {
    const [x, y] = [operand(dtype, [n], dice), operand(dtype, [m], dice)];
    const pairs = evaluate((x.reshape([n, 1]) as Any).mul(y)) as Any;
    agrees(x.outer(y), [n, m], (i, j) => pairs.at(i, j));
  }
});

test.each(["float32", "float64"] as const)("std and variance of %s are those of a loop", (dtype) => {
  const dice = new Dice(16);
  const x = subject(dtype, [9, 37], "transposed", dice, (d) => Math.fround((d.unit() - 0.5) * 6)) as Any;
  const rows = x.toArray() as number[][];
  const deviation = (list: readonly number[]): number => {
    const mean = list.reduce((a, b) => a + b, 0) / list.length;
    return Math.sqrt(list.reduce((a, b) => a + (b - mean) ** 2, 0) / list.length);
  };
  const columns = rows[0]!.map((_, j) => rows.map((row) => row[j]!));
  for (const [result, wanted, dims] of [
    [x.std(1), rows.map(deviation), [9]],
    [x.std([-1], { keepDims: true }), rows.map(deviation), [9, 1]],
    [x.std(0), columns.map(deviation), [37]],
    [x.std(), [deviation(rows.flat())], []],
  ]) {
    expect(result.dimensions).toEqual(dims);
    const got = [...evaluate(result as Expression<"float32", number>)];
    expect(got.length).toBe(wanted.length);
    for (const [i, value] of got.entries())
      expect(Math.abs(value - wanted[i]) / wanted[i]).toBeLessThan(dtype === "float32" ? 1e-6 : 1e-13);
  }
});

test("the compositions run as kernels", () => {
  const x = subject("float32", [9, 70], "dense", new Dice(17), () => 1) as TensorMap<"float32", 2>;
  const v = subject("float32", [70], "dense", new Dice(18), () => 2) as TensorMap<"float32", 1>;
  const [grid] = meshgrid([v, v]);
  for (const [name, expression, kernels] of [
    ["tril", x.tril(), 1],
    ["triu", x.mul(2).triu(1), 1],
    ["diag", v.diag(), 1],
    ["diagPart", x.diagPart(1), 1],
    ["outer", v.outer(v), 1],
    ["variance", x.variance(0), 2],
    ["std", x.std(1), 1],
    ["stack", stack([v, v.neg()]), 2],
    ["meshgrid", grid.add(1), 1],
  ] as const) {
    const { runs, fallbacks } = { fallbacks: 0, ...kernelCounts() };
    const out = subject("float32", expression.dimensions, "dense", new Dice(19), () => 0) as TensorMap<"float32", number>;
    out.assign(expression);
    expect([name, kernelCounts().runs - runs, fallbacks]).toEqual([name, kernels, 0]);
  }
});

test("meshgrid is NumPy's, for both indexings and any number of vectors", () => {
  const vectors = [3, 2, 4].map((size, k) => evaluate(iota("int32", size).add(10 * k)));
  for (let count = 0; count <= 3; count++) {
    const some = vectors.slice(0, count);
    for (const indexing of ["xy", "ij"] as const) {
      const order = some.map((_, k) => (indexing === "xy" && count > 1 && k < 2 ? 1 - k : k));
      const grids = meshgrid(some, indexing);
      expect(grids.length).toBe(count);
      for (const [k, grid] of grids.entries()) {
        agrees(
          grid,
          order.map((at) => some[at]!.size),
          (...index) => some[k]!.at(index[order[k]!]!),
        );
      }
    }
  }
});

test.each(opTable.cast.dtypes as readonly RawDType[])("where and nonzero of %s list the elements that are not 0", (dtype) => {
  const dice = new Dice(20);
  const sizes = [[], [9], [3, 5], [2, 3, 4], [0, 3], [2, 0]];
  // Half of the sizes for each dtype, by turns.
  const turn = opTable.cast.dtypes.indexOf(dtype as "float32");
  for (const dims of sizes.filter((_, k) => isLong || (k + turn) % 2 === 0)) {
    const x = operand(dtype, dims, dice);
    const wanted: bigint[][] = [];
    [...evaluate<DType, number>(x)].forEach((element: Any, place) => {
      const isZero = Array.isArray(element) ? element.every((part) => part === 0) : element === zero(dtype) || element === 0;
      if (isZero) return;
      const index: bigint[] = [];
      for (let d = dims.length - 1; d >= 0; d--) {
        index.unshift(BigInt(place % dims[d]!));
        place = Math.floor(place / dims[d]!);
      }
      wanted.push(index);
    });
    expect(where(x).dimensions).toEqual([wanted.length, dims.length]);
    expect([...where(x)]).toEqual(wanted.flat());
    if (dims.length === 0) continue;
    for (const type of ["int64", "int32"] as const) {
      const lists = nonzero(x, { outputType: type });
      expect(lists.map((list) => [list.dtype, [...list].map(BigInt)])).toEqual(dims.map((_, d) => [type, wanted.map((index) => index[d])]));
    }
  }
});

test("more than 4 GiB of indices are refused before they are made", () => {
  // A row of indices per element has 254 of 8 bytes.
  const x = constant("bool", true, [2_200_000, ...new Array<number>(253).fill(1)]);
  expect(() => where(x)).toThrow(
    expect.objectContaining({ code: "RESOURCE_EXHAUSTED", message: expect.stringContaining("more than 4 GiB") }),
  );
});

test("where with three arguments is select", () => {
  const x = tensorMap("float32", Float32Array.of(-1, 2, -3), [3]);
  expect(evaluate(where(x.less(0), 0, x)).toArray()).toEqual([0, 2, 0]);
  expect(treeOf(where(x.less(0), x, 1)).op).toBe("select");
});

test("item keeps no element: those that it has returned stay, and one that has none throws", () => {
  const pair = constant("complex64", [1, 2], [3]).sum();
  const first = item(pair);
  expect([item(pair.mul(2)), first]).toEqual([
    [6, 12],
    [3, 6],
  ]); // prettier-ignore
  const five = constant("int32", 5, [1, 1]);
  expect([item(five.add(1)), item(five.mul(3).reshape([1])), item(five.mul(0).reshape([]))]).toEqual([6, 15, 0]);
  expect(() => item(five.div(0))).toThrow("division by zero");
  expect(item(five.div(2))).toBe(2);
  expect(() => item(constant("float32", 1, [2]).add(1) as never)).toThrow("needs exactly one element, there are 2");
});

test("item returns the element of maps of every kind and rank, and of expressions", () => {
  const memory = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  for (let rank = 0; rank <= 6; rank++) {
    const dims = Array.from({ length: rank }, () => 1);
    const map = tensorMap("float32", Float32Array.of(7), dims);
    expect([map.item(), map.asConst().item(), map.strided().item(), item(map), item(map.add(1))]).toEqual([7, 7, 7, 7, 8]);
  }
  expect(tensorMap("float32", memory, [2, 4]).strided("1, 2:3").item()).toBe(7);
  expect(tensorMap("int64", BigInt64Array.of(5n), [1]).item()).toBe(5n);
  expect(tensorMap("complex64", Float32Array.of(1, 2), [1, 1]).item()).toEqual([1, 2]);
  expect(tensorMap("string", [Uint8Array.of(65)], [1]).item()).toEqual(Uint8Array.of(65));
  expect(unalignedTensorMap("float32", new ArrayBuffer(8), 1, kUnowned, [1]).item()).toBe(0);
  expect(item(iota("float16", 100).sum())).toBe(4952);
});

const f23 = tensorMap("float32", new Float32Array(6), [2, 3]) as Any;
const f3 = tensorMap("float32", new Float32Array(3), [3]) as Any;
const b2 = tensorMap("bool", new Uint8Array(2), [2]) as Any;
const q2 = tensorMap("qint8", new Int8Array(2), [2]) as Any;

test.each<[name: string, call: () => unknown, ...parts: string[]]>([
  ["stack of nothing", () => stack([]), "one operand or more"],
  ["stack of a map", () => stack(f3), "array"],
  ["stack of different sizes", () => stack([f3, f23]), "stack(float32 [3], float32 [2, 3])", "Shapes of all inputs must match"],
  ["stack of different dtypes", () => stack([b2, q2]), "bool and qint8"],
  ["stack along a missing axis", () => stack([f3], 2), "axis 2 is not in [-2, 2)"],
  ["unstack of a scalar", () => f3.sum().unstack(), "unstack(float32 [])", "axis 0"],
  ["unstack along a missing axis", () => f23.unstack(-3), "axis -3 is not in [-2, 2)"],
  ["diag of a scalar", () => f3.sum().diag(), "diag(float32 [])", "at least 1-dim"],
  ["a fractional diagonal", () => f3.diag(0.5), "0.5"],
  ["diagPart of a vector", () => f3.diagPart(), "diagPart(float32 [3])", "at least 2-dim"],
  ["a diagonal right of the matrix", () => f23.diagPart(3), "diagonal 3 is not in (-2, 3)"],
  ["a diagonal below the matrix", () => f23.diagPart(-2), "diagonal -2 is not in (-2, 3)"],
  ["tril of a vector", () => f3.tril(), "tril(float32 [3])", "at least 2-dim"],
  ["triu with a text", () => f23.triu("1"), "triu(float32 [2, 3])", '"1"'],
  ["outer of a matrix", () => f3.outer(f23), "outer(float32 [3], float32 [2, 3])", "reshape([-1])"],
  ["outer of different dtypes", () => f3.outer(b2), "outer(float32 [3], bool [2])", "float32 and bool"],
  ["outer of bool", () => b2.outer(b2), "not defined for bool"],
  ["std of integers", () => f3.cast("int32").std(), "std(int32 [3])", 'cast("float32")'],
  ["meshgrid of a map", () => meshgrid(f3), "array"],
  ["meshgrid of a matrix", () => meshgrid([f23]), "meshgrid(float32 [2, 3])", "reshape([-1])"],
  ["meshgrid with another indexing", () => meshgrid([f3], "yx" as never), '"yx"'],
  ["where of a quantized dtype", () => where(q2), "where(qint8 [2])"],
  ["where of a number", () => where(1 as never), "where: 1"],
  ["where with two arguments", () => (where as Any)(b2, b2), "select: undefined"],
  ["nonzero of a scalar", () => nonzero(f3.sum()), "nonzero(float32 [])", "scalar"],
  ["nonzero as int8", () => nonzero(f3, { outputType: "int8" as never }), '"int8"'],
  ["a mask of floats", () => booleanMask(f3, f3), "must be bool"],
  ["a scalar mask", () => booleanMask(f3, b2.all()), "cannot be scalar"],
  ["a mask of other sizes", () => booleanMask(f3, b2), "booleanMask(float32 [3], bool [2])", "axis 0"],
  ["a mask of more dimensions", () => booleanMask(f3, f23.greater(0)), "the operand's sizes"],
  ["a mask along a missing axis", () => booleanMask(f3, b2, 1), "axis 1 is not in [-1, 1)"],
  ["item of three elements", () => item(f3), "item(float32 [3])", "there are 3"],
  ["item of a map of three elements", () => f3.item(), "item(float32 [3])", "exactly one element"],
  ["item of no elements", () => item(f3.slice([0, 0])), "there are 0"],
  ["item of a number", () => item(1 as never), "item: 1"],
])("%s is refused", (_, call, ...parts) => {
  expect(call).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }) as never);
  for (const part of parts) expect(call).toThrow(part);
});

test("where of 2^31 elements is refused before anything is computed", () => {
  const huge = iota("int32", 2 ** 31);
  expect(() => where(huge)).toThrow(expect.objectContaining({ code: "UNIMPLEMENTED" }) as never);
});

test("indices between sizes beyond int32 are int64", () => {
  const wide = iota("int8", [1, 2 ** 31], 1);
  expect(
    item(
      wide
        .tril(2 ** 30)
        .slice([0, 1], [2 ** 30, 2 ** 30 + 1])
        .add(1),
    ),
  ).toBe(1);
  expect(
    item(
      wide
        .add(1)
        .tril(2 ** 40)
        .slice([0, 1], [5, 6]),
    ),
  ).toBe(6);
  expect(item(wide.add(1).tril(2).slice([0, 1], [2, 3]))).toBe(3);
  expect(item(wide.add(1).tril(2).slice([0, 1], [3, 4]))).toBe(0);
});

test("dtype and rank of results are inferred", () => {
  const x = tensorMap("float32", new Float32Array(6), [2, 3]);
  const v = tensorMap("float32", new Float32Array(3), [3]);
  const l = tensorMap("int64", new BigInt64Array(2), [2]);
  const stacked = stack([x, x.neg()], 1);
  same<Equal<typeof stacked, Expression<"float32", 3>>>();
  const parts = x.unstack(1);
  same<Equal<typeof parts, Expression<"float32", 1>[]>>();
  const square = v.diag();
  same<Equal<typeof square, Expression<"float32", 2>>>();
  const diagonal = x.add(1).diagPart();
  same<Equal<typeof diagonal, Expression<"float32", 1>>>();
  const lower = x.greater(0).tril();
  same<Equal<typeof lower, Expression<"bool", 2>>>();
  const upper = x.strided().triu(1);
  same<Equal<typeof upper, Expression<"float32", 2>>>();
  const pairs = v.outer(v);
  same<Equal<typeof pairs, Expression<"float32", 2>>>();
  const deviation = x.std(0);
  same<Equal<typeof deviation, Expression<"float32", 1>>>();
  const [first, second] = meshgrid([v, l]);
  same<Equal<typeof first, Expression<"float32", 2>>>();
  same<Equal<typeof second, Expression<"int64", 2>>>();
  const indices = where(x);
  same<Equal<typeof indices, TensorMap<"int64", 2>>>();
  const lists = nonzero(x, { outputType: "int32" });
  same<Equal<typeof lists, TensorMap<"int32", 1>[]>>();
  const chosen = where(x.greater(0), x, 0);
  same<Equal<typeof chosen, Expression<"float32", 2>>>();
  const flat = booleanMask(x, x.greater(0));
  same<Equal<typeof flat, TensorMap<"float32", 1>>>();
  const rows = booleanMask(x, l.greater(0n));
  same<Equal<typeof rows, TensorMap<"float32", 2>>>();
  const one = item(x.sum());
  same<Equal<typeof one, number>>();
  const wide = l.chip(0).item();
  same<Equal<typeof wide, bigint>>();
  const ranks: readonly Operand<DType, number>[] = [stacked, parts[0]!, square, diagonal, lower, upper, pairs, deviation, first, second];
  expect(ranks.map(({ rank }) => rank)).toEqual([3, 1, 2, 1, 2, 2, 2, 1, 2, 2]);
  expect([indices.rank, lists.length, chosen.rank, flat.rank, rows.rank, one, wide]).toEqual([2, 2, 2, 1, 2, 0, 0n]);
  expect(() => {
    // @ts-expect-error the operands of outer are vectors
    x.outer(v);
  }).toThrow("outer");
  expect(() => {
    // @ts-expect-error std is defined for floats
    l.std();
  }).toThrow("std");
  expect(() => {
    // @ts-expect-error the mask is bool
    booleanMask(x, x);
  }).toThrow("booleanMask");
});
