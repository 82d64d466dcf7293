/**
 * plan-memory: what has been planned for an expression is kept for the next one like it (TensorFlow's counterpart is the
 * executable that XLA compiles once for a graph and its shapes).
 *
 *     mean(square(sub(a, mean(a)))) of a [1024, 1024] float32      numbers that say all that a plan depends on:
 *     operations, dtypes, axes, sizes, strides                     what is not among them changes from call to call
 *     addresses, constants                                         and is put into the plan that is found
 *
 * Lowering and planning take longer than a kernel over some thousand elements. Kept are plans without stages: what is
 * computed first has places of its own each time. Maps outside of the linear memory are brought into it, side by side, and that is how
 * they are described.
 */
import type { DType } from "@onebuffer/base";
import { constantCodes, constantKind } from "../../expression/tree/node-code.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import type { ExpressionTree, ReduceAttributes } from "../../expression/tree/op-attributes.ts";
import { opNames, opTable } from "../../expression/tree/op-table.ts";
import { linearMemory } from "@onebuffer/wasm";
import { product } from "../../geometry/map-geometry.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { rowMajorStrides } from "../../geometry/strided-geometry.ts";
import { kChunkBytes } from "./chunks.ts";
import type { Kernel } from "./kernel-cache.ts";
import { accessReach } from "./kernel-plan.ts";
import type { KernelCall, KernelRun } from "./kernel-plan.ts";
import { mayNeedRecheck } from "../plan/kernel-support.ts";
import { kernelDTypes } from "../plan/lanes.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { accessRange } from "../plan/loop-nest.ts";
import type { Access } from "../plan/loop-nest.ts";
import type { Lowered } from "../plan/lowering.ts";
import type { Parameter } from "../plan/program.ts";
import { leafOf, withNodes } from "../plan/tree-parts.ts";

/** The most values of an expression whose plan is kept, and the most numbers that describe it. */
const kMaxValues = 32;
const kMaxNumbers = 256;
/** The most plans that are kept: then the one goes that was made first. Several times as many as kernels that are large enough to be worth it. */
const kMaxPlans = 8192;

const opNumbers: ReadonlyMap<string, number> = new Map(opNames().map((op, i) => [op, i]));
const dtypeNumbers: ReadonlyMap<DType, number> = new Map(kernelDTypes.map((dtype, i) => [dtype, i]));

/** An expression, or several, as far as their plan goes, and what the plan leaves open. */
export interface PlanSubject {
  /** All that the plan depends on. */
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly hash: number;
  /** The maps, each once, and where they begin; what was outside is the map it was brought to. */
  readonly leaves: readonly ExpressionTree[];
  readonly starts: readonly number[];
  /** The expressions over these maps. */
  readonly trees: readonly ExpressionTree[];
  /** The constants, each once. */
  readonly constants: readonly Parameter[];
}

/** An access of a kept call. `start` is set before each run. */
interface KeptAccess extends Access {
  start: number;
  /** The map that it begins in; of targets -1 for the first, -2 for the next. */
  readonly base: number;
  /** Bytes from where that begins. */
  readonly delta: number;
  /** From `start`: the bytes of its elements. */
  readonly low: number;
  readonly end: number;
  /** From `start`: the bytes that whole groups may touch. */
  readonly touchedLow: number;
  readonly touchedEnd: number;
  /** Whether it may be the first target, element for element. */
  readonly mayBeTarget: boolean;
}

/** A kernel's call in which only the starts change. */
interface KeptCall extends KernelRun {
  readonly nest: { readonly sizes: readonly number[]; readonly accesses: readonly KeptAccess[] };
}

/** What has been planned for one description. */
interface KeptPlan extends ReadyPlan {
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly calls: readonly KeptCall[];
  readonly parameters: Parameter[];
  /** Per parameter the number of its constant. */
  readonly constantOf: readonly number[];
}

/** Kernels, what they are called with, and the constants. */
export interface ReadyPlan {
  readonly calls: readonly KernelRun[];
  readonly kernels: readonly Kernel[];
  readonly parameters: readonly Parameter[];
}

