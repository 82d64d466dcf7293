/**
 * The form of all that one program computes: elementwise operations, movements and reductions, fused as the lowering decides.
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { lower } from "@onebuffer/compiler/internal";
import type { Lowered, Sharing } from "@onebuffer/compiler/internal";
import { isByBlocks, writeBlocks } from "./block-form.ts";
import { boundProgram, programNeeds } from "./program-memory.ts";
import type { PlannedStep } from "../step/step-form.ts";
import type { StepWriter } from "../step/step-writer.ts";
import { mapDispatch } from "./map-form.ts";
import { programLoops } from "./program-shader.ts";
import { needsClear, rowDispatch } from "./row-form.ts";

/** Returns how a node is computed by a program; null if that needs all elements of an operand at once. */
export function programForm(tree: ExpressionTree, dtype: DType, sharing: Sharing): PlannedStep | null {
  const lowered = lower(tree, dtype, "rows", sharing);
  if (lowered === null) return null;
  return {
    needs: programNeeds(lowered),
    write: (writer, target) => writeProgram(writer, lowered, tree.dimensions, dtype, target),
  };
}

/** Adds the dispatches of a program whose operands are stored. */
function writeProgram(writer: StepWriter, given: Lowered, dimensions: readonly number[], dtype: DType, target: number): void {
  const isLong = given.program.axes.length > 0 && isByBlocks(programLoops({ lowered: given, dimensions, dtype, part: null }));
  const { lowered, memory } = boundProgram(writer, given, { reserved: isLong ? 1 : 0 });
  const { program } = lowered;
  const step = { lowered, dimensions, dtype, target, part: null, memory };
  const loops = programLoops(step);
  if (loops.rows === 0) return;
  if (program.axes.length === 0) {
    writer.dispatch(mapDispatch(step, loops));
    return;
  }
  if (needsClear(step)) writer.clear(target);
  if (isLong) writeBlocks(writer, step, loops);
  else writer.dispatch(rowDispatch(step, loops));
}
