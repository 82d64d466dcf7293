/**
 * butterflies: discrete Fourier transforms of 2 to 13 complex vectors, as vector programs.
 */
import type { Vector } from "@onebuffer/wasm/internal";
import { UnitRoots } from "./unit-roots.ts";

/** A vector of complex numbers: their real and their imaginary parts. */
export interface ComplexVector {
  readonly re: Vector;
  readonly im: Vector;
}

/** Returns the sum of two complex vectors. */
const add = (a: ComplexVector, b: ComplexVector): ComplexVector => ({ re: a.re.add(b.re), im: a.im.add(b.im) });
/** Returns the difference of two complex vectors. */
const sub = (a: ComplexVector, b: ComplexVector): ComplexVector => ({ re: a.re.sub(b.re), im: a.im.sub(b.im) });
/** Returns a - i b. */
const subTurned = (a: ComplexVector, b: ComplexVector): ComplexVector => ({ re: a.re.add(b.im), im: a.im.sub(b.re) });
/** Returns a + i b. */
const addTurned = (a: ComplexVector, b: ComplexVector): ComplexVector => ({ re: a.re.sub(b.im), im: a.im.add(b.re) });

/** Returns the product of two complex vectors. */
export function multiplied(a: ComplexVector, b: ComplexVector): ComplexVector {
  return { re: a.im.nmadd(b.im, a.re.mul(b.re)), im: a.im.madd(b.re, a.re.mul(b.im)) };
}

/** Returns the transform of a list of complex vectors: result k is the sum over j of exp(-2 pi i j k / r) input j. */
export function butterfly(inputs: readonly ComplexVector[]): readonly ComplexVector[] {
  if (inputs.length === 2) return [add(inputs[0]!, inputs[1]!), sub(inputs[0]!, inputs[1]!)];
  if (inputs.length === 4) return butterflyOf4(inputs);
  return inputs.length === 8 ? butterflyOf8(inputs) : butterflyOfPrime(inputs);
}

function butterflyOf4([a, b, c, d]: readonly ComplexVector[]): readonly ComplexVector[] {
  const [even, evenDifference] = [add(a!, c!), sub(a!, c!)];
  const [odd, oddDifference] = [add(b!, d!), sub(b!, d!)];
  return [add(even, odd), subTurned(evenDifference, oddDifference), sub(even, odd), addTurned(evenDifference, oddDifference)];
}

/** Two transforms of 4, whose results are combined with the eighth roots of unity. */
function butterflyOf8(inputs: readonly ComplexVector[]): readonly ComplexVector[] {
  const even = butterflyOf4([0, 2, 4, 6].map((k) => inputs[k]!));
  const [a, b, c, d] = butterflyOf4([1, 3, 5, 7].map((k) => inputs[k]!)) as [ComplexVector, ComplexVector, ComplexVector, ComplexVector];
  const half = Math.SQRT1_2;
  const b1 = { re: b.re.add(b.im).mul(half), im: b.im.sub(b.re).mul(half) };
  const d1 = { re: d.im.sub(d.re).mul(half), im: d.im.add(d.re).mul(-half) };
  return [
    add(even[0]!, a),
    add(even[1]!, b1),
    subTurned(even[2]!, c),
    add(even[3]!, d1),
    sub(even[0]!, a),
    sub(even[1]!, b1),
    addTurned(even[2]!, c),
    sub(even[3]!, d1),
  ];
}

/** The sums and differences of inputs j and r - j have real factors: cosines for the sums, sines for the differences. */
function butterflyOfPrime(inputs: readonly ComplexVector[]): readonly ComplexVector[] {
  const size = inputs.length;
  const half = (size - 1) / 2;
  const roots = new UnitRoots(size);
  const pairs = Array.from({ length: half }, (_, j) => [inputs[j + 1]!, inputs[size - 1 - j]!] as const);
  const sums = pairs.map(([a, b]) => add(a, b));
  const differences = pairs.map(([a, b]) => sub(a, b));
  const first = inputs[0]!;
  const results: ComplexVector[] = [sums.reduce(add, first)];
  for (let k = 1; k <= half; k++) {
    let cosines = first;
    let sines: ComplexVector | null = null;
    for (let j = 0; j < half; j++) {
      roots.set((j + 1) * k);
      const [sum, difference] = [sums[j]!, differences[j]!];
      const { re: cos, im } = roots;
      cosines = { re: sum.re.madd(cos, cosines.re), im: sum.im.madd(cos, cosines.im) };
      sines =
        sines === null
          ? { re: difference.re.mul(-im), im: difference.im.mul(-im) }
          : { re: difference.re.madd(-im, sines.re), im: difference.im.madd(-im, sines.im) };
    }
    results[k] = subTurned(cosines, sines!);
    results[size - k] = addTurned(cosines, sines!);
  }
  return results;
}
