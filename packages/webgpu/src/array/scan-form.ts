/**
 * The form of scans along an axis. An invocation scans a block of a line; with several blocks three dispatches do it:
 *
 *     totals    the accumulator of each block
 *     starts    of each line: the accumulators before each block, one after the other
 *     scan      each block, from the accumulator before it
 *
 * Blocks and their order depend on the sizes alone, so every adapter computes the same bits. Sums of floats keep their rounding errors.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { attributesOf } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { opTable } from "@onebuffer/expression";
import type { Vector } from "@onebuffer/wasm/internal";
import { accumulatorWords, declareAccumulator, loadAccumulator, storeAccumulator } from "../form/accumulator-memory.ts";
import type { Accumulator } from "../form/accumulators.ts";
import type { Stored } from "../step/gpu-plan.ts";
import type { PlannedStep } from "../step/step-form.ts";
import type { StepWriter } from "../step/step-writer.ts";
import { loadElement, storeElement } from "../wgsl/element-memory.ts";
import { Shader } from "../wgsl/shader.ts";
import type { Dispatch } from "../wgsl/shader.ts";
import { scanAccumulator } from "./scan-accumulator.ts";

/** The elements of a block, and the length up to which a line is one block. */
const kBlock = 256;
const kLongest = 1024;
const kInvocations = 64;

/** A scan: the operand in memory, its lines, and the blocks of each. */
interface Scan {
  readonly accumulator: Accumulator;
  readonly operand: Stored;
  readonly exclusive: boolean;
  readonly reverse: boolean;
  readonly lines: number;
  /** Neighbors of a line are `inner` elements apart. */
  readonly inner: number;
  readonly count: number;
  readonly block: number;
  readonly blocks: number;
  /** The slot of the accumulators before each block; -1 for lines of one block. */
  readonly starts: number;
}

/** Returns how a scan is computed; null for other nodes. */
export function scanForm(tree: ExpressionTree, dtype: DType): PlannedStep | null {
  if (opTable[tree.op].class !== "scan") return null;
  const accumulator = scanAccumulator(tree);
  return { needs: [tree.inputs[0]!], write: (writer, target) => writeScan(writer, tree, accumulator, dtype, target) };
}

function writeScan(writer: StepWriter, tree: ExpressionTree, accumulator: Accumulator, dtype: DType, target: number): void {
  const { axis, exclusive, reverse } = attributesOf(tree, tree.op as "cumsum");
  const count = tree.dimensions[axis]!;
  const inner = product(tree.dimensions.slice(axis + 1));
  const lines = product(tree.dimensions) / count;
  const block = count > kLongest ? kBlock : count;
  const blocks = Math.ceil(count / block);
  const starts = blocks === 1 ? -1 : writer.scratch(lines * blocks * accumulatorWords(accumulator) * 4);
  const operand = writer.stored(tree.inputs[0]!);
  const scan = { accumulator, operand, exclusive, reverse, lines, inner, count, block, blocks, starts };
  if (blocks > 1) {
    writer.dispatch(blockDispatch(scan, null));
    writer.dispatch(startsDispatch(scan));
  }
  if (dtypeSize(dtype) < 4) writer.clear(target);
  writer.dispatch(blockDispatch(scan, { slot: target, dtype }));
}

/** Declares the variables of an accumulator over no elements, and returns their names. */
function declared(shader: Shader, accumulator: Accumulator): string[] {
  const names = accumulator.variables.map(() => shader.source.name("a"));
  declareAccumulator(shader, accumulator, names);
  return names;
}

/** The dispatch of a block: it stores its scan in the target, or without one the accumulator of the block. */
function blockDispatch(scan: Scan, target: { readonly slot: number; readonly dtype: DType } | null): Dispatch {
  const { accumulator, operand, lines, blocks } = scan;
  const shader = new Shader();
  const { source } = shader;
  const out = target === null ? "" : shader.buffer(target.slot, dtypeSize(target.dtype) < 4 ? "add" : "write");
  const from = shader.buffer(operand.slot, "read");
  const starts = scan.starts < 0 ? null : shader.buffer(scan.starts, target === null ? "write" : "read");
  const [count, block, inner] = [shader.word(scan.count), shader.word(scan.block), shader.word(scan.inner)];
  const blocksText = shader.word(blocks);
  source.open(`if (thread < ${shader.word(lines * blocks)}) {`);
  const [line, part] = [`(thread / ${blocksText})`, `(thread % ${blocksText})`];
  const start = source.text(source.value("i32x4", `(${line} / ${inner}) * ${count} * ${inner} + ${line} % ${inner}`));
  const names = declared(shader, accumulator);
  const at = `thread * ${accumulatorWords(accumulator)}`;
  if (starts !== null && target !== null) loadAccumulator(shader, accumulator, { buffer: starts, at }, names);
  source.open(`for (var k = ${part} * ${block}; k < min(${count}, (${part} + 1) * ${block}); k++) {`);
  const place = source.text(source.value("i32x4", `${start} + ${scan.reverse ? `(${count} - 1 - k)` : "k"} * ${inner}`));
  const store = (): void => {
    if (target !== null) storeElement(source, out, target.dtype, place, [accumulator.finish(source, names, "1")]);
  };
  const value: Vector = loadElement(source, from, operand.dtype, place);
  if (scan.exclusive) store();
  accumulator.add(source, names, value, "k");
  if (!scan.exclusive) store();
  source.close();
  if (target === null) storeAccumulator(shader, accumulator, { buffer: starts!, at }, names);
  source.close();
  return shader.dispatch("scan", kInvocations, Math.ceil((lines * blocks) / kInvocations));
}

/** The dispatch that turns the accumulators of blocks into those before each block. */
function startsDispatch({ accumulator, starts, lines, blocks }: Scan): Dispatch {
  const shader = new Shader();
  const { source } = shader;
  const buffer = shader.buffer(starts, "write");
  const blocksText = shader.word(blocks);
  source.open(`if (thread < ${shader.word(lines)}) {`);
  const names = declared(shader, accumulator);
  const others = declared(shader, accumulator);
  source.open(`for (var at = thread * ${blocksText}; at < (thread + 1) * ${blocksText}; at++) {`);
  const place = { buffer, at: `at * ${accumulatorWords(accumulator)}` };
  loadAccumulator(shader, accumulator, place, others);
  storeAccumulator(shader, accumulator, place, names);
  accumulator.join(source, names, others);
  source.close();
  source.close();
  return shader.dispatch("scan starts", kInvocations, Math.ceil(lines / kInvocations));
}
