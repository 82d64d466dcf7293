/**
 * plan-memory: what has been planned for an expression is kept for the next one like it (TensorFlow's counterpart is the
 * executable that XLA compiles once for a graph and its shapes).
 *
 *     mean(square(sub(a, mean(a)))) of a [1024, 1024] float32      numbers that say all that a plan depends on:
 *     operations, dtypes, axes, sizes, strides                     what is not among them changes from call to call
 *     addresses, constants                                         and is put into the plan that is found
 *
 * Lowering and planning take longer than a kernel over some thousand elements. Kept are plans without stages: what is
 * computed first, or brought from outside of the linear memory, has places of its own each time.
 */
import type { DType } from "@onebuffer/base";
import { attributesOf } from "../expression/op-attributes.ts";
import type { ExpressionTree, ReduceAttributes } from "../expression/op-attributes.ts";
import { opNames, opTable } from "../expression/op-table.ts";
import { linearMemory } from "../linear-memory.ts";
import type { RawPlaces } from "../raw-places.ts";
import type { Kernel } from "./kernel-cache.ts";
import type { KernelCall } from "./kernel-plan.ts";
import { kernelDTypes } from "./lanes.ts";
import { leafPlaces } from "./leaf-places.ts";
import type { Lowered } from "./lowering.ts";
import type { Parameter } from "./program.ts";

/** The most values of an expression whose plan is kept, and the most numbers that describe it. */
const kMaxValues = 32;
const kMaxNumbers = 256;
/** The most plans that are kept: then they are made anew. */
const kMaxPlans = 256;

const opNumbers: ReadonlyMap<string, number> = new Map(opNames().map((op, i) => [op, i]));
const dtypeNumbers: ReadonlyMap<DType, number> = new Map(kernelDTypes.map((dtype, i) => [dtype, i]));

/** An expression as far as its plan goes, and what the plan leaves open. */
export interface PlanSubject {
  /** All that the plan depends on. */
  readonly numbers: readonly number[];
  /** The maps, each once, and where they begin. */
  readonly leaves: readonly ExpressionTree[];
  readonly starts: readonly number[];
  /** The constants, each once. */
  readonly constants: readonly Parameter[];
}

/** A plan in which addresses count from where the target and the maps begin. */
interface KeptPlan {
  readonly numbers: readonly number[];
  readonly calls: readonly KernelCall[];
  readonly kernels: readonly Kernel[];
  /** Per operand the number of its map. */
  readonly leafOf: readonly number[];
  /** Per parameter the number of its constant. */
  readonly constantOf: readonly number[];
}

/** A plan with addresses and constants. */
export interface ReadyPlan {
  readonly calls: readonly KernelCall[];
  readonly kernels: readonly Kernel[];
  readonly parameters: readonly Parameter[];
}

const plans: Map<number, KeptPlan> = new Map();

/** Describes one expression. */
class Description implements PlanSubject {
  readonly numbers: number[] = [];
  readonly leaves: ExpressionTree[] = [];
  readonly starts: number[] = [];
  readonly constants: Parameter[] = [];
  readonly #values: ExpressionTree[] = [];

  /** Takes places of elements, all but where they begin. */
  places({ itemBytes, dims, strides }: RawPlaces): void {
    this.numbers.push(itemBytes);
    this.#sizes(dims);
    for (let d = 0; d < strides.length; d++) this.numbers.push(strides[d] as number);
  }

  #sizes(dims: readonly number[]): void {
    this.numbers.push(dims.length);
    for (let d = 0; d < dims.length; d++) this.numbers.push(dims[d] as number);
  }

  /** The number of a node's value; -1 if plans of such expressions are not kept. */
  value(node: ExpressionTree): number {
    const known = this.#values.indexOf(node);
    if (known >= 0) return known;
    if (this.#values.length === kMaxValues || this.numbers.length > kMaxNumbers) return -1;
    const dtype = dtypeNumbers.get(node.dtype);
    if (dtype === undefined) return -1;
    const { op, inputs } = node;
    const first = inputs.length > 0 ? this.value(inputs[0]!) : 0;
    const second = inputs.length > 1 ? this.value(inputs[1]!) : 0;
    const third = inputs.length > 2 ? this.value(inputs[2]!) : 0;
    if (first < 0 || second < 0 || third < 0) return -1;
    // 7 bits for the operation, 4 for the dtype, three times 5 for the operands.
    this.numbers.push(((((opNumbers.get(op) as number) * 16 + dtype) * 32 + first) * 32 + second) * 32 + third);
    if (!this.#attributes(node)) return -1;
    return this.#values.push(node) - 1;
  }

  /** Takes what a node is besides operation, dtype and operands; whether that can be said. */
  #attributes(node: ExpressionTree): boolean {
    switch (opTable[node.op].class) {
      case "leaf":
        return this.#leaf(node);
      case "unary":
        this.numbers.push(node.op === "cast" && attributesOf(node, "cast").saturate ? 1 : 0);
        return true;
      case "binary":
      case "ternary":
        return true;
      case "reduction":
        if (node.op === "argmax" || node.op === "argmin") this.numbers.push(attributesOf(node, "argmax").axis);
        else this.#axes(node.attributes as ReduceAttributes);
        return true;
      default:
        if (node.op === "constant") return this.#constant(node);
        this.#sizes(node.op === "shuffle" ? attributesOf(node, "shuffle").permutation : node.dimensions);
        return node.op === "reshape" || node.op === "broadcast" || node.op === "shuffle";
    }
  }

  #axes({ axes, keepDims }: ReduceAttributes): void {
    this.#sizes(axes);
    this.numbers.push(keepDims ? 1 : 0);
  }

  #leaf(node: ExpressionTree): boolean {
    const places = leafPlaces(node);
    if (places.buffer !== linearMemory().buffer) return false;
    this.places(places);
    this.leaves.push(node);
    this.starts.push(places.byteOffset);
    return true;
  }

  /** Equal constants are one in a program, and what is known of them is part of a kernel. */
  #constant(node: ExpressionTree): boolean {
    const { value } = attributesOf(node, "constant");
    const { dtype } = node;
    let same = this.constants.findIndex((other) => isSame(other, { dtype, value }));
    if (same < 0) same = this.constants.push({ dtype, value }) - 1;
    this.numbers.push(same, value !== value ? 2 : value === 0 ? 1 : 0);
    this.#sizes(node.dimensions);
    return true;
  }
}

