/**
 * plan-cache: keeps the plan of an expression for the next expression like it (TensorFlow's counterpart is the
 * executable that XLA compiles once for a graph and its shapes).
 *
 *     mean(square(sub(a, mean(a)))) of a [1024, 1024] float32
 *     operations, dtypes, axes, sizes, strides     the plan depends on them: as numbers, they are the plan's key
 *     addresses, constants                         change from call to call and are written into the plan that is found
 *
 * Lowering and planning take longer than a kernel over some thousand elements. Only plans without stages are kept,
 * because stages are at other addresses each time. Maps outside the linear memory are copied into it as dense
 * elements, and are described as such.
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
/**
 * The most plans that are kept; beyond it the oldest plan is dropped. Several times the number of kernels that are
 * large enough to be worth a plan.
 */
const kMaxPlans = 8192;

const opNumbers: ReadonlyMap<string, number> = new Map(opNames().map((op, i) => [op, i]));
const dtypeNumbers: ReadonlyMap<DType, number> = new Map(kernelDTypes.map((dtype, i) => [dtype, i]));

/** The description of one expression or several on which their plan depends, and the parts that the plan leaves open. */
export interface PlanSubject {
  /** All numbers on which the plan depends. */
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly hash: number;
  /** The maps, each once, and their byte addresses. A map that was outside is replaced by the map of its copy. */
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
  /** The index of the map that the access is relative to; -1 for the first target, -2 for the second, and so on. */
  readonly base: number;
  /** The distance in bytes from the start of that map or target. */
  readonly delta: number;
  /** The range of bytes of the elements, relative to `start`. */
  readonly low: number;
  readonly end: number;
  /** The range of bytes that whole groups of lanes may touch, relative to `start`. */
  readonly touchedLow: number;
  readonly touchedEnd: number;
  /** True if the access may coincide with the first target, element for element. */
  readonly mayBeTarget: boolean;
}

/** A kernel call of which only the starts change. */
interface KeptCall extends KernelRun {
  readonly nest: { readonly sizes: readonly number[]; readonly accesses: readonly KeptAccess[] };
}

/** The plan for one description. */
interface KeptPlan extends ReadyPlan {
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly calls: readonly KeptCall[];
  readonly parameters: Parameter[];
  /** For each parameter the index of its constant. */
  readonly constantOf: readonly number[];
}

/** A plan that can be run: the kernels, their calls and the constants. */
export interface ReadyPlan {
  readonly calls: readonly KernelRun[];
  readonly kernels: readonly Kernel[];
  readonly parameters: readonly Parameter[];
}

const plans: Map<number, KeptPlan> = new Map();

// The description in progress. It is kept in variables of this module so that finding a plan allocates next to
// nothing: a kernel that streams through memory evicts from the cache everything that is used only between runs.
const numbers: Float64Array<ArrayBuffer> = new Float64Array(kMaxNumbers);
const values: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
const leaves: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
const starts: number[] = new Array<number>(kMaxValues).fill(0);
/** For maps outside the linear memory: first their places, later those of their copies. Null for other maps. */
const outside: (RawPlaces | null)[] = new Array<RawPlaces | null>(kMaxValues).fill(null);
const constants: Parameter[] = [];
let numNumbers = 0;
let numValues = 0;
let numLeaves = 0;
let numConstants = 0;
let outsideBytes = 0;
let hash = 0;

/**
 * Returns the kept plan for expressions like these, with the addresses and constants of these ones set, so that it
 * can be run at once. If no plan is kept, or the kept one does not suit the addresses, returns the subject for which
 * to keep a plan. Returns null if plans of such expressions are not kept. Unless it returns null, maps outside the
 * linear memory have been copied into scratch memory, and the copies stay until the caller releases it.
 */
export function recallPlan(
  targets: readonly RawPlaces[],
  dtype: DType,
  trees: readonly ExpressionTree[],
  copyToScratch: (places: RawPlaces) => RawPlaces,
): ReadyPlan | PlanSubject | null {
  try {
    if (!encodeAll(targets, dtype, trees)) return null;
    if (outsideBytes > 0) copyOutsideMaps(copyToScratch);
    const kept = find();
    if (kept === null || !setStarts(kept, targets)) return subjectNow(trees);
    for (let p = 0; p < kept.constantOf.length; p++) kept.parameters[p] = constants[kept.constantOf[p] as number]!;
    return kept;
  } finally {
    // The lists must not keep an expression, and with it memory, alive; not even if a map has been disposed of, which throws above.
    values.fill(null, 0, numValues);
    leaves.fill(null, 0, numLeaves);
    outside.fill(null, 0, numLeaves);
  }
}

/** Copies the maps that are outside into scratch memory. */
function copyOutsideMaps(copyToScratch: (places: RawPlaces) => RawPlaces): void {
  for (let k = 0; k < numLeaves; k++) {
    const from = outside[k]!;
    if (from === null) continue;
    const to = copyToScratch(from);
    outside[k] = to;
    starts[k] = to.byteOffset;
  }
}

/** Returns the kept plan with the current description if none of its kernels has been evicted; otherwise null. */
function find(): KeptPlan | null {
  const kept = plans.get(hash);
  if (kept === undefined || kept.numbers.length !== numNumbers) return null;
  for (let i = 0; i < numNumbers; i++) if (kept.numbers[i] !== numbers[i]) return null;
  for (let k = 0; k < kept.kernels.length; k++) if (kept.kernels[k]!.run === null) return null;
  return kept;
}

