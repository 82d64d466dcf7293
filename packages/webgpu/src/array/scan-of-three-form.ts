/**
 * The form of the scans of three operands, which gradients of other scans make. An invocation scans a line:
 *
 *     scaledCumsum    gives the total times the third operand, then multiplies it by the second; a factor of 0 makes it 0
 *     markedCumsum    gives the total where the second and the third operand are equal, and sets it to 0; elsewhere gives 0
 *
 * The total is a pair of floats, with what was lost by rounding.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { attributesOf, isComplexDType } from "@onebuffer/expression/internal";
import type { OpNameOf } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { declareAccumulator } from "../form/accumulator-memory.ts";
import { accumulatorOf } from "../form/accumulators.ts";
import type { PlannedStep } from "../step/step-form.ts";
import type { StepWriter } from "../step/step-writer.ts";
import { loadElement, storeElement } from "../wgsl/element-memory.ts";
import { noForm } from "../wgsl/no-form.ts";
import { Shader } from "../wgsl/shader.ts";
import type { WgslSource } from "../wgsl/wgsl-source.ts";

const kInvocations = 64;
/** The variables of the total. */
const [kTotal, kLost] = ["total", "lost"];

/** What writes a step of a scan by its second and third operand; null for scans of one operand. */
const kSteps: Readonly<Record<OpNameOf<"scan">, typeof scaledStep | null>> = {
  cumsum: null,
  cumprod: null,
  cummax: null,
  cummin: null,
  scaledCumsum: scaledStep,
  markedCumsum: markedStep,
};

/** Returns how a scan of three operands is computed; null for other nodes. */
export function scanOfThreeForm(tree: ExpressionTree, dtype: DType): PlannedStep | null {
  const step = kSteps[tree.op as OpNameOf<"scan">] ?? null;
  if (step === null) return null;
  if (isComplexDType(tree.dtype) || tree.dtype === "float64") throw noForm(tree.op, tree.dtype);
  return { needs: [...new Set(tree.inputs)], write: (writer, target) => writeScan(writer, tree, step, dtype, target) };
}

function writeScan(writer: StepWriter, tree: ExpressionTree, step: typeof scaledStep, dtype: DType, target: number): void {
  const { axis, exclusive, reverse } = attributesOf(tree, tree.op as "scaledCumsum");
  const size = tree.dimensions[axis]!;
  const steps = product(tree.dimensions.slice(axis + 1));
  const isSmall = dtypeSize(dtype) < 4;
  if (isSmall) writer.clear(target);
  const shader = new Shader();
  const { source } = shader;
  const out = shader.buffer(target, isSmall ? "add" : "write");
  const operands = tree.inputs.map((input) => {
    const { slot, dtype: held } = writer.stored(input);
    return { buffer: shader.buffer(slot, "read"), held };
  });
  const lines = product(tree.dimensions) / size;
  const [count, inner] = [shader.word(size), shader.word(steps)];
  const sum = accumulatorOf("sum", "float32", "float32");
  const names = [kTotal, kLost] as const;
  source.open(`if (thread < ${shader.word(lines)}) {`);
  declareAccumulator(shader, sum, names);
  source.open(`for (var k = 0; k < ${count}; k++) {`);
  const along = reverse ? `(${count} - 1 - k)` : "k";
  const place = source.text(source.value("i32x4", `((thread / ${inner}) * ${count} + ${along}) * ${inner} + thread % ${inner}`));
  const [value, second, third] = operands.map(({ buffer, held }) => loadElement(source, buffer, held, place));
  const [x, y] = [source.text(second!, "f32x4"), source.text(third!, "f32x4")];
  if (!exclusive) sum.add(source, names, value!, "k");
  const given = step(source, x, y);
  storeElement(source, out, dtype, place, [source.named("f32x4", given)]);
  if (exclusive) sum.add(source, names, value!, "k");
  source.close();
  source.close();
  writer.dispatch(shader.dispatch("scan", kInvocations, Math.ceil(lines / kInvocations)));
}

/** Writes the product of the total with a factor as a pair. Returns the names of both parts; of infinities and NaN nothing is lost. */
function timesTotal(source: WgslSource, factor: string): readonly [string, string] {
  const [pair, more, whole] = [source.name("s"), source.name("s"), source.name("s")];
  source.line(`let ${pair} = ${source.uses("two_product")}(${kTotal}, ${factor});`);
  source.line(`let ${more} = ${pair}.y + ${source.uses("keep")}(${kLost} * ${factor});`);
  source.line(`let ${whole} = select(${more}, 0.0f, ${source.uses("is_nan")}(${more}));`);
  return [`${pair}.x`, whole];
}

/** Writes what a total gives by its weight, and its product with the factor. Returns the name of what is given. */
function scaledStep(source: WgslSource, factor: string, weight: string): string {
  const given = source.name("s");
  const [high, low] = timesTotal(source, weight);
  // A sum with 0 would lose the sign of -0.
  source.line(`let ${given} = select(${high} + ${low}, ${high}, ${low} == 0.0f);`);
  const [next, lost] = timesTotal(source, factor);
  const isZero = `(bitcast<u32>(${factor}) & 0x7fffffffu) == 0u`;
  source.line(`${kTotal} = select(${next}, 0.0f, ${isZero});`);
  source.line(`${kLost} = select(${lost}, 0.0f, ${isZero});`);
  return given;
}

/** Writes what a total gives where it is marked, and that it then begins anew. Returns the name of what is given. */
function markedStep(source: WgslSource, x: string, z: string): string {
  const given = source.name("s");
  source.line(`var ${given} = 0.0f;`);
  source.open(`if (${x} == ${z}) {`);
  source.line(`${given} = select(${kTotal} + ${kLost}, ${kTotal}, ${source.uses("is_nan")}(${kLost}));`);
  source.line(`${kTotal} = 0.0f;`);
  source.line(`${kLost} = 0.0f;`);
  source.close();
  return given;
}