const isSame = (a: Parameter, b: Parameter): boolean => a.dtype === b.dtype && Object.is(a.value, b.value);

/** What the plan of assigning expressions depends on; null if plans of such expressions are not kept. */
export function planSubject(targets: readonly RawPlaces[], dtype: DType, trees: readonly ExpressionTree[]): PlanSubject | null {
  const storedAs = dtypeNumbers.get(dtype);
  if (storedAs === undefined) return null;
  const subject = new Description();
  subject.numbers.push(storedAs, trees.length);
  for (let t = 0; t < trees.length; t++) {
    subject.places(targets[t]!);
    const value = trees[t]!.depth > kMaxValues ? -1 : subject.value(trees[t]!);
    if (value < 0) return null;
    subject.numbers.push(value);
  }
  return subject;
}

/** A hash of up to 32 bits. */
function hashOf(numbers: readonly number[]): number {
  let hash = numbers.length;
  for (let i = 0; i < numbers.length; i++) hash = (Math.imul(hash, 0x01000193) ^ (numbers[i] as number)) | 0;
  return hash;
}

/** The plan of expressions like these, with these ones' addresses and constants; null if none is kept. */
export function recallPlan(targets: readonly RawPlaces[], { numbers, starts, constants }: PlanSubject): ReadyPlan | null {
  const kept = plans.get(hashOf(numbers));
  if (kept === undefined || kept.numbers.length !== numbers.length) return null;
  for (let i = 0; i < numbers.length; i++) if (kept.numbers[i] !== numbers[i]) return null;
  const { calls, kernels, leafOf, constantOf } = kept;
  return {
    calls: moved(calls, startsOf(targets, starts, leafOf), 1),
    kernels,
    parameters: constantOf.map((constant) => constants[constant]!),
  };
}

/** Where the targets and the operands begin, in the order of a call's accesses. */
function startsOf([target, ...others]: readonly RawPlaces[], starts: readonly number[], leafOf: readonly number[]): number[] {
  return [target!.byteOffset, ...leafOf.map((leaf) => starts[leaf] as number), ...others.map(({ byteOffset }) => byteOffset)];
}

/** Calls whose addresses are by so much larger, or smaller. */
function moved(calls: readonly KernelCall[], starts: readonly number[], sign: 1 | -1): KernelCall[] {
  return calls.map(({ spec, nest: { sizes, accesses } }) => ({
    spec,
    nest: {
      sizes,
      accesses: accesses.map(({ start, itemBytes, strides }, a) => ({ start: start + sign * (starts[a] as number), itemBytes, strides })),
    },
  }));
}

/** Keeps a plan that could be run. */
export function keepPlan(
  targets: readonly RawPlaces[],
  subject: PlanSubject,
  lowered: Lowered,
  calls: readonly KernelCall[],
  kernels: readonly Kernel[],
): void {
  const { numbers, leaves, starts, constants } = subject;
  const { operands, parameters } = lowered.program;
  if (lowered.stages.length > 0) return;
  const leafOf = operands.map(({ source }) => leaves.indexOf(source as ExpressionTree));
  const constantOf = parameters.map((parameter) => constants.findIndex((constant) => isSame(constant, parameter)));
  if (leafOf.includes(-1) || constantOf.includes(-1)) return;
  if (plans.size >= kMaxPlans) plans.clear();
  plans.set(hashOf(numbers), { numbers, calls: moved(calls, startsOf(targets, starts, leafOf), -1), kernels, leafOf, constantOf });
}
