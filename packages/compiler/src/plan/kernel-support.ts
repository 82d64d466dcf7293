/**
 * kernel-support: the operations and dtypes for which there are kernels.
 *
 * The fallbacks are the combinations in the op table that this file refuses. `kernelFallbacks` lists them, and a test compares the list
 * with the committed one. There are two reasons: the dtype has no lanes (quantized dtypes; but kernels copy them), or the
 * operation is not a loop of independent elements. Scans, orderings, gather and scatter, and products of complex numbers over axes, are
 * loops over dense elements (array-loops/whole-into.ts).
 */
import type { OpNameOf } from "@onebuffer/expression/internal";
import type { DType } from "@onebuffer/base";
import {
  combinations,
  complexDTypes,
  decisiveDType,
  isCast,
  isComplexDType,
  isFloat,
  isJoin,
  isMap,
  isStrideMove,
  raisingOps,
} from "@onebuffer/expression/internal";
import type { ExpressionTree, OpName } from "@onebuffer/expression";
import { opNames, opTable } from "@onebuffer/expression";
import { kernelDTypes } from "@onebuffer/kernels/internal";

const lanes: ReadonlySet<DType> = new Set([...kernelDTypes, ...complexDTypes]);

/** Returns true if there is a kernel for an operation on a dtype (that of the operand that decides, as in the op table). */
export function hasKernel(op: OpName, dtype: DType): boolean {
  const { class: opClass } = opTable[op];
  switch (opClass) {
    case "leaf":
      return true;
    case "movement":
      return isStrideMove({ op }) || isJoin({ op });
    case "generator":
    case "unary":
    case "binary":
    case "ternary":
    case "random":
    case "contraction":
      return lanes.has(dtype);
    case "reduction":
      return lanes.has(dtype) && !(combinations[op as OpNameOf<"reduction">] === "mul" && isComplexDType(dtype));
    default:
      return false;
  }
}

/** Returns the dtype of stored intermediate results: float32 for float16 and bfloat16, which are rounded only in the final target. */
export function stageDType(dtype: DType): DType {
  return dtype === "float16" || dtype === "bfloat16" ? "float32" : dtype;
}

/** Returns the dtype in which a stage is stored. Maps are copied unchanged; other stages have their stageDType. */
export function heldDType(node: { readonly op: string; readonly dtype: DType }): DType {
  return isMap(node) ? node.dtype : stageDType(node.dtype);
}

/** Returns true if a kernel may report invalid elements after it has stored others; the evaluator then runs again and throws. */
export function mayNeedRecheck(nodes: readonly { readonly op: string; readonly dtype: DType }[]): boolean {
  return nodes.some(({ op, dtype }) => !isFloat(dtype) && !isComplexDType(dtype) && raisingOps.has(op));
}

/** Returns true if a kernel can compute a node from its operands. */
export function supportedByKernels(node: ExpressionTree): boolean {
  return hasKernel(node.op, decisiveDType(node)) && (!isCast(node) || lanes.has(node.dtype));
}

/**
 * Returns the fallbacks: for each operation of the op table the dtypes that it accepts but kernels do not have, as a line
 * `op: dtype dtype …`. Everything else runs as a kernel where WebAssembly SIMD is available. Of the listed combinations gather, scatter,
 * scans and orderings are loops over dense elements; the plain evaluator computes the others.
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
