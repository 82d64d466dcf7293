/**
 * kernel-map: elementwise kernels (Eigen's TensorExecutor with vectorization).
 *
 *     outer loops           as many as the nest has
 *       values of the row   operands that do not change in the innermost loop, and the values computed from them alone
 *       main loop           several groups at once, as many as suit the body and the engine
 *       singles             one group at a time, by code for all values; a partial last group goes into the tail buffer
 *       tail                copies the elements of the tail buffer to the target, one by one
 */
import type { KernelWriter } from "./kernel-writer.ts";
import { groupVectors } from "../plan/kernel-spec.ts";
import { divisions, isBig, isCast, isFloat } from "@onebuffer/expression/internal";
import type { KernelSpec } from "../plan/kernel-spec.ts";
import type { Engine } from "@onebuffer/wasm/internal";
import { levels } from "../plan/program.ts";
import { isMathOp, isShortMathOp } from "../plan/row-passes.ts";
import { writeRowLoop } from "./row-loop.ts";
import type { RowLoop } from "./row-loop.ts";

/** Writes an elementwise kernel. */
export function writeMapKernel(writer: KernelWriter, engine: Engine): void {
  const { spec } = writer;
  writeElements(writer, spec.outerLoops, {
    copies: copiesFor(spec, engine),
    mayLeave: isHeavy(spec) || isStoredAsHalf(spec) || hasGuards(spec),
    group: (copies, place, _remaining, out, leave) => {
      writer.emit(copies, place, () => writer.store(spec.result, out, spec.target === "strided"), leave);
    },
  });
}

/** Writes the outer loops around a loop that stores an element of the result at each index: `row` computes them. */
export function writeElements(writer: KernelWriter, loop: number, row: Pick<RowLoop, "copies" | "mayLeave" | "group">): void {
  const { spec, levels: valueLevels } = writer;
  const moving = writer.moving().map(({ access }) => access);
  writer.loops(0, loop, () => {
    writer.keep((i) => valueLevels[i] === levels.row && spec.nodes[i]!.kind !== "reduce");
    writeRowLoop(writer, { ...row, loop, stores: true, moving, buffers: [] });
  });
}

/** Returns true if a kernel's body has an elementary function. */
export function isHeavy({ nodes }: KernelSpec): boolean {
  return nodes.some(({ op }) => isMathOp(op));
}

/** Returns true if the result is rounded to 16 bits when it is stored. */
function isStoredAsHalf({ targetDType }: KernelSpec): boolean {
  return targetDType === "float16" || targetDType === "bfloat16";
}

/** Returns how many groups the main loop computes at once. */
export function copiesFor(spec: KernelSpec, { unroll }: Engine): number {
  const isLong = spec.nodes.some(({ op }) => isMathOp(op) && !isShortMathOp(op));
  // Parts of complex64 numbers that are computed in float64 would not fit into the registers.
  const light = spec.targetDType === "complex64" ? unroll.light / groupVectors(spec) : unroll.light;
  const vectors = isLong ? unroll.long : isHeavy(spec) ? unroll.powers : light;
  return Math.max(1, Math.floor(vectors / groupVectors(spec)));
}

/** Returns true if a body computes remainders of float64, or casts between floats and integers of 64 bits: they have guarded fast paths. */
function hasGuards({ nodes }: KernelSpec): boolean {
  return nodes.some((node) => {
    const { op, dtype, inputs } = node;
    if (isCast(node)) return isBig(dtype) ? isFloat(nodes[inputs[0]!]!.dtype) : isFloat(dtype) && isBig(nodes[inputs[0]!]!.dtype);
    return dtype === "float64" && divisions[op]?.gives === "remainder";
  });
}
