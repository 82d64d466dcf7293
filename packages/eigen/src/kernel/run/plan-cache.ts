/**
 * plan-cache: keeps the plan of an expression for the next expression like it (TensorFlow's counterpart is the
 * executable that XLA compiles once for a graph and its shapes).
 *
 *     mean(square(sub(a, mean(a)))) of a [1024, 1024] float32
 *     operations, dtypes, axes, sizes, strides     the plan depends on them: as numbers, they are the plan's key
 *     addresses, constants                         change from call to call and are written into the plan that is found
 *
 * Lowering and planning take longer than a kernel over some thousand elements. The stages of a plan get scratch memory
 * at each run. Maps outside the linear memory are copied into it as dense elements, and are described as such.
 */
import type { DType } from "@onebuffer/base";
import { constantCodes, constantKind } from "../../expression/tree/node-code.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { opTable } from "../../expression/tree/op-table.ts";
import { linearMemory } from "@onebuffer/wasm";
import { product } from "../../geometry/map-geometry.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { rowMajorStrides } from "../../geometry/strided-geometry.ts";
import { kChunkBytes } from "./chunks.ts";
import { isSameConstant, keptPlan, setStarts } from "./kept-plan.ts";
import type { KeptPlan, OpenParts, PlannedPrograms, ReadyPlan } from "./kept-plan.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { linspaceConstants } from "../plan/plain-nodes.ts";
import {
  areNumbers,
  beginNumbers,
  copyOfNumbers,
  encode,
  encodeMovement,
  encodePlaces,
  encodeReduction,
  encodeSizes,
  hashOfNumbers,
  haveRoom,
  numberOfDType,
  numberOfOp,
} from "./plan-numbers.ts";
import type { Parameter } from "../plan/program.ts";
import { takeScratch } from "../plan/scratch.ts";
import { leafOf, withNodes } from "../plan/tree-parts.ts";

/** The most values of an expression whose plan is kept. */
const kMaxValues = 64;
/**
 * The most plans that are kept; beyond it the oldest plan is dropped. Several times the number of kernels that are
 * large enough to be worth a plan.
 */
const kMaxPlans = 8192;

/** The description of one expression or several on which their plan depends, and the parts that the plan leaves open. */
export interface PlanSubject extends OpenParts {
  /** All numbers on which the plan depends. */
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly hash: number;
  /** The expressions over the maps, in which copies replace the maps that were outside the linear memory. */
  readonly trees: readonly ExpressionTree[];
}

/** A plan and the numbers of its expressions. */
interface PlanEntry {
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly plan: KeptPlan;
}

const plans: Map<number, PlanEntry> = new Map();

// The description in progress, besides its numbers. It is kept in variables of this module, so that finding a plan
// allocates next to nothing (see plan-numbers.ts).
const values: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
const leaves: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
/** The addresses of the maps, then that of the scratch memory for stages, then 0 for ramps. */
const starts: number[] = new Array<number>(kMaxValues + 2).fill(0);
/** For maps outside the linear memory: first their places, later those of their copies. Null for other maps. */
const outside: (RawPlaces | null)[] = new Array<RawPlaces | null>(kMaxValues).fill(null);
const constants: Parameter[] = [];
let numValues = 0;
let numLeaves = 0;
let numConstants = 0;
let outsideBytes = 0;
/** The address of the first target. */
let targetStart = 0;

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
    const plan = find();
    if (plan === null) return subjectNow(trees);
    starts[numLeaves] = plan.scratchBytes === 0 ? 0 : takeScratch(plan.scratchBytes);
    starts[numLeaves + 1] = 0;
    const suits = setStarts(plan, starts, targets);
    if (suits !== "yes") return suits === "crosses" ? suits : subjectNow(trees);
    for (let p = 0; p < plan.programs.length; p++) {
      const { constantOf, parameters } = plan.programs[p]!;
      for (let k = 0; k < constantOf.length; k++) parameters[k] = constants[constantOf[k] as number]!;
    }
    return plan;
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
  const entry = plans.get(hashOfNumbers());
  if (entry === undefined || !areNumbers(entry.numbers)) return null;
  const { programs } = entry.plan;
  for (let p = 0; p < programs.length; p++) {
    const { kernels } = programs[p]!;
    for (let k = 0; k < kernels.length; k++) if (kernels[k]!.run === null) return null;
  }
  return entry.plan;
}

