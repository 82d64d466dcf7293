/**
 * lane-ops: writes every elementwise operation on lanes (Eigen's functors with their packetOp).
 *
 * Each operation computes the same elements as the plain evaluator, and for integers the same bits. A division of integers by
 * zero and a negative integer exponent are errors, which lanes cannot throw. Their masks are passed to `reportInvalid`; the code that
 * runs the kernel then lets the evaluator compute the elements and throw.
 */
import type { DType } from "@onebuffer/base";
import { divisions, extremes, formulas, isFloat } from "@onebuffer/expression/internal";
import type { ConstantKind, Division } from "@onebuffer/expression/internal";
import type { Callable, Vector, VectorSource } from "@onebuffer/wasm/internal";
import { extremeOf } from "./extremes.ts";
import type { KernelOp } from "../plan/program.ts";
import { floatRemainders } from "./lane-remainders.ts";
import { formulaProgram } from "../plan/vector-value.ts";
import type { VectorOperation } from "../plan/vector-value.ts";
import { binaryMath, expNonPositive, laneBytes, unaryMath } from "@onebuffer/wasm/internal";
import { castLanes, integerRange, kindOf, mapLanes, maskOfWidth, resizeIntegers, widenFloats, zipLanes } from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";

/** An operation to be written, with its operands. */
export interface LaneOperation {
  readonly op: KernelOp;
  /** The dtype of the result. */
  readonly dtype: DType;
  readonly inputs: readonly Lanes[];
  readonly inputDTypes: readonly DType[];
  readonly saturate: boolean;
  /** For casts, true if the result has to be rounded to its dtype; false if the code that stores it rounds it. */
  readonly round: boolean;
  /** For each input the kind of its value if it is a constant; null for other inputs. */
  readonly known: readonly (ConstantKind | null)[];
}

/** The kernel that operations are written into. */
export interface LaneContext {
  readonly builder: VectorSource;
  /** Records the set lanes of a mask as elements that may be invalid. */
  reportInvalid(mask: Lanes): void;
  /** Returns the module's function for the remainder of any two doubles. */
  remainder(): Callable;
}

/** Writes one operation that kernels have, and returns its lanes. */
export function writeOperation(context: LaneContext, operation: LaneOperation): Lanes {
  const { op, inputs, inputDTypes } = operation;
  const own = laneWriters[op]?.(operation, context);
  if (own !== undefined) return own;
  const [division, order] = [divisions[op], extremes[op]];
  if (division !== undefined) return divideLanes(division, operation, context);
  if (order !== undefined) return extremeLanes(order === "largest", operation);
  if (inputDTypes[0] === "bool" && inputs.length === 2) return truthLanes(op, inputs);
  const formula = formulas[op];
  const lanes = zipLanes(inputs, formula === undefined ? operations[op]! : formulaProgram(formula, operations));
  return operation.dtype === "uint8" ? resizeIntegers(lanes, kindOf("uint8")) : lanes;
}

/** Writes an operation that needs more than its operands' vectors. Returns undefined for operands for which the vector program is right. */
type LaneWriter = (operation: LaneOperation, context: LaneContext) => Lanes | undefined;

/** The operations whose code depends on dtypes, on constants or on the kernel. */
const laneWriters: Readonly<Partial<Record<KernelOp, LaneWriter>>> = {
  cast: ({ inputs, inputDTypes, dtype, saturate, round }) => castLanes(inputs[0]!, inputDTypes[0]!, dtype, saturate, round),
  select: selectLanes,
  pow: ({ inputs, dtype }, context) => (isFloat(dtype) ? undefined : integerPower(context, inputs)),
  leftShift: uniformShift((value, count) => value.shl(count)),
  rightShift: uniformShift((value, count) => (laneBytes[value.kind] === 1 ? shiftedBytes(value, count) : value.shr(count))),
};

/** Returns true if a vector has lanes of floats. */
const isFloatKind = ({ kind }: Vector): boolean => kind === "f32x4" || kind === "f64x2";

