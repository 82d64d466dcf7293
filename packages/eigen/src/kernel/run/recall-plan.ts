/**
 * recall-plan: finds the plan that was kept for an expression like this one (plan-store.ts), and gives it the current addresses and
 * constants.
 *
 *     mean(square(sub(a, mean(a)))) of a [1024, 1024] float32
 *     operations, dtypes, axes, sizes, strides     the plan depends on them: as numbers, they are the plan's key
 *     addresses, constants                         change from call to call and are written into the plan that is found
 *
 * Lowering and planning take longer than a kernel over some thousand elements. The stages of a plan get scratch memory
 * at each run. Maps outside the linear memory are copied into it as dense elements, and are described as such.
 */
import type { Complex, DType } from "@onebuffer/base";
import { isComplexDType, partDType } from "../../expression/tree/dtype-groups.ts";
import { constantCodes, constantKind, kCode, kConstantCodes, kOperationCodes } from "../../expression/tree/node-code.ts";
import type { CodedTree } from "../../expression/tree/node-code.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import type { OpClass } from "../../expression/tree/op-table.ts";
import { linearMemory } from "@onebuffer/wasm";
import { product } from "../../geometry/map-geometry.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { isRowMajor } from "../../geometry/strided-geometry.ts";
import { kChunkBytes } from "./chunks.ts";
import { isSameConstant, keptPlan, setStarts } from "./kept-plan.ts";
import type { KeptPlan, OpenParts, PlannedPrograms, ReadyPlan, Suits } from "./kept-plan.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { bindPlan, isSecondTime, unbindPlan } from "./bound-plan.ts";
import type { BoundPlan } from "./bound-plan.ts";
import { startOf } from "../plan/map-address.ts";
import type { DenseMap } from "../plan/map-address.ts";
import { linspaceConstants } from "../plan/plain-nodes.ts";
import { matches, patternOf } from "./plan-pattern.ts";
import type { MatchedParts } from "./plan-pattern.ts";
import {
  beginNumbers,
  encode,
  encodeMovement,
  encodeNumbersOf,
  encodePlaces,
  encodeReduction,
  encodeSizes,
  classOfNumber,
  haveRoom,
  numberOfDType,
  numberOfNode,
} from "./plan-numbers.ts";
import { currentKey, storedPlan, storePlan } from "./plan-store.ts";
import type { PlanKey, StoredPlan } from "./plan-store.ts";
import type { Parameter } from "../plan/program.ts";
import { takeScratch } from "../plan/scratch.ts";
import { leafOf, withNodes } from "../plan/tree-parts.ts";

/** The most values of an expression whose plan is kept. */
const kMaxValues = 64;
/** The description of one expression or several on which their plan depends, and the parts that the plan leaves open. */
export interface PlanSubject extends OpenParts {
  /** All numbers on which the plan depends. */
  readonly key: PlanKey;
  /** The expressions over the maps, in which copies replace the maps that were outside the linear memory. */
  readonly trees: readonly ExpressionTree[];
}

// The description in progress, besides its numbers. It is kept in variables of this module, so that finding a plan
// allocates next to nothing (see plan-numbers.ts).
const values: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
const leaves: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
/** The addresses of the maps, then that of the scratch memory for stages, then 0 for ramps. */
const starts: number[] = new Array<number>(kMaxValues + 2).fill(0);
/** For maps outside the linear memory: first their places, later those of their copies. Null for other maps. */
const outside: (RawPlaces | null)[] = new Array<RawPlaces | null>(kMaxValues).fill(null);
const constants: Parameter[] = [];
const randoms: ExpressionTree[] = [];
let numValues = 0;
let numLeaves = 0;
let numConstants = 0;
let outsideBytes = 0;
/** True if only maps inside the linear memory are described: the description fails at any other. */
let isInsideOnly = false;
/** The addresses of the targets. */
const targetStarts: number[] = [];

/** The number of places for plans that were found recently. */
const kRecent = 1024;
/** The plans that were found last for dense results, by a mix of the operation and sizes of the expression. */
const recent: (StoredPlan | null)[] = new Array<StoredPlan | null>(kRecent).fill(null);
const matched: MatchedParts = { target: 0, starts, numMaps: 0, constants, numConstants: 0 };

/**
 * Returns the kept plan for expressions like these, with the addresses and constants of these ones set, so that it
 * can be run at once. Returns "crosses" if a result of this plan would overwrite operands that are still to be read.
 * If no plan is kept, returns the subject for which to keep a plan. Returns null if plans of such expressions are not
 * kept. Unless it returns null, maps outside the linear memory have been copied into scratch memory. The copies and the
 * memory of the stages stay until the caller releases the scratch memory.
 */
