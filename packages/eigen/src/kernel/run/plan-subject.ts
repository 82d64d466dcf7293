/**
 * plan-subject: describes expressions by numbers (plan-numbers.ts), and lists the parts that a plan leaves open: maps, constants, random
 * elements (XLA's counterpart is the fingerprint of an HLO module, with the module's parameters).
 *
 *     mean(square(sub(a, mean(a)))) of a [1024, 1024] float32
 *     operations, dtypes, axes, sizes, strides     the plan depends on them: as numbers, they are the plan's key
 *     addresses, constants                         change from call to call
 *
 * Every node is described once, and nodes refer to each other by the numbers of their values. So the cost is linear in the number of
 * distinct nodes, and there is no limit but that of the numbers.
 */
import type { Complex, DType } from "@onebuffer/base";
import { isConstant } from "../../expression/tree/node-kinds.ts";
import { isComplexDType, partDType } from "../../expression/tree/dtype-groups.ts";
import { constantCodes, constantKind, kCode, kConstantCodes, kOperationCodes } from "../../expression/tree/node-code.ts";
import type { CodedTree } from "../../expression/tree/node-code.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import { inputsOf, sizesOf } from "../../expression/tree/node-lists.ts";
import type { ExpressionTree, StoredTree } from "../../expression/tree/op-attributes.ts";
import type { OpClass } from "../../expression/tree/op-table.ts";
import { linearMemory } from "@onebuffer/wasm";
import { product } from "../../geometry/map-geometry.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { isRowMajor } from "../../geometry/strided-geometry.ts";
import { kChunkBytes } from "./chunks.ts";
import { ConstantIndex, isSameConstant } from "../plan/constant-index.ts";
import type { OpenParts } from "./kept-plan.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { startOf } from "../plan/map-address.ts";
import type { DenseMap } from "../plan/map-address.ts";
import { linspaceConstants } from "../plan/plain-nodes.ts";
import {
  beginNumbers,
  classOfNumber,
  encode,
  encodeAttributes,
  encodePlaces,
  encodeSizes,
  haveRoom,
  numberOfDType,
  numberOfNode,
} from "../plan/plan-numbers.ts";
import { currentKey } from "./plan-store.ts";
import type { PlanKey } from "./plan-store.ts";
import type { Parameter } from "../plan/program.ts";
import { leafOf, withNodes } from "../plan/tree-parts.ts";
import { workSplitter } from "../split/work-splitter.ts";

/** The description of one expression or several on which their plan depends, and the parts that the plan leaves open. */
export interface PlanSubject extends OpenParts {
  /** All numbers on which the plan depends. */
  readonly key: PlanKey;
  /** The expressions over the maps, in which copies replace the maps that were outside the linear memory. */
  readonly trees: readonly ExpressionTree[];
}

/** The open parts of the current description. One object is used for all, so that finding a plan allocates next to nothing. */
export interface DescribedParts {
  /** The maps, of which there are `numLeaves`. */
  readonly leaves: (ExpressionTree | null)[];
  /** The addresses of the maps, then that of the scratch memory for stages, then 0 for ramps. */
  readonly starts: number[];
  /** For maps outside the linear memory: first their places, later those of their copies. Null for other maps. */
  readonly outside: (RawPlaces | null)[];
  numLeaves: number;
  outsideBytes: number;
  readonly constants: Parameter[];
  numConstants: number;
  /** The nodes of random elements. */
  readonly randoms: ExpressionTree[];
  /** The addresses of the targets. */
  readonly targets: number[];
}

/** The open parts of the current description. */
export const described: DescribedParts = {
  leaves: [],
  starts: [],
  outside: [],
  numLeaves: 0,
  outsideBytes: 0,
  constants: [],
  numConstants: 0,
  randoms: [],
  targets: [],
};

/** As long as there are no more than this many values or constants, looking through all of them is faster than a Map. */
const kScanned = 48;
/** The numbers of values below this one take 6 bits. */
const kSmallValue = 64;

// The values of the current description: a list of the first ones, or a Map of all.
const values: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kScanned).fill(null);
const valueNumbers: Map<ExpressionTree, number> = new Map();
let numValues = 0;
const constantNumbers: ConstantIndex = new ConstantIndex();
/** True if only maps inside the linear memory are described: the description fails at any other. */
let isInsideOnly = false;