/** Operations whose vectors do not depend on neighboring vectors, for floats and integers alike. */
const operations: Readonly<Record<string, VectorOperation>> = {
  ...unaryMath,
  ...binaryMath,
  expNonPositive,
  neg: (x) => (isFloatKind(x) ? x.neg() : x.as(x.maskKind).neg().as(x.kind)),
  abs: (x) => x.abs(),
  square: (x) => x.mul(x),
  sign: signOf,
  reciprocal: (x) => x.source.constant(x.kind, 1).div(x),
  sqrt: (x) => x.sqrt(),
  floor: (x) => x.floor(),
  ceil: (x) => x.ceil(),
  round: (x) => (isFloatKind(x) ? x.nearest() : x),
  isNan: (x) => x.ne(x),
  isInf: (x) => x.abs().eq(Infinity),
  isFinite: (x) => x.abs().lt(Infinity),
  invert: (x) => x.not(),
  logicalNot: (x) => x.not(),
  add: (x, y) => x.add(y),
  sub: (x, y) => x.sub(y),
  mul: (x, y) => x.mul(y),
  // For formulas; divideLanes writes the operation.
  div: (x, y) => x.div(y),
  squaredDifference: (x, y) => x.sub(y).mul(x.sub(y)),
  equal: (x, y) => x.eq(y),
  notEqual: (x, y) => x.ne(y),
  less: (x, y) => x.lt(y),
  lessEqual: (x, y) => x.le(y),
  greater: (x, y) => x.gt(y),
  greaterEqual: (x, y) => x.ge(y),
  bitwiseAnd: (x, y) => x.and(y),
  bitwiseOr: (x, y) => x.or(y),
  bitwiseXor: (x, y) => x.xor(y),
  logicalAnd: (x, y) => x.and(y),
  logicalOr: (x, y) => x.or(y),
  logicalXor: (x, y) => x.xor(y),
  leftShift: (x, y) => shifted(x, y, (value, bits) => value.shl(bits)),
  rightShift: (x, y) => shifted(x, y, (value, bits) => value.shr(bits)),
};

/** Returns the sign: -1, 0 or 1. NaN stays NaN. */
function signOf(x: Vector): Vector {
  if (isFloatKind(x)) {
    const one = x.source.constant(x.kind, 1).or(x.as(x.maskKind).and(signBit(x)));
    return x.abs().gt(0).select(one, x.add(0));
  }
  // A set mask lane is -1, so the mask of x < 0 minus the mask of x > 0 is the sign.
  const above = x.gt(0);
  return (x.kind.startsWith("u") ? above.neg() : x.lt(0).sub(above)).as(x.kind);
}

/** Returns the sign bit of a lane as a constant of its mask kind. */
function signBit(x: Vector): number | bigint {
  return laneBytes[x.kind] === 8 ? -(2n ** 63n) : -(2 ** 31);
}

/** Returns a shift's count clamped to [0, bits - 1]. */
function clampedShift(y: Vector): Vector {
  return (y.kind.startsWith("u") ? y : y.max(0)).min(laneBytes[y.kind] * 8 - 1);
}

/**
 * Shifts bytes right by the same count, which there is no instruction for: as halves of 16-bit lanes, without the bits that come from the
 * other half. The sign s of a signed byte is extended by (x ^ s) - s, where s is the sign bit after the shift.
 */
function shiftedBytes(x: Vector, count: Vector): Vector {
  const by = count.as("u16x8").and(0xff);
  const bits = (byte: number): Vector => {
    const low = x.source.constant("u16x8", byte).shr(by);
    return low.or(low.shl(8));
  };
  const shifted = x.as("u16x8").shr(by).and(bits(0xff)).as(x.kind);
  const sign = bits(0x80).as(x.kind);
  return x.kind === "u8x16" ? shifted : shifted.xor(sign).sub(sign);
}

/** Shifts each lane by its own count: by 1, 2, 4 … where the count has that bit. */
function shifted(x: Vector, y: Vector, shift: (value: Vector, bits: number) => Vector): Vector {
  const bits = laneBytes[x.kind] * 8;
  const count = clampedShift(y);
  let value = x;
  for (let bit = 1; bit < bits; bit *= 2) value = count.and(bit).ne(0).select(shift(value, bit), value);
  return value;
}

/** Returns the writer of shifts of all lanes by the same count. */
function uniformShift(shift: VectorOperation): LaneWriter {
  return ({ inputs }) => (inputs[1]!.uniform ? zipLanes(inputs, (x, y) => shift(x, clampedShift(y))) : undefined);
}

/** Writes the smaller or larger of two values. */
function extremeLanes(isMax: boolean, { inputs, known }: LaneOperation): Lanes {
  const ofFloats = extremeOf(isMax, known);
  return zipLanes(inputs, (x, y) => (isFloatKind(x) ? ofFloats(x, y) : isMax ? x.max(y) : x.min(y)));
}

/** Applies an operation to two masks, brought to the wider of their widths. */
function truthLanes(op: string, inputs: readonly Lanes[]): Lanes {
  const width = (value: Lanes): number => (value.uniform ? 1 : laneBytes[value.vectors[0]!.kind]);
  const common = Math.max(...inputs.map(width));
  const masks = inputs.map((value) => maskOfWidth(value, common));
  return zipLanes(masks, operations[op]!);
}