export function recallPlan(
  targets: readonly RawPlaces[],
  dtype: DType,
  trees: readonly ExpressionTree[],
  copyToScratch: (places: RawPlaces) => RawPlaces,
): ReadyPlan | PlanSubject | "crosses" | null {
  try {
    if (!encodeAll(targets, dtype, trees)) return null;
    if (outsideBytes > 0) copyOutsideMaps(copyToScratch);
    const plan = find()?.kept ?? null;
    if (plan === null) return subjectNow(trees);
    const suits = makeReady(plan, numLeaves, constants, randoms);
    return suits === "yes" ? plan : suits === "crosses" ? suits : subjectNow(trees);
  } finally {
    forget();
  }
}

/**
 * Returns the kept plan for an expression whose result is stored as dense elements of its own dtype and sizes at an address of the linear
 * memory, ready to be run. Returns null if there is none, if it does not suit the addresses, or if a map is outside the linear memory.
 * Allocates nothing but the scratch memory of the stages, which the caller releases.
 */
export function recallDense(tree: ExpressionTree, start: number): KeptPlan | null {
  const place = placeOf(tree as CodedTree);
  const isSecond = isSecondTime(tree);
  const known = isSecond ? null : matchingPlan(tree as CodedTree, start, recent[place]!);
  if (known !== null) return makeReady(known, matched.numMaps, constants, randoms) === "yes" ? known : null;
  try {
    const storedAs = numberOfDType(tree.dtype);
    if (storedAs === undefined) return null;
    begin(storedAs, 1);
    isInsideOnly = true;
    targetStarts[0] = start;
    encode(0);
    encodeSizes(tree.dimensions);
    if (!encodeTree(tree)) return null;
    const stored = find();
    const plan = stored?.kept ?? null;
    if (stored === null || plan === null || makeReady(plan, numLeaves, constants, randoms) !== "yes") return null;
    if (isSecond) bindPlan(tree, boundNow(plan, start));
    else {
      if (stored.pattern === undefined)
        stored.pattern = patternOf(tree as CodedTree, leaves, constants.slice(0, numConstants), (map) => starts[map] === start);
      recent[place] = stored;
    }
    return plan;
  } finally {
    forget();
  }
}

/** Returns the place among the recent plans of an expression. */
function placeOf({ [kCode]: code, depth, dimensions, inputs }: CodedTree): number {
  const mix = mixOf(dimensions, code + depth * 131);
  return (inputs.length > 0 ? mixOf(inputs[0]!.dimensions, mix) : mix) & (kRecent - 1);
}

function mixOf(dims: readonly number[], mix: number): number {
  let mixed = mix;
  for (let d = 0; d < dims.length; d++) mixed = (Math.imul(mixed, 31) + (dims[d] as number)) | 0;
  return mixed;
}

/** Returns a plan if an expression has its pattern and its kernels have not been evicted; otherwise null. */
function matchingPlan(tree: CodedTree, start: number, stored: StoredPlan | null): KeptPlan | null {
  const pattern = stored?.pattern ?? null;
  if (pattern === null || !haveKernels(stored!.kept!)) return null;
  targetStarts[0] = matched.target = start;
  matched.numMaps = matched.numConstants = 0;
  return matches(pattern, tree, matched) ? stored!.kept : null;
}

/** Returns a plan with the maps and constants of the current description. */
const boundNow = (plan: KeptPlan, start: number): BoundPlan => ({
  plan,
  leaves: leaves.slice(0, numLeaves) as readonly ExpressionTree[] as readonly DenseMap[],
  atTarget: starts.slice(0, numLeaves).map((each) => each === start),
  constants: constants.slice(0, numConstants),
  randoms: randoms.slice(),
});

/** Returns the plan that an expression remembers, ready to be run; null as in `recallDense`. */
export function recallBound(
  tree: ExpressionTree,
  { plan, leaves: maps, atTarget, constants: own, randoms: nodes }: BoundPlan,
  start: number,
): KeptPlan | null {
  if (!haveKernels(plan)) {
    unbindPlan(tree);
    return null;
  }
  for (let k = 0; k < maps.length; k++) {
    const address = startOf(maps[k]!, maps[k]![kCode]);
    if (address < 0) return null;
    if ((address === start) !== atTarget[k]) return recallDense(tree, start);
    starts[k] = address;
  }
  targetStarts[0] = start;
  return makeReady(plan, maps.length, own, nodes) === "yes" ? plan : null;
}

