/**
 * The form of scatter: updates are sorted by their rows, those of one row in their order, and each element of the result combines its updates one
 * after the other, as the kernels do. So sums of floats have the same bits on every adapter.
 *
 *     indices    2 0 2                     rows sorted    0 2 2        updates    1 0 2
 *
 * An index that is skipped or out of range sorts behind all rows. One out of range that is not skipped marks the flag.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize, UnimplementedError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { attributesOf, isComplexDType } from "@onebuffer/expression/internal";
import type { ScatterReduction } from "@onebuffer/expression";
import { product } from "@onebuffer/storage/internal";
import type { Vector } from "@onebuffer/wasm/internal";
import { elementOperation } from "../form/element-operation.ts";
import type { Stored } from "../step/gpu-plan.ts";
import type { PlannedStep } from "../step/step-form.ts";
import type { StepWriter } from "../step/step-writer.ts";
import { denseElements } from "../wgsl/dense-elements.ts";
import { laneKind } from "../wgsl/element-memory.ts";
import { Shader } from "../wgsl/shader.ts";
import type { Dispatch } from "../wgsl/shader.ts";
import { typeOf } from "../wgsl/wgsl-kinds.ts";
import type { WgslSource } from "../wgsl/wgsl-source.ts";
import { movedDType, movedElement } from "./moved-element.ts";
import { reportRow, rowIndex } from "./row-index.ts";
import { sortLines } from "./sorted-lines.ts";
import type { KeyLines } from "./sorted-lines.ts";

/** The operation of two elements by the reduction; null for one that replaces. */
const kOperations = { update: null, add: "add", mul: "mul", min: "minimum", max: "maximum" } as const;

/** Returns how rows are scattered; null for other nodes. */
export function scatterForm(tree: ExpressionTree, dtype: DType): PlannedStep | null {
  if (tree.op !== "scatter") return null;
  const { reduction } = attributesOf(tree, "scatter");
  if (reduction === "mul" && isComplexDType(tree.dtype)) throw new UnimplementedError("WGSL has no form of products of complex numbers");
  if (dtypeSize(isComplexDType(tree.dtype) ? tree.dtype : dtype) === 16 && reduction !== "update")
    throw new UnimplementedError("WGSL has no floats of 64 bits");
  const { source } = new Shader();
  // Written without memory first, which tells whether it has a form.
  if (reduction !== "update" && !isComplexDType(tree.dtype)) {
    const one = source.constant(laneKind(tree.dtype), 1);
    combined(source, reduction, one, one, tree.dtype);
  }
  return { needs: [...new Set(tree.inputs)], write: (writer, target) => writeScatter(writer, tree, dtype, target) };
}

function writeScatter(writer: StepWriter, tree: ExpressionTree, dtype: DType, target: number): void {
  const indices = writer.stored(tree.inputs[1]!);
  const width = product(indices.dimensions);
  const rows = { keys: writer.scratch(width * 4), places: writer.scratch(width * 4), lines: 1, width };
  writer.dispatch(keyDispatch(writer, tree, indices, rows));
  sortLines(writer, rows);
  writer.dispatch(combineDispatch(writer, tree, rows, dtype, target));
}

/** The dispatch that stores the row of each update, and its number. */
function keyDispatch(writer: StepWriter, tree: ExpressionTree, indices: Stored, { keys, places, width }: KeyLines): Dispatch {
  const { axis, skips } = attributesOf(tree, "scatter");
  const shader = new Shader();
  const { source } = shader;
  const [keyBuffer, placeBuffer] = [shader.buffer(keys, "write"), shader.buffer(places, "write")];
  const from = shader.buffer(indices.slot, "read");
  const flag = shader.buffer(writer.flag(), "add");
  const size = shader.word(tree.dimensions[axis]!);
  return denseElements(shader, { form: "scatter rows", target: keyBuffer, dtype: "uint32", count: width }, (place) => {
    const { row, isInside, isNegative } = rowIndex(shader, from, indices, place, size);
    const isSkipped = { none: "false", negative: isNegative, large: `!${isNegative}` }[skips];
    reportRow(shader, flag, `!${isInside} && !(${isSkipped})`);
    source.line(`${placeBuffer}[${place}] = u32(${place});`);
    return [source.value("u32x4", `select(0xffffffffu, u32(${row}), ${isInside})`)];
  });
}