// The walk: the path from the root to the current node, for each node on it the next operand, and the values of operands before that one.
const path: (ExpressionTree | null)[] = [];
const next: number[] = [];
const operands: number[] = [];
let numOperands = 0;

/** Describes one expression or several. Returns false if plans of such expressions are not kept. */
export function describeAll(targets: readonly RawPlaces[], dtype: DType, trees: readonly ExpressionTree[]): boolean {
  if (!begin(dtype, trees.length, false)) return false;
  for (let t = 0; t < trees.length; t++) {
    described.targets[t] = targets[t]!.byteOffset;
    encodeGeometry(targets[t]!);
    if (!encodeTree(trees[t]!)) return false;
  }
  return true;
}

/** Describes an expression whose result is stored as dense elements at an address. Returns false also if a map is outside the linear memory. */
export function describeDense(tree: StoredTree, start: number): boolean {
  if (!begin(tree.dtype, 1, true)) return false;
  described.targets[0] = start;
  encode(0);
  encodeSizes(tree.rawDimensions ?? tree.dimensions);
  return encodeTree(tree);
}

/** Returns the current description as an object, in which copies replace the maps that were outside. */
export function subjectNow(trees: readonly ExpressionTree[]): PlanSubject {
  const { leaves, starts, outside, numLeaves, constants, numConstants, randoms } = described;
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

/** Clears the lists, which must not keep an expression, and with it memory, alive. */
export function forget(): void {
  const { leaves, outside, randoms } = described;
  for (let v = Math.min(numValues, kScanned) - 1; v >= 0; v--) values[v] = null;
  if (valueNumbers.size > 0) valueNumbers.clear();
  if (described.numConstants > kScanned) constantNumbers.clear();
  for (let k = 0; k < described.numLeaves; k++) leaves[k] = outside[k] = null;
  numValues = described.numLeaves = 0;
  // Setting the length calls into the engine's runtime.
  if (randoms.length > 0) randoms.length = 0;
}

function begin(storedAs: DType, numTrees: number, onlyInside: boolean): boolean {
  const number = numberOfDType(storedAs);
  if (number === undefined) return false;
  beginNumbers();
  numValues = described.numLeaves = described.numConstants = described.outsideBytes = 0;
  isInsideOnly = onlyInside;
  encode(number);
  // A pool's plans compute long reductions in blocks (split/reduce-in-blocks.ts).
  encode(workSplitter() === null ? numTrees : -numTrees);
  return true;
}

/** Encodes sizes, and strides unless the elements are dense. */
function encodeGeometry({ dims, strides }: RawPlaces): void {
  if (isRowMajor({ offset: 0, dims, strides })) {
    encode(0);
    encodeSizes(dims);
  } else encodePlaces(dims, strides);
}

/** Returns the number of the value of a node; -1 if it has not been described. */
function valueOf(node: StoredTree): number {
  if (numValues > kScanned) return valueNumbers.get(node) ?? -1;
  for (let v = 0; v < numValues; v++) if (values[v] === node) return v;
  return -1;
}

/** Gives a node the next value. */
function addValue(node: StoredTree): number {
  if (numValues < kScanned) values[numValues] = node;
  else {
    if (numValues === kScanned) for (let v = 0; v < kScanned; v++) valueNumbers.set(values[v]!, v);
    valueNumbers.set(node, numValues);
  }
  return numValues++;
}

/** Encodes a tree, operands first. Returns false if plans of such expressions are not kept. */
function encodeTree(root: ExpressionTree): boolean {
  numOperands = 0;
  let top = -1;
  let value = valueOf(root);
  if (value < 0) {
    path[++top] = root;
    next[top] = 0;
  }
  while (top >= 0) {
    const node: StoredTree = path[top]!;
    const inputs = node.rawInputs ?? node.inputs;
    const k = next[top]!;
    if (k < inputs.length) {
      next[top] = k + 1;
      const input = inputs[k]!;
      value = valueOf(input);
      if (value >= 0) operands[numOperands++] = value;
      else {
        path[++top] = input;
        next[top] = 0;
      }
    } else {
      path[top--] = null;
      value = encodeNode(node);
      if (value < 0) {
        while (top >= 0) path[top--] = null;
        return false;
      }
      operands[numOperands++] = value;
    }
  }
  encode(value);
  return haveRoom();
}

/** Encodes a node, of which the last operands are the values. Returns the number of its value, or -1 if plans of such expressions are not kept. */
function encodeNode(node: StoredTree): number {
  const number = numberOfNode(node as CodedTree);
  if (number === 0) return -1;
  const count = (node.rawInputs ?? node.inputs).length;
  numOperands -= count;
  if (count <= 3 && numValues <= kSmallValue) {
    const first = count > 0 ? operands[numOperands]! : 0;
    const second = count > 1 ? operands[numOperands + 1]! : 0;
    const third = count > 2 ? operands[numOperands + 2]! : 0;
    encode(((number * kSmallValue + first) * kSmallValue + second) * kSmallValue + third);
  } else {
    encode(number);
    encode(count);
    for (let k = 0; k < count; k++) encode(operands[numOperands + k]!);
  }
  // The code of an elementwise operation contains its attributes.
  return number < kOperationCodes && !encodeRest(node, classOfNumber(number)) ? -1 : addValue(node);
}

/** Encodes what a node has besides its operation and operands. Returns false if plans with such nodes are not kept. */
function encodeRest(node: StoredTree, opClass: OpClass): boolean {
  if (opClass === "leaf") return encodeLeaf(node);
  const inputs = inputsOf(node);
  // Reductions of zero elements are constants, which would not be listed.
  if ((opClass === "reduction" || opClass === "contraction") && sizesOf(inputs[0]!).includes(0)) return false;
  encodeSizes(sizesOf(node));
  encode(inputs.length);
  // The constants that a program makes of a node must be listed: otherwise one could be taken for a listed one of the same value.
  if (isConstant(node)) encodeConstant(node.dtype, attributesOf(node, "constant").value);
  else if (node.op === "linspace") for (const value of linspaceConstants(node)) encodeConstant("float64", value);
  else if (opClass === "random") described.randoms.push(node);
  else encodeAttributes(attributesOf(node, node.op));
  return true;
}

function encodeLeaf(node: StoredTree): boolean {
  const code = (node as CodedTree)[kCode];
  const start = code >= 0 && code < kConstantCodes && linearMemory().isConstructed ? startOf(node as DenseMap, code) : -1;
  if (start >= 0) {
    encode(0);
    encodeSizes(node.rawDimensions ?? node.dimensions);
    addLeaf(node, start, null);
    return true;
  }
  if (isInsideOnly && code >= 0) return false;
  const places = leafPlaces(node);
  const { dims } = places;
  const isOutside = places.buffer !== linearMemory().buffer;
  if (isOutside) {
    described.outsideBytes += product(dims) * places.itemBytes;
    encode(0);
    encodeSizes(dims);
  } else encodeGeometry(places);
  addLeaf(node, places.byteOffset, isOutside ? places : null);
  return described.outsideBytes <= (isInsideOnly ? 0 : kChunkBytes);
}

function addLeaf(node: StoredTree, start: number, from: RawPlaces | null): void {
  // A product is added to its target in place (contraction/added-product.ts).
  encode(from === null && start === described.targets[0] ? 1 : 0);
  described.leaves[described.numLeaves] = node;
  described.outside[described.numLeaves] = from;
  described.starts[described.numLeaves++] = start;
}

/** Equal constants are one parameter of a program. Their kind (+0, NaN or -0, or another value) is part of the kernel's structure. */
function encodeConstant(dtype: DType, value: unknown): void {
  if (isComplexDType(dtype)) {
    for (const part of value as Complex) encodeConstant(partDType(dtype), part);
    return;
  }
  const known = constantOf(dtype, value);
  encode(known < 0 ? addConstant(dtype, value) : known);
  encode(constantCodes[constantKind(value)]);
}

/** Returns the number of a constant; -1 if it has not been described. */
function constantOf(dtype: DType, value: unknown): number {
  const { constants, numConstants } = described;
  if (numConstants > kScanned) return constantNumbers.get(dtype, value);
  for (let k = 0; k < numConstants; k++) if (isSameConstant(constants[k]!, dtype, value)) return k;
  return -1;
}

function addConstant(dtype: DType, value: unknown): number {
  const { constants, numConstants } = described;
  constants[numConstants] = { dtype, value };
  if (numConstants === kScanned) for (let k = 0; k < kScanned; k++) constantNumbers.add(constants[k]!.dtype, constants[k]!.value, k);
  if (numConstants >= kScanned) constantNumbers.add(dtype, value, numConstants);
  return described.numConstants++;
}
