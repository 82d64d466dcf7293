// The types of expressions: dtype and rank of results are inferred by the compiler, and operands that do not fit together do not compile.
import { describe, expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import { evaluate, searchSorted, select, takeAlongAxis, tensorMap, treeOf } from "@onebuffer/eigen";
import type {
  ConstStridedMap,
  ConstTensorMap,
  Expression,
  FloatDType,
  NumericDType,
  Operand,
  OperandLike,
  OperandSource,
  StridedMap,
  TensorMap,
} from "@onebuffer/eigen";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if the type argument is `true`. */
function same<_T extends true>(): void {}

const f2 = tensorMap("float32", new Float32Array(6), [2, 3]);
const f1 = tensorMap("float32", new Float32Array(3), [3]);
const i2 = tensorMap("int32", new Int32Array(6), [2, 3]);
const b1 = tensorMap("bool", new Uint8Array(3), [3]);
const l1 = tensorMap("int64", new BigInt64Array(3), [3]);

describe("dtype and rank", () => {
  test("places have the rank of the values, elements at places that of the operand", () => {
    const places = searchSorted(f1, f2);
    same<Equal<typeof places, Expression<"int32", 2>>>();
    const taken = takeAlongAxis(f2, i2);
    same<Equal<typeof taken, Expression<"float32", 2>>>();
    const numbers = takeAlongAxis(b1, l1);
    same<Equal<typeof numbers, Expression<"bool", 1>>>();
    // @ts-expect-error: values of another dtype
    expect(() => searchSorted(f1, i2)).toThrow();
    // @ts-expect-error: complex numbers have no order
    expect(() => searchSorted(tensorMap("complex64", new Float32Array(2), [1]), f1)).toThrow();
    // @ts-expect-error: indices of floats
    expect(() => takeAlongAxis(f2, f2)).toThrow();
    expect([places.dtype, taken.dtype, numbers.dtype]).toEqual(["int32", "float32", "bool"]);
  });

  test("without a rank, types are of any rank", () => {
    same<Equal<Expression<"float32">, Expression<"float32", number>>>();
    same<Equal<TensorMap<"float32">, TensorMap<"float32", number>>>();
    same<Equal<ConstTensorMap<"float32">, ConstTensorMap<"float32", number>>>();
    same<Equal<StridedMap<"float32">, StridedMap<"float32", number>>>();
    same<Equal<ConstStridedMap<"float32">, ConstStridedMap<"float32", number>>>();
    same<Equal<Operand<"float32">, Operand<"float32", number>>>();
    same<Equal<OperandSource<"float32">, OperandSource<"float32", number>>>();
    same<Equal<OperandLike<"float32">, OperandLike<"float32", number>>>();
    const operands: readonly Operand<"float32">[] = [f1, f2, f2.add(1), f2.strided()];
    const expression: Expression<"float32"> = f2.add(1);
    const map: TensorMap<"float32"> = f2;
    const view: StridedMap<"float32"> = f2.strided();
    const rankOf = (x: Operand<"float32">): number => x.dimensions.length;
    expect([...operands, expression, map, view].map(rankOf)).toEqual([1, 2, 2, 2, 2, 2, 2]);
    // @ts-expect-error another dtype
    const wrong: Expression<"int32"> = expression;
    expect(wrong.dtype).toBe("float32");
  });

  test("elementwise operations keep dtype and rank, comparisons give bool", () => {
    const exp = f2.exp();
    same<Equal<typeof exp, Expression<"float32", 2>>>();
    const less = f2.less(f1);
    same<Equal<typeof less, Expression<"bool", 2>>>();
    const raised = f1.add(f2);
    same<Equal<typeof raised, Expression<"float32", 2>>>();
    const scaled = f1.mul(2);
    same<Equal<typeof scaled, Expression<"float32", 1>>>();
    const strided = f2.strided().sub(1);
    same<Equal<typeof strided, Expression<"float32", 2>>>();
    const cast = i2.cast("float64");
    same<Equal<typeof cast, Expression<"float64", 2>>>();
    const chosen = b1.select(f2, 0);
    same<Equal<typeof chosen, Expression<"float32", 2>>>();
    expect([exp.dtype, less.dtype, raised.rank, scaled.rank, strided.rank, cast.dtype, chosen.rank]).toEqual([
      "float32",
      "bool",
      2,
      1,
      2,
      "float64",
      2,
    ]);
  });

  test("the parts of complex numbers have the real dtype, and only complex numbers have parts", () => {
    const z1 = tensorMap("complex64", new Float32Array(6), [3]);
    const z2 = tensorMap("complex128", new Float64Array(12), [2, 3]);
    const conj = z1.conj();
    same<Equal<typeof conj, Expression<"complex64", 1>>>();
    const parts = [z1.real(), z1.imag(), z1.angle()] as const;
    same<Equal<typeof parts, readonly [Expression<"float32", 1>, Expression<"float32", 1>, Expression<"float32", 1>]>>();
    const wide = z2.imag();
    same<Equal<typeof wide, Expression<"float64", 2>>>();
    expect([conj.dtype, ...parts.map(({ dtype }) => dtype), wide.dtype]).toEqual(["complex64", "float32", "float32", "float32", "float64"]);
    // @ts-expect-error: float32 has no parts.
    expect(() => f1.conj()).toThrow("conj is not defined for float32");
    // @ts-expect-error: float32 has no parts.
    expect(() => f1.angle()).toThrow("imag is not defined for float32");
  });

  test("reductions remove dimensions", () => {
    const all = f2.sum();
    same<Equal<typeof all, Expression<"float32", 0>>>();
    const one = f2.sum(0);
    same<Equal<typeof one, Expression<"float32", 1>>>();
    const listed = f2.max([0, 1]);
    same<Equal<typeof listed, Expression<"float32", 0>>>();
    const kept = f2.mean([1], { keepDims: true });
    same<Equal<typeof kept, Expression<"float32", 2>>>();
    const unknown = f2.mean([0] as number[]);
    same<Equal<typeof unknown, Expression<"float32", number>>>();
    const where = f2.argmax(1);
    same<Equal<typeof where, Expression<"int64", 1>>>();
    const small = f2.argmax(1, { outputType: "int32" });
    same<Equal<typeof small, Expression<"int32", 1>>>();
    expect([all.rank, one.rank, listed.rank, kept.rank, unknown.rank, where.dtype, small.dtype]).toEqual([0, 1, 0, 2, 1, "int64", "int32"]);
  });

  test("movements infer their rank", () => {
    const reshaped = f2.reshape([1, 2, 3]);
    same<Equal<typeof reshaped, Expression<"float32", 3>>>();
    const chipped = f2.exp().chip(0);
    same<Equal<typeof chipped, Expression<"float32", 1>>>();
    const raised = f2.expandDims(0);
    same<Equal<typeof raised, Expression<"float32", 3>>>();
    const product = f2.matMul(f2, { transposeB: true });
    same<Equal<typeof product, Expression<"float32", 2>>>();
    expect([reshaped.rank, chipped.rank, raised.rank, product.rank]).toEqual([3, 1, 3, 2]);
  });

  test("maps and expressions are operands of any dtype and rank", () => {
    const operands: Operand<never, never>[] = [];
    const any: Operand<"float32" | "int32" | "bool", number>[] = [f2, f1, i2, b1, f2.strided(), f2.add(1), f2.asConst()];
    expect(operands.length + any.length).toBe(7);
  });
});

describe("refused by the compiler and at run time", () => {
  test.each<[string, () => unknown]>([
    // @ts-expect-error float32 and int32 operands do not fit together
    ["another dtype", () => f2.add(i2)],
    // @ts-expect-error there is no sine of integers
    ["an operation the dtype does not have", () => i2.sin()],
    // @ts-expect-error floats have no bitwise operations
    ["bits of floats", () => f2.bitwiseAnd(1)],
    // @ts-expect-error any is defined for bool only
    ["any of floats", () => f2.any()],
    // @ts-expect-error a bigint is not a float32
    ["a bigint for float32", () => f2.add(1n)],
    // @ts-expect-error a condition must be bool
    ["a condition of floats", () => f2.select(f2, f2)],
    // @ts-expect-error not a dtype
    ["an unknown dtype", () => f2.cast("float")],
  ])("%s", (_, call) => {
    expect(call).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  test("64-bit integers accept numbers and bigints", () => {
    expect(treeOf(l1.add(1)).inputs[1]?.attributes).toEqual({ value: 1n });
    expect(treeOf(l1.add(2n)).inputs[1]?.attributes).toEqual({ value: 2n });
  });
});

test("arguments that an operation does not take do not compile", () => {
  const calls = [
    // @ts-expect-error mul has one argument; NumPy's second one, out, is `out.assign(f2.mul(f2))`
    (): unknown => f2.mul(f2, f2),
    // @ts-expect-error exp has no argument
    (): unknown => f2.exp(f2),
    // @ts-expect-error transpose takes the axes as one list
    (): unknown => f2.transpose(1, 0),
    // @ts-expect-error an element of an expression is not computed yet: evaluate(expression).at(0, 0)
    (): unknown => f2.slice([0, 1]).at(0, 0),
    // @ts-expect-error a TensorMap has no length: size is the number of elements, dimension(0) the number of rows
    (): unknown => f2.length,
    // @ts-expect-error bool has no sum: cast("int32") counts
    (): unknown => b1.sum(),
  ];
  expect(calls.length).toBe(6);
  const moved = f2.transpose([1, 0]);
  same<Equal<typeof moved, Expression<"float32", 2>>>();
  const view = f2.strided().transpose([1, 0]);
  same<Equal<typeof view, StridedMap<"float32", 2>>>();
  const part = view.slice();
  same<Equal<typeof part, StridedMap<"float32", 2>>>();
});

test("plain numbers are operands, and elements, in functions of several dtypes and ranks", () => {
  const hinge = <D extends FloatDType>(x: Expression<D, 1>): Expression<D, 1> => select(x.greater(1), 0, x.sub(1).maximum(-2).neg());
  const doubled = <D extends NumericDType>(x: Expression<D, 1>): Expression<D, 1> => x.mul(2);
  const standard = <R extends number>(x: Expression<"float64", R>): Expression<"float64", R> => x.sub(x.mean()).div(x.std().add(1)).mul(2);
  const set = <D extends FloatDType>(map: TensorMap<D, 1>): void => {
    map.set(0, 3);
    map.strided("1:").assign(0.5);
  };
  const map = tensorMap("float64", new Float64Array(3), [3]);
  set(map);
  expect([...evaluate(hinge(map.add(0)))]).toEqual([0, 0.5, 0.5]);
  expect([...evaluate(standard(map.add(0).sign()))]).toEqual([0, 0, 0]);
  expect([...evaluate(doubled(l1.add(7)))]).toEqual([14n, 14n, 14n]);
  const wrong = [
    // @ts-expect-error a number is no element of bool, which the dtype may be
    <D extends DType>(x: Expression<D, 1>, yes: Expression<"bool", 1>): unknown => yes.select(x, 0),
    // @ts-expect-error a bigint is no element of floats
    <D extends FloatDType>(x: Expression<D, 1>): unknown => x.mul(2n),
  ];
  expect(wrong.length).toBe(2);
});

test("completion on maps and expressions offers operations, not the fields of the tree", () => {
  type Hidden = "op" | "inputs" | "attributes" | "depth" | "owner" | "array" | "base";
  type Shown<T> = Extract<keyof T, Hidden>;
  const none: [
    Shown<Expression<"float32", 2>>,
    Shown<Operand<"float32", 2>>,
    Shown<TensorMap<"float32", 2>>,
    Shown<ConstTensorMap<"float32", 2>>,
    Shown<StridedMap<"float32", 2>>,
    Shown<ConstStridedMap<"float32", 2>>,
  ][] = [];
  const never: never[] = none.flat();
  expect(never).toEqual([]);
  const map = tensorMap("float32", new Float32Array(4), [2, 2]);
  expect(treeOf(map.add(1))).toMatchObject({ op: "add", depth: 1 });
});