const plans: Map<number, KeptPlan> = new Map();

// What is being described. It is this module's, so that finding a plan allocates next to nothing: a kernel that streams through
// memory leaves no cache line of what is only touched in between.
const numbers: Float64Array<ArrayBuffer> = new Float64Array(kMaxNumbers);
const values: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
const leaves: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
const starts: number[] = new Array<number>(kMaxValues).fill(0);
/** Of maps outside of the linear memory, where they are; then, where they were brought to. */
const outside: (RawPlaces | null)[] = new Array<RawPlaces | null>(kMaxValues).fill(null);
const constants: Parameter[] = [];
let numNumbers = 0;
let numValues = 0;
let numLeaves = 0;
let numConstants = 0;
let outsideBytes = 0;
let hash = 0;

function say(number: number): void {
  // More than fit are counted: the description is given up at the end.
  if (numNumbers < kMaxNumbers) numbers[numNumbers] = number;
  numNumbers++;
  // Every bit of a number takes part in every bit of the next ones' sum: expressions differ by small numbers in few places.
  const mixed = Math.imul(hash ^ number, 0x2c1b3c6d);
  hash = (mixed ^ (mixed >>> 15)) | 0;
}

function encodeSizes(dims: readonly number[]): void {
  say(dims.length);
  for (let d = 0; d < dims.length; d++) say(dims[d] as number);
}

/** All of places but where they begin. */
function encodePlaces({ itemBytes, dims }: RawPlaces, strides: readonly number[]): void {
  say(itemBytes);
  encodeSizes(dims);
  for (let d = 0; d < strides.length; d++) say(strides[d] as number);
}

/** The number of a node's value; -1 if plans of such expressions are not kept. */
function encodeValue(node: ExpressionTree): number {
  for (let v = 0; v < numValues; v++) if (values[v] === node) return v;
  const dtype = dtypeNumbers.get(node.dtype);
  if (dtype === undefined) return -1;
  const { op, inputs } = node;
  const first = inputs.length > 0 ? encodeValue(inputs[0]!) : 0;
  const second = inputs.length > 1 ? encodeValue(inputs[1]!) : 0;
  const third = inputs.length > 2 ? encodeValue(inputs[2]!) : 0;
  if (first < 0 || second < 0 || third < 0 || numValues === kMaxValues) return -1;
  // 7 bits for the operation, 4 for the dtype, three times 5 for the operands.
  say(((((opNumbers.get(op) as number) * 16 + dtype) * 32 + first) * 32 + second) * 32 + third);
  if (!encodeAttributes(node)) return -1;
  values[numValues] = node;
  return numValues++;
}

/** What a node is besides operation, dtype and operands; false if that cannot be said. */
function encodeAttributes(node: ExpressionTree): boolean {
  switch (opTable[node.op].class) {
    case "leaf":
      return encodeLeaf(node);
    case "unary":
      say(node.op === "cast" && attributesOf(node, "cast").saturate ? 1 : 0);
      return true;
    case "binary":
    case "ternary":
      return true;
    case "reduction":
      if (node.op === "argmax" || node.op === "argmin") say(attributesOf(node, "argmax").axis);
      else {
        const { axes, keepDims } = node.attributes as ReduceAttributes;
        encodeSizes(axes);
        say(keepDims ? 1 : 0);
      }
      return true;
    default:
      return node.op === "constant" ? encodeConstant(node) : encodeMovement(node);
  }
}

/** A movement that strides express. */
function encodeMovement(node: ExpressionTree): boolean {
  switch (node.op) {
    case "reshape":
    case "broadcast":
      encodeSizes(node.dimensions);
      return true;
    case "shuffle":
      encodeSizes(attributesOf(node, "shuffle").permutation);
      return true;
    case "reverse":
      encodeSizes(attributesOf(node, "reverse").axes);
      return true;
    case "chip":
      say(attributesOf(node, "chip").axis);
      say(attributesOf(node, "chip").offset);
      return true;
    case "slice":
      encodeSizes(attributesOf(node, "slice").begin);
      encodeSizes(attributesOf(node, "slice").steps);
      encodeSizes(node.dimensions);
      return true;
    default:
      return false;
  }
}

