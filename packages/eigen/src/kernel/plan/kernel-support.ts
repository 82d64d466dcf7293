/**
 * kernel-support: which operations on which dtypes kernels have.
 *
 * The list of fall-backs is what the op table has and this file refuses: `kernelFallbacks` makes it, a test compares it with
 * the committed one. The reasons are few: no lanes (complex numbers, narrow and quantized dtypes; copies of up to 8 bytes have),
 * or no loop of independent elements: scans, orderings, gather and scatter, which are plain loops over arrays (whole-into).
 */
import type { DType } from "@onebuffer/base";
import { isFloat } from "../../expression/tree/dtype-groups.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { opNames, opTable } from "../../expression/tree/op-table.ts";
import type { OpName } from "../../expression/tree/op-table.ts";
import { kernelDTypes } from "./lanes.ts";

const lanes: ReadonlySet<DType> = new Set(kernelDTypes);

/** Whether kernels have an operation on operands of a dtype (the first that decides, as in the op table). */
export function hasKernel(op: OpName, dtype: DType): boolean {
  const { class: opClass } = opTable[op];
  switch (opClass) {
    case "leaf":
      return dtype !== "complex128";
    case "movement":
      return op !== "gather" && op !== "scatter" && dtype !== "complex128";
    case "generator":
    case "unary":
    case "binary":
    case "ternary":
    case "random":
    case "reduction":
    case "contraction":
      return lanes.has(dtype);
    default:
      return false;
  }
}

/** How intermediate results are stored: float16 and bfloat16 as float32, for they are rounded only where they are stored for good. */
export function stageDType(dtype: DType): DType {
  return dtype === "float16" || dtype === "bfloat16" ? "float32" : dtype;
}

/** The dtype that a stage is stored as: maps are copied as they are. */
export function heldDType({ op, dtype }: { readonly op: string; readonly dtype: DType }): DType {
  return op === "map" ? dtype : stageDType(dtype);
}

/** Operations on integers whose kernels report that some element may be an error: a division by 0, a negative exponent. */
const mayRaise: ReadonlySet<string> = new Set(["div", "floorDiv", "mod", "truncateMod", "pow"]);

/** Whether a kernel may find elements that it leaves to the evaluator, after it has stored others. */
export function mayNeedRecheck(nodes: readonly { readonly op: string; readonly dtype: DType }[]): boolean {
  return nodes.some(({ op, dtype }) => !isFloat(dtype) && mayRaise.has(op));
}

/** Whether a kernel can compute a node, its operands given. */
export function supportedByKernels(node: ExpressionTree): boolean {
  const { op, dtype, inputs } = node;
  const decisive = op === "select" ? dtype : (inputs[0]?.dtype ?? dtype);
  if (!hasKernel(op, decisive)) return false;
  return op !== "cast" || lanes.has(dtype);
}

/**
 * The fall-backs: for each operation of the op table, the dtypes that it accepts and kernels do not have, as a line
 * `op: dtype dtype …`. What is not listed runs as a kernel wherever there is WebAssembly SIMD. Of what is listed gather, scatter,
 * scans and orderings are plain loops over arrays; the rest is the plain evaluator's.
 *
 * @example
 * kernelFallbacks().find((line) => line.startsWith("floor:")); // => undefined
 * kernelFallbacks().includes("sign: int4"); // => false
 */
export function kernelFallbacks(): string[] {
  return opNames().flatMap((op) => {
    const missing = opTable[op].dtypes.filter((dtype) => !hasKernel(op, dtype));
    return missing.length === 0 ? [] : [`${op}: ${missing.join(" ")}`];
  });
}