/** Returns the current description as an object, in which copies replace the maps that were outside. */
function subjectNow(trees: readonly ExpressionTree[]): PlanSubject {
  const copies = new Map<ExpressionTree, ExpressionTree>();
  for (let k = 0; k < numLeaves; k++) if (outside[k] !== null) copies.set(leaves[k]!, leafOf(leaves[k]!, outside[k]!));
  return {
    numbers: numbers.slice(0, numNumbers),
    hash,
    leaves: (leaves.slice(0, numLeaves) as ExpressionTree[]).map((leaf) => copies.get(leaf) ?? leaf),
    starts: starts.slice(0, numLeaves),
    trees: copies.size === 0 ? trees : trees.map((tree) => withNodes(tree, copies)),
    constants: constants.slice(0, numConstants),
  };
}

/**
 * Writes the current addresses into a plan. Returns false if a kernel could read outside the memory or overwrite
 * elements that are still to be read.
 */
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

/** Returns true if target `t` shares bytes with another access in any way other than element for element. */
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

/** Keeps a plan that can be run, unless it has stages or reads maps or constants that the subject does not list. */
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
    // The fields are listed one by one: engines give objects made by spreading others a separate layout each.
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

function encodeAll(targets: readonly RawPlaces[], dtype: DType, trees: readonly ExpressionTree[]): boolean {
  const storedAs = dtypeNumbers.get(dtype);
  if (storedAs === undefined) return false;
  numNumbers = numValues = numLeaves = numConstants = outsideBytes = hash = 0;
  encode(storedAs);
  encode(trees.length);
  for (let t = 0; t < trees.length; t++) {
    const tree = trees[t]!;
    encodePlaces(targets[t]!, targets[t]!.strides);
    const value = tree.depth > kMaxValues ? -1 : encodeValue(tree);
    if (value < 0) return false;
    encode(value);
  }
  return numNumbers <= kMaxNumbers;
}

/** Encodes a node and returns the number of its value, or -1 if plans of such expressions are not kept. */
function encodeValue(node: ExpressionTree): number {
  for (let v = 0; v < numValues; v++) if (values[v] === node) return v;
  const dtype = dtypeNumbers.get(node.dtype);
  if (dtype === undefined) return -1;
  const { op, inputs } = node;
  const first = inputs.length > 0 ? encodeValue(inputs[0]!) : 0;
  const second = inputs.length > 1 ? encodeValue(inputs[1]!) : 0;
  const third = inputs.length > 2 ? encodeValue(inputs[2]!) : 0;
  if (first < 0 || second < 0 || third < 0 || numValues === kMaxValues) return -1;
  // 7 bits for the operation, 4 for the dtype, and 5 for each of three operands.
  encode(((((opNumbers.get(op) as number) * 16 + dtype) * 32 + first) * 32 + second) * 32 + third);
  if (!encodeAttributes(node)) return -1;
  values[numValues] = node;
  return numValues++;
}

/** Encodes the attributes of a node. Returns false if plans with such nodes are not kept. */
function encodeAttributes(node: ExpressionTree): boolean {
  switch (opTable[node.op].class) {
    case "leaf":
      return encodeLeaf(node);
    case "unary":
      encode(node.op === "cast" && attributesOf(node, "cast").saturate ? 1 : 0);
      return true;
    case "binary":
    case "ternary":
      return true;
    case "reduction":
      if (node.op === "argmax" || node.op === "argmin") encode(attributesOf(node, "argmax").axis);
      else {
        const { axes, keepDims } = node.attributes as ReduceAttributes;
        encodeSizes(axes);
        encode(keepDims ? 1 : 0);
      }
      return true;
    default:
      return node.op === "constant" ? encodeConstant(node) : encodeMovement(node);
  }
}

/** Encodes a movement that strides can express. Returns false for other movements. */
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
      encode(attributesOf(node, "chip").axis);
      encode(attributesOf(node, "chip").offset);
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

/** Equal constants are one parameter of a program. Their kind (+0, NaN or -0, or another value) is part of the kernel's structure. */
function encodeConstant(node: ExpressionTree): boolean {
  const { value } = attributesOf(node, "constant");
  const { dtype } = node;
  let same = 0;
  while (same < numConstants && !isSame(constants[same]!, dtype, value)) same++;
  if (same === numConstants) constants[numConstants++] = { dtype, value };
  encode(same);
  encode(constantCodes[constantKind(value)]);
  encodeSizes(node.dimensions);
  return true;
}

const isSame = (a: Parameter, dtype: DType, value: unknown): boolean => a.dtype === dtype && Object.is(a.value, value);

/** Encodes places, except where they begin. */
function encodePlaces({ itemBytes, dims }: RawPlaces, strides: readonly number[]): void {
  encode(itemBytes);
  encodeSizes(dims);
  for (let d = 0; d < strides.length; d++) encode(strides[d] as number);
}

function encodeSizes(dims: readonly number[]): void {
  encode(dims.length);
  for (let d = 0; d < dims.length; d++) encode(dims[d] as number);
}

/** Appends a number to the description. */
function encode(number: number): void {
  // Numbers beyond the limit are only counted: encodeAll then gives the description up.
  if (numNumbers < kMaxNumbers) numbers[numNumbers] = number;
  numNumbers++;
  // Every bit of a number affects every bit of the hash: expressions often differ only by small numbers in a few places.
  const mixed = Math.imul(hash ^ number, 0x2c1b3c6d);
  hash = (mixed ^ (mixed >>> 15)) | 0;
}