/** Writes the current addresses and these constants and attributes into a plan. Returns whether it suits them. */
function makeReady(plan: KeptPlan, maps: number, own: readonly Parameter[], nodes: readonly ExpressionTree[]): Suits {
  starts[maps] = plan.scratchBytes === 0 ? 0 : takeScratch(plan.scratchBytes);
  starts[maps + 1] = 0;
  const suits = setStarts(plan, starts, targetStarts);
  if (suits !== "yes") return suits;
  for (let p = 0; p < plan.programs.length; p++) {
    const program = plan.programs[p]!;
    const { constantOf, parameters, randomOf } = program;
    if (randomOf >= 0) program.attributes = nodes[randomOf]!.attributes;
    for (let k = 0; k < constantOf.length; k++) parameters[k] = own[constantOf[k] as number]!;
  }
  return suits;
}

/** Clears the lists, which must not keep an expression, and with it memory, alive. */
function forget(): void {
  for (let v = 0; v < numValues; v++) values[v] = null;
  for (let k = 0; k < numLeaves; k++) leaves[k] = outside[k] = null;
  numValues = numLeaves = 0;
  // Setting the length calls into the engine's runtime.
  if (randoms.length > 0) randoms.length = 0;
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

/** Returns the stored plan with the current description if it is a kept plan and none of its kernels has been evicted; otherwise null. */
function find(): StoredPlan | null {
  const stored = storedPlan();
  return stored !== undefined && stored.kept !== null && haveKernels(stored.kept) ? stored : null;
}

/** Returns true if no kernel of a plan has been evicted. */
function haveKernels({ programs }: KeptPlan): boolean {
  for (let p = 0; p < programs.length; p++) {
    const { kernels } = programs[p]!;
    for (let k = 0; k < kernels.length; k++) if (kernels[k]!.run === null) return false;
  }
  return true;
}

/** Returns the current description as an object, in which copies replace the maps that were outside. */
function subjectNow(trees: readonly ExpressionTree[]): PlanSubject {
  const copies = new Map<ExpressionTree, ExpressionTree>();
  for (let k = 0; k < numLeaves; k++) if (outside[k] !== null) copies.set(leaves[k]!, leafOf(leaves[k]!, outside[k]!));
  return {
    key: currentKey(),
    leaves: (leaves.slice(0, numLeaves) as ExpressionTree[]).map((leaf) => copies.get(leaf) ?? leaf),
    starts: starts.slice(0, numLeaves),
    trees: copies.size === 0 ? trees : trees.map((tree) => withNodes(tree, copies)),
    constants: constants.slice(0, numConstants),
    randoms: randoms.slice(),
  };
}

/** Keeps the plan of a subject, unless it reads maps or constants that the subject does not list. */
export function keepPlan({ key, ...open }: PlanSubject, planned: PlannedPrograms): void {
  const plan = keptPlan(planned, open);
  if (plan !== null) storePlan(key, null, plan);
}

function begin(storedAs: number, numTrees: number): void {
  beginNumbers();
  numValues = numLeaves = numConstants = outsideBytes = 0;
  isInsideOnly = false;
  encode(storedAs);
  encode(numTrees);
}

function encodeAll(targets: readonly RawPlaces[], dtype: DType, trees: readonly ExpressionTree[]): boolean {
  const storedAs = numberOfDType(dtype);
  if (storedAs === undefined) return false;
  begin(storedAs, trees.length);
  for (let t = 0; t < trees.length; t++) {
    targetStarts[t] = targets[t]!.byteOffset;
    encodeGeometry(targets[t]!);
    if (!encodeTree(trees[t]!)) return false;
  }
  return true;
}

/** Encodes sizes, and strides unless the elements are dense. */
function encodeGeometry({ dims, strides }: RawPlaces): void {
  if (isRowMajor({ offset: 0, dims, strides })) {
    encode(0);
    encodeSizes(dims);
  } else encodePlaces(dims, strides);
}

/** Encodes a tree and returns true, or returns false if plans of such expressions are not kept. */
function encodeTree(tree: ExpressionTree): boolean {
  const value = tree.depth > kMaxValues ? -1 : encodeValue(tree);
  if (value < 0) return false;
  encode(value);
  return haveRoom();
}

/** Encodes a node and returns the number of its value, or -1 if plans of such expressions are not kept. */
function encodeValue(node: ExpressionTree): number {
  for (let v = 0; v < numValues; v++) if (values[v] === node) return v;
  const number = numberOfNode(node as CodedTree);
  const { inputs } = node;
  if (number === 0 || inputs.length > kMaxValues) return -1;
  // A node that is not encoded has no value to be found by. So the first such node ends the walk: another way to it would walk it again.
  const first = inputs.length > 0 ? encodeValue(inputs[0]!) : 0;
  if (first < 0) return -1;
  const second = inputs.length > 1 ? encodeValue(inputs[1]!) : 0;
  if (second < 0) return -1;
  const third = inputs.length > 2 ? encodeValue(inputs[2]!) : 0;
  if (third < 0 || (inputs.length > 3 && !encodeMore(inputs)) || numValues === kMaxValues) return -1;
  // 6 bits for each of three operands. The code of an elementwise operation contains its attributes.
  encode(((number * 64 + first) * 64 + second) * 64 + third);
  if (number < kOperationCodes && !encodeAttributes(node, classOfNumber(number))) return -1;
  values[numValues] = node;
  return numValues++;
}

/** Encodes the operands after the first three, each with its number. */
function encodeMore(inputs: readonly ExpressionTree[]): boolean {
  const numbers = inputs.slice(3).map(encodeValue);
  if (numbers.includes(-1)) return false;
  encodeSizes(numbers);
  return true;
}

/** Encodes the attributes of a node. Returns false if plans with such nodes are not kept. */
function encodeAttributes(node: ExpressionTree, opClass: OpClass): boolean {
  switch (opClass) {
    case "leaf":
      return encodeLeaf(node);
    case "unary":
      encode(node.op === "cast" && attributesOf(node, "cast").saturate ? 1 : 0);
      return true;
    case "binary":
    case "ternary":
      return true;
    case "reduction":
      encodeReduction(node);
      return !node.inputs[0]!.dimensions.includes(0);
    case "contraction": {
      const { transposeA, transposeB } = attributesOf(node, "matMul");
      encode((transposeA ? 2 : 0) + (transposeB ? 1 : 0));
      return !node.inputs[0]!.dimensions.includes(0);
    }
    case "generator":
      encodeSizes(node.dimensions);
      return encodeGenerator(node);
    case "random":
      encodeSizes(node.dimensions);
      randoms.push(node);
      return true;
    default:
      if (encodeMovement(node)) return true;
      encodeSizes(node.dimensions);
      encode(node.inputs.length);
      return encodeNumbersOf(node.attributes);
  }
}

/**
 * Encodes an operation without operands. The constants that a program makes of it must be listed: a constant that a program makes but
 * that is not listed could be taken for a listed one of the same value. (Reductions of zero elements are constants, too; their plans are
 * not kept.)
 */
function encodeGenerator(node: ExpressionTree): boolean {
  if (node.op === "constant") encodeConstant(node.dtype, attributesOf(node, "constant").value);
  else if (node.op === "iota") encode(attributesOf(node, "iota").axis);
  else if (node.op === "linspace") for (const value of linspaceConstants(node)) encodeConstant("float64", value);
  else return false;
  return true;
}

function encodeLeaf(node: ExpressionTree): boolean {
  const code = (node as CodedTree)[kCode];
  const start = code >= 0 && code < kConstantCodes && linearMemory().isConstructed ? startOf(node as DenseMap, code) : -1;
  if (start >= 0) {
    encode(0);
    encodeSizes(node.dimensions);
    addLeaf(node, start, null);
    return true;
  }
  if (isInsideOnly && code >= 0) return false;
  const places = leafPlaces(node);
  const { dims } = places;
  const isOutside = places.buffer !== linearMemory().buffer;
  if (isOutside) {
    outsideBytes += product(dims) * places.itemBytes;
    encode(0);
    encodeSizes(dims);
  } else encodeGeometry(places);
  addLeaf(node, places.byteOffset, isOutside ? places : null);
  return outsideBytes <= (isInsideOnly ? 0 : kChunkBytes);
}

function addLeaf(node: ExpressionTree, start: number, from: RawPlaces | null): void {
  // A product is added to its target in place (contraction/added-product.ts).
  encode(from === null && start === targetStarts[0] ? 1 : 0);
  leaves[numLeaves] = node;
  outside[numLeaves] = from;
  starts[numLeaves++] = start;
}

/** Equal constants are one parameter of a program. Their kind (+0, NaN or -0, or another value) is part of the kernel's structure. */
function encodeConstant(dtype: DType, value: unknown): void {
  if (isComplexDType(dtype)) {
    for (const part of value as Complex) encodeConstant(partDType(dtype), part);
    return;
  }
  let same = 0;
  while (same < numConstants && !isSameConstant(constants[same]!, dtype, value)) same++;
  if (same === numConstants) constants[numConstants++] = { dtype, value };
  encode(same);
  encode(constantCodes[constantKind(value)]);
}
