/**
 * ordered-bits: the largest and smallest of small floats, found among their bits (in Eigen they are converted to float and back).
 *
 *     float16      bits      as int16     without the sign's effect on the order
 *     -2           0xc000     -16384      -16385
 *     -0           0x8000     -32768          -1      the other bits are inverted if the sign is set
 *     +0           0x0000          0           0
 *      2           0x4000      16384       16384
 *     NaN          0x7e00      32256       32256      found by its magnitude, because a NaN may have either sign
 *
 * The integers are in the order of the floats, and -0 is below +0, as IEEE 754's maximum and minimum have it. So a kernel of float16 or
 * bfloat16 that consists of loads, maxima and minima alone becomes one of int16: eight lanes to a vector instead of four, and no
 * conversions. The result is NaN if the largest magnitude of all operands is above that of infinity.
 */
import type { DType } from "@onebuffer/base";
import { extremes } from "@onebuffer/expression/internal";
import { runsAcrossRows } from "@onebuffer/kernels/internal";
import type { KernelSpec } from "../plan/kernel-spec.ts";
import type { ProgramNode } from "../plan/program.ts";

/** The bits of infinity and of the canonical NaN. */
const kSpecials: Partial<Record<DType, { readonly infinity: number; readonly nan: number }>> = {
  float16: { infinity: 0x7c00, nan: 0x7e00 },
  bfloat16: { infinity: 0x7f80, nan: 0x7fc0 },
};

/** The bits of a magnitude. */
const kMagnitude = 0x7fff;

/** Returns true for a kernel that only chooses among loaded elements of the dtype in which it stores its result. */
function choosesOnly({ nodes, result, targetDType }: KernelSpec): boolean {
  if (kSpecials[targetDType] === undefined || extremes[nodes[result]!.op] === undefined) return false;
  return nodes.every(({ kind, op, dtype }) => dtype === targetDType && (kind === "load" || extremes[op] !== undefined));
}

/**
 * Returns the structure of a kernel of int16 that computes the bits of the same result, if the kernel only chooses among small floats;
 * otherwise the structure itself. The results of column kernels are reductions, so they stay as they are.
 */
export function withOrderedBits(spec: KernelSpec): KernelSpec {
  if (runsAcrossRows(spec.form) || spec.also.length > 0 || !choosesOnly(spec)) return spec;
  const { infinity, nan } = kSpecials[spec.targetDType]!;
  const nodes: ProgramNode[] = [];
  const add = (kind: ProgramNode["kind"], op: ProgramNode["op"], inputs: readonly number[], index = 0, dtype: DType = "int16"): number => {
    const pass = inputs.reduce((most, input) => Math.max(most, nodes[input]!.pass), 0) + (kind === "reduce" ? 1 : 0);
    return nodes.push({ kind, op, dtype, inputs, index, saturate: false, pass }) - 1;
  };
  const literal = (value: number): number => add("literal", "constant", [], value);
  const [zero, magnitude, end, invalid] = [literal(0), literal(kMagnitude), literal(infinity), literal(nan)];
  /** From bits to the integers in their order, or back. */
  const ordered = (bits: number): number =>
    add("op", "select", [add("op", "less", [bits, zero], 0, "bool"), add("op", "bitwiseXor", [bits, magnitude]), bits]);
  /** For each value its place in the order, and the largest magnitude among the elements it depends on. */
  const values: { readonly order: number; readonly most: number }[] = [];
  for (const { kind, op, inputs, index } of spec.nodes) {
    const [x, y] = inputs.map((input) => values[input]!);
    if (kind === "load") {
      const bits = add("load", "map", [], index);
      values.push({ order: ordered(bits), most: add("op", "bitwiseAnd", [bits, magnitude]) });
    } else if (kind === "reduce") values.push({ order: add("reduce", op, [x!.order]), most: add("reduce", "max", [x!.most]) });
    else values.push({ order: add("op", op, [x!.order, y!.order]), most: add("op", "maximum", [x!.most, y!.most]) });
  }
  const { order, most } = values[spec.result]!;
  const isNan = add("op", "greater", [most, end], 0, "bool");
  return { ...spec, nodes, result: add("op", "select", [isNan, invalid, ordered(order)]), targetDType: "int16" };
}