/** Returns the current description as an object, in which copies replace the maps that were outside. */
function subjectNow(trees: readonly ExpressionTree[]): PlanSubject {
  const copies = new Map<ExpressionTree, ExpressionTree>();
  for (let k = 0; k < numLeaves; k++) if (outside[k] !== null) copies.set(leaves[k]!, leafOf(leaves[k]!, outside[k]!));
  return {
    numbers: copyOfNumbers(),
    hash: hashOfNumbers(),
    leaves: (leaves.slice(0, numLeaves) as ExpressionTree[]).map((leaf) => copies.get(leaf) ?? leaf),
    starts: starts.slice(0, numLeaves),
    trees: copies.size === 0 ? trees : trees.map((tree) => withNodes(tree, copies)),
    constants: constants.slice(0, numConstants),
  };
}

/** Keeps the plan of a subject, unless it reads maps or constants that the subject does not list. */
export function keepPlan({ numbers, hash, ...open }: PlanSubject, planned: PlannedPrograms): void {
  const plan = keptPlan(planned, open);
  if (plan === null) return;
  if (plans.size >= kMaxPlans) plans.delete(plans.keys().next().value as number);
  plans.set(hash, { numbers, plan });
}

function encodeAll(targets: readonly RawPlaces[], dtype: DType, trees: readonly ExpressionTree[]): boolean {
  const storedAs = numberOfDType(dtype);
  if (storedAs === undefined) return false;
  beginNumbers();
  targetStart = targets[0]!.byteOffset;
  numValues = numLeaves = numConstants = outsideBytes = 0;
  encode(storedAs);
  encode(trees.length);
  for (let t = 0; t < trees.length; t++) {
    const tree = trees[t]!;
    encodePlaces(targets[t]!, targets[t]!.strides);
    const value = tree.depth > kMaxValues ? -1 : encodeValue(tree);
    if (value < 0) return false;
    encode(value);
  }
  return haveRoom();
}

/** Encodes a node and returns the number of its value, or -1 if plans of such expressions are not kept. */
function encodeValue(node: ExpressionTree): number {
  for (let v = 0; v < numValues; v++) if (values[v] === node) return v;
  const dtype = numberOfDType(node.dtype);
  if (dtype === undefined) return -1;
  const { inputs } = node;
  // A node that is not encoded has no value to be found by. So the first such node ends the walk: another way to it would walk it again.
  const first = inputs.length > 0 ? encodeValue(inputs[0]!) : 0;
  if (first < 0) return -1;
  const second = inputs.length > 1 ? encodeValue(inputs[1]!) : 0;
  if (second < 0) return -1;
  const third = inputs.length > 2 ? encodeValue(inputs[2]!) : 0;
  if (third < 0 || numValues === kMaxValues) return -1;
  // 7 bits for the operation, 4 for the dtype, and 6 for each of three operands.
  encode((((numberOfOp(node) * 16 + dtype) * 64 + first) * 64 + second) * 64 + third);
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
    default:
      return encodeMovement(node);
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
  const places = leafPlaces(node);
  const { dims } = places;
  const isOutside = places.buffer !== linearMemory().buffer;
  if (isOutside) outsideBytes += product(dims) * places.itemBytes;
  encodePlaces(places, isOutside ? rowMajorStrides(dims) : places.strides);
  // A product is added to its target in place (contraction/added-product.ts).
  encode(!isOutside && places.byteOffset === targetStart ? 1 : 0);
  leaves[numLeaves] = node;
  outside[numLeaves] = isOutside ? places : null;
  starts[numLeaves++] = places.byteOffset;
  return outsideBytes <= kChunkBytes;
}

/** Equal constants are one parameter of a program. Their kind (+0, NaN or -0, or another value) is part of the kernel's structure. */
function encodeConstant(dtype: DType, value: unknown): void {
  let same = 0;
  while (same < numConstants && !isSameConstant(constants[same]!, dtype, value)) same++;
  if (same === numConstants) constants[numConstants++] = { dtype, value };
  encode(same);
  encode(constantCodes[constantKind(value)]);
}
