/**
 * The parts that the forms of programs share: the loops of a program, its shader, and how its result is stored.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { isMap, placeOps } from "@onebuffer/expression/internal";
import type { Lowered, Program } from "@onebuffer/compiler/internal";
import { targetAccess } from "@onebuffer/compiler/internal";
import { product, rowMajorStrides } from "@onebuffer/storage/internal";
import { loopNest, reductionNest } from "@onebuffer/kernels/internal";
import type { Access, LoopNest } from "@onebuffer/kernels/internal";
import { storeElement } from "../wgsl/element-memory.ts";
import { Shader } from "../wgsl/shader.ts";
import { ProgramValues } from "./program-values.ts";
import type { ProgramMemory } from "./program-values.ts";
import { Space } from "./space.ts";

/** The part of a slot that a program stores: the element at which it begins, and its strides in elements. */
export interface TargetPart {
  readonly offset: number;
  readonly strides: readonly number[];
}

/** A program that is stored in a slot. */
export interface ProgramStep {
  readonly lowered: Lowered;
  /** The sizes of the result. */
  readonly dimensions: readonly number[];
  readonly dtype: DType;
  readonly target: number;
  /** Where in the slot the result is; null if it is all of it, dense. */
  readonly part: TargetPart | null;
  readonly memory: ProgramMemory;
}

/** What the loops of a program depend on. */
type TargetStep = Pick<ProgramStep, "lowered" | "dimensions" | "dtype" | "part">;

/** The loops of a program; the first `keptLoops` are those over rows, the others those within a row. */
export interface ProgramLoops {
  readonly nest: LoopNest;
  readonly keptLoops: number;
  readonly rows: number;
  readonly columns: number;
}

/** Returns the loops of a program. For one without reductions every element is a row of its own. */
export function programLoops(step: TargetStep): ProgramLoops {
  const { program } = step.lowered;
  const accesses = accessesOf(step);
  if (program.axes.length === 0) {
    const nest = loopNest(program.dims, accesses);
    return { nest, keptLoops: nest.sizes.length, rows: product(nest.sizes), columns: 1 };
  }
  const isOrdered = program.nodes.some(({ op }) => placeOps.has(op));
  const { nest, keptLoops } = reductionNest(program.dims, program.axes, accesses, isOrdered);
  return { nest, keptLoops, rows: product(nest.sizes.slice(0, keptLoops)), columns: product(nest.sizes.slice(keptLoops)) };
}

/** Returns the loops of a program without reductions, one for each dimension. */
export function elementLoops(step: TargetStep): Pick<ProgramLoops, "nest" | "keptLoops"> {
  return { nest: { sizes: step.dimensions, accesses: accessesOf(step) }, keptLoops: step.dimensions.length };
}

/** Returns the places of a program's target and of its operands. */
function accessesOf({ lowered, dimensions, dtype, part }: TargetStep): Access[] {
  const itemBytes = dtypeSize(dtype);
  const strides = part?.strides ?? rowMajorStrides(dimensions);
  const places = { buffer: kNoMemory, byteOffset: (part?.offset ?? 0) * itemBytes, itemBytes, dims: dimensions, strides };
  const operands = lowered.program.operands.map((operand) => ({
    start: operand.offset,
    itemBytes: operand.itemBytes,
    strides: operand.strides,
  }));
  return [targetAccess(lowered, places), ...operands];
}

const kNoMemory: ArrayBuffer = new ArrayBuffer(0);

/** A shader that computes a program. */
export interface ProgramShader {
  readonly shader: Shader;
  readonly program: Program;
  readonly space: Space;
  readonly values: ProgramValues;
  /** The name of the buffer of the result. */
  readonly target: string;
}

/** Begins the shader of a program. Results that share words with their neighbors are added to words that are 0. */
export function programShader(
  step: ProgramStep,
  { nest, keptLoops }: Pick<ProgramLoops, "nest" | "keptLoops">,
  isAlone: boolean,
): ProgramShader {
  const { lowered, dtype, memory } = step;
  const { program } = lowered;
  const shader = new Shader();
  const target = shader.buffer(step.target, dtypeSize(dtype) < 4 && !isAlone ? "add" : "write");
  const space = new Space(shader, program, nest, dtypeSize(dtype));
  const within = program.axes.length === 0 ? 0 : keptLoops;
  const varies = program.operands.map((_, k) => Space.moves(nest.accesses[k + 1]!, within));
  return { shader, program, space, values: new ProgramValues(shader, program, space, varies, memory), target };
}

/** Returns the dtype whose bits are stored: an unsigned integer where a program only moves elements and computes with their bits. */
export function storedDType({ nodes, result }: Program, dtype: DType): DType {
  const node = nodes[result]!;
  const isMoved = node.kind === "load" && isMap(node) && node.dtype.startsWith("uint");
  return isMoved && dtypeSize(node.dtype) === dtypeSize(dtype) ? node.dtype : dtype;
}

/** Writes the store of the program's result at an index of its elements. */
export function storeResult({ shader, program, values, target }: ProgramShader, dtype: DType, index: string): void {
  storeElement(shader.source, target, storedDType(program, dtype), index, values.parts(program.result));
}
