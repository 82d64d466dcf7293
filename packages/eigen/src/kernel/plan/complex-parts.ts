/**
 * complex-parts: the operations on complex numbers as operations on their real and imaginary parts, which have lanes (Eigen's Packet2cf keeps
 * the two beside each other; here they are separate values).
 *
 *     mul z w    complex64          z.re  z.im  w.re  w.im               float32, loaded from pairs
 *                                   z.re w.re - z.im w.im                and the imaginary part
 *     exp z      complex64          cast z.re, z.im to float64
 *                                   e^z.re cos z.im, e^z.re sin z.im     unless z.im is 0
 *                                   cast to float32                      rounded once
 *
 * The formulas are those of the plain evaluator (evaluator/complex-functions.ts): sums, differences and products in the dtype of the parts,
 * all others in float64. So the results of arithmetic and square roots have the same bits; functions differ by the last bits of the
 * kernels' float64 functions.
 */
import type { DType } from "@onebuffer/base";
import { InternalError } from "@onebuffer/base";
import { isComplexDType, partDType } from "../../expression/tree/dtype-groups.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import type { OpName } from "../../expression/tree/op-table.ts";
import type { ProgramBuilder } from "./program.ts";

/** The indices of the values of a real and an imaginary part. */
type Parts = readonly [re: number, im: number];

/** Operations whose parts are computed in the dtype of the parts. */
const direct: ReadonlySet<string> = new Set("neg conj real imag add sub mul square equal notEqual select cast".split(" "));

/** Returns true if an elementwise node has a complex operand or a complex result. */
export function hasParts({ dtype, inputs }: ExpressionTree): boolean {
  return isComplexDType(dtype) || inputs.some((input) => isComplexDType(input.dtype));
}

/** Adds an elementwise operation of which an operand or the result is complex. Returns the index of its value. */
export function complexOperation(builder: ProgramBuilder, node: ExpressionTree, inputs: readonly number[], saturate: boolean): number {
  const { op, dtype } = node;
  const from = node.inputs.at(-1)!.dtype;
  const part = partDType(from);
  const isDirect = direct.has(op);
  const partsOf = (value: number): Parts => builder.nodes[value]!.inputs as readonly number[] as Parts;
  if (op === "cast" && !isComplexDType(from)) {
    const real = partDType(dtype);
    const value = from === real ? inputs[0]! : builder.op("cast", real, inputs);
    return pair(builder, dtype, [value, builder.literal(real, 0)]);
  }
  if (op === "select") {
    const [condition, then, otherwise] = inputs as readonly [number, number, number];
    const choose = (k: 0 | 1): number => builder.op("select", part, [condition, partsOf(then)[k], partsOf(otherwise)[k]]);
    return pair(builder, dtype, [choose(0), choose(1)]);
  }
  const computed = isDirect ? part : "float64";
  const math = new ComplexMath(builder, computed, part === "float32");
  const parts = inputs.map((value) => partsOf(value).map((each) => math.cast(part, computed, each)) as readonly number[] as Parts);
  if (op === "cast") return castParts(math, parts[0]!, part, dtype, saturate);
  const result = math.compute(op, parts);
  if (typeof result === "number") return dtype === "bool" || isDirect ? result : math.cast(computed, partDType(dtype), result);
  return pair(builder, dtype, isDirect ? result : [math.cast(computed, part, result[0]), math.cast(computed, part, result[1])]);
}

function pair(builder: ProgramBuilder, dtype: DType, parts: Parts): number {
  return builder.op("complex", dtype, parts);
}

/** Casts to a complex dtype, to bool (true if a part is not 0), or to a real dtype, for which the imaginary part is dropped. */
function castParts(math: ComplexMath, [re, im]: Parts, from: DType, to: DType, saturate: boolean): number {
  const { builder } = math;
  if (isComplexDType(to)) return pair(builder, to, [math.cast(from, partDType(to), re), math.cast(from, partDType(to), im)]);
  if (to === "bool") return builder.op("logicalOr", "bool", [builder.op("cast", "bool", [re]), builder.op("cast", "bool", [im])]);
  return from === to && !saturate ? re : builder.op("cast", to, [re], saturate);
}

/** The formulas, over values of one float dtype. */
class ComplexMath {
  readonly builder: ProgramBuilder;
  readonly #dtype: DType;
  /** True if the values are float32 numbers, or not much larger: their squares do not overflow in float64. */
  readonly #isSingle: boolean;

  constructor(builder: ProgramBuilder, dtype: DType, isSingle: boolean) {
    this.builder = builder;
    this.#dtype = dtype;
    this.#isSingle = isSingle;
  }