/** The dispatch that combines each element of the operand with its updates. */
function combineDispatch(
  writer: StepWriter,
  tree: ExpressionTree,
  { keys, places, width }: KeyLines,
  dtype: DType,
  target: number,
): Dispatch {
  const [operand, , updates] = tree.inputs.map((input) => writer.stored(input)) as [Stored, Stored, Stored];
  const { axis, reduction } = attributesOf(tree, "scatter");
  const shader = new Shader();
  const { source } = shader;
  const out = shader.buffer(target, "write");
  const [from, more] = [shader.buffer(operand.slot, "read"), shader.buffer(updates.slot, "read")];
  const [keyBuffer, placeBuffer] = [shader.buffer(keys, "read"), shader.buffer(places, "read")];
  const [size, inner] = [shader.word(tree.dimensions[axis]!), shader.word(product(tree.dimensions.slice(axis + 1)))];
  const count = shader.word(width);
  const areBits = reduction === "update" && operand.dtype === dtype && updates.dtype === dtype;
  const held = (stored: DType): DType => (areBits ? movedDType(stored, dtype) : stored);
  const elements = { form: "scatter", target: out, dtype: held(dtype), count: product(tree.dimensions) };
  return denseElements(shader, elements, (place) => {
    const line = source.text(source.value("i32x4", `${place} / ${inner}`));
    const row = source.text(source.value("u32x4", `u32(${line} % ${size})`));
    const totals = movedElement(source, from, held(operand.dtype), place).map((value) => variable(source, value));
    const at = firstPlace(source, keyBuffer, row, count, reduction === "update" ? "<=" : "<");
    if (reduction === "update") source.open(`if (${at} > 0 && ${keyBuffer}[${at} - 1] == ${row}) {`);
    else source.open(`for (; ${at} < ${count} && ${keyBuffer}[${at}] == ${row}; ${at}++) {`);
    const update = `bitcast<i32>(${placeBuffer}[${at}${reduction === "update" ? " - 1" : ""}])`;
    const index = source.text(source.value("i32x4", `((${line} / ${size}) * ${count} + ${update}) * ${inner} + ${place} % ${inner}`));
    movedElement(source, more, held(updates.dtype), index).forEach((value, part) => {
      const total = totals[part]!;
      const next =
        reduction === "update" ? value : combined(source, reduction, total, value, isComplexDType(tree.dtype) ? "float32" : tree.dtype);
      source.line(`${source.text(total)} = ${source.text(next, total.kind)};`);
    });
    source.close();
    return totals.map((total) => (held(dtype) === "bool" ? source.mask(`${source.text(total)} != 0`) : total));
  });
}

/** Declares a variable with a value, of the type of its lane. */
function variable(source: WgslSource, value: Vector): Vector {
  const name = source.name("r");
  source.line(`var ${name}: ${typeOf(value.kind)} = ${source.text(value)};`);
  return source.named(value.kind, name);
}

/** Writes a search for the number of sorted keys that are below a row ("<"), or not above it ("<="). Returns the name of a variable. */
function firstPlace(source: WgslSource, keys: string, row: string, count: string, isBelow: "<" | "<="): string {
  const [low, high] = [source.name("low"), source.name("high")];
  source.line(`var ${low} = 0i;`);
  source.line(`var ${high} = ${count};`);
  source.open(`while (${low} < ${high}) {`);
  source.line(`let middle = (${low} + ${high}) >> 1u;`);
  source.line(`if (${keys}[middle] ${isBelow} ${row}) { ${low} = middle + 1; } else { ${high} = middle; }`);
  source.close();
  return low;
}

/** Writes the combination of an element with an update. Floats of 16 bits are float32 until all updates are combined, as in the kernels. */
function combined(source: WgslSource, reduction: ScatterReduction, x: Vector, y: Vector, dtype: DType): Vector {
  const op = kOperations[reduction as Exclude<ScatterReduction, "update">];
  return elementOperation(source, { op, dtype, inputs: [x, y], inputDTypes: [dtype, dtype], saturate: false }, () => {});
}
