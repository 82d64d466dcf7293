/** The elements of two tensors, compared bit by bit. */
import type { Tensor } from "onebuffer";

/** The most elements that are listed. */
const kListed = 6;

/** An element that differs. */
export interface DifferingElement {
  /** Its row-major number. */
  readonly index: number;
  readonly here: unknown;
  readonly there: unknown;
}

/** How the elements of two tensors compare. */
export interface Comparison {
  readonly equal: number;
  readonly differing: number;
  /**
   * The largest difference of float32 elements in ulp: how many float32 values lie between them, plus one. Infinity if one of them is NaN and the
   * other is not. Null for other dtypes.
   */
  readonly ulp: number | null;
  /** The first elements that differ. */
  readonly listed: readonly DifferingElement[];
}

/** Compares tensors of the same dtype and sizes. All NaNs are equal: WebGPU keeps neither their sign nor their payload. */
export function compareElements(here: Tensor, there: Tensor): Comparison {
  const [a, b] = [here.asOperand().data, there.asOperand().data] as unknown as readonly ArrayLike<number | bigint>[];
  const isFloat = here.dtype === "float32";
  const listed: DifferingElement[] = [];
  let [differing, ulp] = [0, 0];
  for (let index = 0; index < a!.length; index++) {
    const [left, right] = [a![index]!, b![index]!];
    if (Object.is(left, right)) continue;
    differing++;
    if (isFloat) ulp = Math.max(ulp, ulpsBetween(Number(left), Number(right)));
    if (listed.length < kListed) listed.push({ index, here: left, there: right });
  }
  return { equal: a!.length - differing, differing, ulp: isFloat ? ulp : null, listed };
}

const kFloat = new Float32Array(1);
const kBits = new Int32Array(kFloat.buffer);

/** Returns how many steps between neighboring float32 values lead from one to the other. */
function ulpsBetween(a: number, b: number): number {
  const distance = Math.abs(placeOf(a) - placeOf(b));
  return Number.isNaN(a) || Number.isNaN(b) ? Infinity : distance;
}

/** Returns the place of a float32 value among all of them, in their order; 0 for both zeros. */
function placeOf(value: number): number {
  kFloat[0] = value;
  const bits = kBits[0]!;
  return bits < 0 ? -(bits & 0x7fffffff) : bits;
}