  /** Returns a value cast from one float dtype to another. */
  cast(from: DType, to: DType, value: number): number {
    return from === to ? value : this.builder.op("cast", to, [value]);
  }

  #op(op: OpName, ...inputs: readonly number[]): number {
    return this.builder.op(op, this.#dtype, inputs);
  }

  #test(op: OpName, ...inputs: readonly number[]): number {
    return this.builder.op(op, "bool", inputs);
  }

  #number(value: number): number {
    return this.builder.literal(this.#dtype, value);
  }

  #add(a: number, b: number): number {
    return this.#op("add", a, b);
  }

  #sub(a: number, b: number): number {
    return this.#op("sub", a, b);
  }

  #mul(a: number, b: number): number {
    return this.#op("mul", a, b);
  }

  #div(a: number, b: number): number {
    return this.#op("div", a, b);
  }

  #select(condition: number, then: number, otherwise: number): number {
    return this.#op("select", condition, then, otherwise);
  }

  #pick(condition: number, then: Parts, otherwise: Parts): Parts {
    return [this.#select(condition, then[0], otherwise[0]), this.#select(condition, then[1], otherwise[1])];
  }

  #both(a: number, b: number): number {
    return this.#test("logicalAnd", a, b);
  }

  #isZero([re, im]: Parts): number {
    return this.#both(this.#test("equal", re, this.#number(0)), this.#test("equal", im, this.#number(0)));
  }

  /** Returns the value of an operation: parts, or one value if the result is not complex. Throws INTERNAL for unknown operations. */
  compute(op: OpName, [z, w]: readonly Parts[]): Parts | number {
    const [re, im] = z!;
    switch (op) {
      case "neg":
        return [this.#op("neg", re), this.#op("neg", im)];
      case "conj":
        return [re, this.#op("neg", im)];
      case "real":
        return re;
      case "imag":
        return im;
      case "abs":
        return this.#size(z!);
      case "sign": {
        const size = this.#size(z!);
        const isZero = this.#test("equal", size, this.#number(0));
        return this.#pick(isZero, [this.#number(0), this.#number(0)], [this.#div(re, size), this.#div(im, size)]);
      }
      case "add":
      case "sub":
        return [this.#op(op, re, w![0]), this.#op(op, im, w![1])];
      case "equal":
        return this.#both(this.#test(op, re, w![0]), this.#test(op, im, w![1]));
      case "notEqual":
        return this.#test("logicalOr", this.#test(op, re, w![0]), this.#test(op, im, w![1]));
      case "squaredDifference": {
        const [x, y] = [this.#sub(re, w![0]), this.#sub(im, w![1])];
        return [this.#add(this.#mul(x, x), this.#mul(y, y)), this.#number(0)];
      }
      case "square":
        return this.#product(z!, z!);
      case "mul":
        return this.#product(z!, w!);
      case "div":
        return this.#quotient(z!, w!);
      case "reciprocal":
        return this.#reciprocal(z!);
      case "sqrt":
        return this.#sqrt(z!);
      case "rsqrt":
        return this.#reciprocal(this.#sqrt(z!));
      case "pow":
        return this.#pow(z!, w!);
      default:
        return this.#function(op, z!);
    }
  }

  #function(op: OpName, z: Parts): Parts {
    switch (op) {
      case "exp":
        return this.#exp(z);
      case "expm1":
        return this.#expm1(z);
      case "log":
        return this.#log(z);
      case "log1p":
        return this.#log1p(z);
      case "sinh":
        return this.#sinh(z);
      case "cosh":
        return this.#cosh(z);
      case "tanh":
        return this.#tanh(z);
      case "sin":
        return this.#timesMinusI(this.#sinh(this.#timesI(z)));
      case "cos":
        return this.#cosh(this.#timesI(z));
      case "tan":
        return this.#timesMinusI(this.#tanh(this.#timesI(z)));
      case "asin":
        return this.#asin(z);
      case "acos":
        return this.#acos(z);
      case "atan":
        return this.#atan(z);
      case "sigmoid":
        return this.#reciprocal(this.#shifted(this.#exp(this.#negated(z)), 1));
      default:
        throw new InternalError(`no parts for ${op}`);
    }
  }

  #negated([re, im]: Parts): Parts {
    return [this.#op("neg", re), this.#op("neg", im)];
  }

  #shifted([re, im]: Parts, by: number): Parts {
    return [this.#add(re, this.#number(by)), im];
  }

  #timesI([re, im]: Parts): Parts {
    return [this.#op("neg", im), re];
  }

  #timesMinusI([re, im]: Parts): Parts {
    return [im, this.#op("neg", re)];
  }

  #product([a, b]: Parts, [c, d]: Parts): Parts {
    return [this.#sub(this.#mul(a, c), this.#mul(b, d)), this.#add(this.#mul(a, d), this.#mul(b, c))];
  }

  /** (a + bi) / (c + di) by Smith's method: see the evaluator. */
  #quotient([a, b]: Parts, [c, d]: Parts): Parts {
    const isWide = this.#test("greaterEqual", this.#op("abs", c), this.#op("abs", d));
    // If the imaginary part of the divisor is the larger one, the parts change places: (b - ai) / (d - ci) is the same quotient.
    const [large, small] = [this.#select(isWide, c, d), this.#select(isWide, d, c)];
    const [x, y] = [this.#select(isWide, a, b), this.#select(isWide, b, a)];
    const ratio = this.#ratio(small, large);
    const scale = this.#add(this.#mul(small, ratio), large);
    const cross = this.#mul(x, ratio);
    const imaginary = this.#select(isWide, this.#sub(y, cross), this.#sub(cross, y));
    return [this.#div(this.#add(x, this.#mul(y, ratio)), scale), this.#div(imaginary, scale)];
  }

  /** 1 / (c + di). */
  #reciprocal(z: Parts): Parts {
    return this.#quotient([this.#number(1), this.#number(0)], z);
  }

  /** small / large; 0 if large is 0, which small then is, too. */
  #ratio(small: number, large: number): number {
    const zero = this.#number(0);
    return this.#select(this.#test("equal", large, zero), zero, this.#div(small, large));
  }

  /** |z|: the root of the sum of the squares, or, where those may overflow, the larger part times sqrt(1 + ratio^2). */
  #size([re, im]: Parts): number {
    const [a, b] = [this.#op("abs", re), this.#op("abs", im)];
    const isLess = this.#test("less", a, b);
    const large = this.#isSingle ? 0 : this.#select(isLess, b, a);
    const ratio = this.#isSingle ? 0 : this.#ratio(this.#select(isLess, a, b), large);
    const size = this.#isSingle
      ? this.#op("sqrt", this.#add(this.#mul(re, re), this.#mul(im, im)))
      : this.#mul(large, this.#op("sqrt", this.#add(this.#mul(ratio, ratio), this.#number(1))));
    const infinity = this.#number(Infinity);
    const isInfinite = this.#test("logicalOr", this.#test("equal", a, infinity), this.#test("equal", b, infinity));
    return this.#select(isInfinite, infinity, size);
  }

  #exp([re, im]: Parts): Parts {
    const size = this.#op("exp", re);
    const isReal = this.#test("equal", im, this.#number(0));
    const turned: Parts = [this.#mul(size, this.#op("cos", im)), this.#mul(size, this.#op("sin", im))];
    return this.#pick(isReal, [size, im], turned);
  }

  #expm1([re, im]: Parts): Parts {
    const half = this.#op("sin", this.#mul(im, this.#number(0.5)));
    const twice = this.#mul(this.#mul(this.#number(2), half), half);
    const imaginary = this.#mul(this.#op("exp", re), this.#op("sin", im));
    const isReal = this.#test("equal", im, this.#number(0));
    return [this.#sub(this.#mul(this.#op("expm1", re), this.#op("cos", im)), twice), this.#select(isReal, im, imaginary)];
  }

  /** log|z|, for |z| near 1 from |z|^2 - 1. */
  #logSize(z: Parts): number {
    const size = this.#size(z);
    const [a, b] = [this.#op("abs", z[0]), this.#op("abs", z[1])];
    const isLess = this.#test("less", a, b);
    const [more, less] = [this.#select(isLess, b, a), this.#select(isLess, a, b)];
    const one = this.#number(1);
    const square = this.#add(this.#mul(this.#sub(more, one), this.#add(more, one)), this.#mul(less, less));
    const near = this.#mul(this.#op("log1p", square), this.#number(0.5));
    const isNear = this.#both(this.#test("greater", size, this.#number(0.5)), this.#test("less", size, this.#number(2)));
    return this.#select(isNear, near, this.#op("log", size));
  }

  #log(z: Parts): Parts {
    return [this.#logSize(z), this.#op("atan2", z[1], z[0])];
  }

  #log1p([re, im]: Parts): Parts {
    const half = this.#number(0.5);
    const isSmall = this.#both(this.#test("less", this.#op("abs", re), half), this.#test("less", this.#op("abs", im), half));
    const square = this.#add(this.#mul(re, this.#add(this.#number(2), re)), this.#mul(im, im));
    const small = this.#mul(this.#op("log1p", square), half);
    const shifted = this.#shifted([re, im], 1);
    return [this.#select(isSmall, small, this.#op("log", this.#size(shifted))), this.#op("atan2", im, shifted[0])];
  }

  #sqrt(z: Parts): Parts {
    const [re, im] = z;
    const wide = this.#add(this.#size(z), this.#op("abs", re));
    const size = this.#op("sqrt", this.#mul(wide, this.#number(0.5)));
    const other = this.#div(this.#op("abs", im), this.#mul(this.#number(2), size));
    const isRight = this.#test("greaterEqual", re, this.#number(0));
    const root: Parts = [this.#select(isRight, size, other), this.#withSign(this.#select(isRight, other, size), im)];
    return this.#pick(this.#isZero(z), [this.#number(0), im], root);
  }

  /** A number that is not negative, with the sign of another one; -0 counts as negative, NaN as positive. */
  #withSign(size: number, like: number): number {
    const zero = this.#number(0);
    // 1 / -0 is -Infinity.
    const isNegative = this.#test("less", this.#select(this.#test("equal", like, zero), this.#div(this.#number(1), like), like), zero);
    return this.#select(isNegative, this.#op("neg", size), size);
  }

  #sinh([re, im]: Parts): Parts {
    return [this.#mul(this.#op("sinh", re), this.#op("cos", im)), this.#mul(this.#op("cosh", re), this.#op("sin", im))];
  }

  #cosh([re, im]: Parts): Parts {
    return [this.#mul(this.#op("cosh", re), this.#op("cos", im)), this.#mul(this.#op("sinh", re), this.#op("sin", im))];
  }

  /** Kahan's form; for |re| > 22 the limit. */
  #tanh([re, im]: Parts): Parts {
    const one = this.#number(1);
    const t = this.#op("tan", im);
    const s = this.#op("sinh", re);
    const sec2 = this.#add(one, this.#mul(t, t));
    const s2 = this.#mul(s, s);
    const below = this.#add(one, this.#mul(this.#mul(sec2, s), s));
    const real = this.#mul(this.#mul(sec2, this.#op("sqrt", this.#add(one, s2))), s);
    const size = this.#op("abs", re);
    const power = this.#op("exp", this.#mul(this.#number(-2), size));
    const circle = this.#mul(this.#mul(this.#number(4), this.#op("sin", im)), this.#op("cos", im));
    const isFar = this.#test("greater", size, this.#number(22));
    const far: Parts = [this.#op("sign", re), this.#mul(circle, power)];
    return this.#pick(isFar, far, [this.#div(real, below), this.#div(t, below)]);
  }

  /** asinh of a real number. Beyond 2^28 it is log(2|x|): the square would overflow. */
  #asinh(x: number): number {
    const one = this.#number(1);
    const size = this.#op("abs", x);
    const square = this.#mul(size, size);
    const root = this.#op("sqrt", this.#add(one, square));
    const near = this.#op("log1p", this.#add(size, this.#div(square, this.#add(one, root))));
    const far = this.#add(this.#op("log", size), this.#number(Math.LN2));
    return this.#withSign(this.#select(this.#test("greater", size, this.#number(2 ** 28)), far, near), x);
  }

  #roots(z: Parts): readonly [Parts, Parts] {
    return [this.#sqrt(this.#shifted(this.#negated(z), 1)), this.#sqrt(this.#shifted(z, 1))];
  }

  #asin(z: Parts): Parts {
    const [[p, q], [r, s]] = this.#roots(z);
    const below = this.#sub(this.#mul(p, r), this.#mul(q, s));
    return [this.#op("atan2", z[0], below), this.#asinh(this.#sub(this.#mul(p, s), this.#mul(q, r)))];
  }

  #acos(z: Parts): Parts {
    const [[p, q], [r, s]] = this.#roots(z);
    const angle = this.#mul(this.#number(2), this.#op("atan2", p, r));
    return [angle, this.#asinh(this.#sub(this.#mul(r, q), this.#mul(s, p)))];
  }

  #atan(z: Parts): Parts {
    const [a, b] = this.#log1p(this.#timesI(z));
    const [c, d] = this.#log1p(this.#timesMinusI(z));
    const half = this.#number(0.5);
    return [this.#mul(this.#sub(b, d), half), this.#mul(this.#sub(c, a), half)];
  }

  /** e^(w log z); 1 if w is 0, otherwise 0 if z is 0. */
  #pow(z: Parts, w: Parts): Parts {
    const [zero, one] = [this.#number(0), this.#number(1)];
    const power = this.#exp(this.#product(w, this.#log(z)));
    return this.#pick(this.#isZero(w), [one, zero], this.#pick(this.#isZero(z), [zero, zero], power));
  }
}