/** Selects between two values by a mask. Of a value and 0, which has no bits, the mask keeps the value's bits or none. */
function selectLanes({ inputs, dtype, known }: LaneOperation): Lanes {
  const [condition, then, otherwise] = inputs as readonly [Lanes, Lanes, Lanes];
  // Masks of the operands' width. If both operands are constants, only the condition has a width.
  const measured = [then, otherwise, condition].find((value) => !value.uniform) ?? then;
  const width = dtype === "bool" ? laneBytes[measured.vectors[0]!.kind] : laneBytes[kindOf(dtype)];
  const as = (value: Lanes): Lanes => (dtype === "bool" ? maskOfWidth(value, width) : value);
  return zipLanes([maskOfWidth(condition, width), as(then), as(otherwise)], (mask, a, b) =>
    known[2] === "zero" ? a.and(mask) : known[1] === "zero" ? b.andNot(mask) : mask.select(a, b),
  );
}

/** Writes a quotient or remainder. Reports integer divisors of 0 as invalid. */
function divideLanes(division: Division, { inputs, inputDTypes }: LaneOperation, context: LaneContext): Lanes {
  const [isRemainder, isFloored] = [division.gives === "remainder", division.rounds === "down"];
  const [x, y] = inputs as readonly [Lanes, Lanes];
  const dtype = inputDTypes[0]!;
  if (isFloat(dtype)) {
    if (isRemainder) return floatRemainders(context.remainder(), isFloored, x, y);
    const quotient = zipLanes(inputs, (a, b) => a.div(b));
    return isFloored ? mapLanes(quotient, (vector) => vector.floor()) : quotient;
  }
  context.reportInvalid(mapLanes(y, (vector) => vector.eq(0)));
  const kind = kindOf(dtype);
  if (laneBytes[kind] === 8) return zipLanes(inputs, (a, b) => divideLongs(division, a, b));
  // Quotients of integers of up to 16 bits are exact enough in float32, and of 32 bits in float64: if a quotient is not an
  // integer, neither is its nearest float.
  const wide = laneBytes[kind] === 4;
  const floats = (value: Lanes): Lanes => (wide ? widenFloats(value) : castLanes(value, dtype, "float32", false));
  const quotient = zipLanes([floats(x), floats(y)], (a, b) => (isFloored ? a.div(b).floor() : a.div(b).trunc()));
  const integer = castLanes(quotient, wide ? "float64" : "float32", dtype === "uint32" ? "uint32" : "int32", false);
  const result = wide ? integer : resizeIntegers(integer, kind);
  return isRemainder ? zipLanes([x, result, y], (a, q, b) => a.sub(q.mul(b))) : result;
}

/**
 * Divides 64-bit integers lane by lane. Divisors that would trap are replaced by 1: 0 has been reported as invalid, and the
 * quotient by -1 is the negative, which does not exist for the least integer.
 */
function divideLongs({ gives, rounds }: Division, x: Vector, y: Vector): Vector {
  const zero = y.eq(0n);
  const isSigned = x.kind === "i64x2";
  const minusOne = isSigned ? y.eq(-1n) : zero;
  const cut = x.source.longs(isSigned ? "i64.div_s" : "i64.div_u", x, zero.or(minusOne).select(1n, y));
  const quotient = isSigned ? minusOne.select(x.neg(), cut) : cut;
  const isCorrected = rounds === "down" && isSigned;
  if (gives === "quotient" && !isCorrected) return quotient;
  const remainder = x.sub(quotient.mul(y));
  if (!isCorrected) return remainder;
  // If the remainder is not 0 and differs from the divisor in sign, the floor is one less than the truncated quotient.
  const below = remainder.xor(y).lt(0n).and(remainder.ne(0n));
  return gives === "quotient" ? quotient.add(below) : remainder.add(below.and(y));
}

/** The bits of the exponents that most powers have: x^7 and less. */
const kFewBits = 3;

/**
 * Computes powers of integers by squaring, modulo 2^bits: by the first bits of the exponents, and by twice as many more as long as a lane has
 * some. Reports negative exponents as invalid.
 */
function integerPower(context: LaneContext, inputs: readonly Lanes[]): Lanes {
  const y = inputs[1]!;
  const kind = y.vectors[0]!.kind;
  const [low, high] = integerRange(kind);
  if (low < 0n) context.reportInvalid(mapLanes(y, (vector) => vector.lt(0)));
  const bits = high.toString(2).length;
  return zipLanes(inputs, (base, exponent) => {
    let power = base;
    const raised = (start: Vector, from: number, to: number): Vector => {
      let result = start;
      for (let bit = from; bit < to; bit++) {
        result = exponent.shr(bit).and(1).ne(0).select(result.mul(power), result);
        power = power.mul(power);
      }
      if (to === bits) return result;
      return base.source.when(exponent.shr(to), result, () => raised(result, to, Math.min(2 * to + 2, bits)));
    };
    return raised(base.source.constant(base.kind, 1), 0, kFewBits);
  });
}
