/**
 * extremes: the larger and the smaller of two floats, as IEEE 754-2019's maximum and minimum have it (Eigen's pmax and pmin with
 * PropagateNaN, which leave the sign of a zero open).
 *
 *     NaN if one is NaN; of zeros of both signs the larger is +0, the smaller -0
 *
 * WebAssembly has both as one instruction, f32x4.max, which is eight of x86. Its pmax is one, a < b ? b : a, but gives the first operand
 * where the two are zeros or one is NaN. So both orders are taken: where they differ, either an operand is NaN, or two zeros differ in
 * their sign, and then the bits say which is wanted.
 */
import type { ConstantKind } from "../../expression/tree/node-code.ts";
import type { Vector } from "@onebuffer/wasm/internal";

/** An operation with two results to choose from. */
type Pick = (a: Vector, b: Vector) => Vector;

const smaller: Pick = (a, b) => a.pmin(b);
const larger: Pick = (a, b) => a.pmax(b);

/** The larger of two floats. */
function maximumOf(x: Vector, y: Vector): Vector {
  const first = larger(x, y);
  const second = larger(y, x);
  return first.and(second).or(first.ne(second));
}

/** The smaller of two floats. The bits of a NaN and of any other number together are those of a NaN. */
export function minimumOf(x: Vector, y: Vector): Vector {
  return smaller(x, y).or(smaller(y, x));
}

/** The larger or smaller of two floats, where something may be known of them: for as little as is needed then. */
export function extremeOf(op: "minimum" | "maximum", known: readonly (ConstantKind | null)[]): Pick {
  const pick = op === "minimum" ? smaller : larger;
  // The constant goes second: pick gives the first operand if that is NaN.
  const of = (kind: ConstantKind | null, x: Vector, constant: Vector): Vector | null => {
    if (kind === "other") return pick(x, constant);
    // Of two zeros pick gives the operand: the smaller of it and +0 if it is -0, else to be made the larger.
    if (kind === "zero") return op === "minimum" ? pick(x, constant) : pick(x, constant).add(constant);
    return null;
  };
  const general = op === "minimum" ? minimumOf : maximumOf;
  return (x, y) => of(known[1] ?? null, x, y) ?? of(known[0] ?? null, y, x) ?? general(x, y);
}
