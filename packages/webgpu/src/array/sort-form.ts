/**
 * The form of orderings along the last axis: sort, argsort, and the elements at places of the sorted line. Each element gets a key whose
 * order as a word is the order of the elements: zeros of both signs have one key, and NaN the largest in both directions.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize, UnimplementedError } from "@onebuffer/base";
import type { ExpressionTree, OpAttributes } from "@onebuffer/expression";
import { opTable } from "@onebuffer/expression";
import { attributesOf, isComplexDType, isFloat, placeOps } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import type { Vector } from "@onebuffer/wasm/internal";
import { castLane } from "../form/lane-casts.ts";
import type { Stored } from "../step/gpu-plan.ts";
import type { PlannedStep } from "../step/step-form.ts";
import type { StepWriter } from "../step/step-writer.ts";
import { denseElements } from "../wgsl/dense-elements.ts";
import { laneKind, loadElement, storeElement } from "../wgsl/element-memory.ts";
import { noForm } from "../wgsl/no-form.ts";
import { Shader } from "../wgsl/shader.ts";
import type { Dispatch } from "../wgsl/shader.ts";
import type { WgslSource } from "../wgsl/wgsl-source.ts";
import { typeOf } from "../wgsl/wgsl-kinds.ts";
import { movedDType, movedElement } from "./moved-element.ts";
import { sortLines } from "./sorted-lines.ts";
import type { KeyLines } from "./sorted-lines.ts";

/** The most places of a sorted line that are picked: each is a dispatch. */
const kMostPlaces = 64;

/** Returns how an ordering is computed; null for other nodes. */
export function sortForm(tree: ExpressionTree, dtype: DType): PlannedStep | null {
  if (opTable[tree.op].class !== "ordering") return null;
  const [operand] = tree.inputs as readonly [ExpressionTree];
  if (isComplexDType(operand.dtype) || dtypeSize(operand.dtype) > 4) throw noForm(tree.op, operand.dtype);
  if ((orderOf(tree).places?.length ?? 0) > kMostPlaces)
    throw new UnimplementedError(`WGSL has no form of more than ${kMostPlaces} places of a sorted line`);
  return { needs: [operand], write: (writer, target) => writeOrder(writer, tree, dtype, target) };
}

/** Returns the attributes of an ordering: a direction, or places of the sorted line. */
function orderOf(tree: ExpressionTree): Partial<OpAttributes<"sort"> & OpAttributes<"nthElements">> {
  return attributesOf(tree, tree.op as "sort" | "nthElements");
}

function writeOrder(writer: StepWriter, tree: ExpressionTree, dtype: DType, target: number): void {
  const operand = writer.stored(tree.inputs[0]!);
  const count = product(operand.dimensions);
  const width = operand.dimensions.at(-1)!;
  const rows = { keys: writer.scratch(count * 4), places: writer.scratch(count * 4), lines: count / width, width };
  const { descending = false, places } = orderOf(tree);
  writer.dispatch(keyDispatch(operand, rows, descending));
  sortLines(writer, rows);
  if (places === undefined) writer.dispatch(pickDispatch(tree, operand, rows, dtype, target));
  else writePlaces(writer, operand, rows, places, dtype, target);
}

/** Writes the key of an element as a u32. */
function keyOf(source: WgslSource, value: Vector, dtype: DType, descending: boolean): string {
  const directed = (key: string): string => (descending ? `~(${key})` : `(${key})`);
  if (!isFloat(dtype)) {
    const bits = source.text(value, laneKind(dtype));
    return directed(typeOf(laneKind(dtype)) === "u32" ? bits : `bitcast<u32>(${bits}) ^ 0x80000000u`);
  }
  const bits = source.text(source.value("u32x4", source.text(value, "u32x4")));
  const magnitude = source.text(source.value("u32x4", `${bits} & 0x7fffffffu`));
  const ordered = `select(0x80000000u + ${magnitude}, 0x80000000u - ${magnitude}, ${bits} > 0x80000000u)`;
  return `select(${directed(ordered)}, 0xffffffffu, ${magnitude} > 0x7f800000u)`;
}

/** The dispatch that stores the keys of all elements, and their places. */
function keyDispatch(operand: Stored, { keys, places, lines, width }: KeyLines, descending: boolean): Dispatch {
  const shader = new Shader();
  const { source } = shader;
  const [keyBuffer, placeBuffer] = [shader.buffer(keys, "write"), shader.buffer(places, "write")];
  const from = shader.buffer(operand.slot, "read");
  const size = shader.word(width);
  return denseElements(shader, { form: "sort keys", target: keyBuffer, dtype: "uint32", count: lines * width }, (place) => {
    source.line(`${placeBuffer}[${place}] = u32(${place} % ${size});`);
    const value = loadElement(source, from, operand.dtype, place);
    return [source.value("u32x4", keyOf(source, value, operand.dtype, descending))];
  });
}

/** The dispatch that stores the first elements of each sorted line, or their places. */
function pickDispatch(tree: ExpressionTree, operand: Stored, { places, width }: KeyLines, dtype: DType, target: number): Dispatch {
  const shader = new Shader();
  const { source } = shader;
  const out = shader.buffer(target, "write");
  const placeBuffer = shader.buffer(places, "read");
  const isPlace = placeOps.has(tree.op);
  const from = isPlace ? "" : shader.buffer(operand.slot, "read");
  const [kept, size] = [shader.word(tree.dimensions.at(-1)!), shader.word(width)];
  const held = isPlace ? dtype : movedDType(dtype, operand.dtype);
  return denseElements(shader, { form: "pick", target: out, dtype: held, count: product(tree.dimensions) }, (place) => {
    const start = source.text(source.value("i32x4", `(${place} / ${kept}) * ${size}`));
    const picked = source.value("i32x4", `bitcast<i32>(${placeBuffer}[${start} + ${place} % ${kept}])`);
    if (isPlace) return [castLane(source, picked, "int32", dtype, false)];
    return movedElement(source, from, movedDType(operand.dtype, dtype), `${start} + ${source.text(picked)}`);
  });
}

/** Adds the commands that store the elements at places of the sorted lines. Their zeros are +0. */
function writePlaces(
  writer: StepWriter,
  operand: Stored,
  { places, width, lines }: KeyLines,
  picked: readonly number[],
  dtype: DType,
  target: number,
): void {
  if (dtypeSize(dtype) < 4) writer.clear(target);
  picked.forEach((place, k) => {
    const shader = new Shader();
    const { source } = shader;
    const out = shader.buffer(target, dtypeSize(dtype) < 4 ? "add" : "write");
    const [placeBuffer, from] = [shader.buffer(places, "read"), shader.buffer(operand.slot, "read")];
    const [size, at, kept, column] = [width, place, picked.length, k].map((value) => shader.word(value)) as [
      string,
      string,
      string,
      string,
    ];
    source.open(`if (thread < ${shader.word(lines)}) {`);
    const index = `thread * ${size} + bitcast<i32>(${placeBuffer}[thread * ${size} + ${at}])`;
    const value = loadElement(source, from, operand.dtype, index);
    const isFlat = isFloat(operand.dtype);
    const bits = isFlat ? source.text(value, "u32x4") : "";
    const unsigned = isFlat ? source.value("u32x4", `select(${bits}, 0u, ${bits} == 0x80000000u)`).as("f32x4") : value;
    storeElement(source, out, dtype, `thread * ${kept} + ${column}`, [unsigned]);
    source.close();
    writer.dispatch(shader.dispatch("pick", 64, Math.ceil(lines / 64)));
  });
}