function encodeLeaf(node: ExpressionTree): boolean {
  const places = leafPlaces(node);
  const { dims } = places;
  const isOutside = places.buffer !== linearMemory().buffer;
  if (isOutside) outsideBytes += product(dims) * places.itemBytes;
  encodePlaces(places, isOutside ? rowMajorStrides(dims) : places.strides);
  leaves[numLeaves] = node;
  outside[numLeaves] = isOutside ? places : null;
  starts[numLeaves++] = places.byteOffset;
  return outsideBytes <= kChunkBytes;
}

/** Equal constants are one in a program, and what is known of them is part of a kernel. */
function encodeConstant(node: ExpressionTree): boolean {
  const { value } = attributesOf(node, "constant");
  const { dtype } = node;
  let same = 0;
  while (same < numConstants && !isSame(constants[same]!, dtype, value)) same++;
  if (same === numConstants) constants[numConstants++] = { dtype, value };
  say(same);
  say(constantCodes[constantKind(value)]);
  encodeSizes(node.dimensions);
  return true;
}

const isSame = (a: Parameter, dtype: DType, value: unknown): boolean => a.dtype === dtype && Object.is(a.value, value);

function encodeAll(targets: readonly RawPlaces[], dtype: DType, trees: readonly ExpressionTree[]): boolean {
  const storedAs = dtypeNumbers.get(dtype);
  if (storedAs === undefined) return false;
  numNumbers = numValues = numLeaves = numConstants = outsideBytes = hash = 0;
  say(storedAs);
  say(trees.length);
  for (let t = 0; t < trees.length; t++) {
    const tree = trees[t]!;
    encodePlaces(targets[t]!, targets[t]!.strides);
    const value = tree.depth > kMaxValues ? -1 : encodeValue(tree);
    if (value < 0) return false;
    say(value);
  }
  return numNumbers <= kMaxNumbers;
}

/**
 * The plan of expressions like these, with these ones' addresses and constants, to be run at once; if none is kept, or not for memory
 * that lies like this, the subject to keep one for. Null if plans of such expressions are not kept. Unless it is null, maps outside of
 * the linear memory have been brought, and are there until the caller releases its scratch memory.
 */
export function recallPlan(
  targets: readonly RawPlaces[],
  dtype: DType,
  trees: readonly ExpressionTree[],
  bring: (places: RawPlaces) => RawPlaces,
): ReadyPlan | PlanSubject | null {
  try {
    if (!encodeAll(targets, dtype, trees)) return null;
    if (outsideBytes > 0) bringAll(bring);
    const kept = find();
    if (kept === null || !setStarts(kept, targets)) return subjectNow(trees);
    for (let p = 0; p < kept.constantOf.length; p++) kept.parameters[p] = constants[kept.constantOf[p] as number]!;
    return kept;
  } finally {
    // The lists must not keep an expression alive, and with it memory: not even where one of its maps is gone, which throws.
    values.fill(null, 0, numValues);
    leaves.fill(null, 0, numLeaves);
    outside.fill(null, 0, numLeaves);
  }
}

/** Brings the maps that are outside. */
function bringAll(bring: (places: RawPlaces) => RawPlaces): void {
  for (let k = 0; k < numLeaves; k++) {
    const from = outside[k]!;
    if (from === null) continue;
    const to = bring(from);
    outside[k] = to;
    starts[k] = to.byteOffset;
  }
}

function find(): KeptPlan | null {
  const kept = plans.get(hash);
  if (kept === undefined || kept.numbers.length !== numNumbers) return null;
  for (let i = 0; i < numNumbers; i++) if (kept.numbers[i] !== numbers[i]) return null;
  for (let k = 0; k < kept.kernels.length; k++) if (kept.kernels[k]!.run === null) return null;
  return kept;
}

