/**
 * extremes: the larger and the smaller of two floats, by the rules of IEEE 754-2019's maximum and minimum (Eigen's pmax and pmin
 * with PropagateNaN, which leave the sign of a zero open).
 *
 *     NaN if either operand is NaN; of zeros of both signs the larger is +0 and the smaller is -0
 *
 * WebAssembly has both as instructions such as f32x4.max, which become eight instructions on x86. Its pmax, `a < b ? b : a`,
 * becomes one, but returns the first operand if both are zeros or either is NaN. So pmax runs in both orders. Where the results
 * differ, either an operand is NaN or two zeros differ in their sign, and combining the bits of both results gives the right one.
 */
import type { ConstantKind } from "@onebuffer/expression/internal";
import type { Vector } from "@onebuffer/wasm/internal";

/** An operation that returns one of two operands. */
type Pick = (a: Vector, b: Vector) => Vector;

const smaller: Pick = (a, b) => a.pmin(b);
const larger: Pick = (a, b) => a.pmax(b);

/** Returns the operation for the larger or smaller of two floats. If an operand is a known constant, the operation is cheaper. */
export function extremeOf(isMax: boolean, known: readonly (ConstantKind | null)[]): Pick {
  const pick = isMax ? larger : smaller;
  // The constant is the second operand, because pick returns its first operand if that is NaN.
  const of = (kind: ConstantKind | null, x: Vector, constant: Vector): Vector | null => {
    if (kind === "other" || kind === "lowest") return pick(x, constant);
    // The constant is +0. If x is a zero, too, pick returns x: that is the right minimum, and for a maximum adding +0 turns -0 into +0.
    if (kind === "zero") return isMax ? pick(x, constant).add(constant) : pick(x, constant);
    return null;
  };
  const general = isMax ? maximumOf : minimumOf;
  return (x, y) => of(known[1] ?? null, x, y) ?? of(known[0] ?? null, y, x) ?? general(x, y);
}

/** Returns the larger of two floats. */
function maximumOf(x: Vector, y: Vector): Vector {
  const first = larger(x, y);
  const second = larger(y, x);
  return first.and(second).or(first.ne(second));
}

/** Returns the smaller of two floats. The bits of a NaN combined by or with those of any number are a NaN. */
export function minimumOf(x: Vector, y: Vector): Vector {
  return smaller(x, y).or(smaller(y, x));
}
