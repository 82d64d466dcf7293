/**
 * The form of gather: each element of the result reads its index. An index out of range marks the flag, and row 0 is read instead.
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { attributesOf } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import type { Stored } from "../step/gpu-plan.ts";
import type { PlannedStep } from "../step/step-form.ts";
import type { StepWriter } from "../step/step-writer.ts";
import { denseElements } from "../wgsl/dense-elements.ts";
import { Shader } from "../wgsl/shader.ts";
import { movedDType, movedElement } from "./moved-element.ts";
import { reportRow, rowIndex } from "./row-index.ts";

/** Returns how rows are gathered; null for other nodes. */
export function gatherForm(tree: ExpressionTree, dtype: DType): PlannedStep | null {
  if (tree.op !== "gather") return null;
  return { needs: [...new Set(tree.inputs)], write: (writer, target) => writeGather(writer, tree, dtype, target) };
}

function writeGather(writer: StepWriter, tree: ExpressionTree, dtype: DType, target: number): void {
  const [operand, indices] = tree.inputs.map((input) => writer.stored(input)) as [Stored, Stored];
  const { axis } = attributesOf(tree, "gather");
  const shader = new Shader();
  const { source } = shader;
  const out = shader.buffer(target, "write");
  const [rows, places] = [shader.buffer(operand.slot, "read"), shader.buffer(indices.slot, "read")];
  const flag = shader.buffer(writer.flag(), "add");
  const size = shader.word(operand.dimensions[axis]!);
  const inner = shader.word(product(operand.dimensions.slice(axis + 1)));
  const count = shader.word(product(indices.dimensions));
  const elements = { form: "gather", target: out, dtype: movedDType(dtype, operand.dtype), count: product(tree.dimensions) };
  const dispatch = denseElements(shader, elements, (place) => {
    const line = source.text(source.value("i32x4", `${place} / ${inner}`));
    const { row, isInside } = rowIndex(shader, places, indices, `${line} % ${count}`, size);
    reportRow(shader, flag, `!${isInside}`);
    const from = `((${line} / ${count}) * ${size} + select(0i, ${row}, ${isInside})) * ${inner} + ${place} % ${inner}`;
    return movedElement(source, rows, movedDType(operand.dtype, dtype), source.text(source.value("i32x4", from)));
  });
  writer.dispatch(dispatch);
}