function subjectNow(trees: readonly ExpressionTree[]): PlanSubject {
  const brought = new Map<ExpressionTree, ExpressionTree>();
  for (let k = 0; k < numLeaves; k++) if (outside[k] !== null) brought.set(leaves[k]!, leafOf(leaves[k]!, outside[k]!));
  return {
    numbers: numbers.slice(0, numNumbers),
    hash,
    leaves: (leaves.slice(0, numLeaves) as ExpressionTree[]).map((leaf) => brought.get(leaf) ?? leaf),
    starts: starts.slice(0, numLeaves),
    trees: brought.size === 0 ? trees : trees.map((tree) => withNodes(tree, brought)),
    constants: constants.slice(0, numConstants),
  };
}

/** Puts addresses into a plan. False where a kernel could read outside of the memory, or write what is still to be read. */
function setStarts({ calls }: KeptPlan, targets: readonly RawPlaces[]): boolean {
  const { byteLength } = linearMemory().buffer;
  for (const { nest } of calls) {
    const { accesses } = nest;
    for (let a = 0; a < accesses.length; a++) {
      const access = accesses[a]!;
      const { base, delta } = access;
      access.start = delta + (base < 0 ? targets[-1 - base]!.byteOffset : (starts[base] as number));
      if (access.start + access.touchedLow < 0 || access.start + access.touchedEnd > byteLength) return false;
    }
    for (let a = 0; a < accesses.length; a++) if (accesses[a]!.base < 0 && crosses(accesses, a)) return false;
  }
  return true;
}

/** Whether target `t` shares bytes with another access, other than element for element. */
function crosses(accesses: readonly KeptAccess[], t: number): boolean {
  const target = accesses[t]!;
  const from = target.start + target.low;
  const to = target.start + target.end;
  for (let a = 0; a < accesses.length; a++) {
    const { start, low, end, mayBeTarget } = accesses[a]!;
    if (a === t || start + end <= from || start + low >= to) continue;
    if (!mayBeTarget || start !== target.start) return true;
  }
  return false;
}

/** Keeps a plan that could be run. */
export function keepPlan(
  targets: readonly RawPlaces[],
  subject: PlanSubject,
  { program, stages }: Lowered,
  calls: readonly KernelCall[],
  kernels: readonly Kernel[],
): void {
  const { operands, parameters } = program;
  const leafOfOperand = operands.map(({ source }) => subject.leaves.indexOf(source as ExpressionTree));
  const constantOf = parameters.map(({ dtype, value }) => subject.constants.findIndex((constant) => isSame(constant, dtype, value)));
  if (stages.length > 0 || leafOfOperand.includes(-1) || constantOf.includes(-1)) return;
  const bases = [-1, ...leafOfOperand, ...targets.slice(1).map((_, t) => -2 - t)];
  const keptAccess = ({ spec, nest }: KernelCall, c: number, a: number): KeptAccess => {
    const target = nest.accesses[0]!;
    const access = nest.accesses[a]!;
    const base = bases[a] as number;
    const { start, itemBytes, strides } = access;
    const isAlike = itemBytes === target.itemBytes && strides.every((stride, d) => stride === target.strides[d]);
    const [low, end] = accessRange({ start: 0, itemBytes, strides }, nest.sizes);
    const [touchedLow, touchedEnd] = accessReach({ spec, nest }, a, kernels[c]!.elements);
    // Every field by its name: of objects that are put together from others engines keep a description each.
    return {
      start,
      itemBytes,
      strides,
      base,
      delta: start - (base < 0 ? targets[-1 - base]!.byteOffset : (subject.starts[base] as number)),
      low,
      end,
      touchedLow,
      touchedEnd,
      mayBeTarget: isAlike && !spec.storesRows && calls.length === 1 && !mayNeedRecheck(spec.nodes),
    };
  };
  const keptCalls = calls.map((call, c): KeptCall => {
    const { sizes, accesses } = call.nest;
    const { form, classes, outerLoops } = call.spec;
    return { spec: { form, classes, outerLoops }, nest: { sizes, accesses: accesses.map((_, a) => keptAccess(call, c, a)) } };
  });
  if (plans.size >= kMaxPlans) plans.delete(plans.keys().next().value as number);
  plans.set(subject.hash, { numbers: subject.numbers, calls: keptCalls, kernels, parameters: [...parameters], constantOf });
}
