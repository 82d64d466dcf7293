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
 * The formulas are those of the plain evaluator (expression/scalars/complex-functions.ts): sums, differences and products in the dtype of
 * the parts, all others in float64. So the results of arithmetic and square roots have the same bits; functions differ by the last bits of
 * the kernels' float64 functions.
 */
import type { DType } from "@onebuffer/base";
import { complexFormulas, isCast, isComplexDType, isSelection, partDType } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { PartValue } from "./part-value.ts";
import type { ProgramBuilder } from "./program.ts";

/** A real and an imaginary part. */
type Parts = readonly [re: PartValue, im: PartValue];

/** Operations whose parts are computed in the dtype of the parts. */
const direct: ReadonlySet<string> = new Set("neg conj real imag add sub mul square equal notEqual".split(" "));

/** Returns true if an elementwise node has a complex operand or a complex result. */
export function hasParts({ dtype, inputs }: ExpressionTree): boolean {
  return isComplexDType(dtype) || inputs.some((input) => isComplexDType(input.dtype));
}

/** Adds an elementwise operation of which an operand or the result is complex. Returns the index of its value. */
export function complexOperation(builder: ProgramBuilder, node: ExpressionTree, inputs: readonly number[], saturate: boolean): number {
  const { op, dtype } = node;
  const from = node.inputs.at(-1)!.dtype;
  const part = partDType(from);
  const computed = direct.has(op) ? part : "float64";
  const valueOf = (index: number): PartValue => new PartValue(builder, part, index, part === "float32");
  const partsOf = (input: number): Parts => builder.nodes[input]!.inputs.map(valueOf) as unknown as Parts;
  if (isCast(node)) {
    return isComplexDType(from)
      ? castParts(partsOf(inputs[0]!), dtype, saturate)
      : pair(dtype, partsOfReal(builder, inputs[0]!, from, dtype));
  }
  if (isSelection(node)) {
    const [condition, then, otherwise] = inputs as readonly [number, number, number];
    return pair(dtype, new PartValue(builder, "bool", condition, false).pick(partsOf(then), partsOf(otherwise)) as Parts);
  }
  const operands = inputs.map((input) => partsOf(input).map((each) => each.as(computed)) as unknown as Parts);
  const result = complexFormulas[op]!(operands[0]!, operands[1]!);
  if (!Array.isArray(result)) return (result as PartValue).as(dtype).index;
  return pair(dtype, result as unknown as Parts);
}

/** Adds the complex number of two parts, which are first cast to the dtype of its parts. */
function pair(dtype: DType, parts: Parts): number {
  return parts[0].builder.op(
    "complex",
    dtype,
    parts.map((part) => part.as(partDType(dtype)).index),
  );
}

/** Returns a real number of any dtype as the parts of a complex one. */
function partsOfReal(builder: ProgramBuilder, value: number, from: DType, to: DType): Parts {
  const real = new PartValue(builder, from, value, false).as(partDType(to));
  return [real, real.number(0)];
}

/** Casts to a complex dtype, to bool (true if a part is not 0), or to a real dtype, for which the imaginary part is dropped. */
function castParts(parts: Parts, to: DType, saturate: boolean): number {
  if (isComplexDType(to)) return pair(to, parts);
  const [re, im] = parts;
  return (to === "bool" ? re.as(to).to("logicalOr", im.as(to)) : re.as(to, saturate)).index;
}
